/** A plan: a bucket that holds a minute's requests and fills evenly, and how many may be at work at once. */
export interface Plan {
	perMinute: number;
	inFlight: number;
}

/** Counts requests against a plan. Times in milliseconds. */
export class Bucket {
	/** Requests at work. */
	private busy = 0;
	private tokens: number;
	private filledAt: number;

	constructor(
		private readonly plan: Plan,
		now: number,
	) {
		this.tokens = plan.perMinute;
		this.filledAt = now;
	}

	/** Takes a request on, or says how long it is until there is room for one. */
	take(now: number): 'taken' | { wait: number } {
		const { perMinute, inFlight } = this.plan;
		const each = 60_000 / perMinute;
		this.tokens = Math.min(perMinute, this.tokens + (now - this.filledAt) / each);
		this.filledAt = now;
		if (this.tokens < 1) return { wait: (1 - this.tokens) * each };
		if (this.busy >= inFlight) return { wait: 1000 };
		this.tokens -= 1;
		this.busy += 1;
		return 'taken';
	}

	/** A request that was taken on is done. */
	giveBack(): void {
		this.busy -= 1;
	}
}

/** The shortest time in which a plan lets so many requests through, in milliseconds: a full bucket at once, the others as it fills. */
export const shortestTime = (requests: number, { perMinute }: Plan) =>
	(Math.max(0, requests - perMinute) * 60_000) / perMinute;
