import type { IDataObject } from 'n8n-workflow';
import { exchange, type Exchange, type Request } from '../http/client';
import { serviceError, stoppedError } from '../api/errors';
import { delay } from '../host/delay';
import { monotonicNow } from '../values/clock';
import { jitter } from '../values/jitter';
import { settle } from '../values/settle';
import { nextQueuePosition, type Permit, type RateLimiter } from '../limits/rateLimiter';
import { isRecord, fieldOf } from '../values/record';
import { hintsOf, mayRepeat, pauseAfter, type ApiResponse, type Failure } from '../api/retry';
import type { RequestContext } from '../http/send';
import type { Job } from '../operation/operation';
import { isShared, outcomeOfFailure, type Outcome } from '../limits/outcome';

/** Milliseconds from the start of a job to its first poll. */
const firstDelay = 1_000;

/** The pause before the next poll of a job, in milliseconds: a tenth of the time waited so far, 1.5 to 15 seconds. */
export const nextPollDelay = (waited: number) => Math.min(15_000, Math.max(1_500, waited / 10));

/** Longest pause between two polls, also when the service names a longer one, in milliseconds. */
const longestPause = 15 * 60_000;

/** Shortest timeout of a poll, so that the one at the deadline can have an answer. Milliseconds. */
const shortestTimeout = 5_000;

/** Milliseconds after which a poll no longer counts as in flight, so that it does not hold up those of other jobs. */
const longestHold = 5_000;

/** How long the service may not know a job that it has just started, in milliseconds (docs/api-notes.md, Jobs and their status). */
export const unknownAtFirst = 10_000;

/** Answers in a row that cannot be the job's before they end the wait. */
const maxUnexpectedResponses = 5;

const ends = new Set(['completed', 'failed', 'cancelled', 'canceled']);

/**
 * Whether a job's answer can no longer change. An unknown state is no end, since the job may go on and be
 * charged; neither is an answer without a state.
 */
export const isFinished = ({ status }: IDataObject) =>
	typeof status === 'string' && ends.has(status.toLowerCase());

/** Whether a job was cancelled, in either spelling. */
export const wasCancelled = ({ status }: IDataObject) =>
	typeof status === 'string' && /^cancell?ed$/i.test(status);

/** Whether a job has done all of its work. */
export const hasCompleted = ({ status }: IDataObject) =>
	typeof status === 'string' && status.toLowerCase() === 'completed';

/** Whether an answer tells the state of a job: that of a failed one is marked as failed, and may hold what was paid for. */
export const isJobState = ({ status, body }: ApiResponse) =>
	status === 200 && typeof fieldOf(body, 'status') === 'string';

/** The request for a job's status. */
export const statusRequest = ({ status, pollQuery }: Job, id: string): Request => ({
	endpoint: status,
	ids: { id },
	query: pollQuery,
	accepts: isJobState,
});

/**
 * What a failed poll means for the wait. `passing`: a temporary failure. `unknown yet`: the service does
 * not know the job yet, which was just started. `odd`: perhaps another than the service has answered, or
 * a replica that lags behind. `final`: the service refuses.
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

/** The last answer of a job, and whether it was its end or the end of the wait. */
export interface PollResult {
	body: IDataObject;
	finished: boolean;
}

/** What came of one poll, and the pause that the service asks for where it failed. */
type PollOutcome =
	| Extract<Exchange, { success: ApiResponse }>
	| { failure: Failure; named: number };

/** The outcome of a poll. A rejection that names its wait is trusted without proof, since polls can wait. */
function outcomeOf(result: PollOutcome | undefined): Outcome {
	if (result === undefined) return { kind: 'unrelated' };
	if ('success' in result) return { kind: 'accepted', bytes: result.size ?? 0 };
	const { failure, named } = result;
	const outcome = outcomeOfFailure(failure, isShared(failure, named) ? named : undefined);
	if (outcome.kind !== 'rejected') return outcome;
	return { ...outcome, rejection: { ...outcome.rejection, isTrusted: hintsOf(failure).isNamed } };
}

/** Waits for a permit; undefined when the deadline (monotonic), or a stop, came before. */
async function permitBefore(
	limiter: RateLimiter,
	deadline: number,
	stop?: AbortSignal,
): Promise<Permit | undefined> {
	const waiting = new AbortController();
	const abort = () => waiting.abort();
	stop?.addEventListener('abort', abort, { once: true });
	const granted = new AbortController();
	delay(Math.max(0, deadline - monotonicNow()), granted.signal).then(abort, () => undefined);
	const turn = {
		queuePosition: nextQueuePosition(),
		pauseBudget: Infinity,
		signal: waiting.signal,
	};
	const permit = await settle(limiter.acquire(turn));
	granted.abort();
	stop?.removeEventListener('abort', abort);
	return permit.ok ? permit.value : undefined;
}

/** Polls as soon as the rate limiter permits it; undefined when the deadline, or a stop, came before. */
async function pollInTurn(
	limiter: RateLimiter,
	pollOnce: () => Promise<PollOutcome | undefined>,
	deadline: number,
	stop?: AbortSignal,
): Promise<PollOutcome | undefined> {
	const permit = await permitBefore(limiter, deadline, stop);
	if (permit === undefined) return undefined;
	const answered = new AbortController();
	const releaseLate = () => permit.release({ kind: 'unrelated' });
	delay(longestHold, answered.signal).then(releaseLate, () => undefined);
	let outcome: Outcome = { kind: 'unrelated' };
	try {
		const result = await pollOnce();
		outcome = outcomeOf(result);
		return result;
	} finally {
		answered.abort();
		permit.release(outcome);
	}
}

/**
 * Polls a job until it has finished or `longestWait` milliseconds have passed, which also ends a poll in
 * flight. A clock of the machine that is set meanwhile neither shortens nor lengthens the wait. A temporary failure (429, 5xx, a lost connection) never ends the wait; an answer that cannot
 * be the job's ends it when it comes several times in a row. A wait that the service names holds for all
 * polls of the same bucket. `seen` is called with every answer.
 * @throws NodeApiError when the job can no longer be polled; NodeOperationError when stopped
 */
export async function poll(
	request: Request,
	longestWait: number,
	requestContext: RequestContext,
	seen: (body: IDataObject) => void = () => undefined,
): Promise<PollResult> {
	const { context, rateLimiters, errorSource, policy, signal } = requestContext;
	const { bucket } = request.endpoint;
	const startedAt = monotonicNow();
	const deadline = startedAt + longestWait;
	let last: IDataObject = {};
	let pause = firstDelay;
	let unexpectedResponses = 0;

	let tries = 1;

	/** One poll; undefined when the deadline was over first. */
	const pollOnce = async (): Promise<PollOutcome | undefined> => {
		const timeout = Math.max(shortestTimeout, deadline - monotonicNow());
		const over = new AbortController();
		const answered = exchange(context, { ...request, longestWait: timeout });
		const late = delay(timeout, over.signal).then(() => undefined);
		const reply = await Promise.race([answered, late]).finally(() => over.abort());
		if (reply === undefined || 'success' in reply) return reply;
		const progress = { tries, elapsed: monotonicNow() - startedAt };
		const named = pauseAfter(reply.failure, progress, policy, Date.now(), jitter());
		return { ...reply, named };
	};

	for (;;) {
		const left = deadline - monotonicNow();
		if (left <= 0) return { body: last, finished: false };
		await settle(delay(Math.min(pause, left, longestPause), signal));
		if (signal?.aborted) throw stoppedError(errorSource);
		// Unused limiters are dropped, so it is looked up each time.
		const limiter = rateLimiters?.(bucket);
		const outcome = limiter
			? await pollInTurn(limiter, pollOnce, deadline, signal)
			: await pollOnce();
		if (signal?.aborted) throw stoppedError(errorSource);
		if (outcome === undefined) continue;
		const waited = monotonicNow() - startedAt;
		if ('success' in outcome) {
			tries = 1;
			unexpectedResponses = 0;
			last = outcome.success.body as IDataObject;
			seen(last);
			if (isFinished(last)) return { body: last, finished: true };
			pause = nextPollDelay(waited);
			continue;
		}
		const { failure, named } = outcome;
		const failureClass = classifyFailure(failure, waited);
		unexpectedResponses = failureClass === 'odd' ? unexpectedResponses + 1 : 0;
		if (failureClass === 'final' || unexpectedResponses >= maxUnexpectedResponses) {
			throw serviceError(failure, { tries, elapsed: waited, retrySafety: 'free' }, errorSource);
		}
		pause = Math.max(nextPollDelay(waited), failureClass === 'unknown yet' ? 0 : named);
		tries += 1;
	}
}
