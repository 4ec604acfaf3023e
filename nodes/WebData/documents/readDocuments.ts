import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { requireArray, nextPath } from '../../runtime/http/paging';
import type { Endpoint } from '../../runtime/api/endpoint';
import { pathOf, type Request } from '../../runtime/http/client';
import { pluralize } from '../../runtime/values/pluralize';
import { operationError } from '../../runtime/api/errors';
import type { ReadContext, Values } from '../../runtime/operation/operation';
import { settle, type Outcome } from '../../runtime/values/settle';
import { hasCompleted, isFinished, isJobState } from '../../runtime/jobs/poll';
import { isRecord } from '../../runtime/values/record';
import { asRecord, without } from '../../runtime/output/results';
import { pageOptionsOf } from '../fields/pageOptions';
import { firstPageLimit, nextPageLimit } from './pageLimit';

/** The documents of a job, as far as they could be read. */
export interface Reading {
	documents: IDataObject[];
	/** What the last answer says beside its documents: status, counts, credits. */
	state: IDataObject;
	/** Why the rest is missing, when it is. */
	missing?: string;
}

/** Which documents to read. */
export interface Span {
	/** Index of the first one. */
	skip?: number;
	/** How many at most. */
	limit?: number;
}

/** Empty pages in a row that a completed job may have before its list is given up. */
const mostEmptyPages = 3;

/** Whether a list has so many more documents than its job that it may have no end. `total` leaves out some pages, and grows. */
const isEndless = (read: number, total: unknown): total is number =>
	typeof total === 'number' && read > 2 * total + 100;

/** Query of a poll of a job of documents: its state, with as few documents as possible. */
export const pollQuery: IDataObject = { limit: 1 };

/** An address of the list without its `limit`, which is chosen for each page. */
function withoutLimit(address: string): string {
	const [path, search] = address.split('?');
	const query = new URLSearchParams(search);
	query.delete('limit');
	return `${path}?${query.toString()}`;
}

/**
 * Reads a job's documents page by page. A completed job's list ends where no next page is named. For any
 * other job the service names one for ever, so its list ends at the first empty page (docs/api-notes.md,
 * Jobs and their status). A page that stays unreadable is an
 * error, or the end of a partial result where the user wants that.
 * @throws NodeApiError or NodeOperationError that says from which document on to read again
 */
export async function readDocuments(
	{ status: endpoint }: { status: Endpoint },
	id: string,
	span: Span,
	values: Values,
	context: ReadContext,
): Promise<Reading> {
	const { limit = Infinity, skip } = span;
	const documents: IDataObject[] = [];
	let state: IDataObject = {};
	const pagesRead = new Set<string>();
	let pageLimit = firstPageLimit;
	let emptyPages = 0;

	const readOn = () => `Get with 'Skip' ${(skip ?? 0) + documents.length} reads on from there.`;
	const stuck = (words: string) =>
		operationError(
			`${words} after ${pluralize(documents.length, 'document')}`,
			readOn(),
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
	/** Adds a page; answers the next request, or undefined at the end. */
	const read = async (request: Request): Promise<Request | undefined> => {
		const body = asRecord((await context.send(request)).body);
		// A job that ended badly may have none; any other answer without one is no page of a job.
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
			throw stuck('The service names a next page that is no address of its API');
		}
		const nextPage = withoutLimit(nextUrl);
		if (page.length > 0 && pagesRead.has(nextPage)) {
			throw stuck('The service names the same page again');
		}
		if (page.length > 0) pagesRead.add(nextPage);
		if (emptyPages > mostEmptyPages) throw stuck('The service names one empty page after another');
		const { total } = body;
		if (isEndless((skip ?? 0) + documents.length, total)) {
			throw stuck(`The service lists more documents than the ${total} of the job`);
		}
		if (page.length > 0) pageLimit = nextPageLimit(page);
		return requestFor(nextPage);
	};

	let request: Request | undefined = requestFor(undefined, skip);
	while (request) {
		const outcome: Outcome<Request | undefined> = await settle(read(request));
		if (outcome.ok) {
			request = outcome.value;
		} else if (pageOptionsOf(values).onUnreadablePage === 'partial' && documents.length > 0) {
			return { documents, state, missing: outcome.error.message };
		} else {
			const { error } = outcome;
			if (error instanceof NodeApiError && documents.length > 0) {
				error.description = [error.description, readOn()].filter(Boolean).join(' ');
			}
			throw error;
		}
	}
	if (documents.length > limit) documents.length = limit;
	return { documents, state };
}
