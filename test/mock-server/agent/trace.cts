import { randomUUID } from 'node:crypto';

/** How a run ended. */
export type Outcome = 'succeeded' | 'failed' | 'cancelled' | 'refused' | 'credit_limit_reached';

export interface TraceError {
	code: 'cancelled' | 'credit_limit_reached' | 'refused' | 'internal';
	source: 'agent' | 'billing' | 'system';
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
	kind: 'json' | 'markdown';
	snapshotId: string;
	change: 'init' | 'update';
	path: string;
	changedFields?: string[];
	itemCount?: number;
	sourceToolCallId?: string;
}

/** The part of an event that depends on its type. */
export type Occurrence =
	| { type: 'run.started' | 'agent.started' }
	| { type: 'run.cancel_requested'; reason: 'user' }
	| { type: 'run.finished'; outcome: Outcome; error: TraceError | null }
	| { type: 'agent.finished'; outcome: Outcome; durationMs: number; error: TraceError | null }
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
			producerSequence: this.events.filter((each) => each.agent.id === agent.id).length + 1,
			agent,
			...occurrence,
		});
	}

	/** In no order, as several producers write side by side; the same events keep their places. */
	unordered(): TraceEvent[] {
		return [...this.events].sort((a, b) => a.eventId.localeCompare(b.eventId));
	}

	/** The ids of the browser sessions that are open now. */
	sessions(): string[] {
		const ids = (type: TraceEvent['type']): string[] =>
			this.events.flatMap((event) =>
				event.type === type && 'sessionId' in event ? [event.sessionId] : [],
			);
		const ended = new Set(ids('browser.session.finished'));
		return ids('browser.session.started').filter((id) => !ended.has(id));
	}
}
