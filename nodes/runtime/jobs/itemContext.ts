import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { yieldAfter } from '../host/turns';
import { retrySafetyOf, type Request } from '../http/client';
import { withFiles } from '../output/files';
import { isTool } from '../host/tool';
import { stoppedError, type JobReference } from '../api/errors';
import { toItems, limitPairs, type Trim } from '../output/items';
import { maxDepth } from '../values/json';
import type { ReadContext, ItemRequest, Result } from '../operation/operation';
import { mapConcurrent, settle } from '../values/settle';
import { free } from '../limits/price';
import { repeatedOnce } from '../output/repeated';
import { noticesIn } from '../output/results';
import type { ApiResponse, RetryPolicy } from '../api/retry';
import type { ExecutionContext } from './executionContext';
import { send, type RequestContext } from '../http/send';
import type { Settings } from '../form/options';
import { creditsIn, reserve, type Charge, type Guard } from '../limits/budget';
import { sendOnce, toolKey } from './toolCalls';
import { cleaned } from '../text/cleaned';
import { newMark, withFencedTexts } from '../text/fence';

/**
 * Attempts to reach a server in an execution that a user started in the editor, who waits for it and
 * can correct the URL: about 3 seconds.
 */
const attemptsByHand = 2;

/** The retry policy of the user's settings, for a mode of execution. */
export const policyOf = (settings: Settings, mode: WorkflowExecuteMode): RetryPolicy => ({
	maxAttempts: settings.maxTries,
	backOffCap: settings.maxBackoff * 1000,
	budget: settings.maxRetryTime * 1000,
	retryUnclearStarts: settings.retryUnclearStarts,
	retryUnclearResponses: settings.retryUnclearResponses,
	processing: {
		maxAttempts: settings.maxDocumentRetries + 1,
		budget: settings.maxDocumentTime * 60_000,
	},
	...(mode === 'manual' && { maxUnreachable: attemptsByHand }),
});

/** State of one request for one or several items, from its start until its results are items. */
export interface ItemContext {
	/** State shared with the other items. */
	execution: ExecutionContext;
	/** Settings to send its requests with. */
	requestContext: RequestContext;
	settings: Settings;
	/** The requests of its items. */
	requests: ItemRequest[];
}

/** Adds a remote job to the errors of an item. Its server was reached, and what it does is paid. */
export const withJob = (itemContext: ItemContext, job: JobReference): ItemContext => {
	const { requestContext } = itemContext;
	return {
		...itemContext,
		requestContext: {
			...requestContext,
			policy: { ...requestContext.policy, maxUnreachable: undefined },
			errorSource: { ...requestContext.errorSource, job },
		},
	};
};

/** The budgets that limit the credits of an item's requests. */
export const guardOf = ({
	requestContext,
	settings,
	execution: { spending, today },
}: ItemContext): Guard => ({
	budgets: [
		{ name: 'Max Credits per Execution', spending, limit: settings.maxCreditsPerExecution },
		...(settings.maxCreditsPerDay === undefined
			? []
			: [{ name: 'Max Credits per Day', limit: settings.maxCreditsPerDay, ...today() }]),
	],
	errorSource: requestContext.errorSource,
	signal: requestContext.signal,
});

const deepNotice = `A response is nested deeper than ${maxDepth} levels, which n8n cannot store. Deeper levels are returned as JSON text.`;

/** Shows the service's notices of a response, each once per execution. */
export const showNotices = (body: unknown, { execution }: ItemContext): void =>
	noticesIn(body).forEach((notice) => execution.notices.add(notice));

/** Key of a tool's request that is charged with its response; undefined for others. */
function toolKeyOf(request: Request, { requestContext, execution }: ItemContext) {
	const { node } = requestContext.errorSource;
	const isCharged = request.price !== undefined && retrySafetyOf(request) === 'mayChargeTwice';
	// The content of a file is no part of a key.
	const isShared = isCharged && isTool(node) && !(request.body instanceof FormData);
	return isShared ? toolKey(execution.account(), request) : undefined;
}

type Transport = (request: Request, requestContext: RequestContext) => Promise<ApiResponse>;

/**
 * Sends a request, shows the notices of its response, and records its cost. A response to a free
 * request may name the credits of others.
 */
async function sendCharged(
	request: Request,
	itemContext: ItemContext,
	transport: Transport,
): Promise<ApiResponse> {
	const { price = free } = request;
	const guard = {
		...guardOf(itemContext),
		mayCostMore: price.runsAlone,
		costOfError: price.costOfError,
	};
	const charge = await reserve(price.reserved, guard);
	const sent = await settle(transport(request, itemContext.requestContext));
	if (!sent.ok) {
		charge.settle(sent.error);
		throw sent.error;
	}
	const response = sent.value;
	if (response.isFlattened) itemContext.execution.notices.add(deepNotice);
	showNotices(response.body, itemContext);
	charge.known = request.price === undefined ? 0 : creditsIn(response.body);
	charge.settle();
	return response;
}

/** Sends a request like `sendCharged`, but equal requests of tools only once. */
export async function sendPaid(
	request: Request,
	itemContext: ItemContext,
	transport: Transport = send,
): Promise<ApiResponse> {
	const charged = async () => await sendCharged(request, itemContext, transport);
	const key = toolKeyOf(request, itemContext);
	if (key === undefined) return await charged();
	const { ownNotes } = itemContext.execution;
	const note = 'This is the result of an equal call a moment ago. Nothing more was charged.';
	return await sendOnce(key, charged, () => void ownNotes.add(note));
}

/** The functions that an operation calls for one item. They record the cost of the job. */
export const readContextOf = (itemContext: ItemContext, charge?: Charge): ReadContext => ({
	errorSource: itemContext.requestContext.errorSource,
	settings: itemContext.settings,
	requests: itemContext.requests,
	send: async (request) => await sendPaid(request, itemContext),
	notice: (text) => itemContext.execution.notices.add(text),
	recordCost: (credits) => {
		if (charge) charge.known ??= credits;
	},
});

/** Most concurrent downloads of an item and of an execution: all files may be on one host. */
const fetchesAtOnce = 5;
export const mostFetches = 25;

/** Wraps the texts of a result in delimiters, without hidden content. */
const marked = async (
	json: IDataObject,
	{ format: { texts, htmlTexts }, removed }: ExecutionContext,
): Promise<IDataObject> =>
	withFencedTexts(await cleaned(json, htmlTexts, removed), texts, newMark());

/** Characters processed in the time that it takes to find the files of a result. */
const workToFindFiles = 100;

/** Completes every operation: downloads files, trims results and pairs items with their input. */
export async function complete(
	results: Result[],
	{ requestContext, settings, requests, execution }: ItemContext,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
): Promise<INodeExecutionData[]> {
	const { notices, fetches, format } = execution;
	if (settings.downloadFiles) {
		const { signal } = requestContext;
		await mapConcurrent(
			results,
			() => Math.min(settings.maxConcurrency ?? fetchesAtOnce, fetchesAtOnce),
			async (result, index) => {
				await yieldAfter(workToFindFiles);
				results[index] = await fetches.during(
					async () =>
						await withFiles(
							result,
							format.filesIn(result.json),
							helpers,
							requestContext,
							settings.maxFileSize,
						),
				);
			},
			() => signal?.aborted === true,
		);
		if (signal?.aborted) throw stoppedError(requestContext.errorSource);
		if (results.some(({ json }) => json.fileErrors !== undefined)) {
			notices.add(`Some files were not downloaded. See 'fileErrors' of the items.`);
		}
	}
	const partial = await format.noticeOf(results);
	if (partial !== undefined) notices.add(partial);
	const requestedBy = requests.map(({ itemIndex }) => itemIndex);
	const notice = (text: string) => void notices.add(text);
	const once = repeatedOnce(limitPairs(results, requestedBy, notice), notice);
	// A tool's items are wrapped together, when they are returned to the model.
	const isMarked = settings.markUntrusted === true && !isTool(requestContext.errorSource.node);
	const trim: Trim = {
		keepFields: settings.keepFields,
		transform: format.createTransform(settings, requests.at(0)?.body),
	};
	const items = await toItems(once, trim, requestedBy, notice);
	if (isMarked) for (const item of items) item.json = await marked(item.json, execution);
	return items;
}
