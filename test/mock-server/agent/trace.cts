import { randomUUID } from 'node:crypto';

/** How a run, or an agent inside it, ended. */
export type Outcome = 'succeeded' | 'failed' | 'cancelled' | 'refused' | 'credit_limit_reached';

export interface TraceError {
	code: 'cancelled' | 'credit_limit_reached' | 'parent_finished' | 'refused' | 'internal';
	source: 'agent' | 'tool' | 'billing' | 'system';
	retryable: boolean;
	message: string;
}

export interface AgentIdentity {
	id: string;
	role: 'orchestrator' | 'subagent' | 'system' | 'browser';
	name: string;
	parentId?: string;
}

export interface Artifact {
	artifactId: string;
	kind: 'json' | 'markdown' | 'html' | 'screenshot' | 'text';
	snapshotId: string;
	change: 'init' | 'partial' | 'append' | 'modify' | 'update';
	path?: string;
	changedFields?: string[];
	itemCount?: number;
	sourceToolCallId?: string;
}

/** The part of an event that depends on its type. */
export type Occurrence =
	| { type: 'run.started' }
	| { type: 'run.cancel_requested'; reason: 'user' }
	| { type: 'run.finished'; outcome: Outcome; error: TraceError | null }
	| { type: 'agent.started' }
	| {
			type: 'agent.finished';
			outcome: Exclude<Outcome, 'credit_limit_reached'>;
			durationMs: number;
			error: TraceError | null;
	  }
	| { type: 'browser.session.started'; sessionId: string }
	| { type: 'browser.session.finished'; sessionId: string; durationMs: number }
	| { type: 'progress.reported'; phase: 'planning' | 'working' | 'finalizing'; message: string }
	| { type: 'reasoning.summary'; text: string }
	| { type: 'tool_call.started'; toolCallId: string; toolName: string; parameters: unknown }
	| { type: 'tool_call.finished'; toolCallId: string; toolName: string; result: unknown }
	| { type: 'artifact.updated'; artifact: Artifact }
	| { type: 'error.occurred'; error: TraceError };

export type TraceEvent = Occurrence & {
	schemaVersion: 1;
	eventId: string;
	runId: string;
	/** ISO date-time. */
	occurredAt: string;
	/** Rises by one per agent: the only order there is. */
	producerSequence: number;
	agent: AgentIdentity;
};

/** What happened in a run so far. */
export class Trace {
	private readonly events: TraceEvent[] = [];

	constructor(private readonly runId: string) {}

	record(at: number, agent: AgentIdentity, occurrence: Occurrence): void {
		this.events.push({
			schemaVersion: 1,
			eventId: randomUUID(),
			runId: this.runId,
			occurredAt: new Date(at).toISOString(),
			producerSequence: this.by(agent).length + 1,
			agent,
			...occurrence,
		});
	}

	/** In no order, as several producers write side by side; the same events keep their places. */
	unordered(): TraceEvent[] {
		return [...this.events].sort((a, b) => a.eventId.localeCompare(b.eventId));
	}

	/** The agents that started and did not finish, the last started first. */
	running(): Array<{ agent: AgentIdentity; since: number }> {
		return this.open('agent.started', 'agent.finished', () => '');
	}

	/** Browser sessions that are open now. */
	sessions(): Array<{ agent: AgentIdentity; since: number; sessionId: string }> {
		return this.open('browser.session.started', 'browser.session.finished', sessionOf).map(
			(each) => ({
				...each,
				sessionId: each.of,
			}),
		);
	}

	private open(
		start: Occurrence['type'],
		end: Occurrence['type'],
		of: (event: TraceEvent) => string,
	): Array<{ agent: AgentIdentity; since: number; of: string }> {
		const key = (event: TraceEvent): string => `${event.agent.id} ${of(event)}`;
		const ended = new Set(this.events.filter(({ type }) => type === end).map(key));
		return this.events
			.filter((event) => event.type === start && !ended.has(key(event)))
			.map((event) => ({ agent: event.agent, since: Date.parse(event.occurredAt), of: of(event) }))
			.reverse();
	}

	private by({ id }: AgentIdentity): TraceEvent[] {
		return this.events.filter(({ agent }) => agent.id === id);
	}
}

function sessionOf(event: TraceEvent): string {
	return 'sessionId' in event ? event.sessionId : '';
}
