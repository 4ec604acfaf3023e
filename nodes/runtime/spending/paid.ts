import type { Settings } from '../form/settings';
import { noticesIn, type ApiResponse } from '../errors/response';
import type { ResultFormat } from '../operation';
import { mayHaveCost, operationError } from '../errors/webDataError';
import { pathOf, retrySafetyOf, type Request } from '../http/client';
import { creditsIn } from '../http/credits';
import { send, type RequestContext } from '../http/send';
import { isTool } from '../tool/tool';
import { settle } from '../values/outcome';
import { monotonicNow, within } from '../values/time';
import { reserve, type Charged, type Spending } from './budget';
import { ToolCall, toolKey } from './toolCalls';

/** The part of an execution that spends credits, or of one poll of a trigger. */
export interface SpendingRun {
	/** Format of the results. */
	format: Pick<ResultFormat, 'isKept'>;
	/** Identifies the credential by its key and host. */
	account: () => string;
	/** Notices above the node's output, each once. */
	notices: Set<string>;
	/** Notes of the node itself for a model, outside of the delimiters. */
	ownNotes: Set<string>;
	/** Credits the node has spent in this execution, including earlier runs. */
	spending: Spending;
}

/** What sends requests that may cost, for the run whose credits it spends: an item. */
export interface Payer extends RequestContext {
	run: SpendingRun;
	settings: Settings;
	/** Number of the node's run in its execution. */
	runIndex(): unknown;
}

/** Shows the service's notices of a response, each once per execution. */
export const showNotices = (body: unknown, { run }: Payer): void =>
	noticesIn(body).forEach((notice) => run.notices.add(notice));

/** Key of a tool's request that is charged with its response, or acts; undefined for others. */
function keyOfCall(request: Request, { errorSource, run }: Payer): string | undefined {
	// The content of a file is no part of a key.
	const isShared = request.price !== undefined && !(request.body instanceof FormData);
	return isShared && isTool(errorSource.node) ? toolKey(run.account(), request) : undefined;
}

/** Milliseconds that a request has at the deadline of its tool to end by itself. */
const lastMoment = 500;

/** Milliseconds for which a response that came too late is kept for an equal call. */
const unclaimedFor = 600_000;

/** Asks the service for hints to a model, in a tool's request (docs/api-notes.md, Hints to models). */
const withHints = (request: Request, { errorSource }: Payer): Request =>
	isTool(errorSource.node)
		? { ...request, headers: { ...request.headers, 'X-Firecrawl-Agent-Hints': 'true' } }
		: request;

/**
 * Key of a start in a run of the node, which another attempt by n8n's Retry On Fail has, too; in a tool, of
 * the same call. Undefined for requests that may be sent again: they start nothing, or have a key of the user.
 */
function keyOfStart(request: Request, { errorSource, runIndex, run }: Payer): string | undefined {
	const isStart = retrySafetyOf(request) === 'mayStartTwice' || request.freshHeaders !== undefined;
	if (!isStart) return undefined;
	if (isTool(errorSource.node)) return toolKey(run.account(), request);
	return [runIndex(), errorSource.itemIndex, request.endpoint.method, pathOf(request)].join(' ');
}

/** A free request of a tool, which ends when its client gives up: it can be sent again. A job waits for itself. */
function inTime(request: Request, { deadline = Infinity, errorSource }: Payer): Request {
	const isFree = retrySafetyOf(request) === 'free' && errorSource.job === undefined;
	if (deadline === Infinity || !isFree) return request;
	const left = Math.max(0, deadline - monotonicNow());
	return { ...request, longestWait: Math.min(left, request.longestWait ?? Infinity) };
}

type Transport = (request: Request, item: Payer) => Promise<ApiResponse>;

/** Sends a request within the limit of credits, and shows its response's notices. The caller settles a success. */
export async function sendCharged(
	request: Request,
	item: Payer,
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

/** Sends a request and records its cost; an equal charged request of tools only once. */
export async function sendPaid(
	request: Request,
	item: Payer,
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
