import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import type { Endpoint } from '../../runtime/http/endpoint';
import { errorMessageIn } from '../../runtime/errors/response';
import { missingInResponse, operationError } from '../../runtime/errors/message';
import { statusOf } from '../../runtime/errors/webDataError';
import { field, integer } from '../../runtime/form/field';
import { additionalFields, form } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import { delay } from '../../runtime/values/time';
import { pathOf, type Request } from '../../runtime/http/client';
import { nextPath, requireArray } from '../../runtime/http/paging';
import { cancelJob as endJob, hasCompleted, isFinished, isJobState } from '../../runtime/jobs/job';
import {
	operation,
	type Counted,
	type Job,
	type Operation,
	type ReadContext,
	type Result,
} from '../../runtime/execution/operation';
import { asRecord, label, without } from '../../runtime/output/results';
import { lengthOf } from '../../runtime/values/json';
import { fieldOf, isRecord } from '../../runtime/values/record';
import { settle } from '../../runtime/values/outcome';
import { pluralize } from '../../runtime/values/text';
import { fromModel, isTool } from '../../runtime/values/tool';
import { jobId, limit } from '../fields/common';
import { withRequest } from './document';
import { judged, noticeMissingFormats, remarkFailed } from './judged';

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
export const nextPageLimit = (page: IDataObject[]): number =>
	Math.min(longestPage, Math.max(1, Math.floor((pageLength * page.length) / lengthOf(page))));

/** Query of polls of a job: its state, with as few documents as possible. */
const pollQuery: IDataObject = { limit: 1 };

/** The range of documents to fetch. */
export interface Span {
	/** Index of the first document. */
	skip?: number;
	/** Most documents. */
	limit?: number;
}

/** The documents of a job that could be fetched. */
interface Reading {
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
 * @throws NodeApiError or NodeOperationError if not even the first page can be fetched
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
	let pageLimit = firstPageLimit;
	let requests = 0;
	const requestFor = (nextPage?: string): Request => ({
		endpoint,
		ids: { id },
		nextPage,
		query: {
			...(nextPage === undefined && { skip }),
			limit: Math.min(pageLimit, most - documents.length),
		},
		accepts: isJobState,
	});
	/** Adds a page; returns the next request, or undefined at the end. */
	const read = async (request: Request): Promise<Request | undefined> => {
		const body = asRecord((await context.send(request)).body);
		const page = documentsIn(body, context);
		for (const document of page) documents.push(document);
		state = without(body, 'data', 'success', 'next');
		requests += 1;
		// A job that says it has completed with nothing done names this page as the next for ever.
		const isOver = page.length === 0 && (!hasCompleted(body) || body.completed === 0);
		if (documents.length >= most || isOver) return undefined;
		const nextPage = nextPageOf(body, path);
		// Each page has a document or is empty for a while. `total` omits some pages, and grows.
		const total = typeof body.total === 'number' ? body.total : longestPage;
		if (nextPage !== undefined && requests + documents.length > 2 * total + 100) {
			throw new Error('The list of documents has no end');
		}
		if (page.length > 0) pageLimit = nextPageLimit(page);
		return nextPage === undefined ? undefined : requestFor(nextPage);
	};

	let request: Request | undefined = requestFor();
	while (request) {
		const outcome: Awaited<ReturnType<typeof settle<Request | undefined>>> = await settle(
			read(request),
		);
		if (!outcome.ok && documents.length === 0) throw outcome.error;
		if (!outcome.ok) {
			const next = (skip ?? 0) + documents.length;
			const missing = `${outcome.error.message}. 'Get' with 'Skip' ${next} continues from there`;
			return { documents, state, missing };
		}
		request = outcome.value;
	}
	if (documents.length > most) documents.length = most;
	return { documents, state };
}

/** Milliseconds between attempts to fetch documents that an ended job has, but does not list. */
const pauseForDocuments = 3_000;
const mostPauses = 3;

const uncounted: Counted = { completed: 0, total: 0 };

/** The number of documents that an ended job has counted, but whose list lacks them. */
function lateIn({ documents, state, missing }: Reading, skip: number, counted: Counted): number {
	if (!isFinished(state) || missing !== undefined) return 0;
	const completed = Number(state.completed) || 0;
	// One that completed counts rightly, unless the server has lost its state.
	const most = hasCompleted(state) ? completed : Math.max(completed, counted.completed);
	return Math.max(0, most - skip - documents.length);
}

/** Fetches a job's documents; those that the list shows a moment after the job's end, too. */
async function readAllDocuments(
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

/**
 * Distinguishes pages that robots.txt forbids from those that the crawl's patterns exclude: both
 * have one code.
 */
function reasonOf({ code }: IDataObject, message: string): FailedPage['failed'] {
	if (code === 'EXTERNAL_LINK') return 'excluded';
	if (code !== 'CRAWL_DENIAL') return 'error';
	return /robots/i.test(message) ? 'robots' : 'excluded';
}

/**
 * Fetches the failed pages of a job and those that robots.txt forbids, each once. Free
 * (https://docs.firecrawl.dev/api-reference/endpoint/crawl-get-errors).
 */
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
	const blocked = listOf(robotsBlocked)
		.map(String)
		.filter((url) => !named.has(url))
		.map((url): FailedPage => ({ url, failed: 'robots', error: robotsMessage, details: {} }));
	return [...failed, ...blocked];
}

/**
 * Failed pages as results, one each. Their error is below `failed`: n8n repeats a node with 'Retry
 * On Fail' whose first item has an `error`. Pages that a crawl's options exclude count as errors.
 */
export const failedResults = (pages: FailedPage[]): Result[] =>
	pages.map(({ url, failed, error, details }) => ({
		json: {
			url,
			failed: { type: failed === 'excluded' ? 'error' : failed, error, ...details },
		},
	}));

/**
 * The pages without a document, each once: invalid ones, those that the service lists, and
 * requested URLs without a reason; and whether the server has forgotten them. The list is free, and not fetched if every URL has a document;
 * the counts of the service omit failed pages (docs/api-notes.md, Jobs and their status).
 */
async function failedPagesOf(
	kind: DocumentJobKind,
	state: IDataObject,
	documents: IDataObject[],
	context: ReadContext,
): Promise<{ failures: FailedPage[]; isForgotten: boolean }> {
	const id = String(state.id);
	const invalid = listOf(state.invalidURLs ?? kind.invalidIn?.(context)).map(
		(url): FailedPage => ({
			url: String(url),
			failed: 'invalid',
			error: invalidMessage,
			details: {},
		}),
	);
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
	const unexplained = (hasEnded ? (missingBeside(known) ?? []) : []).map(
		(url): FailedPage => ({ url, failed: 'error', error, details: {} }),
	);
	return { failures: [...known, ...unexplained], isForgotten };
}

/** Most failed pages that a notice names, and most characters of a reason. */
const mostNamed = 3;
const longestReason = 150;

/** The first sentence of a reason: the service's explanations have many. */
function shortened(message: string): string {
	const [sentence] = message.slice(0, longestReason + 1).split('. ', 1);
	return sentence.length > longestReason
		? `${sentence.slice(0, longestReason)}…`
		: sentence.replace(/\.$/, '');
}

/** Lists the first failed pages with their reasons, for a notice. */
export function summarize(pages: FailedPage[]): string {
	const named = pages.slice(0, mostNamed).map(({ url, error }) => `${url} (${shortened(error)})`);
	return [...named, ...(pages.length > mostNamed ? ['…'] : [])].join('; ');
}

// The results of a job.

/** The credits of documents by their metadata; undefined if one does not report them. */
function creditsOf(documents: IDataObject[]): number | undefined {
	const each = documents.map(({ metadata }) => fieldOf(metadata, 'creditsUsed'));
	return each.every((credits) => typeof credits === 'number')
		? each.reduce((all, one) => all + one, 0)
		: undefined;
}

/** The fields of a job's response other than its documents. */
const aboutJob = (response: IDataObject): IDataObject =>
	without(response, 'data', 'success', 'id', 'next', 'url');

/** A job without documents as a result. */
const jobResult = (response: IDataObject): Result =>
	withRequest([{ json: { jobId: response.id } }], aboutJob(response))[0];

/** What an ended job lacks. */
interface Lack {
	/** What is missing, without a full stop. */
	text: string;
	advice: string;
	/** Whether the server has lost the state of the job, and pages with it. */
	isError?: boolean;
}

/** The results of a job that could be fetched. */
interface JobReading {
	results: Result[];
	/** Whether it has no documents. */
	isEmpty: boolean;
	/** The job's last response, without its documents. */
	last: IDataObject;
	/** The pages that failed, of which no result tells. */
	failures: FailedPage[];
	lack?: Lack;
}

/**
 * Fetches a job's documents and turns them into results, with notices of what is missing.
 * `response` has the known fields of the job, including its `id`.
 */
async function readJob(
	kind: DocumentJobKind,
	response: IDataObject,
	span: Span,
	context: ReadContext,
	counted = uncounted,
): Promise<JobReading> {
	const { skip = 0, limit: most = Infinity } = span;
	const id = String(response.id);
	const job = `the ${kind.noun} ${id}`;
	const reading = await readAllDocuments(kind, id, span, counted, context);
	const { documents, missing } = reading;
	// A poll's own documents and next page do not belong to the whole result.
	const last: IDataObject = { ...without(response, 'data', 'next'), ...reading.state, id };
	const credits = creditsOf(documents);
	if (credits !== undefined && missing === undefined) context.recordCost(credits);
	noticeMissingFormats(context.requests.at(0)?.body, documents, context);
	const notice = kind.noticeOf?.(documents, context);
	if (notice !== undefined) context.notice(notice);
	if (missing !== undefined) context.notice(`The result of ${job} is partial: ${missing}`);
	const isToEnd = documents.length < most && missing === undefined;
	const isWhole = isToEnd && skip === 0;
	if (isWhole && isFinished(last) && !hasCompleted(last)) {
		const pages = counted.total > 0 ? ` with ${documents.length} of ${counted.total} pages` : '';
		context.notice(`The result of ${job} is partial: it ended as ${String(last.status)}${pages}`);
	}

	const late = isToEnd ? lateIn(reading, skip, counted) : 0;
	const isRaw = context.settings.output === 'raw';
	const isListed = isToEnd && (kind.returnsFailed ? !isRaw || isWhole : isWhole);
	const { failures, isForgotten } = isListed
		? await failedPagesOf(kind, last, documents, context)
		: { failures: [], isForgotten: false };
	// Exclusions by robots.txt and a crawl's options are intended, unless nothing else is left.
	const unwanted = failures.filter(
		({ failed }) => failed === 'error' || failed === 'invalid' || documents.length === 0,
	);
	const unlisted = typeof last.total === 'number' ? last.total - documents.length - late : 0;
	const failed = Math.max(unwanted.length, unlisted);
	const pages = pluralize(documents.length + failed, 'page');
	const which = unwanted.length === 0 ? '' : `: ${summarize(unwanted)}`;
	// Failed pages lower the total of a server rightly, unless it has forgotten them.
	const known = isForgotten ? counted.total : counted.completed;
	const left = isForgotten ? documents.length : Number(last.completed ?? documents.length);
	const isLoss = isWhole && hasCompleted(last) && known > left + failures.length;
	const lack: Lack | undefined = isLoss
		? {
				text: `${job.replace('the', 'The')} is incomplete: the server returned ${pluralize(documents.length, 'page')}, and had counted ${known} before`,
				advice: `It has probably lost the state of the ${kind.noun}, as when its Redis is emptied. 'Get' with the ID returns what is left.`,
				isError: isForgotten,
			}
		: late > 0
			? {
					text: `${late} of ${pluralize(late + documents.length, 'document')} of ${job} ${late === 1 ? 'is' : 'are'} missing, though the server counts ${late === 1 ? 'it' : 'them'}`,
					advice: `'Get' with the ID may return them later.`,
				}
			: isWhole && hasCompleted(last) && failed > 0
				? {
						text: `${failed} of ${pages} of ${job} could not be scraped${which}`,
						advice: `'Get Errors' lists them.`,
					}
				: undefined;

	const isEmpty = documents.length === 0;
	const judgedPages = await judged(documents, context);
	if (isRaw) {
		return { results: [{ json: { ...last, data: documents } }], isEmpty, last, failures, lack };
	}
	const request = {
		...without(aboutJob(last), ...(isWhole ? [] : ['creditsUsed'])),
		...(isWhole && unwanted.length > 0 && { failedPages: unwanted.length }),
		...(missing !== undefined && {
			partial: { read: documents.length, total: last.total, reason: missing },
		}),
	};
	const results: Result[] = judgedPages.map((document) => ({
		json: label(document, { jobId: id }),
	}));
	if (!kind.returnsFailed) {
		return { results: withRequest(results, request), isEmpty, last, failures: unwanted, lack };
	}
	const reasonOf = ({ url, error }: FailedPage) => ({ url, reason: shortened(error) });
	if (failures.length > 0) remarkFailed(failures.map(reasonOf), context);
	const all = [...results, ...failedResults(failures)];
	return {
		results: withRequest(kind.arrange?.(all, context) ?? all, request),
		isEmpty,
		last,
		failures: [],
		...((late > 0 || isLoss) && { lack }),
	};
}

/** Whether an error of a node stops its workflow, rather than becoming an item or a model's result. */
const stopsOnError = (node: INode) =>
	!isTool(node) &&
	node.continueOnFail !== true &&
	(node.onError ?? 'stopWorkflow') === 'stopWorkflow';

/** Shows a notice of what a job lacks. */
const noticeLack = ({ lack }: JobReading, context: ReadContext) => {
	if (lack) context.notice(`${lack.text}. ${lack.advice}`);
};

/**
 * The runtime's job of a kind. A failed or cancelled job also returns its documents, because they
 * are paid for.
 */
export const documentJob = (kind: DocumentJobKind): Job => ({
	noun: kind.noun,
	status: kind.status,
	cancel: kind.cancel,
	pollQuery,
	async finish(response, context, counted) {
		const reading = await readJob(kind, response, {}, context, counted);
		const { results, isEmpty, last, failures, lack } = reading;
		const isRaw = context.settings.output === 'raw';
		// The whole response of a job that failed without a page would look like a success.
		const isNothing = isRaw ? isEmpty && !hasCompleted(last) : results.length === 0;
		if (lack?.isError && stopsOnError(context.errorSource.node)) {
			throw operationError(lack.text, lack.advice, context.errorSource);
		}
		if (!isNothing) {
			noticeLack(reading, context);
			return results;
		}
		const job = `${kind.noun} ${String(response.id)}`;
		const ended = { id: String(response.id), noun: kind.noun, hasEnded: true };
		const errorSource = { ...context.errorSource, job: ended };
		if (!hasCompleted(last)) {
			const message = errorMessageIn(last.error) ?? `It ended as ${String(last.status)}`;
			const had = counted?.completed ?? 0;
			const advice =
				had === 0
					? `No page was scraped. 'Get Errors' shows why.`
					: `The server had scraped ${had} of ${counted?.total} pages and returns none. 'Get' with the ID may return them later.`;
			throw operationError(`${message} (${job})`, advice, errorSource);
		}
		const isFailure = failures.some((page) => page.failed !== 'excluded');
		if (lack && (isFailure || failures.length === 0)) {
			throw operationError(lack.text, lack.advice, errorSource);
		}
		const cost =
			typeof last.creditsUsed === 'number' && last.creditsUsed >= 0
				? `, for ${pluralize(last.creditsUsed, 'credit')}`
				: '';
		context.notice(lack?.text ?? `The ${job} completed without a page${cost}.`);
		return [];
	},
	started: jobResult,
});

// The operations of a job.

/** The settings of an operation that runs a job. */
export const runSettings: INodeProperties[] = settingsFields(
	'passageQuery',
	'output',
	'downloadFiles',
	'maxCreditsPerExecution',
	'maxRetryTime',
	'maxWait',
);

const idOf = ({ noun }: DocumentJobKind) =>
	jobId(`ID of the ${noun}, returned by Run and Start; retained for 24 hours after it ends`);

const skipText = 'How many pages to skip at the start';

const skip = integer({ displayName: 'Skip', min: 0, default: 0, description: skipText });

/** GET /batch/scrape/{id} and GET /crawl/{id}. */
const getJob = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Get',
		value: 'get',
		action: `Get pages of ${kind.noun}`,
		description: `Returns the pages that a ${kind.noun} has scraped so far, or its status if there are none. Free.`,
		costs: 'free',
		request: form({
			jobId: idOf(kind),
			...limit({ all: true, default: 100, description: 'Max number of results to return' }),
			modelSkip: field(
				{
					displayName: 'Skip',
					type: 'string',
					default: fromModel('skip', skipText, '0'),
					displayOptions: { show: { '@tool': [true] } },
					description: skipText,
				},
				skip.valueSchema,
			),
			...additionalFields({ skip }),
		}),
		settings: settingsFields('passageQuery', 'output', 'downloadFiles'),
		async run({ jobId: id, limit: most, modelSkip, skip: from = modelSkip }, context) {
			const errorSource = { ...context.errorSource, job: { id, noun: kind.noun } };
			const here = { ...context, errorSource };
			const reading = await readJob(kind, { id }, { limit: most, skip: from }, here);
			noticeLack(reading, here);
			const { results, last } = reading;
			if (!isFinished(last)) {
				const { completed, total } = last;
				// Pages are found, or counted as failed, while it runs.
				const of = Number(total) > Number(completed) ? ` of ${String(total)}` : '';
				const done = typeof completed === 'number' ? `, ${completed}${of} pages so far` : '';
				here.notice(`The ${kind.noun} ${id} still runs${done}. Get it again later.`);
			}
			return results.length > 0 ? results : [jobResult(last)];
		},
	});

/** DELETE /batch/scrape/{id} and DELETE /crawl/{id}. */
const cancelJob = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Cancel',
		value: 'cancel',
		action: `Cancel ${kind.noun}`,
		description: `Cancels a running ${kind.noun} and returns its job ID, with alreadyEnded if it had ended. Pages scraped so far are charged and can still be fetched.`,
		costs: 'free',
		request: form({ jobId: idOf(kind) }),
		settings: [],
		run: async ({ jobId: id }, context) => await endJob(kind.cancel, id, context),
	});

/** GET /batch/scrape/{id}/errors and GET /crawl/{id}/errors. */
const getJobErrors = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Get Errors',
		value: 'getErrors',
		action: `Get errors of ${kind.noun}`,
		description: `Returns the pages of a ${kind.noun} that were not scraped, with the reason, also robots.txt. Free.`,
		costs: 'free',
		request: form({ jobId: idOf(kind) }),
		settings: [],
		run: async ({ jobId: id }, context) => failedResults(await readFailedPages(kind, id, context)),
	});

/** The operations on a job of a kind by its ID. */
export const jobOperations = (kind: DocumentJobKind): Operation[] => [
	getJob(kind),
	cancelJob(kind),
	getJobErrors(kind),
];
