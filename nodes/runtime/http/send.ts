import { exchange, retrySafetyOf, type HttpFunctions, type Exchange, type Request } from './client';
import type { Bucket } from '../api/endpoint';
import { monotonicNow } from '../values/clock';
import { displayName } from '../api/displayName';
import {
	asNodeError,
	serviceError,
	stoppedError,
	type NotFound,
	type ErrorSource,
} from '../api/errors';
import type { Found } from './jobLookup';
import { delay } from '../host/delay';
import { AttemptLog, type NextAttempt } from './attemptLog';
import { settle } from '../values/settle';
import { nextQueuePosition, PauseTooLong, type RateLimiter } from '../limits/rateLimiter';
import {
	isDoneBefore,
	mayHaveBeenCharged,
	mayHaveRun,
	mayRepeat,
	type ApiResponse,
	type Failure,
	type RetrySafety,
	type RetryPolicy,
} from '../api/retry';
import { isRateLimit, isShared, outcomeOfFailure } from '../limits/outcome';
import { startedId } from './requireJobId';
import { withoutUnknownFields } from './unknownFields';

/**
 * What sending needs besides the request. One for each item, trigger or call; the endpoint, and the job once
 * there is one, are put into a copy. Used until the request has its answer.
 */
export interface RequestContext {
	context: HttpFunctions;
	/** The credential's rate limiter for a bucket of the service; none for hosts that are not the API's. */
	rateLimiters?: (bucket: Bucket) => RateLimiter;
	errorSource: ErrorSource;
	policy: RetryPolicy;
	/** Fires when the execution is stopped. */
	signal?: AbortSignal;
	/** Whether the service lies on this machine or in a private network; then files may, too. */
	inPrivateNetwork?: boolean;
	/** Shows a notice above the node's output. */
	notice?(text: string): void;
	/** Whether fields that the server does not know are left out, instead of being an error. */
	leavesOutUnknown?: boolean;
	/** Told of each request that is sent again though the answer before may have been charged. */
	onUncertainRepeat?(): void;
}

/** Shows in the editor that nothing answers yet, since retries may take a minute; n8n ignores it in production. */
function showWaiting(
	failure: Failure,
	next: number,
	requestContext: Pick<RequestContext, 'context' | 'errorSource' | 'policy'>,
) {
	const { context, errorSource, policy } = requestContext;
	if (!('networkError' in failure) || mayHaveRun(failure) || !('sendMessageToUI' in context))
		return;
	const message = errorSource.redact(failure.networkError.message);
	context.sendMessageToUI(
		`No response (${message}); attempt ${next} of ${policy.maxTries} follows`,
	);
}

/** The answer to a DELETE that was carried out by an earlier try, whose answer was lost. */
const done: ApiResponse = { status: 200, headers: {}, body: { success: true } };

/** Other ways to success after failed tries. */
interface Rescue {
	/** A DELETE has succeeded too when a repeat finds nothing left to end. */
	endsWork?: boolean;
	/** Looks for what may have been started since a moment. */
	find?(since: number): Promise<Found>;
	/** Changes the next request so that the refusal does not apply to it; false where it cannot. */
	adaptRequest?(failure: Failure): boolean;
}

/** What was started by an attempt whose response was lost, or why that is not known. */
type Recovery = { response: ApiResponse } | { notFound: NotFound };

/** Looks up what a start without a clear response has started. @throws NodeOperationError when stopped */
async function recover(
	find: NonNullable<Rescue['find']>,
	since: number,
	{ errorSource, notice, signal }: RequestContext,
): Promise<Recovery> {
	const found = await find(since);
	if (!('id' in found)) {
		if (signal?.aborted) throw stoppedError(errorSource);
		return found;
	}
	const { id } = found;
	notice?.(
		`The response to a start was lost. The server lists one matching job, ${id}. The node resumes it and does not cancel it.`,
	);
	const body = { success: true, id };
	return { response: { status: 200, headers: {}, body, isRecovered: true } };
}

/**
 * Sends until it succeeds or must not be sent again, with the pauses that `api/retry` decides; ends at once
 * when the execution is stopped. Each attempt waits for the rate limiter, where there is one: a 429 pauses
 * all requests that have the time, any other failure this request alone.
 * @throws NodeApiError with the service's message; NodeOperationError when stopped
 */
export async function sendWithRetries(
	exchangeOnce: () => Promise<Exchange>,
	retrySafety: RetrySafety,
	requestContext: RequestContext,
	{ endsWork = false, find, adaptRequest }: Rescue = {},
): Promise<ApiResponse> {
	const { rateLimiters, errorSource, policy, signal, onUncertainRepeat } = requestContext;
	const queuePosition = nextQueuePosition();
	const log = new AttemptLog(retrySafety, policy);
	const lookUp = async () =>
		find && log.riskedSince !== undefined
			? await recover(find, log.riskedSince, requestContext)
			: undefined;
	let notBefore = 0;

	for (;;) {
		if (signal?.aborted) throw stoppedError(errorSource);
		// Unused limiters are dropped, so it is looked up each time.
		const limiter = rateLimiters?.(errorSource.endpoint?.bucket ?? 'other');
		const pauseBudget = policy.budget - log.failingFor(limiter?.acceptedAt);
		const turn = { queuePosition, pauseBudget, notBefore, signal };
		const granted = await settle(limiter?.acquire(turn) ?? Promise.resolve(undefined));
		if (!granted.ok) {
			if (signal?.aborted) throw stoppedError(errorSource);
			if (!(granted.error instanceof PauseTooLong)) throw asNodeError(granted.error, errorSource);
			const { failure, pause: tooLong } = granted.error;
			const found = await lookUp();
			if (found && 'response' in found) return found.response;
			const attempts = { ...log.progress, retrySafety, tooLong, earlier: log.failures, ...found };
			throw serviceError(failure, attempts, errorSource);
		}
		const permit = granted.value;

		const sentAt = monotonicNow();
		log.onSent(sentAt);
		const exchanged = await settle(exchangeOnce());
		if (!exchanged.ok) {
			permit?.release({ kind: 'unrelated' });
			throw signal?.aborted ? stoppedError(errorSource) : asNodeError(exchanged.error, errorSource);
		}
		// A response is kept even after a stop: it is paid for, or names a job that is to be ended.
		if ('success' in exchanged.value) {
			const { success, size: bytes = 0 } = exchanged.value;
			permit?.release({ kind: 'accepted', bytes });
			return success;
		}

		const { failure } = exchanged.value;
		if (endsWork && isDoneBefore(failure, log.failures)) {
			permit?.release({ kind: 'accepted', bytes: 0 });
			return done;
		}
		log.onFailed(failure, sentAt);
		const isOfAll = isRateLimit(failure) && limiter?.isBackingOff === true;
		const { pause, stop }: NextAttempt = adaptRequest?.(failure)
			? { pause: 0 }
			: log.next(sentAt - (permit?.paused ?? 0), isOfAll, limiter?.acceptedAt);
		// Also a 429 after which this request must not be repeated pauses the others.
		const pausesAll = mayRepeat(failure, 'free') && isShared(failure, pause, policy.budget);
		permit?.release(outcomeOfFailure(failure, pausesAll ? pause : undefined));
		if (signal?.aborted) throw stoppedError(errorSource);

		// A start without an idempotency key is looked up before it is repeated, others once they have failed.
		const found =
			stop !== undefined || retrySafety === 'mayStartTwice' ? await lookUp() : undefined;
		if (found && 'response' in found) return found.response;
		if (stop !== undefined) {
			const tooLong = stop === 'budget' ? pause : undefined;
			const earlier = log.failures.slice(0, -1);
			const attempts = { ...log.progress, retrySafety, tooLong, earlier, ...found };
			throw serviceError(failure, attempts, errorSource);
		}
		if (retrySafety === 'mayChargeTwice' && mayHaveBeenCharged(failure)) onUncertainRepeat?.();
		showWaiting(failure, log.progress.tries + 1, requestContext);
		notBefore = monotonicNow() + pause;
		if (!limiter || !pausesAll) await settle(delay(pause, signal));
	}
}

/**
 * Sends a request to the API until it succeeds or must not be repeated. The job of a start whose response
 * was lost is looked up where the request says how.
 */
export async function send(
	request: Request,
	{ errorSource, ...given }: RequestContext,
): Promise<ApiResponse> {
	const { endpoint } = request;
	const retrySafety = retrySafetyOf(request);
	const requestContext: RequestContext = {
		...given,
		errorSource: { ...errorSource, endpoint },
		...(request.sentOnce && { policy: { ...given.policy, maxTries: 1, budget: 0 } }),
	};
	let current = request;
	const beganAt = monotonicNow();
	let riskedSince: number | undefined;
	const exchangeOnce = async () => {
		const sentOn = monotonicNow();
		const reply = await exchange(requestContext.context, current);
		if ('failure' in reply && mayHaveRun(reply.failure)) riskedSince ??= sentOn;
		// A key may be used up by a request that started nothing. After any that may have started something, it is kept.
		if (riskedSince === undefined)
			current = { ...current, headers: request.freshHeaders?.() ?? request.headers };
		return reply;
	};
	let isAdapted = false;
	const adaptRequest = (failure: Failure): boolean => {
		const rest = isAdapted ? undefined : withoutUnknownFields(current, failure);
		if (!rest) return false;
		isAdapted = true;
		// What was refused as it stood was not carried out, but its key is used up.
		const headers = request.freshHeaders?.(true) ?? request.headers;
		current = { ...current, ...rest.parts, headers };
		const names = rest.left
			.map((member) => `'${displayName(errorSource.fields, member)}'`)
			.join(', ');
		requestContext.notice?.(
			`This server does not support ${names}. The request was sent without, by 'On Unsupported Field'.`,
		);
		return true;
	};
	const rescue = {
		endsWork: endpoint.method === 'DELETE',
		adaptRequest: requestContext.leavesOutUnknown ? adaptRequest : undefined,
	};
	const watch = request.watchStart?.();
	if (!watch) return await sendWithRetries(exchangeOnce, retrySafety, requestContext, rescue);
	const outcome = await settle(
		sendWithRetries(exchangeOnce, retrySafety, requestContext, {
			...rescue,
			find: watch.recover.bind(watch),
		}),
	);
	if (!outcome.ok) {
		watch.settle(riskedSince === undefined ? 'refused' : { lostSince: riskedSince });
		throw outcome.error;
	}
	const id = startedId(outcome.value.body);
	watch.settle(id === undefined ? { lostSince: beganAt } : { id });
	return outcome.value;
}
