import type { IDataObject } from 'n8n-workflow';
import { requireArray, nextPath } from '../../runtime/http/paging';
import type { Endpoint } from '../../runtime/http/endpoint';
import { pathOf, type Request } from '../../runtime/http/client';
import { pluralize } from '../../runtime/values/text';
import { operationError, withoutItemMark } from '../../runtime/errors/message';
import type { ReadContext } from '../../runtime/operation/operation';
import { settle, type Outcome } from '../../runtime/values/settle';
import { hasCompleted, isFinished, isJobState } from '../../runtime/jobs/poll';
import { lengthOf } from '../../runtime/values/json';
import { isRecord } from '../../runtime/values/record';
import { asRecord, without } from '../../runtime/output/results';

/**
 * Target characters of a page of documents. The service limits pages to about 10 MB
 * (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). Parsing a page blocks n8n, so
 * smaller ones let other executions run in between.
 */
const pageLength = 2_000_000;

/** Most documents on a page (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
const longestPage = 1000;

/** Documents to request while their size is unknown. */
const firstPageLimit = 10;

/** The number of documents that probably fit on the page after `page`, which is not empty. */
export function nextPageLimit(page: IDataObject[]): number {
	const fitting = Math.floor((pageLength * page.length) / lengthOf(page));
	return Math.min(longestPage, Math.max(1, fitting));
}

/** The documents of a job that could be fetched. */
export interface Reading {
	documents: IDataObject[];
	/** The other fields of the last response: status, counts, credits. */
	state: IDataObject;
	/** The reason why documents are missing, if any are. */
	missing?: string;
}

/** The range of documents to fetch. */
export interface Span {
	/** Index of the first document. */
	skip?: number;
	/** Most documents. */
	limit?: number;
}

/** Consecutive empty pages of a completed job's list after which fetching fails. */
const mostEmptyPages = 3;

/**
 * Whether a list has so many more documents than its job that it may be endless. `total` omits some
 * pages, and grows.
 */
const isEndless = (read: number, total: unknown): total is number =>
	typeof total === 'number' && read > 2 * total + 100;

/** Query of polls of a job: its state, with as few documents as possible. */
export const pollQuery: IDataObject = { limit: 1 };

/** Removes `limit` from the URL of a next page, because it is chosen for each page. */
function withoutLimit(listUrl: string): string {
	const [path, search] = listUrl.split('?');
	const query = new URLSearchParams(search);
	query.delete('limit');
	return `${path}?${query.toString()}`;
}

/**
 * Fetches a job's documents page by page. A completed job's list ends when no next page is named.
 * For other jobs the service always names one, so the list ends at the first empty page
 * (docs/api-notes.md, Jobs and their status). A page that cannot be fetched ends a partial
 * result, which names the document to continue from.
 * @throws NodeApiError or NodeOperationError if not even the first page can be fetched
 */
export async function readDocuments(
	{ status: endpoint }: { status: Endpoint },
	id: string,
	span: Span,
	context: ReadContext,
): Promise<Reading> {
	const { limit = Infinity, skip } = span;
	const documents: IDataObject[] = [];
	let state: IDataObject = {};
	const pagesRead = new Set<string>();
	let pageLimit = firstPageLimit;
	let emptyPages = 0;

	const stuck = (message: string) =>
		operationError(
			`${message} after ${pluralize(documents.length, 'document')}`,
			'',
			context.errorSource,
		);
	const ids = { id };
	const requestFor = (nextPage?: string, from?: number): Request => ({
		endpoint,
		ids,
		nextPage,
		query: { skip: from, limit: Math.min(pageLimit, limit - documents.length) },
		accepts: isJobState,
	});
	/** Adds a page; returns the next request, or undefined at the end. */
	const read = async (request: Request): Promise<Request | undefined> => {
		const body = asRecord((await context.send(request)).body);
		// A failed job may have no data; any other response without data is not a page of a job.
		const endedBadly = isFinished(body) && !hasCompleted(body);
		const list = requireArray(endedBadly ? (body.data ?? []) : body.data, context.errorSource);
		const page = list.filter(isRecord) as IDataObject[];
		for (const document of page) documents.push(document);
		state = without(body, 'data', 'success', 'next');
		emptyPages = page.length === 0 ? emptyPages + 1 : 0;
		const { next } = body;
		if (next === undefined || next === null || documents.length >= limit) return undefined;
		if (page.length === 0 && !hasCompleted(body)) return undefined;
		const nextUrl = nextPath(next, pathOf({ endpoint, ids }));
		if (nextUrl === undefined) {
			throw stuck('The server returned a next page that is not a URL of its API');
		}
		const nextPage = withoutLimit(nextUrl);
		if (page.length > 0 && pagesRead.has(nextPage)) {
			throw stuck('The server returned the same next page again');
		}
		if (page.length > 0) pagesRead.add(nextPage);
		if (emptyPages > mostEmptyPages)
			throw stuck('The server returned several empty pages in a row');
		const { total } = body;
		if (isEndless((skip ?? 0) + documents.length, total)) {
			throw stuck(`The server returned more documents than the ${total} of the job`);
		}
		if (page.length > 0) pageLimit = nextPageLimit(page);
		return requestFor(nextPage);
	};

	let request: Request | undefined = requestFor(undefined, skip);
	while (request) {
		const outcome: Outcome<Request | undefined> = await settle(read(request));
		if (outcome.ok) {
			request = outcome.value;
		} else if (documents.length > 0) {
			const missing = `${withoutItemMark(outcome.error.message)}. Get with 'Skip' ${(skip ?? 0) + documents.length} continues from there`;
			return { documents, state, missing };
		} else {
			throw outcome.error;
		}
	}
	if (documents.length > limit) documents.length = limit;
	return { documents, state };
}
