import { exchange, retrySafetyOf, type HttpFunctions, type Exchange, type Request } from './client';
import type { Bucket, Endpoint } from './endpoint';
import { monotonicNow } from '../values/clock';
import { asNodeError, stoppedError, type ErrorSource } from '../errors/message';
import { serviceError, type NotFound } from './serviceError';
import { delay } from '../values/delay';
import { AttemptLog } from './attemptLog';
import { settle } from '../values/settle';
import {
	nextQueuePosition,
	PauseTooLong,
	permitBefore,
	type Permit,
	type RateLimiter,
	type Turn,
} from '../limits/rateLimiter';
import { notSentInTime, type ApiResponse, type Failure } from '../errors/response';
import {
	isDoneBefore,
	maxAttemptsAfter,
	mayHaveBeenCharged,
	mayHaveRun,
	mayRepeat,
	type RetrySafety,
	type RetryPolicy,
} from './retry';
import { isRateLimit, isShared, outcomeOfFailure } from '../limits/outcome';

/**
 * The context of sending, one for each item, trigger or call until its response. Copies have the
 * endpoint, and the job once it is known.
 */
export interface RequestContext {
	context: HttpFunctions;
	/** The credential's rate limiter for a bucket; none for file hosts. */
	rateLimiters?: (bucket: Bucket) => RateLimiter;
	errorSource: ErrorSource;
	/** The endpoint of the current request. */
	endpoint?: Endpoint;
	policy: RetryPolicy;
	/** Fires when the execution is stopped. */
	signal?: AbortSignal;
	/**
	 * Time of the monotonic clock after which nothing is sent that costs or has to wait; none in an
	 * ordinary node.
	 */
	deadline?: number;
	/** Whether the service is on this machine or in a private network; then files may be, too. */
	inPrivateNetwork?: boolean;
	/** Shows a notice above the node's output. */
	notice?(text: string): void;
	/** Called for each retry after a response that may have been charged. */
	onUncertainRepeat?(): void;
	/** Called for each failed attempt that may have been charged, also if it was stopped. */
	onUncertain?(): void;
}

/** Shows in the editor that retries may take a minute. n8n ignores it in production. */
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
		`No response (${message}); attempt ${next} of ${maxAttemptsAfter(failure, policy)} follows`,
	);
}

/** The response to a DELETE that an earlier attempt carried out, whose response was lost. */
const done: ApiResponse = { status: 200, headers: {}, body: { success: true } };

/** The job of an attempt whose response was lost, or why it is unknown. */
type Recovery = { response: ApiResponse } | { notFound: NotFound };

/** Other ways to success after failed attempts. */
interface Rescue {
	/** Whether a DELETE also succeeds if a retry finds nothing left to delete. */
	endsWork?: boolean;
	/** Recovers the job that a failed attempt may have started; undefined if none may have. */
	recover?(): Promise<Recovery | undefined>;
}

/**
 * Continues the job of a start without a clear response, if it is found.
 * @throws NodeOperationError if stopped
 */
async function recoverJob(
	findLost: NonNullable<Request['findLost']>,
	{ errorSource, notice, signal }: RequestContext,
): Promise<Recovery> {
	const found = await findLost();
	if (signal?.aborted && !('id' in found)) throw stoppedError(errorSource);
	if (!('id' in found)) return found;
	const { id } = found;
	notice?.(`The response to a start was lost. Its job ${id} was found in the list, and continued.`);
	return { response: { status: 200, headers: {}, body: { success: true, id } } };
}

/** Milliseconds to the next call that the error of a request suggests which others held up. */
const untilQueueIsShorter = 30_000;

/**
 * Waits until an attempt may be sent; undefined without rate limiter.
 * @throws PauseTooLong if that is too late; the signal's reason if it fires
 */
async function permitFor(
	limiter: RateLimiter | undefined,
	turn: Turn,
	retrySafety: RetrySafety,
	deadline: number,
): Promise<Permit | undefined> {
	const isLate = retrySafety !== 'free' && monotonicNow() >= deadline;
	if (!limiter && !isLate) return undefined;
	const permit = limiter && !isLate ? await permitBefore(deadline, limiter, turn) : undefined;
	if (permit) return permit;
	const message = 'other requests of this call or with this credential took too long';
	throw new PauseTooLong(untilQueueIsShorter, { networkError: { code: notSentInTime, message } });
}

/**
 * Sends until success or a final failure, with the delays of `retry.ts`. Ends at once if the
 * execution is stopped. Each attempt waits for the rate limiter, if any: a 429 delays all requests
 * that have the time, other failures only this request.
 * @throws NodeApiError with the service's message; NodeOperationError if stopped
 */
export async function sendWithRetries(
	exchangeOnce: () => Promise<Exchange>,
	retrySafety: RetrySafety,
	requestContext: RequestContext,
	{ endsWork = false, recover }: Rescue = {},
): Promise<ApiResponse> {
	const { rateLimiters, errorSource, policy, signal, onUncertainRepeat } = requestContext;
	const { deadline = Infinity } = requestContext;
	const queuePosition = nextQueuePosition();
	const log = new AttemptLog(retrySafety, policy);
	let notBefore = 0;

	for (;;) {
		if (signal?.aborted) throw stoppedError(errorSource);
		// Unused limiters are dropped, so each attempt gets its own.
		const limiter = rateLimiters?.(requestContext.endpoint?.bucket ?? 'other');
		const pauseBudget = Math.min(
			policy.budget - log.failingFor(limiter?.acceptedAt),
			deadline - monotonicNow(),
		);
		const isSuspect = log.failures.filter(isRateLimit).length > 1;
		const turn = { queuePosition, pauseBudget, notBefore, isSuspect, signal };
		const granted = await settle(permitFor(limiter, turn, retrySafety, deadline));
		if (!granted.ok) {
			if (signal?.aborted) throw stoppedError(errorSource);
			if (!(granted.error instanceof PauseTooLong)) throw asNodeError(granted.error, errorSource);
			const { failure, pause: tooLong } = granted.error;
			const found = await recover?.();
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
		// A response is used even after a stop: it was charged, or names a job to cancel.
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
		log.onFailed(failure);
		if (mayHaveBeenCharged(failure)) requestContext.onUncertain?.();
		const isOfAll = isRateLimit(failure) && limiter?.isBackingOff === true;
		const next = log.next(sentAt - (permit?.paused ?? 0), isOfAll, limiter?.acceptedAt);
		const { pause, ownPause } = next;
		const stop = next.stop ?? (monotonicNow() + ownPause > deadline ? 'budget' : undefined);
		// A 429 also delays the others if this request must not be repeated.
		const pausesAll = mayRepeat(failure, 'free') && isShared(failure, pause, policy.budget);
		permit?.release(outcomeOfFailure(failure, pausesAll ? pause : undefined));
		if (signal?.aborted) throw stoppedError(errorSource);

		// A start without an idempotency key is recovered before it is repeated, others once they have
		// failed.
		const found =
			stop !== undefined || retrySafety === 'mayStartTwice' ? await recover?.() : undefined;
		if (found && 'response' in found) return found.response;
		if (stop !== undefined) {
			const tooLong = stop === 'budget' ? ownPause : undefined;
			const earlier = log.failures.slice(0, -1);
			const attempts = { ...log.progress, retrySafety, tooLong, earlier, ...found };
			throw serviceError(failure, attempts, errorSource);
		}
		if (retrySafety === 'mayChargeTwice' && mayHaveBeenCharged(failure)) onUncertainRepeat?.();
		showWaiting(failure, log.progress.attemptCount + 1, requestContext);
		notBefore = monotonicNow() + ownPause;
		if (!limiter || !pausesAll) await settle(delay(ownPause, signal));
	}
}

/**
 * Sends a request to the API until success or a final failure. Recovers the job of a start whose
 * response was lost, if the request defines how.
 */
export async function send(
	request: Request,
	{ errorSource, ...given }: RequestContext,
): Promise<ApiResponse> {
	const { endpoint } = request;
	const retrySafety = retrySafetyOf(request);
	const requestContext: RequestContext = {
		...given,
		errorSource,
		endpoint,
		...(request.sentOnce && { policy: { ...given.policy, maxAttempts: 1, budget: 0 } }),
	};
	let current = request;
	/** Whether an attempt may have been carried out. */
	let isRisked = false;
	const exchangeOnce = async () => {
		const reply = await exchange(requestContext.context, current);
		if ('failure' in reply && mayHaveRun(reply.failure)) isRisked = true;
		// A request that started nothing may use up its key. Any that may have started something
		// retains it.
		if (!isRisked) current = { ...current, headers: request.freshHeaders?.() ?? request.headers };
		return reply;
	};
	const { findLost } = request;
	return await sendWithRetries(exchangeOnce, retrySafety, requestContext, {
		endsWork: endpoint.method === 'DELETE',
		...(findLost && {
			recover: async () => (isRisked ? await recoverJob(findLost, requestContext) : undefined),
		}),
	});
}
