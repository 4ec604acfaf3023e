import { load } from 'cheerio';

import { ApiError } from '../errors.cjs';
import { plainText } from '../search/highlight.cjs';
import { wordsOf } from '../search/textIndex.cjs';
import { answer, summary } from './readings.cjs';
import { linkedData } from './linkedData.cjs';

type Schema = Record<string, unknown>;

/** What an extraction can draw on. */
export interface Readable {
	html: string;
	markdown: string;
	metadata: Record<string, unknown>;
	links: string[];
	images: string[];
}

/**
 * Fills a JSON Schema from a page, property by property: by the property's name from the page's
 * metadata, structured data and content, turned into the property's type. A prompt alone gives the
 * page's outline. Throws 422 for what is not a JSON Schema.
 */
export function extract(
	page: Readable,
	schema: Schema | undefined,
	prompt: string | undefined,
): unknown {
	if (!schema) return outline(page, prompt);
	checkSchema(schema, 'schema');
	return fill(schema, '', page);
}

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

function checkSchema(schema: unknown, at: string): void {
	const refuse = (why: string): never => {
		throw new ApiError(422, { code: 'BAD_REQUEST', error: `Unprocessable Entity: ${at} ${why}` });
	};
	if (!isObject(schema)) return refuse('is not an object');
	const { type, properties, items, enum: values, additionalProperties } = schema;
	const named = Array.isArray(type) ? (type as unknown[]) : [type];
	if (type !== undefined && !named.every((each) => types.has(String(each))))
		refuse('has an unknown type');
	if (properties !== undefined && !isObject(properties))
		refuse('has properties that are no object');
	if (values !== undefined && !Array.isArray(values)) refuse('has an enum that is no list');
	if (type === 'object' && properties === undefined && additionalProperties === true) {
		refuse('is an object without properties');
	}
	for (const [name, each] of Object.entries(isObject(properties) ? properties : {})) {
		checkSchema(each, `${at}.${name}`);
	}
	if (items !== undefined) checkSchema(items, `${at}.items`);
}

function fill(schema: Schema, name: string, page: Readable): unknown {
	const { properties, items, enum: values } = schema;
	const type = typeOf(schema);
	if (type === 'object') {
		const entries = Object.entries(isObject(properties) ? properties : {});
		return Object.fromEntries(
			entries.map(([key, each]) => [key, isObject(each) ? fill(each, key, page) : null]),
		);
	}
	if (type === 'array') return fillList(isObject(items) ? items : {}, name, page);
	if (Array.isArray(values)) {
		const text = page.markdown.toLowerCase();
		return values.find((value) => text.includes(String(value).toLowerCase())) ?? values[0];
	}
	const description = typeof schema.description === 'string' ? schema.description : '';
	return convert(valueOf(name, description, page), type, page);
}

function fillList(items: Schema, name: string, page: Readable): unknown[] {
	if (typeOf(items) !== 'object') return listOf(name, page);
	// One object per section of the page, each read for itself.
	return sections(page.markdown).map(({ title, text }) =>
		fill(items, name, {
			...page,
			markdown: text,
			html: '',
			metadata: { title, description: text },
		}),
	);
}

function listOf(name: string, page: Readable): string[] {
	if (/image|picture|photo/i.test(name)) return page.images;
	if (/link|url/i.test(name)) return page.links;
	if (/heading|section|topic/i.test(name)) return sections(page.markdown).map(({ title }) => title);
	const bullets = page.markdown.match(/^\s*[-*] +.+$/gm) ?? [];
	return bullets.map((line) => plainText(line.replace(/^\s*[-*] +/, '')).trim());
}

/** The currencies of the signs before amounts. */
const currencies: Record<string, string | undefined> = { '£': 'GBP', $: 'USD', '€': 'EUR' };

function valueOf(name: string, description: string, page: Readable): unknown {
	const { metadata, markdown, html } = page;
	const data = html ? linkedData(load(html)) : {};
	const stated = labelled(markdown, name);
	if (stated !== undefined) return stated;
	if (/title|headline|^name$/i.test(name)) return metadata.ogTitle ?? metadata.title;
	if (/description|about/i.test(name)) return metadata.description;
	if (/summary/i.test(name)) return summary(markdown);
	if (/date|published|updated|modified/i.test(name)) {
		return metadata['article:modified_time'] ?? /\d{4}-\d{2}-\d{2}/.exec(markdown)?.[0];
	}
	if (/author/i.test(name)) return metadata.author;
	if (/language/i.test(name)) return metadata.language;
	if (/currency/i.test(name)) {
		const sign = /([£$€])\s?\d/.exec(markdown)?.[1] ?? '';
		return data.Product?.offers?.[0]?.priceCurrency ?? currencies[sign];
	}
	if (/price|cost|amount/i.test(name)) {
		return data.Product?.offers?.[0]?.price ?? /[£$€]\s?(\d+(?:\.\d+)?)/.exec(markdown)?.[1];
	}
	if (/image|picture|photo/i.test(name)) return page.images[0];
	if (/url|link/i.test(name)) return metadata['og:url'] ?? page.links[0];
	if (/email/i.test(name)) return /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(markdown)?.[0];
	const asked = [...wordsOf(name.replace(/([A-Z_])/g, ' $1')), ...wordsOf(description)].join(' ');
	return answer(markdown, asked);
}

/** What a page states by the property's name: `Name: value`, or a row of two cells. */
function labelled(markdown: string, name: string): string | undefined {
	const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [];
	if (words.length === 0) return undefined;
	const line = `^[-*|\\s]*${words.join('[ _-]')} *[:|] *([^|\\n]*[^|\\s]) *\\|? *$`;
	const stated = new RegExp(line, 'imu').exec(markdown);
	return stated ? plainText(stated[1]).trim() : undefined;
}

function convert(value: unknown, type: string, { markdown }: Readable): unknown {
	if (value === undefined || value === null) return type === 'boolean' ? false : null;
	if (type === 'number' || type === 'integer') {
		const found =
			/-?\d+(?:\.\d+)?/.exec(String(value)) ?? /-?\d+(?:\.\d+)?/.exec(plainText(markdown));
		if (!found) return null;
		return type === 'integer' ? Math.round(Number(found[0])) : Number(found[0]);
	}
	if (type === 'boolean') return value !== '' && !/does not answer/.test(String(value));
	return type === 'string' ? String(value) : value;
}

function outline(page: Readable, prompt = ''): unknown {
	return {
		title: page.metadata.title ?? null,
		headings: sections(page.markdown).map(({ title }) => title),
		answer: answer(page.markdown, prompt),
	};
}

function sections(markdown: string): Array<{ title: string; text: string }> {
	return markdown
		.split(/^#{1,6} +/m)
		.slice(1)
		.map((part) => {
			const [title = '', ...rest] = part.split('\n');
			return { title: plainText(title).trim(), text: rest.join('\n').trim() };
		});
}

function typeOf({ type, properties, items }: Schema): string {
	const named = Array.isArray(type) ? (type as unknown[]).find((each) => each !== 'null') : type;
	if (typeof named === 'string') return named;
	if (properties) return 'object';
	return items ? 'array' : 'string';
}

function isObject(value: unknown): value is Schema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
