import { NodeOperationError, sleep } from 'n8n-workflow';
import { exchange, type HttpContext, type Reply, type Request } from './client';
import { serviceError, type Place } from './errors';
import type { Gate } from './pace';
import {
	pauseAfter,
	reasonToStop,
	type Answer,
	type Failure,
	type RepeatCost,
	type RetryPolicy,
} from './retry';

/** What sending needs besides the request. */
export interface Line {
	context: HttpContext;
	/** The credential's gate for a kind of request; none for hosts that are not the API's. */
	gate?: (cost: RepeatCost) => Gate;
	place: Place;
	policy: RetryPolicy;
	/** Fires when the execution is stopped. */
	signal?: AbortSignal;
}

/** A failed try, the pause it asks for, and why it is the last if it is. */
interface Setback {
	failure: Failure;
	pause: number;
	stop?: 'final' | 'tries' | 'budget';
}

const isRateLimit = (failure: Failure) => 'answer' in failure && failure.answer.status === 429;

/** The error of a run that was stopped from outside; n8n knows it by the word "canceled". */
export const stoppedError = ({ node, itemIndex }: Place) =>
	new NodeOperationError(node, `The execution was canceled [item ${itemIndex}]`, { itemIndex });

/**
 * Tries until it succeeds or must not be tried again, with the pauses that `retry.ts` decides, ended
 * at once when the execution is stopped. With a gate, every try passes it, and a 429 pauses everybody
 * there; any other failure pauses only this request.
 * @throws NodeApiError with the service's words; NodeOperationError when stopped
 */
export async function persist(
	exchangeOnce: () => Promise<Reply>,
	cost: RepeatCost,
	{ gate: gateFor, place, policy, signal }: Line,
): Promise<Answer> {
	const startedAt = Date.now();
	const gate = gateFor?.(cost);

	const attempt = async (tries: number): Promise<{ success: Answer } | Setback> => {
		const reply = await exchangeOnce();
		if ('success' in reply) return reply;
		const { failure } = reply;
		const progress = { tries, elapsed: Date.now() - startedAt };
		const pause = pauseAfter(failure, progress, policy, Date.now(), Math.random());
		return { failure, pause, stop: reasonToStop(failure, cost, policy, progress, pause) };
	};
	// Beyond the budget nobody waits: everybody learns at once that the plan is spent for long.
	const pauseForAll = (outcome: { success: Answer } | Setback) =>
		'failure' in outcome && isRateLimit(outcome.failure) && outcome.stop !== 'budget'
			? outcome.pause
			: undefined;

	for (let tries = 1; ; tries += 1) {
		if (signal?.aborted) throw stoppedError(place);
		const outcome = gate
			? await gate.pass(() => attempt(tries), pauseForAll, { first: tries > 1, signal })
			: await attempt(tries);
		if ('success' in outcome) return outcome.success;
		if (signal?.aborted) throw stoppedError(place);
		const { failure, pause, stop } = outcome;
		if (stop !== undefined) {
			const elapsed = Date.now() - startedAt;
			const tooLong = stop === 'budget' ? pause : undefined;
			throw serviceError(failure, { tries, elapsed, cost, tooLong }, place);
		}
		if (!gate || !isRateLimit(failure)) await sleep(pause, signal);
	}
}

/** Sends a request to the API until it succeeds or must not be repeated. */
export const send = async (request: Request, line: Line): Promise<Answer> =>
	await persist(async () => await exchange(line.context, request), request.cost, line);
