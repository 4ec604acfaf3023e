import { heldUp, PauseTooLong, type Failure } from '../errors/response';
import { settle } from '../values/outcome';
import { delay, monotonicNow, jitter } from '../values/time';

/** First and highest concurrency. */
export const [initialConcurrency, maxConcurrency] = [5, 50];

/** Bytes of concurrent responses: of 100 MB, as each is held as bytes, as text of two bytes a character, and as data. */
const memoryBudget = 100_000_000 / 4;

/** Milliseconds between requests: the first, after a limit, and the most, unless a pause was longer. */
const [firstSpacing, longestSpacing] = [50, 1_000];

/** Factors of the spacing for an accepted request and one too early. It settles at one in forty: 0.9965⁴⁰ × 1.15 = 1. */
const [faster, slower] = [0.9965, 1.15];

/** A response's effect on the limits; `pause` in milliseconds. */
export type Effect =
	| { kind: 'accepted'; bytes: number }
	| { kind: 'rejected'; pause: number; endsWindow: boolean; isNamed: boolean; failure: Failure }
	| { kind: 'overloaded' | 'unrelated' };

/** The wait of a request for its turn. Times in milliseconds, of the monotonic clock. */
export interface Turn {
	/** Its position in the queue, which a retry retains. */
	queuePosition: number;
	/** Earliest time of a retry, latest after a pause, and latest without one, too; Infinity for none. */
	notBefore: number;
	latest: number;
	deadline: number;
	signal?: AbortSignal;
}

/** Ends a request, once. */
export type Release = (effect: Effect) => void;

/**
 * Limits the requests of this process that have one credential, and that the service counts together.
 *
 * - **Concurrency**: 5 in flight at first, one more for each accepted while all slots are used, half as many after an
 *   overload (502 to 504), fewer for large responses. Of all bounds the lowest holds.
 * - **Limit**: since the last accepted, 429s of at least two requests and a quarter of those in flight; or one that names
 *   the reset of a window, not only a delay. With fewer, each rejected request only waits itself.
 * - **Pause**: at a limit all wait for the time that the service states, or 0.6 s, growing to 10 s while nothing is
 *   accepted. Then one is in flight, the probe, and one more for each accepted from it on.
 * - **Window**: if n were accepted in the window that has ended and k in this one, at most n - k are in flight; from
 *   k = n on 1 + k - n, since it may have grown.
 * - **Spacing**: the time between two requests, from a limit without a named reset on. Each accepted shortens it; what
 *   came too early lengthens it: a rejection without a limit, or a limit right behind the probe.
 */
export class Limiter {
	private readonly waiting: Array<Turn & { wake?(): void }> = [];
	private usedAt = monotonicNow();
	private inFlight = 0;
	private concurrency = initialConcurrency;
	private usualBytes = 1;
	/** Number of requests sent so far, before the last limit, when all slots were used, and before the last overload. */
	private sent = 0;
	private sentBefore = 0;
	private fullAt = 0;
	private halvedAt = 0;
	/** The requests rejected in a row, by position; the number of the first, and the end of their pauses. */
	private row = { positions: new Set<number>(), first: 0, until: 0 };
	/** The last pause, and how often it was repeated because nothing was accepted after it. */
	private pause = { until: -Infinity, failure: heldUp().failure, repeats: 0 };
	/** Requests accepted since the last limit, and in all of the last window of the service. */
	private accepted = 0;
	private perWindow = Infinity;
	private spacing = 0;
	private longestSpacing = longestSpacing;
	private nextAt = -Infinity;

	/** Whether to drop it: unused for ten minutes, or never refused while another is used. */
	isDropped(isWanted: boolean): boolean {
		if (this.inFlight > 0 || this.waiting.length > 0) return false;
		return monotonicNow() > this.usedAt + 10 * 60_000 || !(isWanted || this.sentBefore > 0);
	}

	/** Most items in progress: with requests in flight, or waiting for a retry of their own. */
	get itemLimit(): number {
		const now = monotonicNow();
		if (now < this.pause.until) return this.slots;
		return this.slots + this.waiting.filter(({ notBefore }) => notBefore > now).length;
	}

	private get slots(): number {
		return Math.max(1, Math.floor(Math.min(this.concurrency, memoryBudget / this.usualBytes)));
	}

	/** Time of the next request; Infinity if it depends on a response. */
	private get readyAt(): number {
		const ramp = this.sentBefore === 0 ? Infinity : this.accepted + 1;
		const left = this.perWindow - this.accepted;
		const inWindow = left > 0 ? left : 1 - left;
		if (this.inFlight >= Math.min(this.slots, ramp, inWindow)) return Infinity;
		// What probes the end of a pause is not spaced.
		return this.accepted === 0 ? this.pause.until : Math.max(this.pause.until, this.nextAt);
	}

	/** Waits for a turn; returns what to call with the effect. @throws PauseTooLong, or the signal's reason */
	async acquire(given: Turn): Promise<Release> {
		const turn: (typeof this.waiting)[number] = { ...given };
		const { queuePosition, notBefore, latest, deadline, signal } = turn;
		const behind = this.waiting.findIndex((other) => other.queuePosition > queuePosition);
		this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, turn);
		try {
			for (;;) {
				signal?.throwIfAborted();
				const now = monotonicNow();
				if (now >= deadline) throw heldUp();
				const { until, failure } = this.pause;
				if (until > Math.max(now, Math.min(latest, deadline)))
					throw new PauseTooLong(until - now, failure);
				const isNext = this.next(now) === turn;
				const readyAt = isNext ? this.readyAt : now < notBefore ? notBefore : Infinity;
				if (readyAt <= now) return this.onSent(queuePosition);
				const wakes = new AbortController();
				turn.wake = () => wakes.abort();
				signal?.addEventListener('abort', turn.wake, { signal: wakes.signal });
				await settle(delay(Math.ceil(Math.min(readyAt, deadline) - now), wakes.signal));
				turn.wake();
			}
		} finally {
			this.waiting.splice(this.waiting.indexOf(turn), 1);
			this.next(monotonicNow())?.wake?.();
		}
	}

	private next(now: number) {
		return this.waiting.find(({ notBefore }) => notBefore <= now);
	}

	private onSent(position: number): Release {
		this.nextAt = monotonicNow() + this.spacing;
		const number = (this.sent += 1);
		if ((this.inFlight += 1) >= this.slots) this.fullAt = number;
		return (effect) => {
			this.inFlight -= 1;
			this.usedAt = monotonicNow();
			if (effect.kind === 'accepted') this.onAccepted(number, effect.bytes);
			else if (effect.kind === 'rejected') this.onRejected(number, position, effect);
			else if (effect.kind === 'overloaded' && number > this.halvedAt) {
				this.concurrency = Math.max(1, this.concurrency / 2);
				this.halvedAt = this.sent;
			}
			this.next(this.usedAt)?.wake?.();
		};
	}

	private onAccepted(number: number, bytes: number): void {
		this.usualBytes += (bytes - this.usualBytes) / 20;
		if (number <= this.fullAt) this.concurrency = Math.min(maxConcurrency, this.concurrency + 1);
		if (number > this.row.first && this.row.positions.size > 0) {
			this.row.positions.clear();
			if (this.spacing > 0) this.slowDown(slower);
		}
		if (number <= this.sentBefore) this.perWindow += 1;
		else {
			this.accepted += 1;
			this.spacing *= faster;
		}
	}

	private onRejected(number: number, position: number, refusal: Effect & { kind: 'rejected' }) {
		const { pause, endsWindow, isNamed, failure } = refusal;
		const longer = 2 ** Math.min(4, Math.max(0, this.pause.repeats - 4)) * (0.75 + jitter() / 2);
		let until = this.usedAt + Math.ceil(isNamed ? pause : pause * longer);
		this.longestSpacing = Math.max(this.longestSpacing, pause);
		if (number > this.sentBefore) {
			const { positions } = this.row;
			if (positions.size === 0) this.row = { positions, first: number, until };
			positions.add(position);
			until = this.row.until = Math.max(this.row.until, until);
			const isLimit = positions.size >= Math.max(2, this.inFlight / 4);
			if (!isLimit && !endsWindow) return;
			positions.clear();
			// A window of which others took the most says nothing of the next.
			this.perWindow = endsWindow && this.accepted >= initialConcurrency ? this.accepted : Infinity;
			if (endsWindow) this.spacing = 0;
			else this.slowDown(this.accepted === 1 ? slower : 1);
			this.pause.repeats = this.accepted > 0 || this.sentBefore === 0 ? 0 : this.pause.repeats + 1;
			[this.accepted, this.sentBefore] = [0, this.sent];
		}
		if (until <= this.pause.until) return;
		Object.assign(this.pause, { until, failure });
		for (const turn of this.waiting) turn.wake?.();
	}

	private slowDown(factor: number): void {
		this.spacing = Math.min(this.longestSpacing, factor * (this.spacing || firstSpacing));
	}
}
