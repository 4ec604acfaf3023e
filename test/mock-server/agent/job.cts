import { randomUUID } from 'node:crypto';

import type { AgentRequest, ExchangeRequest } from '../schemas/agent.cjs';
import type { WebhookConfig } from '../schemas/webhook.cjs';
import type { ExchangeSummary, PendingApproval } from './approvals.cjs';
import { Trace, type Outcome } from './trace.cjs';

/** How a run goes. Times are milliseconds on the service's clock. */
export interface Behaviour {
	/** From the request to the end. */
	durationMs: number;
	/** Part of the duration that the run is queued, before its first event; a tenth by default. */
	queueMs?: number;
	/** How the run ends. The credit limit is also reached by runs that cost more than `maxCredits`. */
	outcome: Exclude<Outcome, 'cancelled'>;
	/** The words of a failure or refusal. */
	error?: string;
	/** How long the run's status is 404 after its start, as where a store lags behind. */
	unknownMs?: number;
	/** The status while the run goes on, in the place of `processing`. */
	runningStatus?: string;
	/** Whether the status has its `error` as a text or as an object with a code. */
	errorForm: 'text' | 'object';
	/**
	 * What the status says at the credit limit: failed without data, failed with what was found under
	 * `partial`, or completed with it as data and billed.
	 */
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
	exchange?: ExchangeRequest;
	threatProtection?: AgentRequest['threatProtection'];
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
	/** Clock time of the request. */
	startedAt: number;
	/** The same, a little later where runs share a millisecond: pages by time must lose none. */
	createdAt: number;
	task: Task;
	behaviour: Behaviour;
	/** One of the day's free runs. */
	free: boolean;
	/** `spark-2`; older names only for jobs that predate it. */
	model: string;
	origin: string;
	integration?: string;
	webhook?: WebhookConfig;
	threadId?: string;
	/** 1-based place in the thread. */
	turn?: number;
	/** The request that started it, for the ledger. */
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
	/** Set with the outcome; partial at the credit limit. */
	result?: Result;
	/** The reason of every end but success. */
	error?: string;
	/** Billed at the end. */
	creditsUsed = 0;
	exchange?: ExchangeSummary;
	pendingApproval?: PendingApproval;
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

	/** Nothing more happens in this run. */
	stop(): void {
		this.ahead.abort();
	}
}

/** Results, and threads after their last run, are kept for this time, in milliseconds. */
export const keptMs = 86_400_000;

/** A conversation: runs one after the other, each taking over what its request leaves out. */
export class Thread {
	readonly id = randomUUID();
	/** Oldest turn first. */
	readonly runs: AgentJob[] = [];

	constructor(
		readonly teamId: string,
		readonly createdAt: number,
	) {}

	get updatedAt(): number {
		const last = this.runs.at(-1);
		return last?.finishedAt ?? last?.about.createdAt ?? this.createdAt;
	}

	/** The run under way, if any. */
	get running(): AgentJob | undefined {
		return this.runs.find(({ finished }) => !finished);
	}

	expired(now: number): boolean {
		return !this.running && now >= this.updatedAt + keptMs;
	}
}
