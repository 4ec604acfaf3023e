import { Cron } from 'croner';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod/v4';

import type {
	checkStatus,
	CrawlTarget,
	CreateMonitor,
	pageStatus,
	ScrapeTarget,
	SearchTarget,
} from '../schemas/monitor.cjs';
import type { Judgment, PageDiff } from './pageComparison.cjs';

export type Target = (ScrapeTarget | CrawlTarget | SearchTarget) & { id: string };

/** What a team asks of a monitor. */
export type MonitorSettings = Omit<CreateMonitor, 'targets'> & {
	targets: Target[];
	goal: string | null;
	judgeEnabled: boolean;
};

export type PageStatus = z.infer<typeof pageStatus>;
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

export type CheckStatus = z.infer<typeof checkStatus>;

/** One run of a monitor; times are the clock's. */
export class Check {
	readonly id = randomUUID();
	status: CheckStatus = 'queued';
	startedAt?: number;
	finishedAt?: number;
	reservedCredits: number | null = null;
	actualCredits: number | null = null;
	billingStatus: 'not_applicable' | 'reserved' | 'confirmed' | 'released' = 'not_applicable';
	readonly targetResults: Array<Record<string, unknown>> = [];
	error: string | null = null;
	readonly pages: CheckPage[] = [];
	/** Resolves when it has come to its end. */
	done?: Promise<void>;

	constructor(
		readonly trigger: 'scheduled' | 'manual',
		readonly scheduledFor: number | undefined,
		readonly estimatedCredits: number,
		readonly createdAt: number,
		public updatedAt = createdAt,
	) {}
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
	current?: Check;
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

const none: Record<PageStatus, number> = { same: 0, changed: 0, new: 0, removed: 0, error: 0 };

/** How many pages came to what. */
export function summaryOf(pages: readonly CheckPage[]): Summary {
	const summary: Summary = { ...none, totalPages: pages.length };
	for (const { status } of pages) summary[status] += 1;
	return summary;
}

/** When a monitor's checks run; plain text is turned into cron when it is read. */
export interface Schedule {
	cron: string;
	timezone: string;
}

const minute = 60_000;
const shortest = 5 * minute;
const sampled = 40;

/** The time of the first run after `after`; throws when there is none. */
export function nextRun(schedule: Schedule, after: number): number {
	const [time] = upcoming(schedule, after, 1) ?? [];
	if (time === undefined) throw new Error(`Never comes to a run: ${schedule.cron}`);
	return time;
}

const isZone = (timeZone: string): boolean => {
	try {
		return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
	} catch {
		return false;
	}
};

/** What is wrong with a schedule, if anything. */
export function scheduleFault(schedule: Schedule, now: number): string | undefined {
	// An offset such as +01:00 is none.
	const { timezone } = schedule;
	if (!/^[A-Z]/i.test(timezone) || !isZone(timezone)) return 'Unknown time zone';
	const runs = plainCron.test(schedule.cron) && upcoming(schedule, now, sampled);
	if (!runs) return 'Not a cron expression of five fields';
	if (runs.length === 0) return 'The schedule never comes to a run';
	const gaps = runs.slice(1).map((time, index) => time - runs[index]);
	return gaps.some((gap) => gap < shortest)
		? 'Checks may not be more often than every 5 minutes'
		: undefined;
}

/** Checks in 30 days, by the distance of the next ones. */
export function runsPerMonth(schedule: Schedule, now: number): number {
	const runs = upcoming(schedule, now, sampled) ?? [];
	const span = (runs.at(-1) ?? now) - runs[0];
	return Math.ceil((30 * 24 * 60 * minute * (runs.length - 1)) / span);
}

/** Five fields of digits and the signs * , - / alone: none of the library's further signs, and no names. */
const plainCron = /^[\d*/,-]+(?: [\d*/,-]+){4}$/;

/** The next times of a schedule; undefined for what the library cannot read. */
function upcoming({ cron, timezone }: Schedule, after: number, count: number) {
	try {
		const pattern = new Cron(cron, { timezone, mode: '5-part', paused: true });
		return pattern.nextRuns(count, new Date(after)).map((time) => time.getTime());
	} catch {
		return undefined;
	}
}

/** The cron of a schedule in words, the few that this server knows; undefined for others. */
export function cronOf(text: string): string | undefined {
	const phrase = text.trim().toLowerCase();
	if (phrase === 'hourly') return '0 * * * *';
	const [, count, unit] = /^every (\d+) (minutes|hours)$/.exec(phrase) ?? [];
	if (count) return unit === 'minutes' ? `*/${count} * * * *` : `0 */${count} * * *`;
	const [, hour, half] = /^daily at (\d|1[0-2])(am|pm)$/.exec(phrase) ?? [];
	return hour && `0 ${(Number(hour) % 12) + (half === 'pm' ? 12 : 0)} * * *`;
}
