import type { Failure } from '../api/retry';
import { delay } from '../host/delay';
import { monotonicNow } from '../values/clock';
import { ConcurrencyLimit } from './concurrencyLimit';
import { longestSharedPause, type Outcome } from './outcome';
import { RateControl, type Sent } from './rateControl';

/** A request that was not sent: the pause is longer than it may wait. Holds the milliseconds left and the response that asked for it. */
export class PauseTooLong extends Error {
	constructor(
		readonly pause: number,
		readonly failure: Failure,
	) {
		super('The pause is too long');
	}
}

/** How a request waits for its permit. */
interface Turn {
	/** Its place in the queue (see `nextQueuePosition`), which it keeps when it is repeated. */
	queuePosition: number;
	/** Longest time in milliseconds for which pauses may hold it up, while no other request is accepted. */
	pauseBudget: number;
	/** The moment before which the service wants it not to be repeated. */
	notBefore?: number;
	signal?: AbortSignal;
}

/** The permission to send one request. */
export interface Permit {
	/** Milliseconds for which pauses have held it up. */
	paused: number;
	/** Makes room for the next request. Only the first call counts. */
	release(outcome: Outcome): void;
}

interface Waiter extends Turn {
	since: number;
	grant(permit: Permit): void;
	refuse(reason: unknown): void;
}

/** Milliseconds without use after which a rate limiter is forgotten. */
const memory = 10 * 60_000;

/**
 * Bounds the requests of one credential that the service counts together, in this process: a queue, for
 * which `RateControl` says when the next request may be sent, and `ConcurrencyLimit` how many at once.
 */
export class RateLimiter {
	private readonly rate = new RateControl();
	private readonly waiting: Waiter[] = [];
	private inFlight = 0;
	private usedAt = monotonicNow();
	/** The response that asked for the last pause. */
	private failure?: Failure;
	private alarm?: AbortController;
	/** When the service last accepted a request. */
	acceptedAt = -Infinity;

	constructor(private readonly concurrency = new ConcurrencyLimit()) {}

	/** Whether it is dropped: unused for long, or since another is used where the service never limited its rate. */
	isDropped(isWanted: boolean): boolean {
		const isEmpty = this.inFlight === 0 && this.waiting.length === 0;
		const isOld = monotonicNow() > this.usedAt + memory;
		return isEmpty && (isOld || !(isWanted || this.rate.wasLimited));
	}

	/** How many items may be under way: as many as requests in flight, and those that wait for their own repeat. */
	get itemLimit(): number {
		const now = monotonicNow();
		const isPaused = now < this.rate.pausedUntil;
		const repeats = this.waiting.filter(({ notBefore = 0 }) => notBefore > now);
		return this.concurrency.limit + (isPaused ? 0 : repeats.length);
	}

	/** Whether a rejection is not of one request: the service rejects all for now, and accepted others shortly before. */
	get isBackingOff(): boolean {
		return this.rate.isBackingOff && monotonicNow() < this.acceptedAt + longestSharedPause;
	}

	/**
	 * Waits until the next request may be sent. The permit has to be released.
	 * @throws PauseTooLong when pauses hold it up for longer than its budget; the signal's reason when it fires
	 */
	async acquire(turn: Turn): Promise<Permit> {
		const { signal, queuePosition } = turn;
		signal?.throwIfAborted();
		const settled = new AbortController();
		return await new Promise<Permit>((grant, refuse) => {
			const waiter = { ...turn, since: monotonicNow(), grant, refuse };
			const onAbort = () => this.refuse(waiter, signal?.reason);
			signal?.addEventListener('abort', onAbort, { once: true, signal: settled.signal });
			const behind = this.waiting.findIndex((other) => other.queuePosition > queuePosition);
			this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
			this.refuseImpatient();
			this.admit();
		}).finally(() => settled.abort());
	}

	private refuse(waiter: Waiter, reason: unknown): void {
		this.waiting.splice(this.waiting.indexOf(waiter), 1);
		waiter.refuse(reason);
		this.setAlarm();
	}

	private refuseImpatient(): void {
		const { failure } = this;
		const { pausedUntil } = this.rate;
		const left = pausedUntil - monotonicNow();
		if (left <= 0 || failure === undefined) return;
		for (const waiter of [...this.waiting]) {
			const held = pausedUntil - Math.max(waiter.since, this.acceptedAt);
			if (held > waiter.pauseBudget) this.refuse(waiter, new PauseTooLong(left, failure));
		}
	}

	/** Grants permits, in the order of the queue, while requests may be sent. */
	private admit(): void {
		for (;;) {
			const now = monotonicNow();
			if (this.inFlight >= this.concurrency.limit) break;
			if (this.rate.nextAt(now, this.inFlight) > now) break;
			const next = this.waiting.findIndex(({ notBefore = 0 }) => notBefore <= now);
			if (next < 0) break;
			const [waiter] = this.waiting.splice(next, 1);
			waiter.grant(this.permitOf(waiter, now));
		}
		this.setAlarm();
	}

	private permitOf({ queuePosition, since }: Waiter, now: number): Permit {
		const pausedTo = Math.min(now, this.rate.pausedUntil);
		const sent = this.rate.onSent(now, queuePosition);
		const inFlight = (this.inFlight += 1);
		const isLimited = inFlight >= this.concurrency.limit;
		let isOpen = true;
		const release = (outcome: Outcome) => {
			if (!isOpen) return;
			isOpen = false;
			this.inFlight -= 1;
			this.usedAt = monotonicNow();
			if (outcome.kind === 'accepted') {
				const rtt = this.usedAt - now;
				this.concurrency.onSample({ inFlight, isLimited, rtt, bytes: outcome.bytes });
			}
			this.onOutcome(outcome, sent, this.usedAt);
			this.admit();
		};
		return { paused: Math.max(0, pausedTo - Math.max(since, this.acceptedAt)), release };
	}

	private onOutcome(outcome: Outcome, sent: Sent, now: number): void {
		if (outcome.kind === 'overloaded') {
			this.concurrency.onOverload(sent.number, this.rate.lastNumber);
		} else if (outcome.kind === 'accepted') {
			this.acceptedAt = now;
			this.rate.onAccepted(sent);
		} else if (outcome.kind === 'rejected') {
			const { pausedUntil } = this.rate;
			this.rate.onRejected(sent, outcome.rejection, now);
			if (this.rate.pausedUntil > pausedUntil) this.failure = outcome.failure;
			this.refuseImpatient();
		}
	}

	/** Sets the queue's one timer; none is left when it is empty. */
	private setAlarm(): void {
		this.alarm?.abort();
		if (this.waiting.length === 0 || this.inFlight >= this.concurrency.limit) return;
		const now = monotonicNow();
		const notBefore = Math.min(...this.waiting.map((waiter) => waiter.notBefore ?? 0));
		const wait = Math.max(this.rate.nextAt(now, this.inFlight), notBefore) - now;
		if (wait === Infinity) return;
		this.alarm = new AbortController();
		const ring = () => this.admit();
		delay(Math.max(0, Math.ceil(wait)), this.alarm.signal).then(ring, () => undefined);
	}
}

let lastPosition = 0;

/** Returns the next place in the queue. */
export function nextQueuePosition(): number {
	lastPosition += 1;
	return lastPosition;
}

const limiters = new Map<string, RateLimiter>();

/** Returns the rate limiters of a credential, one for each bucket of the service. */
export const rateLimitersFor =
	(credential: string) =>
	(bucket: string): RateLimiter => {
		const key = `${bucket} ${credential}`;
		for (const [other, each] of limiters) if (each.isDropped(other === key)) limiters.delete(other);
		const limiter = limiters.get(key) ?? new RateLimiter();
		limiters.set(key, limiter);
		return limiter;
	};
