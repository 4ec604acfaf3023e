/** A refusal for the rate, and the pause that it asks for, in milliseconds. */
export interface Pause {
	pause: number;
	/** Whether a window of the service's ends with the pause: then all of its requests are allowed again. */
	resets: boolean;
}

/**
 * What a service takes on, as its refusals and answers tell: how many requests in flight, how many in
 * a window, and how far apart. Nothing is known at first, and everything is let through. Times in
 * milliseconds. Why it is so: docs/rate-limits.md.
 */
export class LearnedRate {
	/** Most requests in flight. */
	private limit = Infinity;
	/** Up to here the limit grows with every success (slow start), above it with every full round of them. */
	private threshold = Infinity;
	private successesOfRound = 0;
	/** Requests that are left of what the service's window is known to allow, and sent ones that have not succeeded yet. */
	private allowance = 0;
	private sentOfAllowance = 0;
	/** From one request to the next, as it was measured; 0 where it was not. */
	private measuredSpacing = 0;
	/** When it was measured, and the successes since then and since the last refusal. */
	private measuredAt = 0;
	private successesSinceMeasured = 0;
	private successesSinceRefused = 0;
	/** When the last request was due. Those that a pause held back are due already, `burst` of them at the most. */
	private due = 0;
	private burst = Infinity;
	/** Sent and not refused since `countedFrom`, a refusal or the begin of a window, and the pauses meanwhile. */
	private counted = 0;
	private countedFrom?: number;
	private pausedFor = 0;
	/** The end of the last pause, and how many were sent since. */
	private pausedUntil = 0;
	private sentSincePause = 0;

	/** The same knowledge, to go back to. */
	copy(): LearnedRate {
		return Object.assign(new LearnedRate(), this);
	}

	/** Whether nothing is known, or not any more. */
	get isUnlimited(): boolean {
		return this.limit === Infinity;
	}

	hasRoom(inFlight: number): boolean {
		return this.allowance > 0 || inFlight < this.limit;
	}

	/** When the next request may be sent. */
	opensAt(now: number): number {
		return this.allowance > 0 ? 0 : this.due + this.spacing(now);
	}

	/** What was measured and then shrinks: slowly while it is fresh, ever faster with each success, and with the time alone. */
	private spacing(now: number): number {
		const seconds = (now - this.measuredAt) / 1000;
		const age = Math.max(this.successesSinceMeasured, seconds / secondsLikeSuccess);
		return this.measuredSpacing * slowdown * Math.exp((-quickening * age ** 2) / 2);
	}

	noteSent(now: number): void {
		this.counted += 1;
		this.sentSincePause += 1;
		if (this.allowance > 0) {
			this.allowance -= 1;
			this.sentOfAllowance += 1;
		}
		const spacing = this.spacing(now);
		if (spacing > 0) {
			this.due = Math.max(this.due + spacing, now - Math.min(longestSaving, this.burst * spacing));
		}
	}

	/** A pause until a moment, by which pauses became so much longer. */
	notePause(until: number, longer: number): void {
		this.pausedUntil = until;
		this.pausedFor += longer;
		this.sentSincePause = 0;
	}

	/** Nobody asked for anything: that tells nothing of the service. */
	noteIdle(time: number): void {
		if (this.countedFrom !== undefined) this.countedFrom += time;
	}

	noteSuccess(): void {
		if (this.isUnlimited) return;
		// What was known to be allowed says nothing of what more there is.
		if (this.sentOfAllowance > 0) {
			this.sentOfAllowance -= 1;
			return;
		}
		this.successesOfRound += 1;
		this.successesSinceMeasured += 1;
		this.successesSinceRefused += 1;
		this.burst += burstGrowth;
		if (this.limit >= this.threshold && this.successesOfRound < this.limit) return;
		this.successesOfRound = 0;
		this.limit += 1;
		if (this.limit > forgetAbove) Object.assign(this, new LearnedRate());
	}

	/** One more refusal of requests that were sent before the last was known. */
	noteRefusal(): void {
		this.counted = Math.max(0, this.counted - 1);
		if (this.allowance > 1) this.allowance -= 1;
	}

	/** The first refusal after successes, with so many requests in flight. */
	reduce({ pause, resets }: Pause, inFlight: number, now: number): void {
		const wasBurst = this.wasBurst(now);
		const isExplained = this.explains(now);
		this.counted -= 1;
		this.successesOfRound = 0;
		this.successesSinceRefused = 0;
		this.limit = 1;
		if (resets) return this.expectWindow(now + pause);
		this.threshold = Math.max(1, Math.floor(inFlight / 2));
		this.allowance = 0;
		if (wasBurst) {
			this.burst = Math.max(1, this.sentSincePause - 1);
			this.measuredAt = now;
			this.successesSinceMeasured = 0;
		} else if (isExplained) this.measure(now);
	}

	/** At the reset as many may go at once as the window before allowed; beyond that a slow start finds what more there is. */
	private expectWindow(reset: number): void {
		this.threshold = Infinity;
		this.measuredSpacing = 0;
		this.allowance = this.counted;
		this.sentOfAllowance = 0;
		this.counted = 0;
		this.countedFrom = reset;
	}

	/** Whether what was known makes a refusal likely. One that it does not is no matter of the rate, unless another has just been. */
	explains(now: number): boolean {
		if (this.measuredSpacing === 0) return true;
		return this.spacing(now) < this.measuredSpacing || this.successesSinceRefused < fewSuccesses;
	}

	/** Whether it was one too many of those that made up for a pause. */
	private wasBurst(now: number): boolean {
		const isAfterPause = now - this.pausedUntil < burstTime * this.spacing(now);
		return isAfterPause && this.counted > 0 && this.sentSincePause > 2;
	}

	/** Measures the spacing by what was taken on since the refusal before; where that is nothing, the count goes on. */
	private measure(now: number): void {
		if (this.countedFrom !== undefined) {
			if (this.counted <= 0) return;
			const elapsed = now - this.countedFrom;
			// A pause fills a bucket as well, but an outage does not: half of it counts, unless it was most of the time.
			const time = this.pausedFor > elapsed / 4 ? elapsed : elapsed - this.pausedFor / 2;
			const found = time / this.counted;
			this.measuredSpacing = Math.min(found, this.measuredSpacing * 2 || Infinity);
		}
		this.pausedFor = 0;
		this.countedFrom = now;
		this.counted = 0;
		this.due = now;
		this.measuredAt = now;
		this.successesSinceMeasured = 0;
	}
}

/** How much further apart requests are after a refusal than the service was measured to take them. */
const slowdown = 1.2;

/** How fast the spacing shrinks: by e^(-quickening × successes² / 2). */
const quickening = 0.0006;

/** So many seconds count as much as a success. */
const secondsLikeSuccess = 2;

/** Longest time whose unused places are made up for at once: services count by the minute. */
const longestSaving = 60_000;

/** By how much more may be made up for at once, with each success. */
const burstGrowth = 0.1;

/** A refusal within so many spacings after a pause is of a burst. */
const burstTime = 2;

/** With fewer successes between two refusals, the second is a matter of the rate. */
const fewSuccesses = 5;

/** A limit that has grown this wide is forgotten, and what else was known with it. */
const forgetAbove = 50;
