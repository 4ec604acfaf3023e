import { randomUUID } from 'node:crypto';

import type { AgentRequest, ExchangeRequest } from '../schemas/agent.cjs';
import type { WebhookConfig } from '../schemas/webhook.cjs';
import type { ExchangeSummary, PendingApproval } from './exchange.cjs';
import type { FullBehaviour } from './script.cjs';
import { Trace, type Outcome } from './trace.cjs';

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

export type State = 'queued' | 'processing' | 'cancelling' | 'finished';

/** One agent run: a state machine that the runner moves along the service's clock. */
export class AgentJob {
	readonly id = randomUUID();
	readonly trace = new Trace(this.id);
	/** Contents by snapshot id, of the artifacts that the trace has named so far. */
	readonly snapshots = new Map<string, string>();
	state: State = 'queued';
	outcome?: Outcome;
	finishedAt?: number;
	/** Set with the outcome; partial at the credit limit. */
	result?: Result;
	/** The reason of every end but success. */
	error?: string;
	/** While the run goes on, an estimate; billed at its end. */
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

/** What is fixed from the start. */
export interface JobFacts {
	teamId: string;
	/** Clock time of the request. */
	startedAt: number;
	/** The same, a little later where runs share a millisecond: pages by time must lose none. */
	createdAt: number;
	task: Task;
	behaviour: FullBehaviour;
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
