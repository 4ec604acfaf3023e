import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';

import type { Context } from './context.cjs';
import type { WebhookConfig } from './schemas/fields.cjs';
import type { Team } from './teams.cjs';

/** How a job goes where the API's documentation leaves it open. Times are milliseconds on the service's clock. */
export interface Course {
	/** How long the job's status is 404 after its start, as where a store lags behind. */
	unknownMs?: number;
	/** The status while the job runs, in the place of the usual one. */
	runningStatus?: string;
}

/** What is fixed from the start of every job. */
export interface JobFacts {
	team: Team;
	webhook?: WebhookConfig;
}

const day = 86_400_000;

/** Work that goes on after its start was answered: a batch, a crawl, an agent run, a browser session. */
export class Job<F extends JobFacts = JobFacts, C extends Course = Course> {
	readonly id = randomUUID();
	finishedAt?: number;
	error?: string;
	creditsUsed = 0;
	private readonly stopping = new AbortController();

	constructor(
		readonly about: F,
		readonly course: C,
		readonly startedAt: number,
	) {
		// Every page at work listens.
		setMaxListeners(0, this.stopped);
	}

	get finished(): boolean {
		return this.finishedAt !== undefined;
	}

	/** Results are kept for a day after the end. */
	get expiresAt(): number {
		return (this.finishedAt ?? this.startedAt) + day;
	}

	/** Aborted when nothing is to be begun or kept any more. */
	get stopped(): AbortSignal {
		return this.stopping.signal;
	}

	stop(): void {
		this.stopping.abort(new Error('The job was stopped'));
	}
}

/** Every job of some kinds, in the order of their starts. */
export class Jobs<J extends Job<JobFacts, C>, C extends Course> {
	readonly jobs: J[] = [];
	protected course: C;

	constructor(
		protected readonly context: Context,
		private readonly usual: C,
	) {
		this.course = usual;
	}

	/** Says how the jobs go that start from now on. */
	set(change: Partial<C>): void {
		this.course = { ...this.course, ...change };
	}

	/** The job of an ID, whosever it is. */
	find(id: string): J | undefined {
		return this.jobs.find((each) => each.id === id.toLowerCase());
	}

	/** The team's jobs that have not ended. */
	active(teamId: string): J[] {
		return this.jobs.filter(({ about, finished }) => about.team.id === teamId && !finished);
	}

	/** Whether a job's status can be read yet. */
	isKnown({ startedAt, course }: J): boolean {
		return this.now >= startedAt + (course.unknownMs ?? 0);
	}

	clear(): void {
		for (const job of this.jobs) job.stop();
		this.jobs.length = 0;
		this.course = this.usual;
	}

	protected get now(): number {
		return this.context.clock.now();
	}

	/** Sends an event to the address that the job's request named. */
	protected tell({ id, about }: J, type: string, data: unknown, error?: string): void {
		const event = { type, id, success: error === undefined, data, error };
		this.context.webhooks.send(about.team.id, about.webhook, event);
	}
}
