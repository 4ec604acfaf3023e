import type { Context } from '../context.cjs';
import { attempt, resultOf } from './answer.cjs';
import {
	decideExchange,
	toolData,
	type ExchangeSummary,
	type PendingApproval,
	type Terms,
} from './exchange.cjs';
import type { AgentJob } from './job.cjs';
import { planRun, type Beat, type Ending } from './plan.cjs';
import { affordable, pagesOf, priceOf, research } from './research.cjs';
import type { Thread } from './threads.cjs';
import type { TraceError } from './trace.cjs';

/** A run worked out: what will happen in it, and how it ends unless it is cancelled. */
export interface Worked {
	beats: Beat[];
	ending: Ending;
	exchange?: ExchangeSummary;
	pending?: PendingApproval;
}

/**
 * Does the work of a run in one go: research, paid calls, result, price. What stops a run is its
 * script, its credit limit, or a schema that cannot be filled; a stopped run makes no paid call.
 */
export async function workOut(
	context: Context,
	terms: Terms,
	job: AgentJob,
	thread: Thread,
	answered: PendingApproval | undefined,
): Promise<Worked> {
	const { task, teamId, behaviour, free } = job.about;
	const { steps, next } = await research(context, task, context.teams.get(teamId));
	const pages = pagesOf(steps);
	const decision = decideExchange(context.tools, terms, teamId, task, thread, answered, pages);
	const paid = decision?.summary.creditsUsed ?? 0;
	const price = behaviour.credits ?? priceOf(task, steps) + paid;
	const limited = behaviour.outcome === 'credit_limit_reached' || price > task.maxCredits;
	const done = limited ? affordable(task, steps) : steps;
	const calls = limited ? [] : (decision?.calls ?? []);
	const filled = attempt(() => resultOf(task, pagesOf(done), calls.map(toolData)));
	const error = stopOf(job, limited, 'why' in filled ? filled.why : undefined);
	const ending: Ending = {
		outcome: limited ? 'credit_limit_reached' : outcomeOf(job, error),
		error,
		...('value' in filled && (!error || limited) && { result: filled.value }),
		price: free ? (limited ? 0 : paid) : Math.min(price, task.maxCredits),
	};
	return {
		beats: planRun(job, done, limited ? undefined : next, error ? [] : calls, ending),
		ending,
		...(!error && { exchange: decision?.summary, pending: decision?.pending }),
	};
}

function outcomeOf({ about }: AgentJob, error: TraceError | undefined): Ending['outcome'] {
	if (!error) return 'succeeded';
	return about.behaviour.outcome === 'refused' ? 'refused' : 'failed';
}

/** Why the run does not succeed, if it does not. */
function stopOf(
	{ about: { behaviour, task } }: AgentJob,
	limited: boolean,
	unfillable: string | undefined,
): TraceError | undefined {
	const { outcome, error } = behaviour;
	if (limited) {
		const message = `Agent reached its credit limit of ${task.maxCredits} credits (maxCredits).`;
		return { code: 'credit_limit_reached', source: 'billing', retryable: false, message };
	}
	if (outcome === 'refused') {
		const message = error ?? 'The agent refused this task.';
		return { code: 'refused', source: 'agent', retryable: false, message };
	}
	if (outcome === 'failed') {
		const message = error ?? 'The agent failed unexpectedly.';
		return { code: 'internal', source: 'agent', retryable: true, message };
	}
	return unfillable === undefined
		? undefined
		: { code: 'internal', source: 'agent', retryable: false, message: unfillable };
}
