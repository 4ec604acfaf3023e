import type { AgentJob } from './job.cjs';
import { systemOf, type Beat, type Draft } from './plan.cjs';
import type { TraceError } from './trace.cjs';

/** What is left of a run that is cancelled `after` milliseconds from its request. */
export function planCancellation(job: AgentJob, after: number): Beat[] {
	const error: TraceError = {
		code: 'cancelled',
		source: 'system',
		retryable: false,
		message: 'Agent was cancelled.',
	};
	const end = after + job.about.behaviour.cancelMs;
	const system = systemOf(job);
	const closing = job.trace.sessions().map(
		({ agent, sessionId }): Draft => ({
			agent,
			occurrence: { type: 'browser.session.finished', sessionId, durationMs: 0 },
		}),
	);
	const finishing = job.trace.running().map(
		({ agent }): Draft => ({
			agent,
			occurrence: { type: 'agent.finished', outcome: 'cancelled', durationMs: 0, error },
		}),
	);
	return [
		{ after, agent: system, occurrence: { type: 'run.cancel_requested', reason: 'user' } },
		...[...closing, ...finishing].map((draft) => ({ ...draft, after: end })),
		{
			after: end,
			agent: system,
			occurrence: { type: 'run.finished', outcome: 'cancelled', error },
		},
	];
}
