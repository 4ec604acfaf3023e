import type { Clock } from './clock.cjs';
import { ApiError } from './errors.cjs';
import type { RetryHint, Team } from './teams.cjs';

/** Endpoints that share one per-minute limit. */
export type RateGroup =
	| 'agent'
	| 'agentStatus'
	| 'crawl'
	| 'crawlStatus'
	| 'developer'
	| 'interact'
	| 'interactExecute'
	| 'interactReplay'
	| 'map'
	| 'monitor'
	| 'parse'
	| 'research'
	| 'scrape'
	| 'scrapeStatus'
	| 'search'
	| 'support'
	| 'team';

const windowMs = 60_000;

/** Per-minute windows and work slots of every team, shared by all its keys. */
export class Limits {
	private readonly windows = new Map<string, { start: number; count: number }>();
	private readonly slots = new Map<string, { busy: number; queue: Array<() => void> }>();

	constructor(private readonly clock: Clock) {}

	/** Counts a request; throws the 429 when the window is full. A window starts with its first request. */
	countRequest(team: Team, group: RateGroup): void {
		const limit = team.ratePerMinute[group];
		if (limit === undefined) return;
		const now = this.clock.now();
		const id = `${team.id} ${group}`;
		const current = this.windows.get(id);
		const open = current && now < current.start + windowMs ? current : { start: now, count: 0 };
		this.windows.set(id, open);
		if (open.count >= limit)
			throw rateLimited(team.retryHint, open.count, open.start + windowMs, now);
		open.count++;
	}

	/** Takes one of the team's work slots and returns the function that gives it back; 429 when all are taken. */
	takeSlot(team: Team): () => void {
		const slots = this.slotsOf(team);
		if (slots.busy >= team.concurrency) throw concurrencyLimited(team.retryHint, this.clock.now());
		slots.busy++;
		return () => this.giveBack(slots);
	}

	/** Takes a slot as soon as one is free: the pages of jobs queue. Rejects when aborted. */
	async awaitSlot(team: Team, signal: AbortSignal): Promise<() => void> {
		const slots = this.slotsOf(team);
		if (slots.busy < team.concurrency) {
			slots.busy++;
		} else {
			await new Promise<void>((resolve, reject) => {
				const admit = (): void => {
					signal.removeEventListener('abort', leave);
					resolve();
				};
				const leave = (): void => {
					slots.queue.splice(slots.queue.indexOf(admit), 1);
					reject(signal.reason);
				};
				slots.queue.push(admit);
				signal.addEventListener('abort', leave, { once: true });
			});
		}
		return () => this.giveBack(slots);
	}

	usage(team: Team): { active: number; waiting: number } {
		const slots = this.slotsOf(team);
		return { active: slots.busy, waiting: slots.queue.length };
	}

	clear(): void {
		this.windows.clear();
	}

	private slotsOf(team: Team): { busy: number; queue: Array<() => void> } {
		const slots = this.slots.get(team.id) ?? { busy: 0, queue: [] };
		this.slots.set(team.id, slots);
		return slots;
	}

	private giveBack(slots: { busy: number; queue: Array<() => void> }): void {
		const next = slots.queue.shift();
		if (next) next();
		else slots.busy--;
	}
}

function rateLimited(hint: RetryHint, consumed: number, resetsAt: number, now: number): ApiError {
	const seconds = Math.max(1, Math.ceil((resetsAt - now) / 1000));
	const text =
		hint === 'text'
			? `Rate limit exceeded. Consumed (req/min): ${consumed}, Remaining (req/min): 0. ` +
				`Upgrade your plan for increased rate limits or please retry after ${seconds}s, ` +
				`resets at ${new Date(resetsAt).toString()}`
			: 'Rate limit exceeded';
	return tooMany(text, hint, seconds, now);
}

/** A slot can become free at any time, so the hint is a short one. */
function concurrencyLimited(hint: RetryHint, now: number): ApiError {
	const text = 'Concurrency limit reached';
	return tooMany(hint === 'text' ? `${text}, please retry after 1s` : text, hint, 1, now);
}

function tooMany(error: string, hint: RetryHint, seconds: number, now: number): ApiError {
	const headers: Record<string, string> = {};
	if (hint === 'header') headers['retry-after'] = String(seconds);
	if (hint === 'date') headers['retry-after'] = new Date(now + seconds * 1000).toUTCString();
	const details = hint === 'details' ? { details: { retryAfterSeconds: seconds } } : {};
	return new ApiError(429, { error, ...details }, headers);
}

export interface KeylessCaps {
	requestsPerDay: number;
	creditsPerDay: number;
}

const dayMs = 86_400_000;

/** The free tier without a key: small daily caps for the one caller that a loopback service has. */
export class Keyless {
	private day = 0;
	private requests = 0;
	private credits = 0;

	constructor(
		private readonly clock: Clock,
		private readonly caps: () => KeylessCaps | undefined,
	) {}

	/** Counts a request of today; throws the 429 when one of the caps is spent. */
	admit(): void {
		const now = this.clock.now();
		const today = Math.floor(now / dayMs);
		if (today !== this.day) Object.assign(this, { day: today, requests: 0, credits: 0 });
		const caps = this.caps();
		if (!caps) return;
		const spent =
			this.requests >= caps.requestsPerDay
				? 'requests'
				: this.credits >= caps.creditsPerDay && 'credits';
		if (spent) {
			throw new ApiError(429, {
				error: `The free ${spent} of today are spent. Create an API key to go on.`,
				reason: spent,
				retry_after_seconds: Math.ceil(((today + 1) * dayMs - now) / 1000),
			});
		}
		this.requests++;
	}

	charge(credits: number): void {
		this.credits += credits;
	}

	clear(): void {
		this.requests = this.credits = 0;
	}
}
