import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { mayHaveCost, operationError, stoppedError } from '../errors/webDataError';
import type { ApiResponse } from '../errors/response';
import type { RetryPolicy } from '../http/retry';
import type { Settings } from '../form/settings';
import { isTool } from '../values/tool';
import { completesTurn, delay, monotonicNow, within } from '../values/time';
import { pathOf, retrySafetyOf, type Request } from '../http/client';
import { send, type RequestContext } from '../http/send';
import { reserve, type Charge, type Charged, type Spending } from './budget';
import { creditsIn } from '../http/credits';
import type { ItemRequest, ReadContext, Result } from '../operation';
import { withFiles } from '../output/files';
import { toItems } from '../output/items';
import { noticesIn, type ResultFormat } from '../output/results';
import { Semaphore, mapConcurrent, settle } from '../values/outcome';
import { ToolCall, toolKey } from './toolCalls';

/** State that all items of one execution share, or of one poll of a trigger. It is not stored. */
export interface Run {
	/** Format of the results. */
	format: ResultFormat;
	/** Whether the server is Firecrawl's hosted one. */
	isHosted: boolean;
	/** Identifies the credential by its key and host. */
	account: () => string;
	/** Notices above the node's output, each once. */
	notices: Set<string>;
	/** Notes of the node itself for a model, outside of the delimiters. */
	ownNotes: Set<string>;
	/** Credits the node has spent in this execution, including earlier runs. */
	spending: Spending;
	/** The jobs by ID that it has started or waited for, in words; with its state if a stop has left one. */
	jobs: Map<string, string>;
	/** Limits the concurrency of downloads. */
	fetches: Semaphore;
}

/** Creates the state of an execution or of a poll, for a connection. */
export const newRun = (
	{ isHosted, account }: Pick<Run, 'isHosted' | 'account'>,
	format: ResultFormat,
	spending: Spending,
): Run => ({
	format,
	isHosted,
	account,
	notices: new Set(),
	ownNotes: new Set(),
	spending,
	jobs: new Map(),
	fetches: new Semaphore(mostFetches),
});

/** One request for one or several items, from its start until its results are items. */
export interface Item extends RequestContext {
	run: Run;
	settings: Settings;
	/** The requests of its items. */
	requests: ItemRequest[];
	/** Number of the node's run in its execution. */
	runIndex(): unknown;
}

/** The retry policy of the user's settings. */
export const policyOf = ({ maxRetryTime }: Settings): RetryPolicy => ({
	maxAttempts: 5,
	budget: maxRetryTime * 1000,
	backOffCap: 30_000,
});

/** Shows the service's notices of a response, each once per execution. */
export const showNotices = (body: unknown, { run }: Item): void =>
	noticesIn(body).forEach((notice) => run.notices.add(notice));

/** Key of a tool's request that is charged with its response, or acts; undefined for others. */
function keyOfCall(request: Request, { errorSource, run }: Item): string | undefined {
	// The content of a file is no part of a key.
	const isShared = request.price !== undefined && !(request.body instanceof FormData);
	return isShared && isTool(errorSource.node) ? toolKey(run.account(), request) : undefined;
}

/** Milliseconds that a request has at the deadline of its tool to end by itself. */
const lastMoment = 500;

/** Milliseconds for which a response that came too late is kept for an equal call. */
const unclaimedFor = 600_000;

/** Asks the service for hints to a model, in a tool's request (docs/api-notes.md, Hints to models). */
const withHints = (request: Request, { errorSource }: Item): Request =>
	isTool(errorSource.node)
		? { ...request, headers: { ...request.headers, 'X-Firecrawl-Agent-Hints': 'true' } }
		: request;

/**
 * Key of a start in a run of the node, which another attempt by n8n's Retry On Fail has, too; in a tool, of
 * the same call. Undefined for requests that may be sent again: they start nothing, or have a key of the user.
 */
function keyOfStart(request: Request, { errorSource, runIndex, run }: Item): string | undefined {
	const isStart = retrySafetyOf(request) === 'mayStartTwice' || request.freshHeaders !== undefined;
	if (!isStart) return undefined;
	if (isTool(errorSource.node)) return toolKey(run.account(), request);
	return [runIndex(), errorSource.itemIndex, request.endpoint.method, pathOf(request)].join(' ');
}

/** A free request of a tool, which ends when its client gives up: it can be sent again. A job waits for itself. */
function inTime(request: Request, { deadline = Infinity, errorSource }: Item): Request {
	const isFree = retrySafetyOf(request) === 'free' && errorSource.job === undefined;
	if (deadline === Infinity || !isFree) return request;
	const left = Math.max(0, deadline - monotonicNow());
	return { ...request, longestWait: Math.min(left, request.longestWait ?? Infinity) };
}

type Transport = (request: Request, item: Item) => Promise<ApiResponse>;

/** Sends a request within the limit of credits, and shows its response's notices. The caller settles a success. */
export async function sendCharged(
	request: Request,
	item: Item,
	transport: Transport,
): Promise<Charged> {
	const { run, settings } = item;
	const start = keyOfStart(request, item);
	const lost = run.spending.lostStarts.get(start ?? '');
	if (lost) throw lost;
	const limit = settings.maxCreditsPerExecution;
	const { charge, affordable } = await reserve(request, run.spending, limit, item);
	const sent = await settle(transport(withHints(inTime(affordable, item), item), item));
	if (!sent.ok) {
		const { error } = sent;
		if (!mayHaveCost(error)) charge.known = 0;
		else if (start !== undefined) run.spending.lostStarts.set(start, error);
		charge.settle();
		throw error;
	}
	const response = sent.value;
	showNotices(response.body, item);
	return { response, charge, at: monotonicNow() };
}

/**
 * Sends a request and records its cost; equal charged requests of tools only once. A response to a
 * free request may name the credits of others.
 */
export async function sendPaid(
	request: Request,
	item: Item,
	transport: Transport = send,
): Promise<ApiResponse> {
	const sendNow = async (): Promise<Charged> => {
		const sent = await sendCharged(request, item, transport);
		sent.charge.known = request.price === undefined ? 0 : creditsIn(sent.response.body);
		sent.charge.settle();
		return sent;
	};
	const { deadline = Infinity, errorSource, run } = item;
	const key = keyOfCall(request, item);
	if (key === undefined) return (await sendNow()).response;
	const joining = ToolCall.join(key, sendNow);
	// The request goes on, and an equal call gets its response.
	const { call, isFirst } = await within(
		Math.max(0, deadline + lastMoment - monotonicNow()),
		joining,
		() => {
			void joining.then(
				(late) => late.call.keep(unclaimedFor),
				() => undefined,
			);
			throw operationError(
				'The server has not responded yet',
				'Call this tool again with the same arguments: it gets the response to this request, which is not charged again.',
				errorSource,
			);
		},
	);
	const { response } = await call.sent;
	// What acts may be meant to act again; what is read is the same for a turn.
	const isRead = retrySafetyOf(request) === 'mayChargeTwice';
	if (!isRead || !run.format.isKept(response.body)) call.forget();
	else if (isFirst) call.keep();
	if (isFirst) return response;
	run.ownNotes.add('This is the result of an equal call a moment ago. Nothing more was charged.');
	return structuredClone(response);
}

/** The functions that an operation calls for one item. They record the cost of the job. */
export const readContextOf = (item: Item, charge?: Charge): ReadContext => ({
	errorSource: item.errorSource,
	settings: item.settings,
	requests: item.requests,
	send: async (request) => await sendPaid(request, item),
	notice: (text) => item.run.notices.add(text),
	remark(text, earlier = '') {
		const { ownNotes, notices } = item.run;
		const remarks = isTool(item.errorSource.node) ? ownNotes : notices;
		remarks.delete(earlier);
		remarks.add(text);
	},
	recordCost: (credits) => {
		if (charge) charge.known ??= credits;
	},
});

/** Most concurrent downloads of an item and of an execution: all files may be on one host. */
const fetchesAtOnce = 5;
const mostFetches = 25;

/** Characters processed in the time that it takes to find the files of a result. */
const workToFindFiles = 100;

/** Downloads the files of results. @throws NodeOperationError if stopped */
async function fetchFiles(
	results: Result[],
	item: Item,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
): Promise<void> {
	const { signal, run } = item;
	await mapConcurrent(
		results,
		() => fetchesAtOnce,
		async (result, index) => {
			if (completesTurn(workToFindFiles)) await delay(0);
			results[index] = await run.fetches.during(async () => {
				const files = run.format.filesIn(result.json);
				return await withFiles(result, files, helpers, item);
			});
		},
		() => signal?.aborted === true,
	);
	if (signal?.aborted) throw stoppedError(item.errorSource);
	if (results.some(({ json }) => json.fileErrors !== undefined)) {
		run.notices.add(`Some files were not downloaded. See 'fileErrors' of the items.`);
	}
}

/** Completes every operation: downloads files, trims results and pairs items with their input. */
export async function complete(
	results: Result[],
	item: Item,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	simplified: string[] = [],
): Promise<INodeExecutionData[]> {
	const { settings, requests, run } = item;
	const notice = (text: string) => void run.notices.add(text);
	if (settings.downloadFiles) await fetchFiles(results, item, helpers);
	const partial = await run.format.noticeOf(results);
	if (partial !== undefined) notice(partial);
	const requestedBy = requests.map(({ itemIndex }) => itemIndex);
	const transform = run.format.createTransform(settings, requests.at(0)?.body);
	const keepFields = { fields: settings.outputFields, simplified, raw: [] }[settings.output];
	return await toItems(results, { keepFields, transform }, requestedBy, notice);
}
