import { notSentInTime, type Failure } from '../errors/response';
import { delay, monotonicNow, jitter } from '../values/time';
import { hintsOf, isOverload } from './retry';

/** Longest pause of all requests in milliseconds, and the pause if the service names none. */
const [longestSharedPause, unnamedPause] = [120_000, 600];

/** First and highest number of requests in flight. */
export const [initialLimit, maxLimit] = [5, 50];

/** Bytes for concurrent responses, of which each exists in four copies (raw, text and data). */
const memoryBudget = 100_000_000 / 4;

/** Milliseconds between requests after the first limit, and the shortest limit of their increase. */
const [firstSpacing, longestSpacing] = [50, 1_000];

/**
 * Factors of the spacing: for each accepted request, for one that is rejected alone, and for a limit
 * right after a pause that was long enough or, as in an outage, was not.
 */
const [faster, slower, muchSlower, slowerInOutage] = [0.97, 1.25, 4, 1.5];

/** Milliseconds without use until a limiter is dropped. */
const memory = 10 * 60_000;

/** Whether a failure is a rate limit. */
export const isRateLimit = (failure: Failure) =>
	'response' in failure && failure.response.status === 429;

/** Whether all requests pause with a rejected one: not for a quota that is exhausted for long. */
export const isShared = (failure: Failure, pause: number, longest: number) =>
	isRateLimit(failure) && pause <= Math.min(longest, longestSharedPause);

/** A response's effect on the limits; `pause` in milliseconds. */
export type Outcome =
	| { kind: 'accepted'; bytes: number }
	| { kind: 'rejected'; pause: number; endsWindow: boolean; isNamed: boolean; failure: Failure }
	| { kind: 'overloaded' | 'unrelated' };

/** The outcome of a failure. `pause` is the delay of its own retry, if the others pause with it. */
export function outcomeOfFailure(failure: Failure, pause?: number): Outcome {
	if (pause === undefined) return { kind: isOverload(failure) ? 'overloaded' : 'unrelated' };
	const { isNamed, endsWindow } = hintsOf(failure);
	const shared = isNamed ? pause : Math.min(pause, unnamedPause);
	return { kind: 'rejected', pause: shared, endsWindow, isNamed, failure };
}

/** A request that was not sent, since the pause of the rate limit exceeds its time. */
export class PauseTooLong extends Error {
	constructor(
		readonly pause: number,
		readonly failure: Failure,
	) {
		super('The pause is too long');
	}
}

/** The same for a request of a tool that others held up until its deadline. */
export function heldUp(): PauseTooLong {
	const message = 'other requests of this call or with this credential took too long';
	return new PauseTooLong(30_000, { networkError: { code: notSentInTime, message } });
}

/** The wait of a request for its turn. Times in milliseconds, of the monotonic clock. */
export interface Turn {
	/** Its position in the queue (see `nextQueuePosition`), which a retry retains. */
	queuePosition: number;
	/** Longest time of pauses, and its begin: Infinity before the first attempt. */
	budget: number;
	since: number;
	/** Earliest time of a retry. */
	notBefore: number;
	/** Latest time, also without a pause; Infinity for none. */
	deadline: number;
	signal?: AbortSignal;
}

interface Waiter extends Turn {
	grant(release: Release): void;
	reject(reason: unknown): void;
}

/** Ends a request. Idempotent. */
export type Release = (outcome: Outcome) => void;

/**
 * Limits the requests of one credential that the service counts together, in this process.
 *
 * - **Limit**: a quarter of the requests in flight, at least two, rejected (429) in a row, or one that
 *   names the reset of a window. One that is rejected alone only waits itself.
 * - **Pause**: then all wait as long as the service requests. After it, one is in flight, and one more
 *   for each that is accepted.
 * - **Spacing**: from the first limit on, 3 % shorter with each accepted request, and longer with each
 *   rejected one. After a window there is none.
 * - **Concurrency**: 5 in flight, one more for each response while all slots are used, and half as many
 *   after an overload.
 */
export class Limiter {
	private readonly waiting: Waiter[] = [];
	private alarm?: AbortController;
	private usedAt = monotonicNow();
	private inFlight = 0;
	private concurrency = initialLimit;
	private usualBytes = 1;
	/** Number of requests sent so far, before the last limit, and before the last overload. */
	private sent = 0;
	private sentBefore = 0;
	private halvedAt = 0;
	/** The requests rejected in a row, by position; the first, the end of their pauses, the spacing before. */
	private row = { positions: new Set<number>(), first: 0, until: 0, spacing: 0 };
	/** The last pause, and how often it was repeated because nothing was accepted after it. */
	private pausedAt = -Infinity;
	private pausedUntil = -Infinity;
	private failure?: Failure;
	private repeats = 0;
	/** Requests accepted since the last limit, and when the last one was. */
	private accepted = 0;
	private acceptedAt = -Infinity;
	private spacing = 0;
	private nextAt = -Infinity;
	private longestSpacing = longestSpacing;

	/** Whether to drop it: unused for long, or never refused while another is used. */
	isDropped(isWanted: boolean): boolean {
		const isEmpty = this.inFlight === 0 && this.waiting.length === 0;
		const isOld = monotonicNow() > this.usedAt + memory;
		return isEmpty && (isOld || !(isWanted || this.sentBefore > 0));
	}

	/** Most items in progress: with requests in flight, or waiting for a retry of their own. */
	get itemLimit(): number {
		const now = monotonicNow();
		if (now < this.pausedUntil) return this.limit;
		return this.limit + this.waiting.filter(({ notBefore }) => notBefore > now).length;
	}

	/** Whether it accepted others since a time, without a pause: what was rejected then was so alone. */
	acceptsOthersSince(time: number): boolean {
		return this.acceptedAt > time && this.pausedAt < time;
	}

	private get limit(): number {
		return Math.max(1, Math.floor(Math.min(this.concurrency, memoryBudget / this.usualBytes)));
	}

	/**
	 * Waits until the next request may be sent.
	 * @returns the function to call with its outcome
	 * @throws PauseTooLong if pauses exceed its budget; the signal's reason if it fires
	 */
	async acquire(turn: Turn): Promise<Release> {
		const { signal, queuePosition, deadline } = turn;
		signal?.throwIfAborted();
		const settled = new AbortController();
		return await new Promise<Release>((grant, reject) => {
			const now = monotonicNow();
			const waiter = { ...turn, since: Math.min(turn.since, now), grant, reject };
			if (deadline < Infinity) {
				const late = () => this.reject(waiter, heldUp());
				delay(Math.max(0, deadline - now), settled.signal).then(late, () => undefined);
			}
			const onAbort = () => this.reject(waiter, signal?.reason);
			signal?.addEventListener('abort', onAbort, { once: true, signal: settled.signal });
			const behind = this.waiting.findIndex((other) => other.queuePosition > queuePosition);
			this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
			this.rejectImpatient();
			this.admit();
		}).finally(() => settled.abort());
	}

	private reject(waiter: Waiter, reason: unknown): void {
		const index = this.waiting.indexOf(waiter);
		if (index < 0) return;
		this.waiting.splice(index, 1);
		waiter.reject(reason);
		this.setAlarm();
	}

	private rejectImpatient(): void {
		const left = this.pausedUntil - monotonicNow();
		if (left <= 0 || !this.failure) return;
		for (const waiter of [...this.waiting]) {
			const { budget, since, deadline } = waiter;
			if (this.pausedUntil <= Math.min(since + budget, deadline)) continue;
			this.reject(waiter, new PauseTooLong(left, this.failure));
		}
	}

	/** Time of the next request; Infinity if it depends on a response. */
	private get readyAt(): number {
		const ramp = this.sentBefore === 0 ? Infinity : this.accepted + 1;
		if (this.inFlight >= Math.min(this.limit, ramp)) return Infinity;
		// What probes the end of a pause is not spaced.
		return this.accepted === 0 ? this.pausedUntil : Math.max(this.pausedUntil, this.nextAt);
	}

	/** Lets requests go in the order of the queue while they may be sent. */
	private admit(): void {
		for (;;) {
			const now = monotonicNow();
			if (this.readyAt > now) break;
			const next = this.waiting.findIndex(({ notBefore }) => notBefore <= now);
			if (next < 0) break;
			const [waiter] = this.waiting.splice(next, 1);
			waiter.grant(this.onSent(waiter, now));
		}
		this.setAlarm();
	}

	/** Sets the queue's only timer; none for an empty queue. */
	private setAlarm(): void {
		this.alarm?.abort();
		const notBefore = Math.min(...this.waiting.map(({ notBefore }) => notBefore));
		const wait = Math.max(this.readyAt, notBefore) - monotonicNow();
		if (wait === Infinity) return;
		this.alarm = new AbortController();
		delay(Math.max(0, Math.ceil(wait)), this.alarm.signal).then(
			() => this.admit(),
			() => undefined,
		);
	}

	private onSent({ queuePosition }: Waiter, now: number): Release {
		this.nextAt = now + this.spacing;
		const number = (this.sent += 1);
		const isFull = (this.inFlight += 1) >= this.limit;
		let isOpen = true;
		return (outcome) => {
			if (!isOpen) return;
			isOpen = false;
			this.inFlight -= 1;
			this.usedAt = monotonicNow();
			if (outcome.kind === 'accepted') this.onAccepted(number, isFull, outcome.bytes);
			else if (outcome.kind === 'rejected') this.onRejected(number, queuePosition, outcome);
			else if (outcome.kind === 'overloaded' && number > this.halvedAt) {
				this.concurrency = Math.max(1, this.concurrency / 2);
				this.halvedAt = this.sent;
			}
			this.admit();
		};
	}

	private onAccepted(number: number, isFull: boolean, bytes: number): void {
		this.acceptedAt = this.usedAt;
		this.usualBytes += (bytes - this.usualBytes) / 20;
		if (isFull) this.concurrency = Math.min(maxLimit, this.concurrency + 1);
		if (number > this.row.first) this.row.positions.clear();
		if (number <= this.sentBefore) return;
		this.accepted += 1;
		this.spacing *= faster;
	}

	private onRejected(
		number: number,
		position: number,
		{ pause, endsWindow, isNamed, failure }: Outcome & { kind: 'rejected' },
	): void {
		const longer = isNamed
			? 1
			: 2 ** Math.min(4, Math.max(0, this.repeats - 4)) * (0.75 + jitter() / 2);
		let until = this.usedAt + Math.ceil(pause * longer);
		this.longestSpacing = Math.max(this.longestSpacing, pause);
		if (number > this.sentBefore) {
			if (this.row.positions.size === 0) {
				this.row = { positions: new Set(), first: number, until, spacing: this.spacing };
				if (this.accepted > 0) this.slowDown(slower);
			}
			this.row.positions.add(position);
			until = this.row.until = Math.max(this.row.until, until);
			const isLimit = this.row.positions.size >= Math.max(2, this.inFlight / 4);
			if (!isLimit && !endsWindow) return;
			this.row.positions.clear();
			this.onLimit(endsWindow);
		}
		if (until <= this.pausedUntil) return;
		[this.pausedUntil, this.failure] = [until, failure];
		this.rejectImpatient();
	}

	private onLimit(endsWindow: boolean): void {
		const isRepeated = this.accepted === 0 && this.sentBefore > 0;
		this.spacing = endsWindow ? 0 : this.row.spacing || firstSpacing;
		// Only the first request after the pause was accepted: the next one came too early.
		if (this.accepted === 1) this.slowDown(this.repeats > 0 ? slowerInOutage : muchSlower);
		this.repeats = isRepeated ? this.repeats + 1 : 0;
		[this.accepted, this.sentBefore, this.pausedAt] = [0, this.sent, this.usedAt];
	}

	private slowDown(factor: number): void {
		const longer = Math.min(factor * this.spacing, this.longestSpacing);
		this.spacing = Math.max(this.spacing, longer);
	}
}

let lastPosition = 0;

/** Returns the next position in the queue. */
export const nextQueuePosition = (): number => (lastPosition += 1);

const limiters = new Map<string, Limiter>();

/** Returns the limiters of a credential, one for each bucket of the service. */
export const limitersFor =
	(credential: string) =>
	(bucket: string): Limiter => {
		const key = `${bucket} ${credential}`;
		for (const [other, each] of limiters) if (each.isDropped(other === key)) limiters.delete(other);
		const limiter = limiters.get(key) ?? new Limiter();
		limiters.set(key, limiter);
		return limiter;
	};
