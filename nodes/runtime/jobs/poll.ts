import type { IDataObject } from 'n8n-workflow';
import { exchange, type Exchange, type Request } from '../http/client';
import { serviceError, stoppedError } from '../api/errors';
import { delay } from '../host/delay';
import { monotonicNow } from '../values/clock';
import { jitter } from '../values/numbers';
import { settle } from '../values/settle';
import { nextQueuePosition, permitBefore, type RateLimiter } from '../limits/rateLimiter';
import { isRecord, fieldOf } from '../values/record';
import { hintsOf, mayRepeat, pauseAfter, type ApiResponse, type Failure } from '../api/retry';
import type { RequestContext } from '../http/send';
import type { Job } from '../operation/operation';
import { isShared, outcomeOfFailure, type Outcome } from '../limits/outcome';

/** Milliseconds from a job's start to its first poll. */
const firstDelay = 1_000;

/**
 * Delay before the next poll in milliseconds: a tenth of the time waited so far, 1.5 to 15 seconds.
 */
export const nextPollDelay = (waited: number) => Math.min(15_000, Math.max(1_500, waited / 10));

/** Longest delay between two polls in milliseconds, even if the service requests a longer one. */
const longestPause = 15 * 60_000;

/** Shortest timeout of a poll in milliseconds, so that the poll at the deadline can succeed. */
const shortestTimeout = 5_000;

/**
 * Milliseconds after which a poll no longer counts as in flight, so that it does not delay other
 * jobs.
 */
const longestHold = 5_000;

/**
 * Milliseconds for which the service may not find a job that it has just started
 * (docs/api-notes.md, Jobs and their status).
 */
export const unknownAtFirst = 10_000;

/** Most consecutive unexpected responses until the wait ends. */
const maxUnexpectedResponses = 5;

const ends = new Set(['completed', 'failed', 'cancelled', 'canceled']);

/**
 * Whether a job's response is final. An unknown or missing state is not: the job may continue and
 * be charged.
 */
export const isFinished = ({ status }: IDataObject) =>
	typeof status === 'string' && ends.has(status.toLowerCase());

/** Whether a job was cancelled, in either spelling. */
export const wasCancelled = ({ status }: IDataObject) =>
	typeof status === 'string' && /^cancell?ed$/i.test(status);

/** Whether a job has done all of its work. */
export const hasCompleted = ({ status }: IDataObject) =>
	typeof status === 'string' && status.toLowerCase() === 'completed';

/**
 * Whether a response has the state of a job. A failed job's response is marked as failed, and may
 * hold charged results.
 */
export const isJobState = ({ status, body }: ApiResponse) =>
	status === 200 && typeof fieldOf(body, 'status') === 'string';

/** The status request of a job. */
export const statusRequest = ({ status, pollQuery }: Job, id: string): Request => ({
	endpoint: status,
	ids: { id },
	query: pollQuery,
	accepts: isJobState,
});

/**
 * Classifies a failed poll. `passing`: a temporary failure. `unknown yet`: the service does not
 * find the new job yet. `odd`: perhaps from another server, or from a replica that lags behind.
 * `final`: an error of the service.
 */
function classifyFailure(
	failure: Failure,
	waited: number,
): 'passing' | 'unknown yet' | 'odd' | 'final' {
	if (mayRepeat(failure, 'free')) return 'passing';
	if ('networkError' in failure) return 'odd';
	const { status, body } = failure.response;
	if (status >= 500) return 'passing';
	if (status === 404 && waited <= unknownAtFirst) return 'unknown yet';
	return status < 400 || status === 401 || status === 404 || !isRecord(body) ? 'odd' : 'final';
}

/** The last response of a job, and whether the job has finished. */
export interface PollResult {
	body: IDataObject;
	finished: boolean;
}

/** Result of one poll, with the delay that the service requests after a failure. */
type PollOutcome =
	| Extract<Exchange, { success: ApiResponse }>
	| { failure: Failure; named: number };

/**
 * The outcome for the rate limiter. A rejection with a delay is trusted without proof, since polls
 * can wait.
 */
function outcomeOf(result: PollOutcome | undefined): Outcome {
	if (result === undefined) return { kind: 'unrelated' };
	if ('success' in result) return { kind: 'accepted', bytes: result.size ?? 0 };
	const { failure, named } = result;
	const outcome = outcomeOfFailure(failure, isShared(failure, named) ? named : undefined);
	if (outcome.kind !== 'rejected') return outcome;
	return { ...outcome, rejection: { ...outcome.rejection, isTrusted: hintsOf(failure).isNamed } };
}

/** Polls once the rate limiter permits it; undefined after the deadline or a stop. */
async function pollInTurn(
	limiter: RateLimiter,
	pollOnce: () => Promise<PollOutcome | undefined>,
	deadline: number,
	stop?: AbortSignal,
): Promise<PollOutcome | undefined> {
	const turn = { queuePosition: nextQueuePosition(), pauseBudget: Infinity, signal: stop };
	const granted = await settle(permitBefore(deadline, limiter, turn));
	const permit = granted.ok ? granted.value : undefined;
	if (permit === undefined) return undefined;
	const responded = new AbortController();
	const releaseLate = () => permit.release({ kind: 'unrelated' });
	delay(longestHold, responded.signal).then(releaseLate, () => undefined);
	let outcome: Outcome = { kind: 'unrelated' };
	try {
		const result = await pollOnce();
		outcome = outcomeOf(result);
		return result;
	} finally {
		responded.abort();
		permit.release(outcome);
	}
}

/**
 * Polls a job until it has finished or `longestWait` milliseconds have passed, which also ends a
 * poll in flight. Uses the monotonic clock. A temporary failure (429, 5xx, a lost connection) never
 * ends the wait; several consecutive unexpected responses do. A delay that the service requests
 * holds for all polls of the same bucket. `seen` is called with every response.
 * @throws NodeApiError if the job can no longer be polled; NodeOperationError if stopped
 */
export async function poll(
	request: Request,
	longestWait: number,
	requestContext: RequestContext,
	onResponse: (body: IDataObject) => void = () => undefined,
): Promise<PollResult> {
	const { context, rateLimiters, errorSource, policy, signal } = requestContext;
	const { bucket } = request.endpoint;
	const startedAt = monotonicNow();
	const deadline = startedAt + longestWait;
	let last: IDataObject = {};
	let pause = firstDelay;
	let unexpectedResponses = 0;

	let attemptCount = 1;

	/** Polls once; undefined if the deadline was first. */
	const pollOnce = async (): Promise<PollOutcome | undefined> => {
		const timeout = Math.max(shortestTimeout, deadline - monotonicNow());
		const over = new AbortController();
		const responded = exchange(context, { ...request, longestWait: timeout });
		const late = delay(timeout, over.signal).then(() => undefined);
		const reply = await Promise.race([responded, late]).finally(() => over.abort());
		if (reply === undefined || 'success' in reply) return reply;
		const progress = { attemptCount, elapsed: monotonicNow() - startedAt };
		const named = pauseAfter(reply.failure, progress, policy, Date.now(), jitter());
		return { ...reply, named };
	};

	for (;;) {
		const left = deadline - monotonicNow();
		if (left <= 0) return { body: last, finished: false };
		await settle(delay(Math.min(pause, left, longestPause), signal));
		if (signal?.aborted) throw stoppedError(errorSource);
		// Unused limiters are dropped, so each poll gets its own.
		const limiter = rateLimiters?.(bucket);
		const outcome = limiter
			? await pollInTurn(limiter, pollOnce, deadline, signal)
			: await pollOnce();
		if (signal?.aborted) throw stoppedError(errorSource);
		if (outcome === undefined) continue;
		const waited = monotonicNow() - startedAt;
		if ('success' in outcome) {
			attemptCount = 1;
			unexpectedResponses = 0;
			last = outcome.success.body as IDataObject;
			onResponse(last);
			if (isFinished(last)) return { body: last, finished: true };
			pause = nextPollDelay(waited);
			continue;
		}
		const { failure, named } = outcome;
		const failureClass = classifyFailure(failure, waited);
		unexpectedResponses = failureClass === 'odd' ? unexpectedResponses + 1 : 0;
		if (failureClass === 'final' || unexpectedResponses >= maxUnexpectedResponses) {
			throw serviceError(
				failure,
				{ attemptCount, elapsed: waited, retrySafety: 'free' },
				errorSource,
			);
		}
		pause = Math.max(nextPollDelay(waited), failureClass === 'unknown yet' ? 0 : named);
		attemptCount += 1;
	}
}
