import type { Clock } from './clock.cjs';
import { ApiError } from './errors.cjs';
import type { RetryHint, Team } from './teams.cjs';

const windowMs = 60_000;

/** Per-minute windows and work slots of every team, shared by all its keys. */
export class Limits {
	private readonly windows = new Map<string, { start: number; count: number }>();
	private readonly taken = new Map<string, number>();

	constructor(private readonly clock: Clock) {}

	/** Counts a request; throws the 429 when the window is full. A window starts with its first request. */
	countRequest({ id, ratePerMinute: limit, retryHint }: Team): void {
		if (limit === undefined) return;
		const now = this.clock.now();
		const current = this.windows.get(id);
		const open = current && now < current.start + windowMs ? current : { start: now, count: 0 };
		this.windows.set(id, open);
		const left = open.start + windowMs - now;
		if (open.count >= limit) throw tooMany('Rate limit exceeded', retryHint, left);
		open.count++;
	}

	/** Takes one of the team's work slots and returns the function that gives it back; 429 when all are taken. */
	takeSlot({ id, concurrency, retryHint }: Team): () => void {
		const taken = this.taken.get(id) ?? 0;
		// A slot can become free at any time, so the hint is a short one.
		if (taken >= concurrency) {
			throw tooMany('Concurrency limit reached', retryHint, 1000);
		}
		this.taken.set(id, taken + 1);
		return () => void this.taken.set(id, (this.taken.get(id) ?? 0) - 1);
	}

	clear(): void {
		this.windows.clear();
	}
}

/** The 429 that says, in the team's way, how long to wait. */
function tooMany(error: string, hint: RetryHint, waitMs: number): ApiError {
	const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
	if (hint === 'details') return new ApiError(429, { error, details: { retryAfterSeconds } });
	return new ApiError(429, { error }, { 'retry-after': String(retryAfterSeconds) });
}
