import type { IDataObject } from 'n8n-workflow';
import { completesTurn, delay } from '../../runtime/values/time';
import { plainMimeType } from '../../runtime/execution/files';
import { asRecord, label, without } from '../../runtime/execution/results';
import type { FileReference, Result, ResultFormat } from '../../runtime/operation';
import { fieldOf, isRecord, type JsonRecord } from '../../runtime/values/record';
import {
	canonicalUrl,
	cutLine,
	firstText,
	isRoute,
	parseUrl,
	pluralize,
} from '../../runtime/values/text';
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
	return isRoute(fragment) ? page + fragment : page;
}

/** Shortens a page's URL for its parts, to what a sitemap allows (https://www.sitemaps.org/protocol.html). */
export const repeatedUrl = (url: string): string => cutLine(url, 2_048);

/** Shortens a page's title for its parts; search engines show fewer than 100 characters. */
export const repeatedTitle = (title: string): string => cutLine(title, 200);

// The response of a page.

/** The HTTP status of a document's page, as the service reports it. */
const pageStatusOf = (document: object): unknown =>
	fieldOf(fieldOf(document, 'metadata'), 'statusCode');

/** The HTTP error status of a document's page, which is charged, too; undefined for other pages. */
export function errorStatusOf(document: object): number | undefined {
	const status = pageStatusOf(document);
	return typeof status === 'number' && status >= 400 ? status : undefined;
}

/** Whether a site reports that a document's page no longer exists. */
export const isGone = (document: object): boolean =>
	[404, 410].some((status) => status === pageStatusOf(document));

/** Whether change tracking found that the page of a response is the same as before. */
export const isUnchanged = (response: unknown): boolean =>
	fieldOf(fieldOf(fieldOf(response, 'data'), 'changeTracking'), 'changeStatus') === 'same';

// Formats.

/** A scrape option, wherever a request has it. */
export const scrapeOption = (request: unknown, name: string): unknown =>
	fieldOf(request, name) ?? fieldOf(fieldOf(request, 'scrapeOptions'), name);

/** The formats of a request by their names. */
export function formatsOf(request: unknown): ReadonlyMap<string, unknown> {
	const formats = scrapeOption(request, 'formats');
	const nameOf = (format: unknown) =>
		typeof format === 'string' ? format : String(fieldOf(format, 'type'));
	return new Map(
		(Array.isArray(formats) ? formats : []).map((format: unknown) => [nameOf(format), format]),
	);
}

// Questions, by which long results are cut.

/** Removes what is only for a search engine from a query: excluded words, and operators with their values. */
export const withoutSearchOperators = (query: string): string =>
	query
		.split(/\s/)
		.filter((part) => !/^-|^(?:filetype|imagesize|inurl|larger|related|site):/i.test(part))
		.join(' ');

/** Fields of requests that contain a question, the most specific first. */
const questions = ['query', 'question', 'prompt', 'intent', 'search', 'objective'];

/** The question of a request or of one of its formats; undefined if it has none. */
export function questionOf(request: unknown): string | undefined {
	const asking = [request, ...formatsOf(request).values()];
	const question = firstText(
		...asking.flatMap((each) => questions.map((name) => fieldOf(each, name))),
	);
	return question === '' ? undefined : withoutSearchOperators(question);
}

// The documents of a result, and PDFs among them.

/** A document in a result, and where it is. */
interface Spot {
	document: unknown;
	path: Array<string | number>;
}

/** The documents of a list. */
const spotsIn = (list: unknown, path: Spot['path']): Spot[] =>
	Array.isArray(list)
		? list.map((document: unknown, index) => ({ document, path: [...path, index] }))
		: [];

/** The documents of a result: itself, and those of a whole response: a list, one, or lists by source. */
function spotsOf(json: JsonRecord): Spot[] {
	const own: Spot = { document: json, path: [] };
	const { data } = json;
	if (!isRecord(data)) return [own, ...spotsIn(data, ['data'])];
	const listed = Object.entries(data).flatMap(([name, list]) => spotsIn(list, ['data', name]));
	return [own, { document: data, path: ['data'] }, ...listed];
}

/** The first of some names, and how many others of a kind there are. */
export const firstOf = ([first, ...others]: readonly string[], noun: string): string =>
	others.length === 0 ? first : `${first} and ${pluralize(others.length, `other ${noun}`)}`;

/** Names a PDF that was parsed only in part (https://docs.firecrawl.dev/features/document-parsing). */
function truncatedPdf({ document }: Spot): string[] {
	const metadata = fieldOf(document, 'metadata');
	const [read, pages] = [fieldOf(metadata, 'numPages'), fieldOf(metadata, 'totalPages')];
	if (typeof read !== 'number' || typeof pages !== 'number' || pages <= read) return [];
	const url = fieldOf(metadata, 'sourceURL');
	return [`${typeof url === 'string' ? url : 'a PDF'} (${read} of ${pages} pages)`];
}

/** Characters processed in the time that a document takes. */
const workPerDocument = 10;

/** A notice of PDFs that were parsed only in part; undefined if none was. */
export async function truncatedPdfNotice(
	results: ReadonlyArray<{ json: JsonRecord }>,
): Promise<string | undefined> {
	const found: string[] = [];
	for (const { json } of results) {
		const documents = spotsOf(json);
		for (const pdf of documents.flatMap(truncatedPdf)) found.push(pdf);
		if (completesTurn(documents.length * workPerDocument)) await delay(0);
	}
	if (found.length === 0) return undefined;
	return `Parsed in part: ${firstOf(found, 'PDF')}. 'Max Pages' of the PDF parser sets how many pages are parsed`;
}

/** The first characters of every PDF in base64. */
const pdfStart = 'JVBERi';

/** Whether a text is its document's PDF in base64, as it is if parsing is off (docs/api-notes.md). */
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

/** Fields of documents that are files or the page itself in base64, and lists of files. */
const fileFields = ['screenshot', 'audio', 'video', 'rawBase64', 'markdown', 'html'];
const fileLists = [['videos'], ['actions', 'screenshots'], ['actions', 'pdfs']];

/** A field of a document as a file; none if it is none. */
function fileAt(
	{ document, path }: Spot,
	names: Spot['path'],
	content: unknown,
): Array<Omit<FileReference, 'name'>> {
	if (typeof content !== 'string' || content === '') return [];
	const file = { path: [...path, ...names], content };
	const isText = names[0] === 'markdown' || names[0] === 'html';
	if (names[0] === 'rawBase64' || (isText && isUnparsedPdf(content, document))) {
		const metadata = fieldOf(document, 'metadata');
		const urls = [fieldOf(metadata, 'url'), fieldOf(metadata, 'sourceURL')];
		const url = urls.find((each) => typeof each === 'string');
		const mimeType = plainMimeType(fieldOf(metadata, 'contentType'));
		return [{ ...file, kind: 'base64', source: { url, mimeType } }];
	}
	if (isText) return [];
	const isLink = /^https?:\/\//i.test(content) && parseUrl(content) !== undefined;
	if (isLink) return [{ ...file, kind: 'link' }];
	return /^data:[^,]*;base64,/i.test(content) ? [{ ...file, kind: 'dataUri' }] : [];
}

const filesOf = (spot: Spot) => [
	...fileFields.flatMap((name) => fileAt(spot, [name], fieldOf(spot.document, name))),
	...fileLists.flatMap((names) =>
		spotsIn(names.reduce(fieldOf, spot.document), names).flatMap(({ document, path }) =>
			fileAt(spot, path, document),
		),
	),
];

/** A step of a field's path as part of a name; list names are the service's. */
const nameStep = (step: string | number) =>
	String(step)
		.slice(0, 40)
		.replace(/[^\p{L}\p{N}_-]/gu, '_');

/** The files of a result, each with a unique name. */
export function findFiles(json: IDataObject): FileReference[] {
	const counts = new Map<string, number>();
	return spotsOf(json)
		.flatMap(filesOf)
		.map((file) => {
			const name = file.path.map(nameStep).join('_');
			const count = (counts.get(name) ?? 0) + 1;
			counts.set(name, count);
			return { ...file, name: count === 1 ? name : `${name}_${count}` };
		});
}

// Items.

/** The fields of a response beside its data: ID, charge, notices. */
export const aboutRequest = (body: IDataObject): IDataObject =>
	without(body, 'data', 'success', 'agent_hints');

/** Gives each page its cost, and the first result the rest of what was paid: a sum over the items is the whole. */
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

/** A page as an item: its heading, contents, scrape ID, metadata and labels; any other result as it is. */
export function pageItem(json: IDataObject, simplify: boolean): IDataObject {
	const { metadata } = json;
	if (!isRecord(metadata) || typeof fieldOf(metadata, 'statusCode') !== 'number') return json;
	const head = heading(json, metadata);
	const isShown = (name: string) => !(simplify && omitted.includes(name));
	const rest = Object.entries(json).filter(
		([name]) => name !== 'metadata' && !Object.hasOwn(head, name),
	);
	const scrapeId = fieldOf(metadata, 'scrapeId');
	const fields: Array<[name: string, value: unknown]> = [
		...Object.entries(head),
		...rest.filter(([name]) => !labels.includes(name)),
		...Object.entries(scrapeId === undefined ? {} : { scrapeId }),
		['metadata', metadata],
		...rest.filter(([name]) => labels.includes(name)),
	];
	return Object.fromEntries(fields.filter(([name]) => isShown(name))) as IDataObject;
}

/** Extracted fields, then those of the page. A field of the page with the same name moves to `page`. */
function withPage(extracted: IDataObject, page: IDataObject): IDataObject {
	const shown = without(page, ...Object.keys(extracted));
	const moved = without(page, ...Object.keys(shown));
	if (Object.keys(moved).length === 0) return { ...extracted, ...page };
	const own = Object.hasOwn(extracted, 'page') ? { page: extracted.page } : {};
	return { ...extracted, ...shown, page: { ...moved, ...own } };
}

/** A list to split: its name and the fields beside it, if it is in an object. */
interface SplitList {
	name: string;
	entries: unknown[];
	beside: IDataObject;
}

/** The list in extracted data: the data itself, or the only list in it. */
function onlyList(data: unknown): SplitList | undefined {
	if (Array.isArray(data)) return { name: '', entries: data, beside: {} };
	const record = asRecord(data);
	const [name = '', ...others] = Object.keys(record).filter((each) => Array.isArray(record[each]));
	const entries: unknown = record[name];
	if (others.length > 0 || !Array.isArray(entries)) return undefined;
	return { name, entries, beside: without(record, name) };
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
 * Creates the function that brings extracted data to the top of its item. An entry of a list, as its schema
 * names one, has an item of its own with the page's URL; the first has the page's other fields, too.
 */
export function createExtraction(request: unknown): (page: IDataObject) => IDataObject[] {
	const formats = formatsOf(request);
	const isList = isNamedList(fieldOf(formats.get('json'), 'schema'));
	return (page) => {
		const { json, url } = page;
		if (!formats.has('json') || typeof json !== 'object' || json === null) return [page];
		const list = isList ? onlyList(json) : undefined;
		if (!list) return isRecord(json) ? [withPage(asRecord(json), without(page, 'json'))] : [page];
		const isAlone = Object.keys(list.beside).length === 0;
		const first = { ...without(page, 'json', 'notOnPage'), ...(!isAlone && { json: list.beside }) };
		const other = typeof url === 'string' ? { url: repeatedUrl(url) } : {};
		const missing = pathsByEntry(list.name, page.notOnPage);
		const made = list.entries.map((entry, index) => {
			const notOnPage = missing.get(index);
			const rest = { ...(index === 0 ? first : other), ...(notOnPage && { notOnPage }) };
			return withPage(asRecord(entry), rest);
		});
		// A notice says that the page has none; a wall is told from a page by its item.
		const isNothing = formats.size === 1 && page.blocked === undefined;
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
	isKept: (body) => blockedBy(asRecord(fieldOf(body, 'data'))) === undefined,
	questionIn: questionOf,
};
