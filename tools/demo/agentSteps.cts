import type { AgentJob, TraceEvent } from '../../test/mock/agent/job.cjs';
import { parseUrl } from '../../test/mock/schemas/fields.cjs';
import type { Service } from '../../test/mock/service.cjs';

/** What a tool is told to do, in words. */
const doing: Record<string, string | undefined> = { scrape: 'reads', search: 'searches for' };

/** What an event means for somebody who watches; nothing for most of them. */
function words(event: TraceEvent): string | undefined {
	if (event.type === 'progress.reported') {
		return event.phase === 'finalizing' ? 'writes the result' : undefined;
	}
	if (event.type === 'run.finished') return event.outcome;
	if (event.type !== 'tool_call.started') return undefined;
	const [parameter] = Object.values(Object(event.parameters));
	return `${doing[event.toolName] ?? event.toolName} ${String(parameter ?? '')}`;
}

/** What a run is about: the website that it was given, otherwise its own name. */
const subjectOf = ({ about }: AgentJob): string =>
	parseUrl(about.task.urls?.[0] ?? '')?.hostname ?? 'The agent';

const inOrder = ({ trace }: AgentJob): TraceEvent[] =>
	trace.unordered().sort((one, other) => one.occurredAt.localeCompare(other.occurredAt));

/** Tells what the agents of the mock server have done since the last look, each step once. */
export function agentSteps({ context }: Service, tell: (line: string) => void): () => void {
	const told = new Set<string>();
	return () => {
		for (const job of context.agents.jobs) {
			for (const event of inOrder(job)) {
				const line = told.has(event.eventId) ? undefined : words(event);
				told.add(event.eventId);
				if (line !== undefined) tell(`${subjectOf(job)}: ${line}`);
			}
		}
	};
}
