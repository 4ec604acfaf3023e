import type { IDataObject } from 'n8n-workflow';
import { stoppedError } from '../errors/message';
import { statusOf } from '../errors/webDataError';
import type { ApiResponse } from '../errors/response';
import { delay, monotonicNow } from '../values/time';
import type { Request } from '../http/client';
import { send, type RequestContext } from '../http/send';
import type { Job } from '../execution/operation';
import { fieldOf } from '../values/record';
import { settle, type Outcome } from '../values/outcome';

/** Milliseconds from a job's start to its first poll. */
const firstDelay = 1_000;

/**
 * Delay before the next poll in milliseconds: a tenth of the time waited so far, 1.5 to 15 seconds.
 */
export const nextPollDelay = (waited: number) => Math.min(15_000, Math.max(1_500, waited / 10));

/**
 * Timeout of a poll in milliseconds: long enough at the deadline that it can succeed, and short
 * enough that an unanswered one does not hold up the polls of other jobs.
 */
const shortestTimeout = 5_000;
const longestTimeout = 30_000;

/**
 * Milliseconds for which the service may not find a job that it has just started
 * (docs/api-notes.md, Jobs and their status).
 */
const unknownAtFirst = 10_000;

/** Milliseconds for which a job that says it has completed without doing anything is polled on. */
const doubtedFor = 30_000;

/** Most consecutive unexpected responses until the wait ends. */
const mostUnexpected = 5;

const ends = new Set(['completed', 'failed', 'cancelled', 'canceled']);

/**
 * Whether a job's response is final. An unknown or missing state is not: the job may continue and
 * be charged.
 */
export const isFinished = ({ status }: IDataObject) =>
	typeof status === 'string' && ends.has(status.toLowerCase());

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
 * Whether a poll says nothing about a job of that age: the server is busy, does not know it yet, or
 * says that it has completed without a page and without taking time. Servers say so of a job that has
 * not begun yet, whose pages are charged later (docs/api-notes.md, Jobs and their status).
 */
export function saysNothing(sent: Outcome<ApiResponse>, age: number): boolean {
	if (!sent.ok) {
		const status = statusOf(sent.error);
		return status >= 500 || status === 429 || (status === 404 && age <= unknownAtFirst);
	}
	const body = sent.value.body as IDataObject;
	const isEmpty = hasCompleted(body) && body.completed === 0;
	const tookTime = typeof body.duration === 'number' && body.duration >= 1;
	return isEmpty && !tookTime && age < doubtedFor;
}

/** The last response of a job, and whether the job has finished. */
export interface PollResult {
	body: IDataObject;
	finished: boolean;
}

/**
 * Polls a job until it has finished or `longestWait` milliseconds have passed on the monotonic
 * clock. A busy server or a lost connection never ends the wait; several consecutive unexpected
 * responses do. `onResponse` is called with every response.
 * @throws NodeApiError if the job can no longer be polled; NodeOperationError if stopped
 */
export async function poll(
	request: Request,
	longestWait: number,
	requestContext: RequestContext,
	onResponse: (body: IDataObject) => void = () => undefined,
): Promise<PollResult> {
	const { errorSource, policy, signal } = requestContext;
	const startedAt = monotonicNow();
	const waited = () => monotonicNow() - startedAt;
	let last: IDataObject = {};
	let pause = firstDelay;
	let unexpected = 0;
	for (;;) {
		const left = longestWait - waited();
		if (left <= 0) return { body: last, finished: false };
		await settle(delay(Math.min(pause, left), signal));
		if (signal?.aborted) throw stoppedError(errorSource);
		const budget = Math.max(shortestTimeout, longestWait - waited());
		const once = { ...request, longestWait: Math.min(longestTimeout, budget) };
		const patient = { ...policy, maxAttempts: Infinity, budget };
		const sent = await settle(send(once, { ...requestContext, policy: patient }));
		if (signal?.aborted) throw stoppedError(errorSource);
		pause = nextPollDelay(waited());
		if (sent.ok) {
			unexpected = 0;
			last = sent.value.body as IDataObject;
			onResponse(last);
			if (isFinished(last) && !saysNothing(sent, waited())) return { body: last, finished: true };
		} else {
			unexpected = saysNothing(sent, waited()) ? 0 : unexpected + 1;
			if (unexpected >= mostUnexpected) throw sent.error;
			// The server allows no poll before the end of the wait.
			if ([429, 503].includes(statusOf(sent.error))) pause = Infinity;
		}
	}
}
