import { randomUUID } from 'node:crypto';

import type { CrawlTarget, Notification, ScrapeTarget, SearchTarget } from '../schemas/monitor.cjs';
import type { WebhookConfig } from '../schemas/webhook.cjs';
import type { Judgment, PageDiff } from './pageComparison.cjs';
import type { Schedule } from './schedule.cjs';

export type Target = (ScrapeTarget | CrawlTarget | SearchTarget) & { id: string };

/** What a team asks of a monitor. */
export interface MonitorSettings {
	name: string;
	schedule: Schedule;
	targets: Target[];
	webhook?: WebhookConfig;
	notification?: Notification;
	retentionDays: number;
	goal: string | null;
	judgeEnabled: boolean;
}

export type PageStatus = 'same' | 'new' | 'changed' | 'removed' | 'error';
export type Summary = Record<PageStatus | 'totalPages', number>;

/** What a check found out about one page. */
export interface CheckPage {
	id: string;
	targetId: string;
	url: string;
	status: PageStatus;
	previousScrapeId: string | null;
	currentScrapeId: string | null;
	statusCode: number | null;
	error: string | null;
	/** Search targets: `searchStatus`, and the result's title. */
	metadata: Record<string, unknown> | null;
	judgment: Judgment | null;
	diff: PageDiff | null;
	/** The extraction of this run, where the target asks for one. */
	snapshot: { json: unknown } | null;
	createdAt: string;
}

export type CheckStatus =
	| 'queued'
	| 'running'
	| 'completed'
	| 'failed'
	| 'partial'
	| 'skipped_overlap'
	| 'skipped_no_credits';

/** One run of a monitor; times are the clock's. */
export interface Check {
	id: string;
	status: CheckStatus;
	trigger: 'scheduled' | 'manual';
	scheduledFor?: number;
	startedAt?: number;
	finishedAt?: number;
	/** The most that it can cost. */
	estimatedCredits: number;
	reservedCredits: number | null;
	actualCredits: number | null;
	billingStatus: 'not_applicable' | 'reserved' | 'confirmed' | 'released' | 'failed';
	targetResults: Array<Record<string, unknown>>;
	error: string | null;
	createdAt: number;
	updatedAt: number;
	pages: CheckPage[];
}

/** A page as the last check left it. */
export interface KnownPage {
	targetId: string;
	url: string;
	scrapeId: string | null;
	markdown: string;
	json: unknown;
}

/** A monitor with its checks, oldest first, and what it remembers of its pages. */
export class Monitor {
	readonly id = randomUUID();
	status: 'active' | 'paused' = 'active';
	updatedAt: number;
	lastRunAt?: number;
	lastCheckSummary?: Summary;
	nextRunAt?: number;
	readonly checks: Check[] = [];
	/** The check that is queued or running. */
	current?: Check;
	/** By target and address. */
	readonly known = new Map<string, KnownPage>();
	private ahead = new AbortController();
	private readonly deletion = new AbortController();

	constructor(
		readonly teamId: string,
		public settings: MonitorSettings,
		readonly createdAt: number,
	) {
		this.updatedAt = createdAt;
	}

	/** Aborted when the monitor is gone: its check stops where it is. */
	get deleted(): AbortSignal {
		return this.deletion.signal;
	}

	/** Puts a new schedule in place of the one ahead; the signal ends it. */
	reschedule(): AbortSignal {
		this.unschedule();
		this.ahead = new AbortController();
		return this.ahead.signal;
	}

	unschedule(): void {
		this.ahead.abort();
		this.nextRunAt = undefined;
	}

	end(): void {
		this.unschedule();
		this.deletion.abort();
	}
}

/** How many pages came to what. */
export function summaryOf(pages: readonly CheckPage[]): Summary {
	const summary: Summary = {
		totalPages: pages.length,
		same: 0,
		changed: 0,
		new: 0,
		removed: 0,
		error: 0,
	};
	for (const { status } of pages) summary[status] += 1;
	return summary;
}
