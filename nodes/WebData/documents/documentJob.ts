import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../runtime/http/endpoint';
import { errorMessageIn } from '../../runtime/errors/response';
import { pluralize } from '../../runtime/values/text';
import { operationError } from '../../runtime/errors/message';
import type { ReadContext, Job, Result } from '../../runtime/operation/operation';
import { settle } from '../../runtime/values/settle';
import { hasCompleted, isFinished } from '../../runtime/jobs/poll';
import { sum } from '../../runtime/values/numbers';
import { fieldOf } from '../../runtime/values/record';
import { label, without } from '../../runtime/output/results';
import { pageUrlOf } from './pageUrl';
import {
	failedResults,
	invalidPages,
	summarize,
	lackingPages,
	readFailedPages,
	type FailedPage,
} from './failures';
import { noticeMissingFormats } from './requestedFormats';
import { pollQuery, readDocuments, type Reading, type Span } from './readDocuments';

/**
 * A kind of job that scrapes pages. Batches and crawls have the same responses
 * (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape).
 */
export interface DocumentJobKind {
	/** The noun of a job for users, such as "crawl". */
	noun: string;
	status: Endpoint;
	cancel: Endpoint;
	errors: Endpoint;
	/** Whether failed pages are results, so that each requested URL has one. */
	returnsFailed: boolean;
	/** Sorts the documents by the order of the request, and pairs each with its input items. */
	arrange?(results: Result[], context: ReadContext): Result[];
	/** The requested URLs without a document, each once; undefined if unknown. */
	missingIn?(documents: IDataObject[], context: ReadContext): string[] | undefined;
	/** The invalid URLs of the request, for when the service's own list is not available. */
	invalidIn?(context: ReadContext): string[];
}

/** The credits of documents by their metadata; undefined if one does not report them. */
export function creditsOf(documents: IDataObject[]): number | undefined {
	const each = documents.map(({ metadata }) => fieldOf(metadata, 'creditsUsed'));
	return each.every((credits) => typeof credits === 'number') ? sum(each) : undefined;
}

/** The fields of a job's response other than its documents. */
const aboutJob = (response: IDataObject): IDataObject =>
	without(response, 'data', 'success', 'id', 'next', 'url');

/** A job without documents as a result. */
export const jobResult = (response: IDataObject): Result => ({
	json: label({}, { jobId: response.id, request: aboutJob(response) }),
});

/** Documents as results, each with its job's ID and state. */
function documentResults(
	{ documents, missing }: Reading,
	response: IDataObject,
	failedPages: number,
): Result[] {
	const partial = { read: documents.length, total: response.total, reason: missing };
	const request = {
		...aboutJob(response),
		...(failedPages > 0 && { failedPages }),
		...(missing !== undefined && { partial }),
	};
	return documents.map((document) => ({
		json: label(document, { jobId: response.id, request }),
	}));
}

/** The documents of a job as results, and its state. */
export interface JobReading {
	results: Result[];
	/** The job's last response, without its documents. */
	last: IDataObject;
	/** The pages that the job lacks, unless they are among the results. */
	lack?: { message: string; isFailure: boolean };
}

/**
 * The failed pages that the service lists. An error becomes a notice, because the documents are
 * paid for.
 */
async function listedPages(
	kind: DocumentJobKind,
	id: string,
	context: ReadContext,
): Promise<FailedPage[]> {
	const pages = await settle(readFailedPages(kind, id, context));
	if (pages.ok) return pages.value;
	context.notice(
		`The failed pages of the ${kind.noun} ${id} could not be fetched (${pages.error.message}); use 'Get Errors'`,
	);
	return [];
}

/** The known failed pages of a job, and those that its result lacks. */
interface Failures {
	all: FailedPage[];
	lacking: FailedPage[];
}

/**
 * Fetches the failed pages from the service's list, which is free, unless every URL has a document.
 * The service's counts omit failed pages (docs/api-notes.md, Jobs and their status).
 */
async function failuresOf(
	kind: DocumentJobKind,
	response: IDataObject,
	{ documents }: Reading,
	isWhole: boolean,
	isWanted: boolean,
	context: ReadContext,
): Promise<Failures> {
	const invalid = invalidPages(response.invalidURLs ?? kind.invalidIn?.(context));
	const missing = kind.missingIn?.(documents, context);
	const invalidUrls = new Set(invalid.map(({ url }) => pageUrlOf(url)));
	const isComplete = missing?.every((url) => invalidUrls.has(pageUrlOf(url))) === true;
	const isListed = (isWanted || isWhole) && !isComplete;
	const listed = isListed ? await listedPages(kind, String(response.id), context) : [];
	const known = [...invalid, ...listed];
	const lacking = isWhole ? lackingPages(known, missing, documents.length === 0) : [];
	return { all: [...known, ...lacking.filter((page) => !known.includes(page))], lacking };
}

function noticeEnd({ id, status }: IDataObject, noun: string, context: ReadContext): void {
	if (!isFinished({ status }) || hasCompleted({ status })) return;
	context.notice(
		`The result of the ${noun} ${String(id)} is partial: it ended as ${String(status)}`,
	);
}

/**
 * Describes the pages that a completed job lacks, with the first reasons; undefined if it lacks
 * none.
 */
function describeLack(
	lacking: FailedPage[],
	read: number,
	{ id, total }: IDataObject,
	noun: string,
): string | undefined {
	const count = Math.max(lacking.length, typeof total === 'number' ? total - read : 0);
	if (count <= 0) return undefined;
	const which = lacking.length === 0 ? '' : `: ${summarize(lacking)}`;
	const pages = `${count} of ${pluralize(read + count, 'page')}`;
	return `${pages} of the ${noun} ${String(id)} failed${which}`;
}

/** Advice for getting all failed pages. */
const failuresAdvice = `'Get Errors' lists them.`;

/** Shows a notice of the pages that a job lacks. */
export function noticeLack({ lack }: JobReading, context: ReadContext): void {
	if (lack) context.notice(`${lack.message}. ${failuresAdvice}`);
}

/**
 * Fetches a job's documents and turns them into results. `response` has the known fields of the
 * job, including its `id`.
 */
export async function readJob(
	kind: DocumentJobKind,
	response: IDataObject,
	span: Span,
	context: ReadContext,
): Promise<JobReading> {
	const { output } = context.settings;
	const id = String(response.id);
	const reading = await readDocuments(kind, id, span, context);
	// A poll's own documents and next page do not belong to the whole result.
	const last = { ...without(response, 'data', 'next'), ...reading.state, id };
	const credits = creditsOf(reading.documents);
	if (credits !== undefined && reading.missing === undefined) context.recordCost(credits);
	noticeMissingFormats(context.requests.at(0)?.body, reading.documents, context);
	if (reading.missing !== undefined) {
		context.notice(`The result of the ${kind.noun} ${id} is partial: ${reading.missing}`);
	}
	const { skip = 0, limit = Infinity } = span;
	const isWhole = skip === 0 && reading.documents.length < limit && reading.missing === undefined;
	const isWanted = kind.returnsFailed && output !== 'raw';
	const hasAll = isWhole && hasCompleted(last);
	const failures = await failuresOf(kind, last, reading, hasAll, isWanted, context);
	if (isWhole) noticeEnd(last, kind.noun, context);
	const { lacking } = failures;
	const message =
		hasAll && !isWanted
			? describeLack(lacking, reading.documents.length, last, kind.noun)
			: undefined;
	const isFailure = lacking.some((page) => page.failed !== 'excluded');
	const about = { last, ...(message !== undefined && { lack: { message, isFailure } }) };
	if (output === 'raw') {
		return { results: [{ json: { ...last, data: reading.documents } }], ...about };
	}
	const failed = isWanted ? failedResults(failures.all, id) : [];
	const results = [...documentResults(reading, last, lacking.length), ...failed];
	return { results: kind.arrange?.(results, context) ?? results, ...about };
}

/**
 * The runtime's job of a kind. A failed or cancelled job also returns its documents, because they
 * are paid for.
 */
export const documentJob = (kind: DocumentJobKind): Job => ({
	noun: kind.noun,
	status: kind.status,
	cancel: kind.cancel,
	pollQuery,
	counted: 'pages',
	async finish(response, context) {
		const reading = await readJob(kind, response, {}, context);
		const { results, last, lack } = reading;
		const isEmpty = results.length === 0;
		// The job has ended, so the error names it without advice to get it later.
		const errorSource = { ...context.errorSource, job: undefined };
		if (isEmpty && lack?.isFailure) {
			throw operationError(lack.message, failuresAdvice, errorSource);
		}
		noticeLack(reading, context);
		if (!isEmpty || hasCompleted(last)) return results;
		const message = errorMessageIn(last.error) ?? `It ended as ${String(last.status)}`;
		throw operationError(
			`${message} (${kind.noun} ${String(response.id)})`,
			`No page was scraped. 'Get Errors' shows why.`,
			errorSource,
		);
	},
	started: jobResult,
});
