import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { stoppedError } from '../errors/message';
import type { ApiResponse } from '../errors/response';
import type { RetryPolicy } from '../http/retry';
import type { Settings } from '../form/settings';
import { isTool } from '../values/tool';
import { completesTurn, delay, monotonicNow } from '../values/time';
import { retrySafetyOf, type Request } from '../http/client';
import { send, type RequestContext } from '../http/send';
import { reserve, type Charge, type Charged, type Spending } from './budget';
import { creditsIn } from '../http/credits';
import { mayHaveCost } from '../http/serviceError';
import type { ItemRequest, ReadContext, Result } from '../execution/operation';
import { withFiles } from '../output/files';
import { toItems } from '../output/items';
import { noticesIn, type ResultFormat } from '../output/results';
import { fieldOf } from '../values/record';
import { Semaphore, mapConcurrent, settle } from '../values/outcome';
import { callOnce, toolKey } from './toolCalls';

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

/** Key of a tool's request that is charged with its response; undefined for others. */
function keyOfCharged(request: Request, { errorSource, run }: Item): string | undefined {
	const isCharged = request.price !== undefined && retrySafetyOf(request) === 'mayChargeTwice';
	// The content of a file is no part of a key.
	const isShared = isCharged && isTool(errorSource.node) && !(request.body instanceof FormData);
	return isShared ? toolKey(run.account(), request) : undefined;
}

/** Shortest timeout of a request in milliseconds that the service accepts. */
const shortestTimeout = 1_000;

/**
 * Shortens the timeout of a tool's request to the time that is left, so that it responds before its
 * client gives up. Only a timeout in milliseconds, as the service has it by default.
 */
function inTime(request: Request, { deadline }: Item): Request {
	const { body, serviceTimeout } = request;
	if (deadline === undefined || serviceTimeout === undefined || body instanceof FormData)
		return request;
	const left = Math.max(shortestTimeout, Math.floor(deadline - monotonicNow()));
	const own = fieldOf(body, 'timeout');
	if (serviceTimeout <= left || (own !== undefined && own !== serviceTimeout)) return request;
	return { ...request, body: { ...body, timeout: left }, serviceTimeout: left };
}

/** Asks the service for hints to a model, in a tool's request (docs/api-notes.md, Hints to models). */
const withHints = (request: Request, { errorSource }: Item): Request =>
	isTool(errorSource.node)
		? { ...request, headers: { ...request.headers, 'X-Firecrawl-Agent-Hints': 'true' } }
		: request;

type Transport = (request: Request, item: Item) => Promise<ApiResponse>;

/** Sends a request within the limit of credits, and shows its response's notices. The caller settles a success. */
export async function sendCharged(
	request: Request,
	item: Item,
	transport: Transport,
): Promise<Charged> {
	const { run, settings } = item;
	const limit = settings.maxCreditsPerExecution;
	const { charge, affordable } = await reserve(request, run.spending, limit, item);
	const sent = await settle(transport(withHints(inTime(affordable, item), item), item));
	if (!sent.ok) {
		if (!mayHaveCost(sent.error)) charge.known = 0;
		charge.settle();
		throw sent.error;
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
	const { response, isShared, end, forget } = await callOnce(keyOfCharged(request, item), sendNow);
	if (!isShared) {
		if (end) (item.run.format.isKept(response.body) ? end : forget)?.();
		return response;
	}
	const note = 'This is the result of an equal call a moment ago. Nothing more was charged.';
	item.run.ownNotes.add(note);
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
): Promise<INodeExecutionData[]> {
	const { settings, requests, run } = item;
	const notice = (text: string) => void run.notices.add(text);
	if (settings.downloadFiles) await fetchFiles(results, item, helpers);
	const partial = await run.format.noticeOf(results);
	if (partial !== undefined) notice(partial);
	const requestedBy = requests.map(({ itemIndex }) => itemIndex);
	const transform = run.format.createTransform(settings, requests.at(0)?.body);
	const keepFields = settings.output === 'fields' ? settings.outputFields : [];
	return await toItems(results, { keepFields, transform }, requestedBy, notice);
}
