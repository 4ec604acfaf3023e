import { NodeOperationError, sleep } from 'n8n-workflow';
import { exchange, type HttpContext, type Reply, type Request } from './client';
import { asNodeError, itemMark, serviceError, type Place } from './errors';
import { settle } from './outcome';
import { arrive, type Gate, type Sign } from './pace';
import {
	isDoneBefore,
	isProcessing,
	pauseAfter,
	reasonToStop,
	type Answer,
	type Failure,
	type Progress,
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

/** A failed try: the pause before the next one, and why there is none if so. */
interface Setback {
	failure: Failure;
	pause: number;
	stop?: 'final' | 'tries' | 'budget';
}

/** Counts tries and the time since the first of them began. */
class Tally {
	private tries = 0;
	private since?: number;

	add(sentAt: number): Progress {
		this.tries += 1;
		this.since ??= sentAt;
		return this.progress;
	}

	get progress(): Progress {
		return { tries: this.tries, elapsed: Date.now() - (this.since ?? Date.now()) };
	}
}

const isRateLimit = (failure: Failure) => 'answer' in failure && failure.answer.status === 429;

/** The error of a run that was stopped from outside; n8n knows it by the word "canceled". */
export const stoppedError = ({ node, itemIndex }: Place) =>
	new NodeOperationError(node, `The execution was canceled${itemMark({ itemIndex })}`, {
		itemIndex,
	});

/** What a DELETE comes to whose work was done by a try that got no answer. */
const done: Answer = { status: 200, headers: {}, body: { success: true } };

/**
 * Tries until it succeeds or must not be tried again, with the pauses that `retry.ts` decides, ended
 * at once when the execution is stopped. With a gate, every try passes it, and a 429 pauses everybody
 * there; any other failure pauses only this request. Where the request `endsWork`, it has succeeded too
 * when a repeat finds nothing left to end.
 * @throws NodeApiError with the service's words; NodeOperationError when stopped
 */
export async function persist(
	exchangeOnce: () => Promise<Reply>,
	cost: RepeatCost,
	{ gate, place, policy, signal }: Line,
	endsWork = false,
): Promise<Answer> {
	const arrival = arrive();
	const failures: Failure[] = [];
	const tallies = { failing: new Tally(), processing: new Tally() };
	const whole = new Tally();

	const attempt = async (): Promise<{ success: Answer } | Setback> => {
		// Waiting for the first turn at the gate is no trying.
		const sentAt = Date.now();
		whole.add(sentAt);
		const reply = await exchangeOnce();
		if ('success' in reply) return reply;
		const { failure } = reply;
		if (endsWork && isDoneBefore(failure, failures)) return { success: done };
		failures.push(failure);
		const goesOn = isProcessing(failure);
		// The service is well: what failed before is over, and its time does not count any more.
		if (goesOn) tallies.failing = new Tally();
		const progress = tallies[goesOn ? 'processing' : 'failing'].add(sentAt);
		const pause = pauseAfter(failure, progress, policy, Date.now(), Math.random());
		return { failure, pause, stop: reasonToStop(failure, cost, policy, progress, pause) };
	};
	const signOf = (outcome: { success: Answer } | Setback): Sign => {
		if ('success' in outcome) return 'room';
		// A plan that is spent for longer than anybody waits holds nobody up: each learns it at once.
		const bearable = outcome.pause <= policy.budget;
		return isRateLimit(outcome.failure) && bearable ? { pause: outcome.pause } : 'none';
	};

	for (;;) {
		if (signal?.aborted) throw stoppedError(place);
		const turn = await settle(
			gate ? gate(cost).pass(attempt, signOf, { arrival, signal }) : attempt(),
		);
		if ('error' in turn) {
			throw signal?.aborted ? stoppedError(place) : asNodeError(turn.error, place);
		}
		const outcome = turn.value;
		// An answer that has come is kept even then: it is paid for, or names a job that is to be ended.
		if ('success' in outcome) return outcome.success;
		if (signal?.aborted) throw stoppedError(place);
		const { failure, pause, stop } = outcome;
		if (stop !== undefined) {
			const tooLong = stop === 'budget' ? pause : undefined;
			const earlier = failures.slice(0, -1);
			throw serviceError(failure, { ...whole.progress, cost, tooLong, earlier }, place);
		}
		if (!gate || !isRateLimit(failure)) await settle(sleep(pause, signal));
	}
}

/** Sends a request to the API until it succeeds or must not be repeated. */
export const send = async (request: Request, line: Line): Promise<Answer> =>
	await persist(
		async () => await exchange(line.context, request),
		request.cost,
		line,
		request.method === 'DELETE',
	);
