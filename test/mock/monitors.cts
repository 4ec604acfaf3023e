import { Cron } from 'croner';
import { randomUUID } from 'node:crypto';

import type { Context } from './context.cjs';
import { ApiError } from './errors.cjs';
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
	error: string | null = null;
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
	scrapeId: string | null;
	markdown: string;
}

/** A monitor with its checks, oldest first, and what it remembers of its pages. */
export class Monitor {
	readonly id = randomUUID();
	status: 'active' | 'paused' = 'active';
	updatedAt: number;
	nextRunAt?: number;
	readonly checks: Check[] = [];
	/** The check that has not ended. */
	current?: Check;
	/** The last one that has come to its end. */
	last?: Check;
	/** By address. */
	readonly known = new Map<string, KnownPage>();
	/** Resolves when the work of every check so far is done. */
	worked: Promise<void> = Promise.resolve();
	/** Ends the wait for the next scheduled check. */
	ahead = new AbortController();
	/** Aborted when the monitor is gone: its check stops where it is. */
	readonly gone = new AbortController();

	constructor(
		readonly teamId: string,
		public settings: MonitorSettings,
		readonly createdAt: number,
	) {
		this.updatedAt = createdAt;
	}

	end(): void {
		this.ahead.abort();
		this.gone.abort();
	}
}

/** Every team's monitors, and what runs their checks on the service's clock. */
export class Monitors {
	readonly all: Monitor[] = [];
	/** What a check takes on the clock at least; its work itself takes none. */
	durationMs = 0;

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
		monitor.end();
		this.all.splice(this.all.indexOf(monitor), 1);
	}

	/** Begins a check; its work goes on behind the answer. */
	run(monitor: Monitor, requestId: string, scheduledFor?: number): Check {
		const trigger = scheduledFor === undefined ? 'manual' : 'scheduled';
		const check = new Check(trigger, scheduledFor, checkEstimate(monitor.settings), this.now);
		monitor.checks.push(check);
		monitor.current = check;
		const work = monitor.worked.then(() => this.work(monitor, check, requestId));
		monitor.worked = work;
		void work.then(() => this.end(monitor, check));
		return check;
	}

	/** A monitor's checks, the newest first. */
	checksOf({ checks }: Monitor): Check[] {
		return [...checks].reverse();
	}

	/** Resolves when no check is at work; those that only wait for the end of `durationMs` do not count. */
	async idle(): Promise<void> {
		await Promise.all(this.all.map(({ worked }) => worked));
		await new Promise((resolve) => setImmediate(resolve));
	}

	/** Moves the clock to the next scheduled check, and resolves when it and its deliveries are done. */
	async toNextCheck(): Promise<void> {
		const times = this.all.flatMap(({ nextRunAt }) => nextRunAt ?? []);
		if (times.length === 0) throw new Error('No check is scheduled');
		const { clock, webhooks } = this.context;
		await clock.advance(Math.max(0, Math.min(...times) - clock.now()));
		await this.idle();
		await webhooks.idle();
	}

	clear(): void {
		for (const monitor of this.all) monitor.end();
		this.all.length = 0;
		this.durationMs = 0;
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
			this.run(monitor, randomUUID(), due);
		};
		this.context.clock
			.waitUntil(monitor.nextRunAt, monitor.ahead.signal)
			.then(ready, () => undefined);
	}

	/** Everything of a check but its end, which comes when its time on the clock is over. */
	private async work(monitor: Monitor, check: Check, requestId: string): Promise<void> {
		const { teams, ledger } = this.context;
		const { teamId } = monitor;
		if (monitor.gone.signal.aborted) return;
		check.startedAt = this.now;
		if (teams.get(teamId).credits - ledger.spent(teamId) < check.estimatedCredits) {
			check.status = 'skipped_no_credits';
			check.error = 'Monitor check skipped: insufficient credits.';
			return;
		}
		check.status = 'running';
		let credits = 0;
		for (const target of monitor.settings.targets) {
			for (const url of pagesOf(target)) {
				const { page, price } = await this.visit(monitor, target, url);
				if (monitor.gone.signal.aborted) return;
				credits += price;
				check.pages.push(page);
				this.tellPage(monitor, check, page);
			}
		}
		const endpoint = '/v2/monitor';
		if (credits > 0) ledger.charge({ teamId, requestId, jobId: check.id, endpoint, credits });
		check.actualCredits = credits;
	}

	/** Reads a page, compares it with what the last check read, and has a change judged where there is a goal. */
	private async visit(monitor: Monitor, target: MonitorTarget, url: string) {
		const { scraper, teams } = this.context;
		const { settings, known, teamId } = monitor;
		const before = known.get(url);
		const page: CheckPage = {
			...{ id: randomUUID(), targetId: target.id, url, status: 'same' },
			...{ previousScrapeId: before?.scrapeId ?? null, currentScrapeId: null },
			...{ statusCode: null, error: null, metadata: null, judgment: null },
			...{ diff: null, snapshot: null, createdAt: new Date(this.now).toISOString() },
		};
		const options = { maxAge: 0, formats: [{ type: 'markdown' as const }] };
		const task = { url, options, team: teams.get(teamId) };
		const scraped = await scraper.scrape(task).catch((error: unknown) => {
			if (!(error instanceof ApiError)) throw error;
			page.error = error.message;
		});
		if (!scraped) return { page: { ...page, status: 'error' as const }, price: 1 };
		const { metadata, markdown } = scraped.document;
		const { statusCode, scrapeId = null } = metadata;
		Object.assign(page, { statusCode, currentScrapeId: scrapeId });
		if (statusCode >= 400) {
			const isRemoved = known.delete(url);
			page.status = isRemoved ? 'removed' : 'error';
			page.error = isRemoved ? null : (metadata.error ?? null);
			return { page, price: isRemoved ? 0 : 1 };
		}
		// Lines are compared whole: a last one without its end would differ from itself.
		const now = { scrapeId, markdown: `${markdown ?? ''}\n` };
		known.set(url, now);
		if (!before || before.markdown === now.markdown) {
			page.status = before ? 'same' : 'new';
			return { page, price: scraped.credits };
		}
		page.status = 'changed';
		page.diff = lineDiff(before.markdown, now.markdown);
		const { goal, judgeEnabled } = settings;
		if (judgeEnabled && goal !== null) page.judgment = judge(goal, page.diff);
		return { page, price: scraped.credits + (page.judgment ? judgeCredits : 0) };
	}

	private async end(monitor: Monitor, check: Check): Promise<void> {
		const left = (check.startedAt ?? this.now) + this.durationMs - this.now;
		const { clock, webhooks } = this.context;
		if (left > 0) await clock.wait(left, monitor.gone.signal).catch(() => undefined);
		if (monitor.gone.signal.aborted) return;
		check.finishedAt = this.now;
		if (monitor.current === check) monitor.current = undefined;
		if (check.status === 'skipped_no_credits') return;
		monitor.last = check;
		const { id: checkId, summary } = check;
		const failed = summary.error === summary.totalPages ? 'failed' : 'partial';
		check.status = summary.error === 0 ? 'completed' : failed;
		webhooks.send(monitor.teamId, monitor.settings.webhook, {
			type: 'monitor.check.completed',
			id: checkId,
			success: summary.error === 0,
			data: [{ monitorId: monitor.id, checkId, status: check.status, summary }],
		});
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

/** Judges a change: each line that came or went is meaningful, whatever the goal. */
function judge(goal: string, { json }: ReturnType<typeof lineDiff>) {
	const reason = `It may be about the goal: ${goal}`;
	const lines = json.files[0].chunks.flatMap((chunk) => chunk.lines);
	const meaningfulChanges = lines.flatMap((line) => {
		const text = line.slice(1);
		if (text.trim() === '') return [];
		if (line.startsWith('+')) return { type: 'added', before: null, after: text, reason };
		return line.startsWith('-') ? { type: 'removed', before: text, after: null, reason } : [];
	});
	return { meaningful: true, confidence: 'high', reason, meaningfulChanges };
}
