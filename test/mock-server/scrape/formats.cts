import { load } from 'cheerio';

import type { Site } from '../../site/site.cjs';
import { ApiError } from '../errors.cjs';
import { checksInjection } from '../prices.cjs';
import type { Format, FormatOf } from '../schemas/formats.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { screenshot, type SignedFiles } from '../signedFiles.cjs';
import type { ActionResults, Document } from './document.cjs';
import { addresses, mainContent, matching, toMarkdown } from './mainContent.cjs';
import type { ParsedPdf } from './pdf.cjs';
import {
	answer,
	extract,
	highlights,
	holdsInjection,
	type Readable,
	redact,
	summary,
} from './readings.cjs';
import { branding, media, menu, product } from './structured.cjs';

/** A page ready to be read: HTML after all waits and actions, or the text of another file. */
export interface Opened {
	url: string;
	body: Buffer;
	html?: string;
	metadata: Record<string, unknown>;
	text?: string;
	pdf?: ParsedPdf;
	pages?: ParsedPdf['pages'];
	actions?: ActionResults;
}

export interface FormatParts {
	site: Site;
	files: SignedFiles;
	track(page: Readable, format: FormatOf<'changeTracking'>): Record<string, unknown>;
	/** Told that the guard has judged the page. */
	onVerdict(): void;
}

/** Makes a value when it is first asked for: each entry of an extracted list asks its page again. */
function once<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => (made ??= { value: make() }).value;
}

/** Produces the fields that the formats ask for; markdown when none is named. */
export async function documentFormats(
	opened: Opened,
	options: ScrapeOptions,
	parts: FormatParts,
): Promise<Partial<Document>> {
	const { redactPII } = options;
	const clean = (text: string): string => (redactPII ? redact(text, redactPII) : text);
	const html = opened.html === undefined ? '' : mainContent(opened.html, opened.url, options);
	const markdown = clean(opened.text ?? toMarkdown(html, options.removeBase64Images ?? true));
	const links = once(() => addresses(html, 'a', 'href'));
	const images = once(() => addresses(html, 'img', 'src'));
	const page: Readable & { content: string } = {
		html: opened.html ?? '',
		markdown,
		content: html,
		metadata: opened.metadata,
		get links() {
			return links();
		},
		get images() {
			return images();
		},
	};
	if (checksInjection(options)) {
		parts.onVerdict();
		if (holdsInjection(markdown)) throw injected();
	}
	const fields: Partial<Document> = {
		...(opened.pages && {
			pages: opened.pages.map((page) => ({ ...page, markdown: clean(page.markdown) })),
		}),
	};
	const formats: readonly Format[] = options.formats ?? [{ type: 'markdown' }];
	for (const format of formats) {
		Object.assign(fields, await produce(format, page, opened, parts));
	}
	return fields;
}

async function produce(
	format: Format,
	page: Readable & { content: string },
	opened: Opened,
	parts: FormatParts,
): Promise<Partial<Document>> {
	const $ = (): ReturnType<typeof load> => load(page.html);
	const { url } = opened;
	switch (format.type) {
		case 'markdown':
			return { markdown: page.markdown };
		case 'html':
			return { html: page.content };
		case 'rawHtml':
			return { rawHtml: opened.html ?? opened.body.toString('utf8') };
		case 'rawBase64':
			return { rawBase64: opened.body.toString('base64') };
		case 'links':
			return { links: page.links };
		case 'images':
			return { images: page.images };
		case 'summary':
			return { summary: summary(page.markdown) };
		case 'question':
			return { answer: answer(page.markdown, format.question) };
		case 'query':
			return { answer: answer(page.markdown, format.prompt) };
		case 'highlights':
			return { highlights: highlights(page.markdown, format.query) };
		case 'json':
			return { json: extract(page, format.schema, format.prompt) };
		case 'deterministicJson':
			return { json: extract(page, format.schema, format.prompt) };
		case 'changeTracking':
			return { changeTracking: parts.track(page, format) };
		case 'attributes':
			return {
				attributes: format.selectors.map(({ selector, attribute }) => ({
					selector,
					attribute,
					values: attributeValues($(), selector, attribute),
				})),
			};
		case 'screenshot':
			return { screenshot: screenshot(parts.files, url, format) };
		case 'audio':
			return { audio: await media('audio', $(), url, parts.site, parts.files) };
		case 'video':
			return { video: await media('video', $(), url, parts.site, parts.files) };
		case 'branding':
			return { branding: branding($(), url) };
		case 'product':
			return { product: product($(), url) };
		case 'menu':
			return { menu: menu($(), url) };
	}
}

function attributeValues(
	$: ReturnType<typeof load>,
	selector: string,
	attribute: string,
): string[] {
	return matching($, selector)
		.toArray()
		.flatMap((element) => $(element).attr(attribute) ?? []);
}

/** Billed by the verdict. */
function injected(): ApiError {
	return new ApiError(403, {
		code: 'SCRAPE_PROMPT_INJECTION_DETECTED',
		error: 'SCRAPE_PROMPT_INJECTION_DETECTED: the page holds instructions to the model',
	});
}
