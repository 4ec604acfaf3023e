import type { Clock } from './clock.cjs';
import { ApiError } from './errors.cjs';

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
