import type { Clock } from './clock.cjs';
import { ApiError } from './errors.cjs';
import type { RetryHint, Team } from './teams.cjs';

const windowMs = 60_000;

/** Per-minute windows and work slots of every team, shared by all its keys. */
export class Limits {
	private readonly windows = new Map<string, { start: number; count: number }>();
	private readonly slots = new Map<string, { busy: number; queue: Array<() => void> }>();

	constructor(private readonly clock: Clock) {}

	/** Counts a request; throws the 429 when the window is full. A window starts with its first request. */
	countRequest(team: Team, group: string): void {
		const limit = team.ratePerMinute[group];
		if (limit === undefined) return;
		const now = this.clock.now();
		const id = `${team.id} ${group}`;
		const current = this.windows.get(id);
		const open = current && now < current.start + windowMs ? current : { start: now, count: 0 };
		this.windows.set(id, open);
		const left = open.start + windowMs - now;
		if (open.count >= limit) throw tooMany('Rate limit exceeded', team.retryHint, left, now);
		open.count++;
	}

	/** Takes one of the team's work slots and returns the function that gives it back; 429 when all are taken. */
	takeSlot(team: Team): () => void {
		const slots = this.slotsOf(team);
		if (slots.busy >= team.concurrency) {
			// A slot can become free at any time, so the hint is a short one.
			throw tooMany('Concurrency limit reached', team.retryHint, 1000, this.clock.now());
		}
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

/** The 429 that says, in the team's way, how long to wait. */
function tooMany(error: string, hint: RetryHint, waitMs: number, now: number): ApiError {
	const seconds = Math.max(1, Math.ceil(waitMs / 1000));
	const until = new Date(now + waitMs);
	const text = `${error}, please retry after ${seconds}s, resets at ${until.toString()}`;
	const headers: Record<string, string> = {};
	if (hint === 'header') headers['retry-after'] = String(seconds);
	if (hint === 'date') headers['retry-after'] = until.toUTCString();
	const details = hint === 'details' && { details: { retryAfterSeconds: seconds } };
	return new ApiError(429, { error: hint === 'text' ? text : error, ...details }, headers);
}
