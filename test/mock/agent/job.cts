import { randomUUID } from 'node:crypto';

import type { WebhookConfig } from '../schemas/body.cjs';

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
}

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

/** What a run has to say at its end: data that fills `schema` or is a free object; null for an answer in words. */
export interface Result {
	data: unknown;
	message?: string;
}

/** What is fixed from the start. */
export interface JobFacts {
	teamId: string;
	task: Task;
	behaviour: Behaviour;
	free: boolean;
	origin: string;
	integration?: string;
	webhook?: WebhookConfig;
	threadId: string;
	/** 1-based place in the thread. */
	turn: number;
	requestId: string;
}

/** Results are kept for this time after the end, in milliseconds. */
const keptMs = 86_400_000;

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

	/** `createdAt`: a little later than `startedAt` where runs share a millisecond; pages by time must lose none. */
	constructor(
		readonly about: JobFacts,
		readonly startedAt: number,
		readonly createdAt: number,
	) {}

	get finished(): boolean {
		return this.state === 'finished';
	}

	get expiresAt(): number {
		return (this.finishedAt ?? this.createdAt) + keptMs;
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

/** How a run ended. */
export type Outcome = 'succeeded' | 'failed' | 'cancelled' | 'refused' | 'credit_limit_reached';

export interface TraceError {
	code: string;
	message: string;
}

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

	/** The browsers that are open. */
	sessions(): string[] {
		const open = new Set<string>();
		for (const event of this.events) {
			if (event.type === 'browser.session.started') open.add(event.sessionId);
			if (event.type === 'browser.session.finished') open.delete(event.sessionId);
		}
		return [...open];
	}
}
