import { jitter } from '../values/jitter';

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
	/** Whether it is not measured yet, but assumed: then it halves with each success. */
	private isAssumed = false;
	/** What was taken on before the first refusal, until a request that is sent after its pause is taken on or refused. */
	private takenAtFirst = 0;
	/** When it was measured, and the successes since then and since the last refusal. */
	private measuredAt = 0;
	private successesSinceMeasured = 0;
	private successesSinceRefused = 0;
	/** When the last request was due. Those that a pause held back are due already, `burst` of them at the most. */
	private lastSlotAt = 0;
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

	/** Whether nothing is known, or no longer. */
	get isUnlimited(): boolean {
		return this.limit === Infinity;
	}

	/** Whether the rate is still unknown after the first refusals: one request is sent, then a second. */
	get isTrying(): boolean {
		return this.takenAtFirst > 0;
	}

	hasRoom(inFlight: number): boolean {
		return this.allowance > 0 || inFlight < (this.isTrying ? probesInFlight : this.limit);
	}

	/** When the next request may be sent. */
	opensAt(now: number): number {
		return this.allowance > 0 ? 0 : this.lastSlotAt + this.spacing(now);
	}

	/** The measured spacing, which shrinks: slowly at first, faster with each success, and with time alone. */
	private spacing(now: number): number {
		if (this.isAssumed) return this.measuredSpacing / 2 ** this.successesSinceMeasured;
		const seconds = (now - this.measuredAt) / 1000;
		const age = Math.max(this.successesSinceMeasured, seconds / secondsLikeSuccess);
		return this.measuredSpacing * spacingFactor * Math.exp((-spacingDecay * age ** 2) / 2);
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
			this.lastSlotAt = Math.max(
				this.lastSlotAt + spacing,
				now - Math.min(burstWindow, this.burst * spacing),
			);
		}
	}

	/** A pause until a moment, which makes the pauses `longer` by so many milliseconds. */
	notePause(until: number, longer: number): void {
		this.pausedUntil = until;
		this.pausedFor += longer;
		this.sentSincePause = 0;
	}

	/** Leaves out time without requests, which says nothing about the service. */
	noteIdle(time: number): void {
		if (this.countedFrom !== undefined) this.countedFrom += time;
	}

	noteSuccess(now: number): void {
		if (this.isUnlimited) return;
		// A success within the known allowance says nothing about a higher rate.
		if (this.sentOfAllowance > 0) {
			this.sentOfAllowance -= 1;
			return;
		}
		if (this.isTrying) this.setSpacing(shortestNamed, now, true);
		this.takenAtFirst = 0;
		this.successesOfRound += 1;
		this.successesSinceMeasured += 1;
		this.successesSinceRefused += 1;
		this.burst += burstGrowth;
		if (this.limit >= this.threshold && this.successesOfRound < this.limit) return;
		this.successesOfRound = 0;
		this.limit += 1;
		if (this.limit > forgetAbove) Object.assign(this, new LearnedRate());
	}

	/** One more request was refused. */
	noteRefusal(): void {
		this.counted = Math.max(0, this.counted - 1);
		this.sentSincePause = Math.max(0, this.sentSincePause - 1);
		this.takenAtFirst = Math.max(0, this.takenAtFirst - 1);
		if (this.allowance > 1) this.allowance -= 1;
	}

	/** The first request after a pause was refused, too. */
	noteMiss(now: number): void {
		if (this.takenAtFirst >= enoughTaken) {
			// Little capacity returns at once: the service counts by the minute, and other clients share the limit.
			this.setSpacing(burstWindow / this.takenAtFirst / spacingFactor, now);
		}
		this.takenAtFirst = 0;
		// Jitter: other clients of the plan come back at the same moment.
		this.lastSlotAt = now + jitter() * this.spacing(now);
	}

	/** A refusal that seemed to hold for all was of one request alone: others are accepted at this spacing. */
	noteRefuted(): void {
		this.measuredSpacing /= 2;
	}

	/** The first refusal after successes, with so many requests in flight. */
	reduce({ pause, resets }: Pause, inFlight: number, now: number): void {
		const wasBurst = this.wasBurst(now);
		const isExplained = this.explains(now);
		this.successesOfRound = 0;
		this.successesSinceRefused = 0;
		this.limit = 1;
		if (resets) return this.expectWindow(now + pause);
		this.threshold = Math.max(1, Math.floor(inFlight / 2));
		this.allowance = 0;
		if (wasBurst) {
			this.burst = Math.max(1, this.sentSincePause);
			this.measuredAt = now;
			this.successesSinceMeasured = 0;
		} else if (isExplained) this.measure(now);
	}

	/** At the reset, allows at once as many as the last window did; beyond that, a slow start probes for more. */
	private expectWindow(reset: number): void {
		this.threshold = Infinity;
		this.measuredSpacing = 0;
		this.allowance = this.counted;
		this.sentOfAllowance = 0;
		this.counted = 0;
		this.countedFrom = reset;
	}

	/** Whether the known rate makes a refusal likely. One that it does not is unrelated to the rate, unless another has just come. */
	explains(now: number): boolean {
		if (this.measuredSpacing === 0) return true;
		return this.spacing(now) < this.measuredSpacing || this.successesSinceRefused < fewSuccesses;
	}

	/** Whether a refusal was of a burst after a pause, which was too large. */
	private wasBurst(now: number): boolean {
		const isAfterPause = now - this.pausedUntil < burstTime * this.spacing(now);
		const isLess = this.sentSincePause < this.burst - 1;
		return isAfterPause && this.counted > 0 && this.sentSincePause > 1 && isLess;
	}

	/** Measures the spacing by the requests accepted since the refusal before; where there are none, goes on counting. */
	private measure(now: number): void {
		if (this.countedFrom === undefined) {
			this.takenAtFirst = this.counted;
		} else {
			if (this.counted <= 0) return;
			const elapsed = now - this.countedFrom;
			// A token bucket refills in a pause, but not in an outage: half of the pause counts, unless it was most of the time.
			const time = this.pausedFor > elapsed / 4 ? elapsed : elapsed - this.pausedFor / 2;
			const found = time / this.counted;
			const longest = this.isAssumed ? Infinity : this.measuredSpacing * 2 || Infinity;
			this.setSpacing(Math.min(found, longest), now);
		}
		this.pausedFor = 0;
		this.countedFrom = now;
		this.counted = 0;
		this.lastSlotAt = now;
	}

	private setSpacing(spacing: number, now: number, isAssumed = false): void {
		this.measuredSpacing = spacing;
		this.isAssumed = isAssumed;
		this.measuredAt = now;
		this.successesSinceMeasured = 0;
	}
}

/** Spacing after a refusal, as a multiple of the measured one. */
const spacingFactor = 1.2;

/** How fast the spacing shrinks: by e^(-spacingDecay × successes² / 2). */
const spacingDecay = 0.0006;

/** Seconds that count as much as one success. */
const secondsLikeSuccess = 2;

/** Longest time, in milliseconds, whose unused slots may be sent as a burst: services count by the minute. */
const burstWindow = 60_000;

/** By how much the largest burst grows with each success. */
const burstGrowth = 0.1;

/** Requests in flight while the rate is unknown after first refusals. */
const probesInFlight = 2;

/** Spacing assumed once requests get through again, in milliseconds: services name whole seconds. */
const shortestNamed = 1_000;

/** Requests accepted before the first refusal from which the limit per minute is estimated. */
const enoughTaken = 4;

/** Spacings after a pause within which a refusal is taken for one of a burst. */
const burstTime = 2;

/** With fewer successes than these between two refusals, the second counts as one for the rate. */
const fewSuccesses = 5;

/** A limit that has grown above this is forgotten, with all else that was learned. */
const forgetAbove = 50;
