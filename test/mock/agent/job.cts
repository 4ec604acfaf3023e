import { randomUUID } from 'node:crypto';

import type { WebhookConfig } from '../schemas/webhook.cjs';
import type { TraceError } from './work.cjs';

/** How a run goes. Times are milliseconds on the service's clock. */
export interface Behaviour {
	durationMs: number;
	/** Part of the duration that the run is queued, before its first event; a tenth by default. */
	queueMs?: number;
	outcome: Exclude<Outcome, 'cancelled'>;
	error?: string;
	/** How long the run's status is 404 after its start, as where a store lags behind. */
	unknownMs?: number;
	/** The status while the run goes on, in the place of `processing`. */
	runningStatus?: string;
	/** Whether the status has its `error` as a text or as an object with a code. */
	errorForm: 'text' | 'object';
	/** What the status says at the credit limit; `completed with partial` is billed. */
	creditLimit: 'failed' | 'failed with partial' | 'completed with partial';
}

export const defaultBehaviour: Behaviour = {
	durationMs: 3000,
	outcome: 'succeeded',
	creditLimit: 'failed with partial',
	errorForm: 'text',
};

/** What a run works on: the request after what its thread hands down. */
export interface Task {
	prompt: string;
	mode: 'extract' | 'chat';
	urls?: string[];
	schema?: Record<string, unknown>;
	strict: boolean;
	effort?: 'low' | 'medium' | 'high';
	maxCredits: number;
}

/** What a run has to say at its end. */
export interface Result {
	/** Fills `schema`, or is a free object; null for an answer in words. */
	data: unknown;
	message: string | null;
	suggestions: Array<{ label: string; prompt: string }>;
}

/** What is fixed from the start. */
export interface JobFacts {
	teamId: string;
	startedAt: number;
	/** The same, a little later where runs share a millisecond: pages by time must lose none. */
	createdAt: number;
	task: Task;
	behaviour: Behaviour;
	free: boolean;
	/** `spark-2`; older names only for jobs that predate it. */
	model: string;
	origin: string;
	integration?: string;
	webhook?: WebhookConfig;
	threadId?: string;
	/** 1-based place in the thread. */
	turn?: number;
	requestId: string;
}

/** One agent run. `Agents` moves it along the service's clock. */
export class AgentJob {
	readonly id = randomUUID();
	readonly trace = new Trace(this.id);
	/** Contents by snapshot id, of the artifacts that the trace has named so far. */
	readonly snapshots = new Map<string, string>();
	state: 'queued' | 'processing' | 'cancelling' | 'finished' = 'queued';
	outcome?: Outcome;
	finishedAt?: number;
	result?: Result;
	error?: string;
	creditsUsed = 0;
	private ahead = new AbortController();

	constructor(readonly about: JobFacts) {}

	get finished(): boolean {
		return this.state === 'finished';
	}

	/** Puts new events ahead of the run in place of those still to come; the signal ends them. */
	begin(): AbortSignal {
		this.stop();
		this.ahead = new AbortController();
		return this.ahead.signal;
	}

	stop(): void {
		this.ahead.abort();
	}
}

/** Results, and threads after their last run, are kept for this time, in milliseconds. */
export const keptMs = 86_400_000;

/** A conversation: runs one after the other, each taking over what its request leaves out. */
export class Thread {
	readonly id = randomUUID();
	readonly runs: AgentJob[] = [];

	constructor(
		readonly teamId: string,
		readonly createdAt: number,
	) {}

	get updatedAt(): number {
		const last = this.runs.at(-1);
		return last?.finishedAt ?? last?.about.createdAt ?? this.createdAt;
	}

	get running(): AgentJob | undefined {
		return this.runs.find(({ finished }) => !finished);
	}
}

/** How a run ended. */
export type Outcome = 'succeeded' | 'failed' | 'cancelled' | 'refused' | 'credit_limit_reached';

/** The part of an event that depends on its type, as far as anybody reads it (`data/agentTrace.json` has it whole). */
type Occurrence =
	| { type: 'run.started' | 'agent.started' | 'agent.finished' }
	| { type: 'run.finished'; outcome: Outcome; error: TraceError | null }
	| { type: 'browser.session.started' | 'browser.session.finished'; sessionId: string }
	| { type: 'progress.reported'; phase: 'planning' | 'working' | 'finalizing' }
	| { type: 'tool_call.started'; toolName: string; parameters: unknown }
	| { type: 'artifact.updated'; artifact: Artifact };

interface Artifact {
	kind: 'json' | 'markdown';
	change: 'init' | 'update';
	snapshotId: string;
}

/** An event of a run. */
export interface Step {
	agent: { id: string; role: string; name: string };
	occurrence: Occurrence;
	content?: string;
}

export type TraceEvent = Occurrence & {
	eventId: string;
	occurredAt: string;
	/** Rises by one per agent: the only order there is. */
	producerSequence: number;
	agent: Step['agent'];
};

class Trace {
	private readonly events: TraceEvent[] = [];

	constructor(private readonly runId: string) {}

	record(at: number, { agent, occurrence }: Step): void {
		const facts = { schemaVersion: 1, eventId: randomUUID(), runId: this.runId, agent };
		const occurredAt = new Date(at).toISOString();
		const before = this.events.filter((each) => each.agent.id === agent.id);
		const producerSequence = before.length + 1;
		this.events.push({ ...facts, occurredAt, producerSequence, ...occurrence });
	}

	/** In no order, as several producers write side by side; the same events keep their places. */
	unordered(): TraceEvent[] {
		return [...this.events].sort((a, b) => a.eventId.localeCompare(b.eventId));
	}

	sessions(): string[] {
		const ids = (type: TraceEvent['type']): string[] =>
			this.events.flatMap((event) =>
				event.type === type && 'sessionId' in event ? [event.sessionId] : [],
			);
		const ended = new Set(ids('browser.session.finished'));
		return ids('browser.session.started').filter((id) => !ended.has(id));
	}
}
