import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { errorMessageIn } from '../../runtime/errors/response';
import { operationError } from '../../runtime/errors/webDataError';
import { field, integer } from '../../runtime/form/field';
import { additionalFields, form } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import { cancelJob as endJob, hasCompleted, isFinished } from '../../runtime/execution/job';
import {
	operation,
	type Counted,
	type Job,
	type Operation,
	type ReadContext,
	type Result,
} from '../../runtime/operation';
import { label, without } from '../../runtime/execution/results';
import { pluralize } from '../../runtime/values/text';
import { fromModel, isTool } from '../../runtime/tool/tool';
import { jobId, limit } from '../fields/common';
import { creditsOf, withRequest } from './document';
import {
	failedPagesOf,
	failedResults,
	shortReason,
	lateIn,
	readAllDocuments,
	readFailedPages,
	summaryOf,
	type DocumentJobKind,
	type FailedPage,
	type Span,
} from './jobPages';
import { judge, noticeMissingFormats, remarkFailed } from './judge';

/** Jobs that scrape pages: their results and operations. */

/** Query of polls of a job: its state, with as few documents as possible. */
const pollQuery: IDataObject = { limit: 1 };

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

/** What is known of the pages of a job that was read to its end. */
interface PageCounts {
	noun: string;
	id: string;
	/** Its documents, those that its list lacks, and its failed pages. */
	read: number;
	late: number;
	failed: number;
	/** The pages that the server had counted before, and those that it still knows. */
	before: number;
	known: number;
	/** Whether all of a completed job was read. */
	isWhole: boolean;
	/** Whether the server has forgotten its failed pages. */
	isForgotten: boolean;
}

/** What a job lacks, the worst first: pages that the server has lost, lists late, or could not scrape. */
function lackOf(counts: PageCounts, unwanted: FailedPage[]): Lack | undefined {
	const { noun, id, read, late, failed, before, known, isWhole, isForgotten } = counts;
	const job = `${noun} ${id}`;
	if (isWhole && before > known)
		return {
			text: `The ${job} is incomplete: the server returned ${pluralize(read, 'page')}, and had counted ${before} before`,
			advice: `It has probably lost the state of the ${noun}, as when its Redis is emptied. 'Get' with the ID returns what is left.`,
			isError: isForgotten,
		};
	if (late > 0)
		return {
			text: `${late} of ${pluralize(late + read, 'document')} of the ${job} ${late === 1 ? 'is' : 'are'} missing, though the server counts ${late === 1 ? 'it' : 'them'}`,
			advice: `'Get' with the ID may return them later.`,
		};
	if (!isWhole || failed === 0) return undefined;
	const which = unwanted.length === 0 ? '' : `: ${summaryOf(unwanted)}`;
	return {
		text: `${failed} of ${pluralize(read + failed, 'page')} of the ${job} could not be scraped${which}`,
		advice: `'Get Errors' lists them.`,
	};
}

/** Fetches a job's documents as results, with notices of what is missing; `response` has its known fields. */
async function readJob(
	kind: DocumentJobKind,
	response: IDataObject,
	span: Span,
	context: ReadContext,
	counted: Counted = { completed: 0, total: 0 },
): Promise<JobReading> {
	const { skip = 0, limit: most = Infinity } = span;
	const id = String(response.id);
	const reading = await readAllDocuments(kind, id, span, counted, context);
	const { documents, missing } = reading;
	const read = documents.length;
	// A poll's own documents and next page do not belong to the whole result.
	const last: IDataObject = { ...without(response, 'data', 'next'), ...reading.state, id };
	const credits = creditsOf(documents);
	if (credits !== undefined && missing === undefined) context.recordCost(credits);
	noticeMissingFormats(context.requests.at(0)?.body, documents, context);
	const notice = kind.noticeOf?.(documents, context);
	if (notice !== undefined) context.notice(notice);
	const isToEnd = read < most && missing === undefined;
	const isWhole = isToEnd && skip === 0;
	const endedEarly = isWhole && isFinished(last) && !hasCompleted(last);
	const pages = counted.total > 0 ? ` with ${read} of ${counted.total} pages` : '';
	const partial =
		missing ?? (endedEarly ? `it ended as ${String(last.status)}${pages}` : undefined);
	if (partial !== undefined)
		context.notice(`The result of the ${kind.noun} ${id} is partial: ${partial}`);

	const late = isToEnd ? lateIn(reading, skip, counted) : 0;
	const isRaw = context.settings.output === 'raw';
	const isListed = isToEnd && (kind.returnsFailed ? !isRaw || isWhole : isWhole);
	const { failures, isForgotten } = isListed
		? await failedPagesOf(kind, last, documents, context)
		: { failures: [], isForgotten: false };
	// Exclusions by robots.txt and a crawl's options are intended, unless nothing else is left.
	const unwanted = failures.filter(
		({ failed }) => failed === 'error' || failed === 'invalid' || read === 0,
	);
	const unlisted = typeof last.total === 'number' ? last.total - read - late : 0;
	const counts: PageCounts = {
		noun: kind.noun,
		id,
		read,
		late,
		failed: Math.max(unwanted.length, unlisted),
		// Failed pages lower the total of a server rightly, unless it has forgotten them.
		before: isForgotten ? counted.total : counted.completed,
		known: failures.length + (isForgotten ? read : Number(last.completed ?? read)),
		isWhole: isWhole && hasCompleted(last),
		isForgotten,
	};
	const lack = lackOf(counts, unwanted);

	const common = { isEmpty: read === 0, last, failures, lack };
	const judgedPages = await judge(documents, context);
	if (isRaw) return { ...common, results: [{ json: { ...last, data: documents } }] };
	const request = {
		...without(aboutJob(last), ...(isWhole ? [] : ['creditsUsed'])),
		...(isWhole && unwanted.length > 0 && { failedPages: unwanted.length }),
		...(missing !== undefined && { partial: { read, total: last.total, reason: missing } }),
	};
	const results: Result[] = judgedPages.map((document) => ({
		json: label(document, { jobId: id }),
	}));
	if (!kind.returnsFailed) {
		return { ...common, results: withRequest(results, request), failures: unwanted };
	}
	const reasonOf = ({ url, error }: FailedPage) => ({ url, reason: shortReason(error) });
	if (failures.length > 0) remarkFailed(failures.map(reasonOf), context);
	const all = [...results, ...failedResults(failures)];
	// Its items tell of the pages that could not be scraped.
	const isTold = late === 0 && lack?.isError === undefined;
	return {
		...common,
		results: withRequest(kind.arrange?.(all, context) ?? all, request),
		failures: [],
		lack: isTold ? undefined : lack,
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

/** The runtime's job of a kind. A failed or cancelled one also returns its documents, which are paid for. */
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

const skip = integer('Skip', skipText, { min: 0, default: 0 });

/** GET /batch/scrape/{id} and GET /crawl/{id}. */
const getOperation = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Get',
		value: 'get',
		action: `Get pages of ${kind.noun}`,
		description: `Returns the pages that a ${kind.noun} has scraped so far, or its status if there are none. Free.`,
		request: form({
			jobId: idOf(kind),
			...limit({ all: true, default: 100 }),
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
const cancelOperation = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Cancel',
		value: 'cancel',
		action: `Cancel ${kind.noun}`,
		description: `Cancels a running ${kind.noun} and returns its job ID, with alreadyEnded if it had ended. Pages scraped so far are charged and can still be fetched.`,
		request: form({ jobId: idOf(kind) }),
		run: async ({ jobId: id }, context) => await endJob(kind.cancel, id, context),
	});

/** GET /batch/scrape/{id}/errors and GET /crawl/{id}/errors. */
const getErrorsOperation = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Get Errors',
		value: 'getErrors',
		action: `Get errors of ${kind.noun}`,
		description: `Returns the pages of a ${kind.noun} that were not scraped, with the reason, also robots.txt. Free.`,
		request: form({ jobId: idOf(kind) }),
		run: async ({ jobId: id }, context) => failedResults(await readFailedPages(kind, id, context)),
	});

/** The operations on a job of a kind by its ID. */
export const jobOperations = (kind: DocumentJobKind): Operation[] => [
	getOperation(kind),
	cancelOperation(kind),
	getErrorsOperation(kind),
];
