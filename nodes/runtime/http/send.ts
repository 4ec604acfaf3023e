import { exchange, retrySafetyOf, type HttpFunctions, type Exchange, type Request } from './client';
import { getTeamCredits, needsAccounts, type Bucket, type Endpoint } from './endpoint';
import { monotonicNow, delay, jitter } from '../values/time';
import {
	asWebDataError,
	type ErrorSource,
	operationError,
	stoppedError,
} from '../errors/webDataError';
import { serviceError } from './serviceError';
import { settle } from '../values/outcome';
import type { Limiter, Release } from './limiter';
import {
	effectOfFailure,
	isDoneBefore,
	mayHaveBeenCharged,
	mayHaveRun,
	mayTryAgain,
	pauseAfter,
	type RetryPolicy,
} from './retry';
import { codeOf, heldUp, PauseTooLong, type ApiResponse, type Failure } from '../errors/response';

/** The context of sending, one for each item or trigger; a copy has the job once it is known. */
export interface RequestContext {
	context: HttpFunctions;
	/** The credential's limiter for a bucket; none for file hosts. */
	limiters?: (bucket: Bucket) => Limiter;
	errorSource: ErrorSource;
	policy: RetryPolicy;
	/** Fires when the execution is stopped. */
	signal?: AbortSignal;
	/** Time of the monotonic clock after which nothing is sent that costs or has to wait; usually none. */
	deadline?: number;
	/** Whether the run has failed, so that nothing more is sent that costs. */
	hasFailed?(): boolean;
	/** Whether the server is Firecrawl's hosted one; unknown if omitted. */
	isHosted?: boolean;
	/** Whether the service is on this machine or in a private network; then files may be, too. */
	inPrivateNetwork?: boolean;
	/** Shows a notice above the node's output. */
	notice?(text: string): void;
	/** Called for each retry after a response that may have been charged. */
	onUncertainRepeat?(): void;
}

/** The response to a DELETE that an earlier attempt carried out, whose response was lost. */
const done: ApiResponse = { status: 200, headers: {}, body: { success: true } };

/** The last position in the queues of the limiters. */
let lastPosition = 0;

/**
 * Sends until success or a final failure: waits for a turn at the limiter, if any, exchanges, decides
 * by the rules of retries, and waits. Ends at once if the execution is stopped. A 429 delays all
 * requests that have the time, other failures only this request. A retry of a DELETE that finds nothing
 * left is a success, too. A file host has no `request`.
 * @throws WebDataError with the service's message, or if stopped
 */
export async function sendWithRetries(
	exchangeOnce: () => Promise<Exchange>,
	requestContext: RequestContext,
	request?: Request,
): Promise<ApiResponse> {
	const { limiters, errorSource, policy, signal, deadline = Infinity } = requestContext;
	const retrySafety = request ? retrySafetyOf(request) : 'free';
	const queuePosition = (lastPosition += 1);
	const failures: Failure[] = [];
	let [failingSince, notBefore] = [Infinity, 0];

	const errorOf = (failure: Failure, tooLong?: number) => {
		const elapsed = monotonicNow() - failingSince;
		const attempts = { failures, elapsed, retrySafety, tooLong, request };
		return serviceError(failure, attempts, errorSource);
	};

	for (;;) {
		if (signal?.aborted) throw stoppedError(errorSource);
		// Unused limiters are dropped, so each attempt gets its own.
		const limiter = limiters?.(request?.endpoint.bucket ?? 'other');
		const { budget } = policy;
		const latest = Math.min(failingSince, monotonicNow()) + budget;
		const turn = { queuePosition, notBefore, latest, deadline, signal };
		let release: Release = () => undefined;
		let exchanged: Exchange;
		try {
			if (retrySafety !== 'free' && monotonicNow() >= deadline) throw heldUp();
			release = (await limiter?.acquire(turn)) ?? release;
			if (retrySafety !== 'free' && requestContext.hasFailed?.()) {
				const last = failures.at(-1);
				if (last) throw errorOf(last);
				throw operationError('Not sent: another item has failed', '', errorSource);
			}
			if (failures.length === 0) failingSince = monotonicNow();
			exchanged = await exchangeOnce();
		} catch (error) {
			release({ kind: 'unrelated' });
			if (signal?.aborted) throw stoppedError(errorSource);
			if (!(error instanceof PauseTooLong)) throw asWebDataError(error, errorSource);
			throw errorOf(error.failure, error.pause);
		}
		// A response is used even after a stop: it was charged, or names a job to cancel.
		if ('success' in exchanged) {
			const { success, size: bytes = 0 } = exchanged;
			release({ kind: 'accepted', bytes });
			return success;
		}
		const { failure } = exchanged;
		if (request?.endpoint.method === 'DELETE' && isDoneBefore(failure, failures)) {
			release({ kind: 'accepted', bytes: 0 });
			return done;
		}
		failures.push(failure);
		const pause = pauseAfter(failures, policy, Date.now(), jitter());
		const effect = effectOfFailure(failure, pause, budget);
		release(effect);
		if (signal?.aborted) throw stoppedError(errorSource);
		notBefore = monotonicNow() + pause;
		if (!mayTryAgain(failures, retrySafety, policy)) throw errorOf(failure);
		if (notBefore > Math.min(deadline, failingSince + budget)) throw errorOf(failure, pause);

		if (retrySafety === 'mayChargeTwice' && mayHaveBeenCharged(failure))
			requestContext.onUncertainRepeat?.();
		if (!limiter || effect.kind !== 'rejected') await settle(delay(pause, signal));
	}
}

/** Marks the failure of a server without accounts: a GET by its status, others by the team's credits. */
async function withMissingAccounts(
	failure: Failure,
	{ method, path }: Endpoint,
	{ context, isHosted }: RequestContext,
): Promise<Failure> {
	const isUnexplained = (each: Failure): each is { response: ApiResponse } =>
		'response' in each &&
		each.response.status === 500 &&
		codeOf(each.response.body) === 'UNKNOWN_ERROR';
	if (isHosted !== false || !needsAccounts(path) || !isUnexplained(failure)) return failure;
	const credits =
		method === 'GET' ? { failure } : await exchange(context, { endpoint: getTeamCredits });
	const lacksAccounts = 'failure' in credits && isUnexplained(credits.failure);
	return { response: { ...failure.response, lacksAccounts } };
}

/** Sends a request to the API until success or a final failure. */
export async function send(request: Request, requestContext: RequestContext): Promise<ApiResponse> {
	const { endpoint } = request;
	let current = request;
	/** Whether an attempt may have been carried out. */
	let isRisked = false;
	const exchangeOnce = async () => {
		const reply = await exchange(requestContext.context, current);
		if ('success' in reply) return reply;
		const failure = await withMissingAccounts(reply.failure, endpoint, requestContext);
		if (mayHaveRun(failure)) isRisked = true;
		// A request that started nothing may use up its key. Any that may have started something
		// retains it.
		if (!isRisked) current = { ...current, headers: request.freshHeaders?.() ?? request.headers };
		return { failure };
	};
	return await sendWithRetries(exchangeOnce, requestContext, request);
}
