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
import { jitter } from '../values/jitter';
import { settle } from '../values/settle';
import { nextQueuePosition, PauseTooLong, type RateLimiter } from '../limits/rateLimiter';
import {
	hintsOf,
	isDoneBefore,
	isProcessing,
	isRepeatedOnce,
	mayHaveBeenCharged,
	mayHaveRun,
	mayRepeat,
	pauseAfter,
	reasonToStop,
	type ApiResponse,
	type Failure,
	type Progress,
	type RetrySafety,
	type RetryPolicy,
	type Stop,
} from '../api/retry';
import { isRateLimit, isShared, outcomeOfFailure, type Outcome } from '../limits/outcome';
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

type Success = Extract<Exchange, { success: ApiResponse }>;

/** A failed try: the pause before the next one, and why there is no next one, where there is none. */
interface FailedAttempt {
	failure: Failure;
	pause: number;
	stop?: Stop;
}

/** Counts tries and the time since the first of them began. */
class AttemptCounter {
	private tries = 0;
	private since?: number;

	/** Counts a request; as a failed try unless the service only named a wait. */
	add(sentAt: number, isFailedTry = true): Progress {
		if (isFailedTry) this.tries += 1;
		this.since ??= sentAt;
		return this.progress;
	}

	get progress(): Progress {
		const now = monotonicNow();
		return { tries: this.tries, elapsed: now - (this.since ?? now) };
	}

	/** Leaves out the time up to a moment at which another request got through, while no try has failed by itself. */
	forgetUntil(moment: number): void {
		if (this.tries === 0 && this.since !== undefined) this.since = Math.max(this.since, moment);
	}
}

/** Whether the service only names a wait: that counts against the time for repeats, and not as a failed try. */
const isToldToWait = (failure: Failure) => isRateLimit(failure) && hintsOf(failure).isNamed;

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
		`Nothing answers (${message}); try ${next} of ${policy.maxTries} follows`,
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

/**
 * Tries until it succeeds or must not be tried again, with the pauses that `retry.ts` decides, ended
 * at once when the execution is stopped. With a rate limiter, every try passes it, and a 429 pauses
 * everybody there who has the time; any other failure pauses only this request.
 * @throws NodeApiError with the service's words; NodeOperationError when stopped
 */
export async function sendWithRetries(
	exchangeOnce: () => Promise<Exchange>,
	retrySafety: RetrySafety,
	{ context, rateLimiters, errorSource, policy, signal, notice, onUncertainRepeat }: RequestContext,
	{ endsWork = false, find, adaptRequest }: Rescue = {},
): Promise<ApiResponse> {
	const bucket = errorSource.endpoint?.bucket ?? 'other';
	const queuePosition = nextQueuePosition();
	/** The service wants no repeat before. */
	let notBefore = 0;
	const failures: Failure[] = [];
	const counters = { failing: new AttemptCounter(), processing: new AttemptCounter() };
	const whole = new AttemptCounter();
	/** When the first request was sent that may have been carried out. */
	let riskedSince: number | undefined;
	let limiter: RateLimiter | undefined;
	/** The counter of tries that failed or were told to wait, without the time in which others got through. */
	const failing = (): AttemptCounter => {
		counters.failing.forgetUntil(limiter?.acceptedAt ?? -Infinity);
		return counters.failing;
	};

	/** Whether the rate is limited for all requests, and will not be for long: no failed try of this one. */
	const isOfAll = (failure: Failure) => isRateLimit(failure) && limiter?.isBackingOff === true;

	const attempt = async (paused = 0): Promise<Success | FailedAttempt> => {
		// Queueing for the first turn does not count as time of a try; a pause does.
		const sentAt = monotonicNow();
		whole.add(sentAt);
		const reply = await exchangeOnce();
		if ('success' in reply) return reply;
		const { failure } = reply;
		if (endsWork && isDoneBefore(failure, failures)) return { success: done };
		failures.push(failure);
		if (mayHaveRun(failure)) riskedSince ??= sentAt;
		if (adaptRequest?.(failure)) return { failure, pause: 0 };
		const goesOn = isProcessing(failure);
		// The service answers again: earlier failures and their time no longer count.
		if (goesOn) counters.failing = new AttemptCounter();
		const counter = goesOn ? counters.processing : failing();
		const progress = {
			...counter.add(sentAt - paused, !isToldToWait(failure) && !isOfAll(failure)),
			repeatedOnce: failures.filter(isRepeatedOnce).length,
		};
		const pause = pauseAfter(failure, progress, policy, Date.now(), jitter());
		return { failure, pause, stop: reasonToStop(failure, retrySafety, policy, progress, pause) };
	};
	// Also a 429 after which this request must not be repeated holds up the others.
	const pausesAll = ({ failure, pause }: FailedAttempt) =>
		mayRepeat(failure, 'free') && isShared(failure, pause, policy.budget);
	const outcomeFor = (result: Success | FailedAttempt): Outcome => {
		if ('success' in result) return { kind: 'accepted', bytes: result.size ?? 0 };
		return outcomeOfFailure(result.failure, pausesAll(result) ? result.pause : undefined);
	};
	/** Sends once, as soon as the rate limiter lets it. */
	const attemptInTurn = async (): Promise<Success | FailedAttempt> => {
		const pauseBudget = policy.budget - failing().progress.elapsed;
		const permit = await limiter?.acquire({ queuePosition, pauseBudget, notBefore, signal });
		let outcome: Outcome = { kind: 'unrelated' };
		try {
			const result = await attempt(permit?.paused);
			outcome = outcomeFor(result);
			return result;
		} finally {
			permit?.release(outcome);
		}
	};

	/** What was started by a try whose answer was lost, or why it is not known; undefined where there is nothing to look for. */
	const rescued = async (): Promise<
		{ response: ApiResponse } | { notFound: NotFound } | undefined
	> => {
		if (!find || riskedSince === undefined) return undefined;
		const found = await find(riskedSince);
		if (!('id' in found)) {
			if (signal?.aborted) throw stoppedError(errorSource);
			return found;
		}
		const { id } = found;
		notice?.(
			`The response to a start was lost. The service lists one job that fits, ${id}. The node goes on with it, and does not cancel it.`,
		);
		const body = { success: true, id };
		return { response: { status: 200, headers: {}, body, isRecovered: true } };
	};

	for (;;) {
		if (signal?.aborted) throw stoppedError(errorSource);
		// Unused limiters are dropped, so it is looked up each time.
		limiter = rateLimiters?.(bucket);
		const turn = await settle(attemptInTurn());
		if (!turn.ok) {
			const { error } = turn;
			if (signal?.aborted) throw stoppedError(errorSource);
			if (!(error instanceof PauseTooLong)) throw asNodeError(error, errorSource);
			const { failure: refusal, pause: tooLong } = error;
			const found = await rescued();
			if (found && 'response' in found) return found.response;
			const attempts = { ...whole.progress, retrySafety, tooLong, earlier: failures, ...found };
			throw serviceError(refusal, attempts, errorSource);
		}
		const outcome = turn.value;
		// An answer is kept even after a stop: it is paid for, or names a job that is to be ended.
		if ('success' in outcome) return outcome.success;
		if (signal?.aborted) throw stoppedError(errorSource);
		const { failure, pause, stop } = outcome;
		// A start without an idempotency key is searched before it is repeated, others once they have failed.
		const found =
			stop !== undefined || retrySafety === 'mayStartTwice' ? await rescued() : undefined;
		if (found && 'response' in found) return found.response;
		if (stop !== undefined) {
			const tooLong = stop === 'budget' ? pause : undefined;
			const earlier = failures.slice(0, -1);
			throw serviceError(
				failure,
				{ ...whole.progress, retrySafety, tooLong, earlier, ...found },
				errorSource,
			);
		}
		if (retrySafety === 'mayChargeTwice' && mayHaveBeenCharged(failure)) onUncertainRepeat?.();
		showWaiting(failure, whole.progress.tries + 1, { context, errorSource, policy });
		notBefore = monotonicNow() + pause;
		if (!limiter || !pausesAll(outcome)) await settle(delay(pause, signal));
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
			`This server does not know ${names}. The request was sent without, as 'Fields Unknown to the Server' says.`,
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
