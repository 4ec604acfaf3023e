import { bestSentences, plainText, sentencesOf, wordsOf } from '../search/textIndex.cjs';

/** What is answered where a page says nothing. */
const noAnswer = 'The page does not answer this.';

/** The first three sentences. */
export const summary = (markdown: string): string => proseOf(markdown).slice(0, 3).join(' ');

/** The sentence that answers best, or that the page says nothing. */
export function answer(markdown: string, question: string): string {
	const [best = noAnswer] = bestSentences(proseOf(markdown), wordsOf(question), 1);
	return best;
}

/** The passages that have to do with the query, one per line. */
export const highlights = (markdown: string, query: string): string =>
	bestSentences(proseOf(markdown), wordsOf(query), 5).join('\n');

const proseOf = (markdown: string): string[] =>
	sentencesOf(markdown).filter((sentence) => /\s/.test(sentence) && /[.!?]$/.test(sentence));

type Schema = Record<string, unknown>;

/** What an extraction can draw on. */
export interface Readable {
	markdown: string;
	metadata: Record<string, unknown>;
}

/** Fills a JSON Schema by what the page states under each property's name; a prompt alone gives an outline. */
export function extract(
	page: Readable,
	schema: Schema | undefined,
	prompt: string | undefined,
): unknown {
	if (schema) return fill(schema, '', page);
	const headings = sections(page.markdown).map(({ title }) => title);
	const { title = null } = page.metadata;
	return { title, headings, answer: answer(page.markdown, prompt ?? '') };
}

function fill(schema: Schema, name: string, page: Readable): unknown {
	const { properties, items, enum: values, description } = schema;
	const type = typeOf(schema);
	if (type === 'object') {
		const entries = Object.entries(isObject(properties) ? properties : {});
		return Object.fromEntries(
			entries.map(([key, each]) => [key, isObject(each) ? fill(each, key, page) : null]),
		);
	}
	if (type === 'array') return fillList(isObject(items) ? items : {}, page);
	if (Array.isArray(values)) return values[0];
	const asked = `${name.replace(/([A-Z_])/g, ' $1')} ${String(description ?? '')}`;
	const [, read] = readers.find(([names]) => names.test(name)) ?? [];
	const value = labelled(page.markdown, name) ?? read?.(page) ?? answer(page.markdown, asked);
	if (type === 'boolean') return value !== noAnswer;
	if (type !== 'number' && type !== 'integer') return String(value);
	const [number] = /-?\d+(?:\.\d+)?/.exec(String(value)) ?? [];
	if (number === undefined) return null;
	return type === 'integer' ? Math.round(Number(number)) : Number(number);
}

/** One entry per section of the page: an object, read for itself, or its title. */
const fillList = (items: Schema, page: Readable): unknown[] =>
	sections(page.markdown).map(({ title, text }) => {
		const metadata = { title, description: text };
		return typeOf(items) === 'object'
			? fill(items, '', { ...page, markdown: text, metadata })
			: title;
	});

const signs: Record<string, string | undefined> = { '£': 'GBP', $: 'USD', '€': 'EUR' };
const found = (pattern: RegExp, text: string): string | undefined => pattern.exec(text)?.[1];

/** What properties of usual names are read from. */
const readers: ReadonlyArray<[name: RegExp, read: (page: Readable) => unknown]> = [
	[/title|headline|^name$/i, ({ metadata }) => metadata.ogTitle ?? metadata.title],
	[/description|about|summary/i, ({ metadata }) => metadata.description],
	[/email/i, ({ markdown }) => found(/([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/, markdown)],
	[/currency/i, ({ markdown }) => signs[found(/([£$€])\s?\d/, markdown) ?? '']],
	[/price|cost|amount/i, ({ markdown }) => found(/[£$€]\s?(\d+(?:\.\d+)?)/, markdown)],
];

/** What a page states by the property's name: `Name: value`, or a row of two cells. */
function labelled(markdown: string, name: string): string | undefined {
	const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').match(/[\p{L}\p{N}]+/gu);
	if (!words) return undefined;
	const line = `^[-*|\\s]*${words.join('[ _-]')} *[:|] *([^|\\n]*[^|\\s]) *\\|? *$`;
	const stated = found(new RegExp(line, 'imu'), markdown);
	return stated && plainText(stated).trim();
}

/** A line of a product: `Red: € 9.50 (was € 12), sold out`, or a row of a table with a price. */
const offer =
	/^(?:\| *([^|\n]*?) *\|(?:[^|\n]*\|)*? *|(.*?): *)([£$€]) ?(\d+(?:\.\d+)?)(?: \(was [£$€] ?(\d+(?:\.\d+)?)\))?[ |,]*(sold out|out of stock)?/gim;

/** The product of a page, with a variant for each of its lines. */
export function product({ markdown, metadata }: Readable): { product?: object } {
	const variants = [...markdown.matchAll(offer)].map(
		([, cell, name = cell, sign, amount, was, out]) => ({
			values: [
				plainText(name ?? '')
					.replace(/^[-*\s]+/, '')
					.trim(),
			],
			price: { amount: Number(amount), currency: signs[sign ?? ''], formatted: `${sign}${amount}` },
			...(was !== undefined && { sale: { originalPrice: Number(was) } }),
			availability: { inStock: out === undefined },
		}),
	);
	if (variants.length === 0) return {};
	return { product: { title: metadata.title, url: metadata.url, variants } };
}

const sections = (markdown: string): Array<{ title: string; text: string }> =>
	markdown
		.split(/^#{1,6} +/m)
		.slice(1)
		.map((part) => {
			const [title = '', ...rest] = part.split('\n');
			return { title: plainText(title).trim(), text: rest.join('\n').trim() };
		});

function typeOf({ type, properties, items }: Schema): string {
	const named: unknown = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
	if (typeof named === 'string') return named;
	if (properties) return 'object';
	return items ? 'array' : 'string';
}

const isObject = (value: unknown): value is Schema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
