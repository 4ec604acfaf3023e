import type { Failure } from '../errors/response';
import { delay } from '../values/delay';
import { monotonicNow } from '../values/clock';
import { settle } from '../values/settle';
import { ConcurrencyLimit } from './concurrencyLimit';
import { longestSharedPause, type Outcome } from './outcome';
import { RateControl, type Sent } from './rateControl';

/**
 * A request that was not sent, since the pause exceeds its limit. Holds the milliseconds left and
 * the response that requested the pause.
 */
export class PauseTooLong extends Error {
	constructor(
		readonly pause: number,
		readonly failure: Failure,
	) {
		super('The pause is too long');
	}
}

/** The wait of a request for its permit. */
export interface Turn {
	/** Its position in the queue (see `nextQueuePosition`), which a retry retains. */
	queuePosition: number;
	/** Most milliseconds of pauses, while no other request is accepted. */
	pauseBudget: number;
	/** Earliest time of a retry that the service allows. */
	notBefore?: number;
	/** Whether it was rejected more than once, perhaps alone. */
	isSuspect?: boolean;
	signal?: AbortSignal;
}

/** The permission to send one request. */
export interface Permit {
	/** Milliseconds of pauses so far. */
	paused: number;
	/** Releases the permit. Idempotent. */
	release(outcome: Outcome): void;
}

interface Waiter extends Turn {
	since: number;
	grant(permit: Permit): void;
	reject(reason: unknown): void;
}

/** Milliseconds without use until a rate limiter is dropped. */
const memory = 10 * 60_000;

/**
 * Limits the requests of one credential that the service counts together, in this process: a queue,
 * for which `RateControl` decides when the next request may be sent, and `ConcurrencyLimit` how
 * many at once.
 */
export class RateLimiter {
	private readonly rate = new RateControl();
	private readonly waiting: Waiter[] = [];
	private inFlight = 0;
	private usedAt = monotonicNow();
	/** The response that requested the last pause. */
	private failure?: Failure;
	private alarm?: AbortController;
	/** Time at which the service last accepted a request. */
	acceptedAt = -Infinity;

	constructor(private readonly concurrency = new ConcurrencyLimit()) {}

	/** Whether to drop it: unused for long, or never rate limited while another is used. */
	isDropped(isWanted: boolean): boolean {
		const isEmpty = this.inFlight === 0 && this.waiting.length === 0;
		const isOld = monotonicNow() > this.usedAt + memory;
		return isEmpty && (isOld || !(isWanted || this.rate.wasLimited));
	}

	/**
	 * Most items in progress: those with requests in flight, and those that wait for their own retry.
	 */
	get itemLimit(): number {
		const now = monotonicNow();
		const isPaused = now < this.rate.pausedUntil;
		const repeats = this.waiting.filter(({ notBefore = 0 }) => notBefore > now);
		return this.concurrency.limit + (isPaused ? 0 : repeats.length);
	}

	/**
	 * Whether a rejection concerns all requests: the service rejects all for now, and accepted others
	 * shortly before.
	 */
	get isBackingOff(): boolean {
		return this.rate.isBackingOff && monotonicNow() < this.acceptedAt + longestSharedPause;
	}

	/**
	 * Waits until the next request may be sent. The permit must be released.
	 * @throws PauseTooLong if pauses exceed its budget; the signal's reason if it fires
	 */
	async acquire(turn: Turn): Promise<Permit> {
		const { signal, queuePosition } = turn;
		signal?.throwIfAborted();
		const settled = new AbortController();
		return await new Promise<Permit>((grant, reject) => {
			const waiter = { ...turn, since: monotonicNow(), grant, reject };
			const onAbort = () => this.reject(waiter, signal?.reason);
			signal?.addEventListener('abort', onAbort, { once: true, signal: settled.signal });
			const behind = this.waiting.findIndex((other) => other.queuePosition > queuePosition);
			this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
			this.rejectImpatient();
			this.admit();
		}).finally(() => settled.abort());
	}

	private reject(waiter: Waiter, reason: unknown): void {
		this.waiting.splice(this.waiting.indexOf(waiter), 1);
		waiter.reject(reason);
		this.setAlarm();
	}

	private rejectImpatient(): void {
		const { failure } = this;
		const { pausedUntil } = this.rate;
		const left = pausedUntil - monotonicNow();
		if (left <= 0 || failure === undefined) return;
		for (const waiter of [...this.waiting]) {
			const held = pausedUntil - Math.max(waiter.since, this.acceptedAt);
			if (held > waiter.pauseBudget) this.reject(waiter, new PauseTooLong(left, failure));
		}
	}

	/** Grants permits in the order of the queue while requests may be sent. */
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

	private permitOf({ queuePosition, since, isSuspect }: Waiter, now: number): Permit {
		const pausedTo = Math.min(now, this.rate.pausedUntil);
		const sent = this.rate.onSent(now, queuePosition, isSuspect);
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
			this.rejectImpatient();
		}
	}

	/** Sets the queue's only timer; none for an empty queue. */
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

/** Returns the next position in the queue. */
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

/**
 * Waits until a request may be sent; undefined after the deadline (monotonic), unless it may be sent
 * at once. The permit must be released.
 * @throws as `acquire`
 */
export async function permitBefore(
	deadline: number,
	limiter: RateLimiter,
	turn: Turn,
): Promise<Permit | undefined> {
	if (deadline === Infinity) return await limiter.acquire(turn);
	const { signal } = turn;
	signal?.throwIfAborted();
	const waiting = new AbortController();
	const granted = new AbortController();
	const giveUp = () => waiting.abort();
	signal?.addEventListener('abort', giveUp, { once: true, signal: granted.signal });
	delay(Math.max(0, deadline - monotonicNow()), granted.signal).then(giveUp, () => undefined);
	const permit = await settle(limiter.acquire({ ...turn, signal: waiting.signal }));
	granted.abort();
	if (permit.ok) return permit.value;
	signal?.throwIfAborted();
	if (waiting.signal.aborted) return undefined;
	throw permit.error;
}
