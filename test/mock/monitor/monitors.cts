import type { Context } from '../context.cjs';
import { checkEstimate } from '../prices.cjs';
import { CheckRun } from './checkRun.cjs';
import {
	Check,
	type CheckPage,
	Monitor,
	type MonitorSettings,
	nextRun,
	summaryOf,
} from './monitor.cjs';

const dayMs = 86_400_000;

/** Every team's monitors, and what runs their checks on the service's clock. */
export class Monitors {
	readonly all: Monitor[] = [];
	/** What a check takes on the clock at least; its work itself takes none. */
	durationMs = 0;
	private readonly underWay = new Set<Promise<void>>();

	constructor(private readonly context: Context) {}

	of(teamId: string): Monitor[] {
		return this.all.filter((monitor) => monitor.teamId === teamId).reverse();
	}

	find(teamId: string, id: string): Monitor | undefined {
		return this.all.find((monitor) => monitor.id === id && monitor.teamId === teamId);
	}

	create(teamId: string, settings: MonitorSettings): Monitor {
		const monitor = new Monitor(teamId, settings, this.now);
		this.all.push(monitor);
		this.schedule(monitor);
		return monitor;
	}

	/** Changes a monitor; pages of targets that keep their id are compared with what they were before. */
	update(monitor: Monitor, settings: MonitorSettings, status: Monitor['status']): void {
		Object.assign(monitor, { settings, status, updatedAt: this.now });
		const kept = new Set(settings.targets.map(({ id }) => id));
		for (const [key, { targetId }] of monitor.known) {
			if (!kept.has(targetId)) monitor.known.delete(key);
		}
		this.schedule(monitor);
	}

	delete(monitor: Monitor): void {
		monitor.end();
		this.all.splice(this.all.indexOf(monitor), 1);
	}

	run(monitor: Monitor, requestId: string): Check {
		const check = this.queue(monitor, 'manual');
		this.begin(monitor, check, requestId);
		return check;
	}

	checksOf({ checks, settings }: Monitor): Check[] {
		const since = this.now - settings.retentionDays * dayMs;
		return checks.filter(({ createdAt }) => createdAt > since).reverse();
	}

	/** Resolves when no check is at work; those that only wait for the end of `durationMs` do not count. */
	async idle(): Promise<void> {
		while (this.underWay.size > 0) {
			await Promise.all(this.underWay);
			await new Promise((resolve) => setImmediate(resolve));
		}
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

	private schedule(monitor: Monitor): void {
		const ahead = monitor.reschedule();
		if (monitor.status === 'active') void this.watch(monitor, ahead);
	}

	/** The next wait begins before the check does: the clock may be on its way past several of them. */
	private async watch(monitor: Monitor, ahead: AbortSignal): Promise<void> {
		const due = nextRun(monitor.settings.schedule, this.now);
		monitor.nextRunAt = due;
		const { clock } = this.context;
		const ended = await clock.waitUntil(due, ahead).then(
			() => false,
			() => true,
		);
		if (ended) return;
		void this.watch(monitor, ahead);
		this.runScheduled(monitor, due);
	}

	/** A check whose time on the clock is not over makes this one an overlap; one late in fact does not. */
	private runScheduled(monitor: Monitor, due: number): void {
		const { current } = monitor;
		const check = this.queue(monitor, 'scheduled', due);
		const overlaps = current && this.now < (current.startedAt ?? this.now) + this.durationMs;
		if (overlaps) this.finish(monitor, check, 'skipped_overlap');
		else this.begin(monitor, check, check.id, current?.done);
	}

	private queue(monitor: Monitor, trigger: Check['trigger'], scheduledFor?: number): Check {
		const estimate = checkEstimate(monitor.settings);
		const check = new Check(trigger, scheduledFor, estimate, this.now);
		monitor.checks.push(check);
		return check;
	}

	private begin(monitor: Monitor, check: Check, requestId: string, before?: Promise<void>): void {
		monitor.current = check;
		const work = Promise.resolve(before).then(() => this.work(monitor, check, requestId));
		this.underWay.add(work);
		check.done = work.then(() => this.end(monitor, check));
		void work.finally(() => this.underWay.delete(work));
	}

	/** Everything of a check but its end, which comes when its time on the clock is over. */
	private async work(monitor: Monitor, check: Check, requestId: string): Promise<void> {
		const { teams, ledger } = this.context;
		const { teamId } = monitor;
		if (monitor.deleted.aborted) return;
		check.startedAt = check.updatedAt = this.now;
		if (teams.get(teamId).credits - ledger.spent(teamId) < check.estimatedCredits) {
			check.status = 'skipped_no_credits';
			check.error = 'Monitor check skipped: insufficient credits.';
			return;
		}
		check.status = 'running';
		check.reservedCredits = check.estimatedCredits;
		check.billingStatus = 'reserved';
		const run = new CheckRun(this.context, monitor, check, (page) =>
			this.tellPage(monitor, check, page),
		);
		try {
			await run.visit();
		} catch (error) {
			check.error = error instanceof Error ? error.message : String(error);
		}
		if (monitor.deleted.aborted) return;
		const { credits } = run;
		const endpoint = '/v2/monitor';
		if (credits > 0) ledger.charge({ teamId, requestId, jobId: check.id, endpoint, credits });
		check.actualCredits = credits;
	}

	private async end(monitor: Monitor, check: Check): Promise<void> {
		const { clock } = this.context;
		const left = (check.startedAt ?? this.now) + this.durationMs - this.now;
		if (left > 0) await clock.wait(left, monitor.deleted).catch(() => undefined);
		if (monitor.deleted.aborted) return;
		if (check.status === 'skipped_no_credits') return this.finish(monitor, check, check.status);
		const { error, actualCredits } = check;
		const failed = check.pages.filter((page) => page.status === 'error').length;
		const partly = failed > 0 && failed < check.pages.length;
		monitor.lastRunAt = check.startedAt;
		monitor.lastCheckSummary = summaryOf(check.pages);
		check.billingStatus = actualCredits ? 'confirmed' : 'released';
		const whole = error === null && failed === 0 ? 'completed' : 'failed';
		this.finish(monitor, check, error === null && partly ? 'partial' : whole);
	}

	private finish(monitor: Monitor, check: Check, status: Check['status']): void {
		Object.assign(check, { status, finishedAt: this.now, updatedAt: this.now });
		if (monitor.current === check) monitor.current = undefined;
		if (status === 'skipped_no_credits') return;
		const { id } = check;
		const summary = summaryOf(check.pages);
		const { teamId, settings } = monitor;
		this.context.webhooks.send(teamId, settings.webhook, {
			type: 'monitor.check.completed',
			id,
			success: summary.error === 0 && check.error === null,
			data: [{ monitorId: monitor.id, checkId: id, status, summary }],
			error: check.error ?? undefined,
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
