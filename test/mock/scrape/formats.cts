import { randomUUID } from 'node:crypto';

import type { Action, Format, FormatOf, ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { mp3, mp4, parsePdf, png, renderPdf } from '../site/files.cjs';
import { imagesIn, linksIn, toHtml } from '../site/html.cjs';
import type { Content } from '../site/render.cjs';
import * as readings from './readings.cjs';

/** Files behind links that only who got them knows; tests end them by `clear`. */
export class SignedFiles {
	private readonly files = new Map<string, { contentType: string; body: Buffer }>();

	constructor(private readonly origin: () => string) {}

	/** The link of a new file; `name` ends the path, so that clients see a file name. */
	add(name: string, contentType: string, body: Buffer): string {
		const id = randomUUID();
		this.files.set(id, { contentType, body });
		return `${this.origin()}/_files/${id}/${name}?signature=1`;
	}

	open(id: string): { contentType: string; body: Buffer } | undefined {
		return this.files.get(id);
	}

	clear(): void {
		this.files.clear();
	}
}

/** A page as it was read: a field for each format that was asked for. */
export interface Document {
	markdown?: string | null;
	rawHtml?: string;
	warning?: string;
	links?: string[];
	images?: string[];
	json?: unknown;
	actions?: ActionResults;
	tools?: unknown[];
	metadata: Metadata;
	[format: string]: unknown;
}

/** What is read of a page's metadata; any meta tag of the page may be a further one. */
export interface Metadata {
	title?: string;
	sourceURL: string;
	url: string;
	statusCode: number;
	error?: string;
	scrapeId?: string;
	creditsUsed?: number;
	[meta: string]: unknown;
}

/** A page ready to be read, or the text of another file. */
export interface Opened {
	url: string;
	body: Buffer;
	metadata: Record<string, unknown>;
	/** The main content, or the whole file. */
	markdown: string;
	/** Of an HTML page: what it is besides. */
	content?: Content;
	/** All links of an HTML page. */
	allLinks?: string[];
	/** Of a PDF: how many were read, and the text of each where it was asked for. */
	numPages?: number;
	pages?: Array<{ pageNumber: number; markdown: string }>;
	actions?: ActionResults;
}

/** Compares a page with its earlier scrape. */
type Track = (page: readings.Readable, format: FormatOf<'changeTracking'>) => object;

/** Reads a PDF; without the pdf parser in the list the file itself is the content, in base64. */
export function openPdf(
	url: string,
	body: Buffer,
	{ parsers = [{ type: 'pdf' as const }] }: ScrapeOptions,
): Opened {
	const parser = parsers.find((each) => each.type === 'pdf');
	if (!parser) return { url, body, metadata: {}, markdown: body.toString('base64') };
	const { pages, ...metadata } = parsePdf(body, parser.maxPages);
	const numbered = pages.map((markdown, index) => ({ pageNumber: index + 1, markdown }));
	// A marker stands between pages, with the number of the one below it.
	const marked = numbered.map(({ pageNumber, markdown }) =>
		pageNumber > 1 && parser.pageMarkers
			? `---\n\n<!-- page ${pageNumber} -->\n\n${markdown}`
			: markdown,
	);
	const { numPages } = metadata;
	const texts = parser.pages && { pages: numbered };
	return { url, body, markdown: marked.join('\n\n'), metadata, numPages, ...texts };
}

/** Produces the fields that the formats ask for; markdown when none is named. */
export function documentFormats(
	opened: Opened,
	{ formats = [{ type: 'markdown' }], onlyMainContent = true }: ScrapeOptions,
	files: SignedFiles,
	track?: Track,
): Partial<Document> {
	const { content, metadata } = opened;
	const markdown =
		content && !onlyMainContent
			? [content.before, opened.markdown, content.after].join('\n\n')
			: opened.markdown;
	const fields = formats.map((format) =>
		produce(format, { markdown, metadata }, opened, files, track),
	);
	const { pages } = opened;
	return Object.assign({}, ...fields, pages && { pages });
}

const isAbsolute = (url: string): boolean => /^https?:\/\//.test(url);

function produce(
	format: Format,
	page: readings.Readable,
	opened: Opened,
	files: SignedFiles,
	track?: Track,
): Partial<Document> {
	const { content, body } = opened;
	const { markdown } = page;
	switch (format.type) {
		case 'markdown':
			return { markdown };
		case 'html':
			return { html: content ? toHtml(markdown) : '' };
		case 'rawHtml':
			return { rawHtml: body.toString('utf8') };
		case 'rawBase64':
			return { rawBase64: body.toString('base64') };
		case 'links':
			return { links: linksIn(markdown).filter(isAbsolute) };
		case 'images':
			return { images: imagesIn(markdown).filter(isAbsolute) };
		case 'summary':
			return { summary: readings.summary(markdown) };
		case 'question':
			return { answer: readings.answer(markdown, format.question) };
		case 'query':
			return { answer: readings.answer(markdown, format.prompt) };
		case 'highlights':
			return { highlights: readings.highlights(markdown, format.query) };
		case 'json':
		case 'deterministicJson':
			return { json: readings.extract(page, format.schema, format.prompt) };
		case 'changeTracking':
			return { changeTracking: track?.(page, format) };
		case 'screenshot':
			return { screenshot: screenshot(files) };
		case 'audio':
			return { audio: files.add('audio.mp3', 'audio/mpeg', mp3) };
		case 'video':
			return { video: files.add('video.mp4', 'video/mp4', mp4) };
		case 'product':
			return readings.product(page);
		// What no page of the small web has.
		case 'branding':
		case 'menu':
			return {};
	}
}

/** The signed link of a picture of a page, whichever it is and however large. */
const screenshot = (files: SignedFiles): string => files.add('screenshot.png', 'image/png', png);

/** What the actions left behind, each kind in the order of the actions. */
interface ActionResults {
	screenshots: string[];
	scrapes: never[];
	javascriptReturns: never[];
	pdfs: string[];
}

/** What actions leave behind: files alone. They take no time and leave the page as it is. */
export function actionResults(actions: readonly Action[], files: SignedFiles): ActionResults {
	const of = <T,>(type: Action['type'], made: () => T): T[] =>
		actions.filter((action) => action.type === type).map(made);
	return {
		screenshots: of('screenshot', () => screenshot(files)),
		scrapes: [],
		javascriptReturns: [],
		pdfs: of('pdf', () => files.add('page.pdf', 'application/pdf', renderPdf('', ''))),
	};
}
