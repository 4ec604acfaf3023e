import { jitter } from '../values/numbers';
import type { Rejection } from './outcome';

/** A sent request: its number in the order of sending, its time, and an ID that a retry retains. */
export type Sent = Record<'number' | 'at' | 'id', number> & { isSuspect?: boolean };

/** Requests per millisecond: the rate of a slow start, and the rate that counts as unlimited. */
const [startRate, freeRate] = [0.003, 0.1];

/**
 * The part of `lastMax` that a rejection leaves, and the age that restores it, where 2 s count like
 * one request.
 */
const [beta, recovery, timeLikeOne] = [0.85, 20, 2000];

/**
 * Highest conclusion from a measured rate, as its multiple: a slow start measures little, and
 * slowly.
 */
const headroom = { slowStart: 1.7, known: 1.3 };

/** Accepted requests after which a rejection below `lastMax` was not caused by the rate. */
const enoughBelow = 9;

/** Longest random delay of a retry in milliseconds. */
const longestBackoff = 60_000;

/**
 * Decides when the next request may be sent, by the accepted and the rejected (429) requests. A pure
 * class: its methods take the time in milliseconds. Initially everything may be sent.
 *
 * - **Suspicion**: a rejection may concern one request alone. The others continue one by one, until one is
 *   accepted, or not rejected within 1.5 times as long as the first was, or until two are rejected as well.
 * - **Pause**: then all wait as long as the service requests. Repeated rejections add a random delay that
 *   doubles.
 * - **Window**: if the service reports when its window resets, as many requests are sent at the reset as the
 *   last window accepted, and a slow start tests whether more are accepted.
 * - **Rate**: otherwise, a slow start doubles the rate with each accepted request, and after its end
 *
 *       rate = lastMax × beta ^ (1 − (age / recovery)²)    age: accepted requests since the rejection
 *       lastMax = min(rate, 1.3 × measured rate)           at each rejection
 *
 *   The rate falls to 85 %, recovers after 20 requests, and grows ever faster from there. A rejection below
 *   `lastMax` after some accepted requests is an outage: the rate continues near its last value.
 */
export class RateControl {
	pausedUntil = -Infinity;
	/** The last request that was sent, and the last before the last backoff. */
	lastNumber = 0;
	private lastBefore = 0;
	private lastSentAt = -Infinity;
	/** A doubtful rejection, the time to it, how many others there were, and the longest pause. */
	private suspicion?: { first: Sent; took: number; others: number; longest: Rejection };
	/**
	 * Requests that a window is known to allow, the last of them, and how many may be in flight
	 * beyond.
	 */
	private allowance = 0;
	private lastAllowed = 0;
	private inFlightLimit = Infinity;
	/** The rate. Without slow start, `lastMax` is the highest that is known to be accepted. */
	private lastMax = Infinity;
	private isSlowStart = false;
	private accepted = 0;
	private ageBefore = 0;
	private repeats = 0;
	private resumesAt = -Infinity;
	/** The measurement: requests sent and not rejected since a time, and pauses since then. */
	private counted = 0;
	private countedFrom = 0;
	private pausedFor = 0;

	/** Whether the rate was ever limited. */
	get wasLimited(): boolean {
		return this.lastBefore > 0;
	}

	/** Whether nothing was accepted since the last backoff. */
	get isBackingOff(): boolean {
		return this.wasLimited && this.accepted === 0;
	}

	/** Time of the next request; Infinity if it depends on a response. */
	nextAt(now: number, inFlight: number): number {
		const { pausedUntil, suspicion, lastSentAt } = this;
		if (suspicion) return Math.max(pausedUntil, lastSentAt + 1.5 * suspicion.took);
		if (this.allowance > 0) return pausedUntil;
		if (inFlight >= this.inFlightLimit) return Infinity;
		return Math.max(this.resumesAt, lastSentAt + 1 / this.rate(now));
	}

	onSent(now: number, id: number, isSuspect?: boolean): Sent {
		const { suspicion } = this;
		const later = suspicion ? this.lastNumber - suspicion.first.number - suspicion.others : 0;
		if (later > 0) this.suspicion = undefined;
		this.lastNumber += 1;
		this.lastSentAt = now;
		this.counted += 1;
		this.allowance = Math.max(0, this.allowance - 1);
		return { number: this.lastNumber, at: now, id, isSuspect };
	}

	onAccepted({ number }: Sent): void {
		if (this.suspicion && number > this.suspicion.first.number) this.suspicion = undefined;
		if (number <= this.lastAllowed) return;
		this.accepted += 1;
		this.inFlightLimit += 1;
	}

	onRejected(sent: Sent, rejection: Rejection, now: number): void {
		this.counted = Math.max(0, this.counted - 1);
		if (sent.number <= this.lastBefore) return this.pause(rejection, now);
		this.suspicion ??= { first: sent, took: now - sent.at, others: 0, longest: rejection };
		const { suspicion } = this;
		if (sent.id !== suspicion.first.id && sent.number > suspicion.first.number)
			suspicion.others += 1;
		if (rejection.pause > suspicion.longest.pause) suspicion.longest = rejection;
		if (rejection.endsWindow || rejection.isTrusted) return this.backOff(rejection, now);
		// Rejections come in the order of sending: requests sent between them were accepted.
		const passed = sent.number - suspicion.first.number - suspicion.others;
		// A request that is always rejected must not hold up the others.
		const proof = this.rate(now) > freeRate ? 2 : suspicion.first.isSuspect ? 1 : 0;
		if (passed > suspicion.others) this.suspicion = undefined;
		else if (suspicion.others >= Math.max(proof, 2 * passed)) this.backOff(suspicion.longest, now);
	}

	private backOff(rejection: Rejection, now: number): void {
		const { counted } = this;
		const { isTrusted = false } = rejection;
		const isRepeated = this.accepted === 0 && this.lastMax < Infinity;
		this.repeats = isRepeated ? this.repeats + 1 : 0;
		if (rejection.endsWindow) this.learn(Infinity, now + rejection.pause);
		else if (!isRepeated) this.onLimit(now);
		else if (this.isSlowStart && !isTrusted)
			this.lastMax = Math.max(1 / longestBackoff, this.lastMax / 4);
		this.pause(rejection, now);
		this.suspicion = undefined;
		this.accepted = 0;
		this.allowance = rejection.endsWindow ? counted : 0;
		this.inFlightLimit = rejection.endsWindow ? 1 : Infinity;
		this.lastBefore = this.lastNumber;
		this.lastAllowed = this.lastNumber + this.allowance;
		const delay = Math.min(longestBackoff, (2 ** this.repeats - 1) / this.rate(now));
		this.resumesAt = this.pausedUntil + (isTrusted ? 0 : jitter() * delay);
	}

	/** Infers the accepted rate from a rejection, the first after accepted requests. */
	private onLimit(now: number): void {
		const elapsed = Math.max(1, now - this.countedFrom);
		// A bucket fills in a pause, so pauses count if they were most of the time.
		const time = this.pausedFor > elapsed / 2 ? elapsed : elapsed - this.pausedFor;
		const measured = this.counted / time;
		const rate = this.rate(now);
		if (this.isSlowStart) return this.learn(Math.min(rate, headroom.slowStart * measured), now);
		if (rate < this.lastMax && this.accepted >= enoughBelow) {
			this.ageBefore = 0.7 * this.age(now);
		} else if (rate <= 4 * measured) {
			this.learn(Math.min(rate, headroom.known * measured), now);
		} else {
			this.learn(startRate, now);
			this.isSlowStart = true;
		}
	}

	/** Begins a new measurement. */
	private learn(lastMax: number, now: number): void {
		this.lastMax = lastMax;
		this.isSlowStart = false;
		this.ageBefore = 0;
		[this.counted, this.countedFrom, this.pausedFor] = [0, now, 0];
	}

	private rate(now: number): number {
		if (this.isSlowStart) return this.lastMax * 2 ** this.accepted;
		return this.lastMax * beta ** (1 - (this.age(now) / recovery) ** 2);
	}

	private age(now: number): number {
		return this.ageBefore + Math.max(this.accepted, (now - this.resumesAt) / timeLikeOne);
	}

	private pause({ pause }: Rejection, now: number): void {
		const until = now + Math.ceil(pause);
		this.pausedFor += Math.max(0, until - Math.max(now, this.pausedUntil));
		this.pausedUntil = Math.max(this.pausedUntil, until);
	}
}
