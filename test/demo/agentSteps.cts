import type { AgentJob } from '../service/agent/job.cjs';
import type { TraceEvent } from '../service/agent/trace.cjs';
import type { Service } from '../service/service.cjs';

/** What an event means for somebody who watches; nothing for most of them. */
function words(event: TraceEvent): string | undefined {
	if (event.type === 'progress.reported') return event.message;
	if (event.type === 'run.finished') return `The agent's run ${event.outcome}`;
	if (event.type !== 'tool_call.started') return undefined;
	const [parameter] = Object.values(Object(event.parameters));
	return `${event.agent.name}: ${event.toolName} ${String(parameter ?? '')}`;
}

const inOrder = ({ trace }: AgentJob): TraceEvent[] =>
	trace.unordered().sort((one, other) => one.occurredAt.localeCompare(other.occurredAt));

/** Tells what the agents of the stand-in have done since the last look, each step once. */
export function agentSteps({ context }: Service, tell: (line: string) => void): () => void {
	const told = new Set<string>();
	return () => {
		for (const job of context.agents.jobs) {
			for (const event of inOrder(job)) {
				const line = told.has(event.eventId) ? undefined : words(event);
				told.add(event.eventId);
				if (line !== undefined) tell(line);
			}
		}
	};
}
