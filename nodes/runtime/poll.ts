import { sleep, type IDataObject } from 'n8n-workflow';
import { exchange, type Request } from './client';
import { serviceError } from './errors';
import { settle } from './outcome';
import { mayRepeat, pauseAfter } from './retry';
import { stoppedError, type Line } from './send';

/** Milliseconds from the start of a job to the first look at it. */
const firstLook = 1_000;

/** The pause before the next look at a job, in milliseconds: a tenth of the time waited so far, 1.5 to 15 seconds. */
export const nextLook = (waited: number) => Math.min(15_000, Math.max(1_500, waited / 10));

/** Longest pause between two looks, also when the service names a longer one, in milliseconds. */
const longestPause = 15 * 60_000;

const running = new Set([
	'active',
	'in_progress',
	'pending',
	'processing',
	'queued',
	'running',
	'scraping',
	'started',
	'waiting',
]);

/** Whether a job's answer can no longer change: any state that is not one of work in progress. An answer without one tells nothing. */
export const isFinished = ({ status }: IDataObject) =>
	typeof status === 'string' && !running.has(status);

/** The last answer of a job, and whether it was its end or the end of the wait. */
export interface LastLook {
	body: IDataObject;
	finished: boolean;
}

/**
 * Looks at a job until it has finished or the deadline (Unix milliseconds) is over. What passes by
 * itself (429, 5xx, a lost connection) never ends the wait; a named wait is honoured. `seen` is told of
 * every answer.
 * @throws NodeApiError when the job cannot be looked at for good; NodeOperationError when stopped
 */
export async function poll(
	request: Request,
	deadline: number,
	line: Line,
	seen: (body: IDataObject) => void = () => undefined,
): Promise<LastLook> {
	const { context, place, policy, signal } = line;
	const startedAt = Date.now();
	let last: IDataObject = {};
	let pause = firstLook;
	for (let tries = 1; ; ) {
		const left = deadline - Date.now();
		if (left <= 0) return { body: last, finished: false };
		await settle(sleep(Math.min(pause, left, longestPause), signal));
		if (signal?.aborted) throw stoppedError(place);
		const reply = await exchange(context, request);
		if (signal?.aborted) throw stoppedError(place);
		const waited = Date.now() - startedAt;
		if ('success' in reply) {
			tries = 1;
			last = reply.success.body as IDataObject;
			seen(last);
			if (isFinished(last)) return { body: last, finished: true };
			pause = nextLook(waited);
		} else if (mayRepeat(reply.failure, 'read')) {
			const progress = { tries, elapsed: waited };
			pause = Math.max(
				nextLook(waited),
				pauseAfter(reply.failure, progress, policy, Date.now(), Math.random()),
			);
			tries += 1;
		} else {
			throw serviceError(reply.failure, { tries, elapsed: waited, cost: 'read' }, place);
		}
	}
}
