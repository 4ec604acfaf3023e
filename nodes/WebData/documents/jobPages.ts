import type { IDataObject } from 'n8n-workflow';
import { missingInResponse, statusOf } from '../../runtime/errors/webDataError';
import { errorMessageIn } from '../../runtime/errors/response';
import type { Counted, ReadContext, Result } from '../../runtime/operation';
import { pathOf } from '../../runtime/http/client';
import type { Endpoint } from '../../runtime/http/endpoint';
import { nextPath, requireArray } from '../../runtime/http/paging';
import { hasCompleted, isFinished, isJobState } from '../../runtime/execution/job';
import { asRecord, without } from '../../runtime/execution/results';
import { lengthOf } from '../../runtime/values/json';
import { settle } from '../../runtime/values/outcome';
import { isRecord } from '../../runtime/values/record';
import { delay } from '../../runtime/values/time';

/** A kind of job that scrapes pages: a batch or a crawl, whose responses are the same. */
export interface DocumentJobKind {
	/** The noun of a job for users, such as "crawl". */
	noun: string;
	status: Endpoint;
	cancel: Endpoint;
	errors: Endpoint;
	/** Whether failed pages are results, so that each requested URL has one. */
	returnsFailed: boolean;
	/** Sorts the pages by the order of the request, and pairs each with its input item. */
	arrange?(results: Result[], context: ReadContext): Result[];
	/** The requested URLs without a page, each once; undefined if unknown. */
	missingIn?(pages: IDataObject[], context: ReadContext): string[] | undefined;
	/** What to notice about all documents of the job. */
	noticeOf?(documents: IDataObject[], context: ReadContext): string | undefined;
	/** The invalid URLs of the request, for when the service's own list is not available. */
	invalidIn?(context: ReadContext): string[];
}

// The documents of a job, page by page.

/** Target characters of a page of documents: far fewer than the service's 10 MB, since parsing one blocks n8n. */
const pageLength = 2_000_000;

/** Most documents on a page (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
const longestPage = 1000;

/** Documents to request while their size is unknown. */
const firstPageLimit = 10;

/** The number of documents that probably fit on the page after `page`, which is not empty. */
export const nextPageLimit = (page: IDataObject[]): number =>
	Math.min(longestPage, Math.max(1, Math.floor((pageLength * page.length) / lengthOf(page))));

/** The range of documents to fetch. */
export interface Span {
	/** Index of the first document. */
	skip?: number;
	/** Most documents. */
	limit?: number;
}

/** The documents of a job that could be fetched. */
export interface Reading {
	documents: IDataObject[];
	/** The other fields of the last response: status, counts, credits. */
	state: IDataObject;
	/** The reason why documents are missing, if any are. */
	missing?: string;
}

/** The documents of a page of the list. A failed job may have no list; any other response has one. */
function documentsIn(body: IDataObject, context: ReadContext): IDataObject[] {
	const endedBadly = isFinished(body) && !hasCompleted(body);
	const list = requireArray(endedBadly ? (body.data ?? []) : body.data, context.errorSource);
	return list.filter(isRecord) as IDataObject[];
}

/** The next page of a list without its `limit`, which is chosen for each page; undefined at the end. */
function nextPageOf({ next }: IDataObject, path: string): string | undefined {
	if (next === undefined || next === null) return undefined;
	const nextUrl = nextPath(next, path);
	if (nextUrl === undefined) throw new Error('The next page is not a URL of the API');
	const [page, search] = nextUrl.split('?');
	const query = new URLSearchParams(search);
	query.delete('limit');
	return `${page}?${query.toString()}`;
}

/**
 * Fetches a job's documents page by page. A completed job's list ends when no next page is named.
 * For other jobs the service always names one, so the list ends at the first empty page
 * (docs/api-notes.md, Jobs and their status). A page that cannot be fetched ends a partial result,
 * as does a list without end.
 * @throws WebDataError if not even the first page can be fetched
 */
export async function readDocuments(
	{ status: endpoint }: { status: Endpoint },
	id: string,
	{ skip, limit: most = Infinity }: Span,
	context: ReadContext,
): Promise<Reading> {
	const documents: IDataObject[] = [];
	const path = pathOf({ endpoint, ids: { id } });
	let state: IDataObject = {};
	const readPages = async () => {
		let [requests, pageLimit] = [0, firstPageLimit];
		let nextPage: string | undefined;
		do {
			const limit = Math.min(pageLimit, most - documents.length);
			const query = nextPage === undefined ? { skip, limit } : { limit };
			const request = { endpoint, ids: { id }, nextPage, query, accepts: isJobState };
			const body = asRecord((await context.send(request)).body);
			const page = documentsIn(body, context);
			for (const document of page) documents.push(document);
			state = without(body, 'data', 'success', 'next');
			requests += 1;
			// A job that says it has completed with nothing done names this page as the next for ever.
			const isOver = page.length === 0 && (!hasCompleted(body) || body.completed === 0);
			if (documents.length >= most || isOver) return;
			nextPage = nextPageOf(body, path);
			// Each page has a document or is empty for a while. `total` omits some pages, and grows.
			const total = typeof body.total === 'number' ? body.total : longestPage;
			if (nextPage !== undefined && requests + documents.length > 2 * total + 100)
				throw new Error('The list of documents has no end');
			if (page.length > 0) pageLimit = nextPageLimit(page);
		} while (nextPage !== undefined);
	};
	const read = await settle(readPages());
	if (!read.ok && documents.length === 0) throw read.error;
	const place = (skip ?? 0) + documents.length;
	if (documents.length > most) documents.length = most;
	if (read.ok) return { documents, state };
	const missing = `${read.error.message}. 'Get' with 'Skip' ${place} continues from there`;
	return { documents, state, missing };
}

/** Milliseconds between attempts to fetch documents that an ended job has, but does not list. */
const pauseForDocuments = 3_000;
const mostPauses = 3;

/** The number of documents that an ended job has counted, but whose list lacks them. */
export function lateIn(
	{ documents, state, missing }: Reading,
	skip: number,
	counted: Counted,
): number {
	if (!isFinished(state) || missing !== undefined) return 0;
	const completed = Number(state.completed) || 0;
	// One that completed counts rightly, unless the server has lost its state.
	const most = hasCompleted(state) ? completed : Math.max(completed, counted.completed);
	return Math.max(0, most - skip - documents.length);
}

/** Fetches a job's documents; those that the list shows a moment after the job's end, too. */
export async function readAllDocuments(
	kind: DocumentJobKind,
	id: string,
	span: Span,
	counted: Counted,
	context: ReadContext,
): Promise<Reading> {
	const { skip = 0, limit: most = Infinity } = span;
	let reading = await readDocuments(kind, id, span, context);
	for (let pauses = 0; pauses < mostPauses; pauses += 1) {
		const { documents } = reading;
		if (documents.length >= most || lateIn(reading, skip, counted) === 0) break;
		await delay(pauseForDocuments);
		const rest = { skip: skip + documents.length, limit: most - documents.length };
		const late = await settle(readDocuments(kind, id, rest, context));
		if (!late.ok) break;
		reading = { ...late.value, documents: [...documents, ...late.value.documents] };
	}
	return reading;
}

// The failed pages of a job.

const robotsMessage = "Disallowed by the site's robots.txt";
const invalidMessage = 'Not a URL that can be scraped';
const unnamedMessage = 'The server returned no reason';

/** A page of a job without a document. */
export interface FailedPage {
	url: string;
	/** `excluded`: the crawl's own options exclude it. */
	failed: 'error' | 'excluded' | 'invalid' | 'robots';
	error: string;
	/** Other fields that the service reports. */
	details: IDataObject;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Failed pages of which only the reason is known. */
const failedFor = (urls: unknown[], failed: FailedPage['failed'], error: string): FailedPage[] =>
	urls.map((url) => ({ url: String(url), failed, error, details: {} }));

/** Tells pages that robots.txt forbids from those that the crawl's patterns exclude: both have one code. */
function reasonOf({ code }: IDataObject, message: string): FailedPage['failed'] {
	if (code === 'EXTERNAL_LINK') return 'excluded';
	if (code !== 'CRAWL_DENIAL') return 'error';
	return /robots/i.test(message) ? 'robots' : 'excluded';
}

/** Fetches failed and forbidden pages (https://docs.firecrawl.dev/api-reference/endpoint/crawl-get-errors). */
export async function readFailedPages(
	{ errors: endpoint }: { errors: Endpoint },
	id: string,
	context: ReadContext,
): Promise<FailedPage[]> {
	const response = await context.send({ endpoint, ids: { id } });
	const body = asRecord(response.body);
	// Some versions wrap the lists in `data`.
	const { errors, robotsBlocked } = isRecord(body.data) ? asRecord(body.data) : body;
	if (!Array.isArray(errors) && !Array.isArray(robotsBlocked)) {
		throw missingInResponse('a list of errors', context.errorSource);
	}
	const failed = listOf(errors).map((entry): FailedPage => {
		const { url, error, ...details } = asRecord(entry);
		const message = errorMessageIn(error) ?? unnamedMessage;
		return { url: String(url), failed: reasonOf(details, message), error: message, details };
	});
	const named = new Set(failed.map(({ url }) => url));
	const blocked = listOf(robotsBlocked).filter((url) => !named.has(String(url)));
	return [...failed, ...failedFor(blocked, 'robots', robotsMessage)];
}

/** Failed pages as results. A top-level `error` of the first would make n8n's Retry On Fail repeat the node. */
export const failedResults = (pages: FailedPage[]): Result[] =>
	pages.map(({ url, failed, error, details }) => ({
		json: { url, failed: { type: failed === 'excluded' ? 'error' : failed, error, ...details } },
	}));

/**
 * The pages without a document, each once: invalid, listed by the service (not asked if every URL has one), or without
 * a reason; and whether the server has forgotten them. Its counts omit failed pages (docs/api-notes.md).
 */
export async function failedPagesOf(
	kind: DocumentJobKind,
	state: IDataObject,
	documents: IDataObject[],
	context: ReadContext,
): Promise<{ failures: FailedPage[]; isForgotten: boolean }> {
	const id = String(state.id);
	const urls = listOf(state.invalidURLs ?? kind.invalidIn?.(context));
	const invalid = failedFor(urls, 'invalid', invalidMessage);
	const missingBeside = (failures: FailedPage[]) =>
		kind.missingIn?.([...documents, ...failures.map(({ url }) => ({ url }))], context);
	if (missingBeside(invalid)?.length === 0) return { failures: invalid, isForgotten: false };
	const listed = await settle(readFailedPages(kind, id, context));
	// Its status has just responded.
	const isForgotten = !listed.ok && statusOf(listed.error) === 404;
	if (!listed.ok) {
		context.notice(
			`The list of pages that the ${kind.noun} ${id} could not scrape is missing (${listed.error.message})${isForgotten ? ': the server has lost its state, and pages may be missing' : "; use 'Get Errors'"}`,
		);
	}
	const known = [...invalid, ...(listed.ok ? listed.value : [])];
	// Of a job that ended early, the other pages were not scraped; one without a page is an error.
	const hasEnded = hasCompleted(state) || (isFinished(state) && documents.length > 0);
	const error = hasCompleted(state)
		? unnamedMessage
		: `The ${kind.noun} ended as ${String(state.status)} before this page was scraped`;
	const unexplained = hasEnded ? (missingBeside(known) ?? []) : [];
	return { failures: [...known, ...failedFor(unexplained, 'error', error)], isForgotten };
}

/** Most failed pages that a notice names, and most characters of a reason. */
const mostNamed = 3;
const longestReason = 150;

/** The first sentence of a reason: the service's explanations have many. */
export function shortReason(message: string): string {
	const [sentence] = message.slice(0, longestReason + 1).split('. ', 1);
	return sentence.length > longestReason
		? `${sentence.slice(0, longestReason)}…`
		: sentence.replace(/\.$/, '');
}

/** Lists the first failed pages with their reasons, for a notice. */
export function summaryOf(pages: FailedPage[]): string {
	const named = pages.slice(0, mostNamed).map(({ url, error }) => `${url} (${shortReason(error)})`);
	return [...named, ...(pages.length > mostNamed ? ['…'] : [])].join('; ');
}
