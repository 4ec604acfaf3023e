import { Cron } from 'croner';
import { randomUUID } from 'node:crypto';

import type { Context } from './context.cjs';
import type { MonitorSettings, MonitorTarget } from './endpoints/monitor.cjs';
import { lineDiff } from './scrape/scraper.cjs';

type PageStatus = 'same' | 'new' | 'changed' | 'removed' | 'error';

/** A page as a check found it. */
export interface CheckPage {
	id: string;
	targetId: string;
	url: string;
	status: PageStatus;
	previousScrapeId: string | null;
	currentScrapeId: string | null;
	statusCode: number | null;
	error: string | null;
	metadata: null;
	judgment: ReturnType<typeof judge> | null;
	diff: ReturnType<typeof lineDiff> | null;
	snapshot: null;
	createdAt: string;
}

/** One run of a monitor; times are the clock's. */
export class Check {
	readonly id = randomUUID();
	status: 'queued' | 'running' | 'completed' | 'failed' | 'partial' | 'skipped_no_credits' =
		'queued';
	startedAt?: number;
	finishedAt?: number;
	actualCredits: number | null = null;
	readonly error = null;
	readonly pages: CheckPage[] = [];

	constructor(
		readonly trigger: 'scheduled' | 'manual',
		readonly scheduledFor: number | undefined,
		readonly estimatedCredits: number,
		readonly createdAt: number,
	) {}

	/** How many pages came to what. */
	get summary(): Record<PageStatus | 'totalPages', number> {
		const none = { same: 0, changed: 0, new: 0, removed: 0, error: 0 };
		const summary = { ...none, totalPages: this.pages.length };
		for (const { status } of this.pages) summary[status] += 1;
		return summary;
	}
}

/** A page as the last check left it. */
interface KnownPage {
	scrapeId: string;
	markdown: string;
}

/** A monitor with its checks, oldest first, and what it remembers of its pages. */
export class Monitor {
	readonly id = randomUUID();
	status: 'active' | 'paused' = 'active';
	updatedAt: number;
	nextRunAt?: number;
	readonly checks: Check[] = [];
	/** By address. */
	readonly known = new Map<string, KnownPage>();
	/** Ends the wait for the next scheduled check. */
	ahead = new AbortController();

	constructor(
		readonly teamId: string,
		public settings: MonitorSettings,
		readonly createdAt: number,
	) {
		this.updatedAt = createdAt;
	}
}

/** Every team's monitors, and what runs their checks on the service's clock. */
export class Monitors {
	readonly all: Monitor[] = [];

	constructor(private readonly context: Context) {}

	/** A team's monitors, the newest first. */
	of(teamId: string): Monitor[] {
		return this.all.filter((monitor) => monitor.teamId === teamId).reverse();
	}

	create(teamId: string, settings: MonitorSettings): Monitor {
		const monitor = new Monitor(teamId, settings, this.now);
		this.schedule(monitor);
		this.all.push(monitor);
		return monitor;
	}

	update(monitor: Monitor, settings: MonitorSettings, status: Monitor['status']): void {
		Object.assign(monitor, { settings, status, updatedAt: this.now });
		this.schedule(monitor);
	}

	delete(monitor: Monitor): void {
		monitor.ahead.abort();
		this.all.splice(this.all.indexOf(monitor), 1);
	}

	/** A new check, its work still to be done. */
	begin(monitor: Monitor, scheduledFor?: number): Check {
		const trigger = scheduledFor === undefined ? 'manual' : 'scheduled';
		const check = new Check(trigger, scheduledFor, checkEstimate(monitor.settings), this.now);
		monitor.checks.push(check);
		return check;
	}

	/** Does a check's work, which takes no time. */
	work(monitor: Monitor, check: Check, requestId: string): void {
		const { ledger, webhooks } = this.context;
		const { teamId, settings } = monitor;
		for (const target of settings.targets) {
			for (const url of pagesOf(target)) {
				const page = this.visit(monitor, target.id, url);
				check.pages.push(page);
				this.tellPage(monitor, check, page);
			}
		}
		const paid = check.pages.filter(({ status }) => status !== 'removed').length;
		const credits = paid + check.pages.filter(({ judgment }) => judgment).length * judgeCredits;
		ledger.charge({ teamId, requestId, jobId: check.id, endpoint: '/v2/monitor', credits });
		const { id: checkId, summary } = check;
		const failed = summary.error === summary.totalPages ? 'failed' : 'partial';
		const status = summary.error === 0 ? 'completed' : failed;
		const ended = { startedAt: this.now, finishedAt: this.now, actualCredits: credits };
		Object.assign(check, { status, ...ended });
		webhooks.send(teamId, settings.webhook, {
			type: 'monitor.check.completed',
			id: checkId,
			success: summary.error === 0,
			data: [{ monitorId: monitor.id, checkId, status, summary }],
		});
	}

	/** A monitor's checks, the newest first. */
	checksOf({ checks }: Monitor): Check[] {
		return [...checks].reverse();
	}

	/** Moves the clock to the next scheduled check, and resolves when it and its deliveries are done. */
	async toNextCheck(): Promise<void> {
		const times = this.all.flatMap(({ nextRunAt }) => nextRunAt ?? []);
		if (times.length === 0) throw new Error('No check is scheduled');
		const { clock, webhooks } = this.context;
		await clock.advance(Math.max(0, Math.min(...times) - clock.now()));
		await new Promise((resolve) => setImmediate(resolve));
		await webhooks.idle();
	}

	clear(): void {
		for (const { ahead } of this.all) ahead.abort();
		this.all.length = 0;
	}

	private get now(): number {
		return this.context.clock.now();
	}

	/** Waits for the next check, and the next wait begins before the check does: the clock may be on its way past several of them. */
	private schedule(monitor: Monitor): void {
		monitor.ahead.abort();
		monitor.ahead = new AbortController();
		const { cron, timezone } = monitor.settings.schedule;
		const pattern = new Cron(cron, { timezone, mode: '5-part', paused: true });
		const due = pattern.nextRun(new Date(this.now))?.getTime();
		monitor.nextRunAt = monitor.status === 'active' ? due : undefined;
		if (monitor.nextRunAt === undefined) return;
		const ready = () => {
			this.schedule(monitor);
			this.work(monitor, this.begin(monitor, due), randomUUID());
		};
		this.context.clock
			.waitUntil(monitor.nextRunAt, monitor.ahead.signal)
			.then(ready, () => undefined);
	}

	/** Reads a page of the small web, compares it with what the last check read, and has a change judged where there is a goal. */
	private visit({ known, settings }: Monitor, targetId: string, url: string): CheckPage {
		const found = this.context.site.find(url);
		const before = known.get(url);
		const page: CheckPage = {
			...{ id: randomUUID(), targetId, url, status: 'same', statusCode: 200 },
			...{ previousScrapeId: before?.scrapeId ?? null, currentScrapeId: null },
			...{ error: null, metadata: null, judgment: null, diff: null, snapshot: null },
			createdAt: new Date(this.now).toISOString(),
		};
		if (!found || found.status !== undefined) {
			const isRemoved = known.delete(url);
			const statusCode = found?.status ?? 404;
			if (isRemoved) return { ...page, status: 'removed', statusCode };
			return { ...page, status: 'error', statusCode, error: 'The page cannot be read' };
		}
		// Lines are compared whole: a last one without its end would differ from itself.
		const now = { scrapeId: randomUUID(), markdown: `${found.markdown}\n` };
		known.set(url, now);
		const current = { ...page, currentScrapeId: now.scrapeId };
		if (!before) return { ...current, status: 'new' };
		if (before.markdown === now.markdown) return current;
		const diff = lineDiff(before.markdown, now.markdown);
		const { goal, judgeEnabled } = settings;
		const judgment = judgeEnabled && goal !== null ? judge(goal, diff) : null;
		return { ...current, status: 'changed', diff, judgment };
	}

	private tellPage(monitor: Monitor, { id: checkId }: Check, page: CheckPage): void {
		const { id, targetId, statusCode, metadata, snapshot, createdAt, ...found } = page;
		const isMeaningful = found.judgment?.meaningful ?? null;
		this.context.webhooks.send(monitor.teamId, monitor.settings.webhook, {
			type: 'monitor.page',
			id: checkId,
			success: found.status !== 'error',
			data: [{ monitorId: monitor.id, checkId, ...found, isMeaningful }],
			error: found.error ?? undefined,
		});
	}
}

/** The pages that a check reads: of a crawl its first one, and of a search none. */
function pagesOf(target: MonitorTarget): Set<string> {
	if (target.type === 'search') return new Set();
	return new Set(target.type === 'crawl' ? [target.url] : target.urls);
}

const judgeCredits = 1;

/** About what a check costs: each of its pages, changed and judged. */
export function checkEstimate({ targets, goal, judgeEnabled }: MonitorSettings): number {
	const each = 1 + (judgeEnabled && goal ? judgeCredits : 0);
	return targets.reduce((sum, target) => sum + pagesOf(target).size, 0) * each;
}

/** Judges a change: each line that came is meaningful, whatever the goal. */
function judge(goal: string, { json }: ReturnType<typeof lineDiff>) {
	const reason = `It may be about the goal: ${goal}`;
	const lines = json.files[0].chunks.flatMap((chunk) => chunk.lines);
	const added = lines.filter((line) => /^\+.*\S/.test(line)).map((line) => line.slice(1));
	const meaningfulChanges = added.map((after) => ({ type: 'added', before: null, after, reason }));
	return { meaningful: true, confidence: 'high', reason, meaningfulChanges };
}
