import type { IDataObject } from 'n8n-workflow';
import { completesTurn, delay } from '../../runtime/values/time';
import { type FileReference, plainMimeType } from '../../runtime/output/files';
import { asRecord, label, without, type ResultFormat } from '../../runtime/output/results';
import type { Result } from '../../runtime/operation';
import { fieldOf, isRecord, type JsonRecord } from '../../runtime/values/record';
import { canonicalUrl, cutLine, parseUrl, pluralize } from '../../runtime/values/text';
import { isNamedList } from '../fields/jsonSchema';
import { blockedBy } from './blocked';

/** Documents: scraped pages and files, and the items that they become. */

// URLs and titles.

/** Normalizes a URL as the service does, so that requested and returned URLs match. */
export const canonical = (url: unknown): string => canonicalUrl(String(url));

/** The URL of a page, without an anchor but with a route of a single-page app. */
export function pageUrlOf(url: unknown): string {
	const [page, ...fragments] = canonical(url).split('#');
	const fragment = `#${fragments.join('#')}`;
	return /^#!?\/./.test(fragment) ? page + fragment : page;
}

/**
 * Most characters of a URL that each part of a page repeats: the maximum in a sitemap
 * (https://www.sitemaps.org/protocol.html).
 */
const longestUrl = 2_048;

/**
 * Most characters of a title that each part of a page repeats; search engines show fewer than 100.
 */
const longestTitle = 200;

/** Shortens a page's URL for its parts. */
export const repeatedUrl = (url: string): string => cutLine(url, longestUrl);

/** Shortens a page's title for its parts. */
export const repeatedTitle = (title: string): string => cutLine(title, longestTitle);

// The response of a page.

/** The HTTP status of a document's page, as the service reports it. */
const statusOf = (document: object): unknown =>
	fieldOf(fieldOf(document, 'metadata'), 'statusCode');

/**
 * The HTTP error status of a document's page; undefined for other pages. The service returns and
 * charges such pages, too (https://docs.firecrawl.dev/api-reference/endpoint/scrape).
 */
export function errorStatusOf(document: object): number | undefined {
	const status = statusOf(document);
	return typeof status === 'number' && status >= 400 ? status : undefined;
}

/** Whether a site reports that a document's page no longer exists. */
export const isGone = (document: object): boolean =>
	[404, 410].some((status) => status === statusOf(document));

/** Whether change tracking found that the page of a response is the same as before. */
export const isUnchanged = (response: unknown): boolean =>
	fieldOf(fieldOf(fieldOf(response, 'data'), 'changeTracking'), 'changeStatus') === 'same';

// Formats.

/** A scrape option, wherever a request has it. */
export const scrapeOption = (request: unknown, name: string): unknown =>
	fieldOf(request, name) ?? fieldOf(fieldOf(request, 'scrapeOptions'), name);

/** The formats of a request. */
export function requestedFormats(request: unknown): unknown[] {
	const formats = scrapeOption(request, 'formats');
	return Array.isArray(formats) ? formats : [];
}

/** The name of a format in any form. */
export const typeOfFormat = (format: unknown): string =>
	typeof format === 'string' ? format : String(fieldOf(format, 'type'));

// Questions, by which long results are cut.

/**
 * Whether a part of a query is only for a search engine: an excluded word or an operator with its
 * value.
 */
const isForEngine = (part: string): boolean =>
	/^-|^(?:filetype|imagesize|inurl|larger|related|site):/i.test(part);

/** Removes the operators of search engines from a query, which leaves the question. */
export const withoutSearchOperators = (query: string): string =>
	query
		.split(/\s/)
		.filter((part) => !isForEngine(part))
		.join(' ');

/** Fields of requests that contain a question, the most specific first. */
const questions = ['query', 'question', 'prompt', 'intent', 'search', 'objective'];

const isQuestion = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/** The question of a request or of one of its formats; undefined if it has none. */
export function questionOf(request: unknown): string | undefined {
	const question = [request, ...requestedFormats(request)]
		.flatMap((each) => questions.map((name) => fieldOf(each, name)))
		.find(isQuestion);
	return question === undefined ? undefined : withoutSearchOperators(question);
}

// PDFs.

/**
 * Describes a PDF of which only some pages were parsed, by a document's metadata; undefined for any
 * other document (https://docs.firecrawl.dev/features/document-parsing).
 */
function truncatedPdf(metadata: unknown): string | undefined {
	const read = fieldOf(metadata, 'numPages');
	if (typeof read !== 'number') return undefined;
	const pages = fieldOf(metadata, 'totalPages');
	if (typeof pages !== 'number' || pages <= read) return undefined;
	const url = fieldOf(metadata, 'sourceURL');
	return `${typeof url === 'string' ? url : 'a PDF'} (${read} of ${pages} pages)`;
}

/** The documents in the data of a whole response: a list, one, or lists by source. */
function documentsIn(data: unknown): unknown[] {
	if (Array.isArray(data)) return data;
	if (!isRecord(data)) return [];
	return [data, ...Object.values(data).filter(Array.isArray).flat(1)];
}

/** Characters processed in the time that a document takes. */
const workPerDocument = 10;

/**
 * A notice of PDFs that were parsed only in part; undefined if none was. It checks up to 130,000
 * results, so it allocates nothing for ordinary ones.
 */
export async function truncatedPdfNotice(
	results: ReadonlyArray<{ json: JsonRecord }>,
): Promise<string | undefined> {
	let first: string | undefined;
	let found = 0;
	const inspect = (metadata: unknown) => {
		const pdf = truncatedPdf(metadata);
		if (pdf === undefined) return;
		first ??= pdf;
		found += 1;
	};
	for (const { json } of results) {
		inspect(json.metadata);
		const documents = json.data === undefined ? [] : documentsIn(json.data);
		for (const document of documents) inspect(fieldOf(document, 'metadata'));
		if (completesTurn((1 + documents.length) * workPerDocument)) await delay(0);
	}
	if (first === undefined) return undefined;
	const more = found === 1 ? '' : ` and ${pluralize(found - 1, 'other PDF')}`;
	return `Parsed in part: ${first}${more}. 'Max Pages' of the PDF parser sets how many pages are parsed`;
}

/** The first characters of every PDF in base64. */
const pdfStart = 'JVBERi';

/**
 * Whether a text of a document is a PDF in base64, which the service returns if parsing is off
 * (docs/api-notes.md, Documents and files).
 */
export function isUnparsedPdf(text: unknown, document: unknown): text is string {
	const metadata = fieldOf(document, 'metadata');
	const type = fieldOf(metadata, 'contentType');
	return (
		typeof text === 'string' &&
		text.startsWith(pdfStart) &&
		typeof type === 'string' &&
		type.toLowerCase().startsWith('application/pdf') &&
		fieldOf(metadata, 'numPages') === undefined
	);
}

// Files: links to screenshots, PDFs, audio and video, data URIs, and base64 content.

/** A file in a response, before it has a name. */
type UnnamedFile = Omit<FileReference, 'name'>;

const singleFiles = ['screenshot', 'audio', 'video'];
const fileLists = [['videos'], ['actions', 'screenshots'], ['actions', 'pdfs']];

function fileAt(path: Array<string | number>, content: unknown): UnnamedFile[] {
	if (typeof content !== 'string' || content === '') return [];
	const isLink = /^https?:\/\//i.test(content) && parseUrl(content) !== undefined;
	if (isLink) return [{ path, content, kind: 'link' }];
	if (/^data:[^,]*;base64,/i.test(content)) return [{ path, content, kind: 'dataUri' }];
	return [];
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The page itself as base64, with the type and URL of its metadata. */
function base64Files(document: IDataObject, prefix: Array<string | number>): UnnamedFile[] {
	const { metadata } = document;
	const isFile = (name: string, content: unknown): content is string =>
		name === 'rawBase64'
			? typeof content === 'string' && content !== ''
			: isUnparsedPdf(content, document);
	const mimeType = plainMimeType(fieldOf(metadata, 'contentType'));
	const url = textIn(fieldOf(metadata, 'url')) ?? textIn(fieldOf(metadata, 'sourceURL'));
	return ['rawBase64', 'markdown', 'html'].flatMap((name): UnnamedFile[] => {
		const content = document[name];
		if (!isFile(name, content)) return [];
		return [{ path: [...prefix, name], content, kind: 'base64', source: { url, mimeType } }];
	});
}

function filesOfDocument(document: IDataObject, prefix: Array<string | number>): UnnamedFile[] {
	const listed = fileLists.flatMap((path) => {
		const entries = path.reduce<unknown>(fieldOf, document);
		return Array.isArray(entries)
			? entries.flatMap((entry: unknown, index) => fileAt([...prefix, ...path, index], entry))
			: [];
	});
	const named = singleFiles.flatMap((name) => fileAt([...prefix, name], document[name]));
	return [...named, ...base64Files(document, prefix), ...listed];
}

/** The files of the documents in a list. */
const filesInList = (entries: unknown, path: Array<string | number>): UnnamedFile[] =>
	Array.isArray(entries)
		? entries.flatMap((entry: unknown, index) =>
				isRecord(entry) ? filesOfDocument(entry as IDataObject, [...path, index]) : [],
			)
		: [];

/** The files of a result: of the document, or of each document in a whole response. */
function filesOf(json: IDataObject): UnnamedFile[] {
	const { data } = json;
	if (Array.isArray(data)) return filesInList(data, ['data']);
	if (!isRecord(data)) return filesOfDocument(json, []);
	const inside = Object.entries(data).flatMap(([name, entries]) =>
		filesInList(entries, ['data', name]),
	);
	return [...filesOfDocument(data as IDataObject, ['data']), ...inside];
}

/** A step of a field's path as part of a name; list names are the service's. */
const nameStep = (step: string | number) =>
	String(step)
		.slice(0, 40)
		.replace(/[^\p{L}\p{N}_-]/gu, '_');

/** The files of a result, each with a unique name. */
export function findFiles(json: IDataObject): FileReference[] {
	const counts = new Map<string, number>();
	return filesOf(json).map((spot) => {
		const name = spot.path.map(nameStep).join('_');
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		return { ...spot, name: count === 1 ? name : `${name}_${count}` };
	});
}

// Items.

/** The fields of a response beside its data: ID, charge, notices. */
export const aboutRequest = (body: IDataObject): IDataObject =>
	without(body, 'data', 'success', 'agent_hints');

/**
 * Gives each page what it cost, and the first result the fields of the response and what the request or job
 * cost beyond its pages, so that a sum over the items is what was paid. The page of several results has its
 * cost once.
 */
export function withRequest(
	results: readonly Result[],
	{ creditsUsed: total, ...request }: IDataObject,
): Result[] {
	const pages = new Set<IDataObject>();
	const costs = results.map(({ json }) => {
		const cost = pages.has(json) ? undefined : fieldOf(json.metadata, 'creditsUsed');
		pages.add(json);
		return typeof cost === 'number' ? cost : undefined;
	});
	const sumOf = (some: typeof costs) => some.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
	if (typeof total === 'number') {
		// Less than the pages report was charged as a whole.
		if (total < sumOf(costs)) costs.fill(undefined);
		costs[0] = total - sumOf(costs.slice(1));
	}
	return results.map((result, index) => ({
		...result,
		json: label(result.json, { creditsUsed: costs[index], ...(index === 0 && { request }) }),
	}));
}

/** The credits of documents by their metadata; undefined if one does not report them. */
export function creditsOf(documents: readonly object[]): number | undefined {
	const each = documents.map((document) => fieldOf(fieldOf(document, 'metadata'), 'creditsUsed'));
	return each.every((credits) => typeof credits === 'number')
		? each.reduce((all, one) => all + one, 0)
		: undefined;
}

/** The fields that the node adds to a page, after the page's own. */
const labels = ['notOnPage', 'source', 'position', 'creditsUsed', 'jobId', 'request', 'original'];

/** The fields that a simplified page omits: they describe its scrape and its job. */
const omitted = ['metadata', 'jobId', 'request'];

const isHttpUrl = (value: unknown): value is string =>
	typeof value === 'string' && /^https?:\/\//i.test(value);

/** Whether a URL is that of an uploaded file, which leads nowhere; its source is the file's name. */
const isUpload = (url: unknown): boolean =>
	typeof url === 'string' && /^https?:\/\/parse\.[\w.-]+\/uploads\//.test(url);

/** The first fields of a page, from the page itself or else from its metadata. */
function heading(page: IDataObject, metadata: object): IDataObject {
	const [url, source] = [fieldOf(metadata, 'url'), fieldOf(metadata, 'sourceURL')];
	const heads = {
		url: isUpload(url) ? source : [page.url, url, source].find(isHttpUrl),
		title: page.title ?? fieldOf(metadata, 'title'),
		statusCode: fieldOf(metadata, 'statusCode'),
		blocked: page.blocked,
	};
	return Object.fromEntries(
		Object.entries(heads).filter(([, value]) => value !== undefined && value !== null),
	) as IDataObject;
}

/**
 * A page as an item: first URL, title and status, then its contents, its scrape ID and metadata, and the
 * fields that the node adds. With `simplify` only those that fit a table. Any other result stays unchanged.
 */
export function pageItem(json: IDataObject, simplify: boolean): IDataObject {
	const { metadata } = json;
	if (!isRecord(metadata) || typeof fieldOf(metadata, 'statusCode') !== 'number') return json;
	const head = heading(json, metadata);
	const isLabel = (name: string) => labels.includes(name);
	const rest = Object.entries(without(json, ...Object.keys(head), 'metadata'));
	const scrapeId = fieldOf(metadata, 'scrapeId');
	const fields: Array<[name: string, value: unknown]> = [
		...Object.entries(head),
		...rest.filter(([name]) => !isLabel(name)),
		...Object.entries(scrapeId === undefined ? {} : { scrapeId }),
		['metadata', metadata],
		...rest.filter(([name]) => isLabel(name)),
	];
	const shown = simplify ? fields.filter(([name]) => !omitted.includes(name)) : fields;
	return Object.fromEntries(shown) as IDataObject;
}

/** Extracted fields, then those of the page. A field of the page with the same name moves to `page`. */
function withPage(extracted: IDataObject, page: IDataObject): IDataObject {
	const clashes = Object.entries(page).filter(([name]) => Object.hasOwn(extracted, name));
	if (clashes.length === 0) return { ...extracted, ...page };
	const moved = clashes.map(([name]) => name);
	const own = Object.hasOwn(extracted, 'page') ? { page: extracted.page } : {};
	return {
		...extracted,
		...without(page, ...moved),
		page: { ...Object.fromEntries(clashes), ...own },
	};
}

/** The list to split, and the fields beside it: `data` itself, or the only list in it. */
function onlyList(
	data: unknown,
): { name: string; entries: unknown[]; beside: IDataObject } | undefined {
	if (Array.isArray(data)) return { name: '', entries: data, beside: {} };
	if (!isRecord(data)) return undefined;
	const lists = Object.entries(data).filter(([, field]) => Array.isArray(field));
	const [[name, entries] = ['', undefined]] = lists;
	if (lists.length !== 1 || !Array.isArray(entries)) return undefined;
	return { name, entries, beside: without(asRecord(data), name) };
}

/** The paths of missing values by the entries of a list, relative to each. */
function pathsByEntry(list: string, paths: unknown): Map<number, string[]> {
	const found = new Map<number, string[]>();
	for (const path of Array.isArray(paths) ? paths.map(String) : []) {
		const [, index, rest] = /^\[(\d+)\]\.?(.*)$/.exec(path.slice(list.length)) ?? [];
		if (index === undefined) continue;
		found.set(Number(index), [...(found.get(Number(index)) ?? []), rest === '' ? 'value' : rest]);
	}
	return found;
}

/**
 * Creates the function that brings the data that a model extracted from a page to the top of its
 * item. An entry of a list, as its schema names one, has an item of its own with the page's URL; the
 * first has the page's other fields, too.
 */
export function createExtraction(request: unknown): (page: IDataObject) => IDataObject[] {
	const formats = requestedFormats(request);
	const format = formats.find((each) => typeOfFormat(each) === 'json');
	if (format === undefined) return (page) => [page];
	const isList = isNamedList(fieldOf(format, 'schema'));
	return (page) => {
		const { json, url } = page;
		if (typeof json !== 'object' || json === null) return [page];
		const split = isList ? onlyList(json) : undefined;
		const beside = without(page, 'json', ...(split ? ['notOnPage'] : []));
		if (!split) return isRecord(json) ? [withPage(json as IDataObject, beside)] : [page];
		const first = {
			...beside,
			...(Object.keys(split.beside).length > 0 && { json: split.beside }),
		};
		const other = typeof url === 'string' ? { url: repeatedUrl(url) } : {};
		const missing = pathsByEntry(split.name, page.notOnPage);
		const made = split.entries.map((entry, index) => {
			const notOnPage = missing.get(index);
			const rest = { ...(index === 0 ? first : other), ...(notOnPage && { notOnPage }) };
			return withPage(asRecord(entry), rest);
		});
		// A notice says that the page has none; a wall is told from a page by its item.
		const isNothing = formats.length === 1 && page.blocked === undefined;
		return made.length > 0 || isNothing ? made : [first];
	};
}

/** The result format of documents. */
export const documentFormat: ResultFormat = {
	filesIn: findFiles,
	createTransform({ output }, request) {
		if (output === 'raw') return (json) => [json];
		const extract = createExtraction(request);
		// Selected fields may also be those that a simplified item omits.
		return (json) => extract(pageItem(json, output === 'simplified'));
	},
	noticeOf: truncatedPdfNotice,
	isKept(body) {
		const document = fieldOf(body, 'data');
		return !isRecord(document) || blockedBy(document) === undefined;
	},
	questionIn: questionOf,
};
