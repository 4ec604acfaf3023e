import { monotonicNow } from '../values/clock';
import { ConcurrencyLimit } from './concurrencyLimit';
import { delay } from '../host/delay';
import { LearnedRate, type Pause } from './learnedRate';
import type { Failure } from '../api/retry';

/** A refusal for the rate, which asks for a pause. */
export interface RateLimited extends Pause {
	/** Whether the service named the pause; otherwise each request's own grows. */
	isNamed: boolean;
	/**
	 * Whether it alone is enough for everybody to pause, since who asks can wait: no request is sent to check it,
	 * and no pause is longer than the service named.
	 */
	isBelieved?: boolean;
	refusal: Failure;
}

/** An answer, of so many bytes. */
interface Answered {
	size: number;
}

/** What a result says about the service's limits: it has room, it is overloaded, it refuses for the rate, or nothing. */
export type RateLimitSignal = Answered | 'overload' | 'none' | RateLimited;

/** A request was not let in: the pause is longer than it may wait. */
export class PauseTooLong extends Error {
	constructor(
		/** Milliseconds until the pause ends. */
		readonly pause: number,
		/** The answer that asked for it. */
		readonly refusal: Failure,
	) {
		super('The pause is too long');
	}
}

/** How a request waits for its turn. */
interface Turn {
	/** Its place in the order (see `nextQueuePosition`), which it keeps when it is repeated. */
	queuePosition: number;
	/** Longest time that pauses may hold it up, in milliseconds. Waiting behind others does not count. */
	pauseBudget: number;
	/** The moment before which the service wants it not to be repeated. */
	notBefore?: number;
	signal?: AbortSignal;
}

/** How a request was let in: its number, how many are in flight with it, and whether that is as many as may be. */
interface Admission {
	number: number;
	inFlight: number;
	isFull: boolean;
}

/** A queued request; the one that came first is let in first. */
interface Waiter extends Turn {
	/** Milliseconds that pauses have held it up for. */
	paused: number;
	enter: (admission: Admission) => void;
	giveUp: (reason: unknown) => void;
}

/** Refusals without a success between them. Requests are numbered in the order in which they were sent. */
interface Episode {
	/** The request that was refused first, and the last that was sent before that was known. */
	first: number;
	last: number;
	/** What was known before; absent where the refusal is believed to hold for everybody. */
	before?: LearnedRate;
	/** What became of those that were sent after the first. */
	refusals: number;
	successes: number;
	/** The request that was sent in the pause. */
	check?: number;
	/** Requests in flight at the first refusal, and the longest pause that was asked for. */
	inFlight: number;
	asked: RateLimited;
	/** Whether nothing is done about it yet: where nothing is known of a limit, others have to be refused as well. */
	isOpen: boolean;
}

/**
 * Bounds the requests of one credential that the service counts together, in this process. Everything is
 * let through until the service answers 429. Then everybody pauses for the time that it named, and
 * `LearnedRate` says how it goes on. One request is let through meanwhile, where none is under way that
 * was sent later: when it succeeds, the refusal was of one request alone, the pause ends, and what was
 * learned from it is forgotten. Why it is so: docs/rate-limits.md.
 */
export class RateLimiter {
	private rate = new LearnedRate();
	private inFlight = 0;
	private sent = 0;
	private lastSentAt = 0;
	/** Milliseconds to the last refusal. */
	private refusalTook = 0;
	private pausedUntil = 0;
	/** The refusal that named the end of the pause. */
	private refusal?: Failure;
	private episode?: Episode;
	/** The last request that was sent before the last episode began. */
	private lastBefore = 0;
	/** How many refusals in a row were seen to hold for others, and how many are believed before the next check. */
	private confirmed = 0;
	private believed = 0;
	private emptySince = 0;
	private throughAt = -Infinity;
	private readonly waiting: Waiter[] = [];
	private alarm?: { at: number; controller: AbortController };

	constructor(private concurrency = new ConcurrencyLimit()) {}

	/** Whether nothing is in flight or queued, and no refusal is worth remembering. */
	get idle(): boolean {
		const knowsNothing = this.rate.isUnlimited && this.episode === undefined;
		return this.isEmpty && (knowsNothing || monotonicNow() > this.pausedUntil + memory);
	}

	/** Most requests that the service is given at once. */
	get width(): number {
		return this.concurrency.width;
	}

	/** How many items may be under way: as many as requests in flight, and those that wait for their own repeat. */
	get places(): number {
		const now = monotonicNow();
		if (now < this.pausedUntil) return this.width;
		return this.width + this.waiting.filter(({ notBefore = 0 }) => notBefore > now).length;
	}

	/** When the service last took on a request that was sent after a refusal. */
	get lastThrough(): number {
		return this.throughAt;
	}

	private get isEmpty(): boolean {
		return this.inFlight === 0 && this.waiting.length === 0;
	}

	/**
	 * Runs `work` as soon as a place is free, and tells it for how long pauses have held it up.
	 * @throws PauseTooLong when they would for longer than its pause budget; the signal's reason when it
	 * fires while waiting for a place
	 */
	async schedule<Result>(
		work: (paused: number) => Promise<Result>,
		signalOf: (result: Result) => RateLimitSignal,
		turn: Turn,
	): Promise<Result> {
		const { paused, number, inFlight, isFull } = await this.enter(turn);
		const sentAt = monotonicNow();
		try {
			const result = await work(paused);
			const rateSignal = signalOf(result);
			if (rateSignal === 'overload') this.concurrency.noteOverload(number, this.sent);
			else if (rateSignal !== 'none' && 'size' in rateSignal) {
				const took = monotonicNow() - sentAt;
				this.concurrency.noteAnswer({ inFlight, isFull, took, size: rateSignal.size });
				this.noteSuccess(number);
			} else if (rateSignal !== 'none') {
				this.refusalTook = monotonicNow() - sentAt;
				this.noteRefusal(rateSignal, number);
			}
			return result;
		} finally {
			this.inFlight -= 1;
			this.noteEmpty();
			this.admit();
		}
	}

	private async enter(turn: Turn): Promise<Admission & { paused: number }> {
		const { queuePosition, signal } = turn;
		signal?.throwIfAborted();
		if (this.isEmpty) this.noteIdle(monotonicNow() - this.emptySince);
		return await new Promise((resolve, reject) => {
			const waiter: Waiter = {
				...turn,
				paused: 0,
				enter: (admission) => {
					signal?.removeEventListener('abort', onAbort);
					resolve({ paused: waiter.paused, ...admission });
				},
				giveUp: (reason) => {
					signal?.removeEventListener('abort', onAbort);
					this.waiting.splice(this.waiting.indexOf(waiter), 1);
					if (this.waiting.length === 0) this.alarm?.controller.abort();
					this.noteEmpty();
					reject(reason);
				},
			};
			const onAbort = () => waiter.giveUp(signal?.reason);
			signal?.addEventListener('abort', onAbort, { once: true });
			const behind = this.waiting.findIndex((other) => other.queuePosition > queuePosition);
			this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
			this.hold(waiter, this.pausedUntil - monotonicNow());
			this.admit();
		});
	}

	/** Counts a pause, or its extension, towards the pause budget of a queued request. */
	private hold(waiter: Waiter, pause: number): void {
		if (pause <= 0 || this.refusal === undefined) return;
		waiter.paused += pause;
		if (waiter.paused <= waiter.pauseBudget) return;
		waiter.giveUp(new PauseTooLong(this.pausedUntil - monotonicNow(), this.refusal));
	}

	private pauseLeft(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	private noteIdle(time: number): void {
		this.rate.noteIdle(time);
		if (time > memory) this.concurrency = new ConcurrencyLimit();
	}

	private noteEmpty(): void {
		if (this.isEmpty) this.emptySince = monotonicNow();
	}

	/** Whether a request may be sent in the pause to check whether the refusal holds for all: none in flight can tell. */
	private mayCheck(now: number): boolean {
		const { episode } = this;
		if (episode?.before === undefined || episode.isOpen || now >= this.pausedUntil) return false;
		const isLastSent = episode.first === episode.last;
		return isLastSent && episode.check === undefined && episode.refusals === 0;
	}

	private hasRoom(now: number): boolean {
		if (this.mayCheck(now)) return true;
		return this.inFlight < this.width && this.rate.hasRoom(this.inFlight);
	}

	private opensAt(now: number): number {
		if (this.mayCheck(now)) return 0;
		const isOneByOne = this.episode?.isOpen || this.rate.isTrying;
		const known = isOneByOne ? this.lastSentAt + knownAfter * this.refusalTook : 0;
		return Math.max(this.pausedUntil, this.rate.opensAt(now), known);
	}

	private admit(): void {
		for (;;) {
			const now = monotonicNow();
			if (!this.hasRoom(now) || now < this.opensAt(now)) break;
			const next = this.waiting.findIndex(({ notBefore = 0 }) => notBefore <= now);
			if (next < 0) break;
			const [waiter] = this.waiting.splice(next, 1);
			// A check does not wait for the rest of the pause.
			waiter.paused -= this.pauseLeft(now);
			this.closeEpisode();
			this.inFlight += 1;
			this.sent += 1;
			this.lastSentAt = now;
			if (this.episode && this.mayCheck(now)) this.episode.check = this.sent;
			this.rate.noteSent(now);
			const { inFlight } = this;
			waiter.enter({ number: this.sent, inFlight, isFull: inFlight >= this.width });
		}
		this.setAlarm();
	}

	/** One timer for all queued requests; none is left when the queue is empty. */
	private setAlarm(): void {
		const now = monotonicNow();
		if (this.waiting.length === 0 || !this.hasRoom(now)) return;
		const first = Math.min(...this.waiting.map(({ notBefore = 0 }) => notBefore));
		// The spacing shrinks over time.
		const opensAt = Math.min(this.opensAt(now), Math.max(this.pausedUntil, now + maxAlarmDelay));
		const at = Math.max(opensAt, first, now);
		if (this.alarm !== undefined && this.alarm.at <= at) return;
		this.alarm?.controller.abort();
		const alarm = { at, controller: new AbortController() };
		this.alarm = alarm;
		const ring = () => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.admit();
		};
		delay(Math.ceil(at - now), alarm.controller.signal).then(ring, ring);
	}

	/** Ends an open episode once more requests are accepted than refused: the refusals were of single requests. */
	private closeEpisode(): void {
		const { episode } = this;
		if (!episode?.isOpen) return;
		const taken = this.sent - episode.first - episode.refusals;
		if (taken > episode.refusals) this.episode = undefined;
	}

	private noteSuccess(number: number): void {
		const { episode } = this;
		if (number > (episode?.first ?? this.lastBefore)) this.noteThrough();
		if (episode?.before !== undefined && number > episode.first) {
			episode.successes += 1;
			const isAlone = episode.successes > episode.refusals;
			if (isAlone && episode.isOpen) this.episode = undefined;
			else if (isAlone && monotonicNow() < this.pausedUntil) {
				return this.putBack(episode.before, this.sent - episode.last);
			}
		}
		if (episode?.isOpen) return;
		// An answer to a request from before the refusal says nothing about the room after it.
		if (number <= this.lastBefore) return;
		this.episode = undefined;
		this.rate.noteSuccess(monotonicNow());
	}

	/** Pauses do not count towards anybody's pause budget while others get through. */
	private noteThrough(): void {
		const now = monotonicNow();
		this.throughAt = now;
		for (const waiter of this.waiting) {
			waiter.paused = Math.min(waiter.paused, this.pauseLeft(now));
		}
	}

	/** Restores what was known: the refusal was of one request alone. `sent` is how many were sent since. */
	private putBack(before: LearnedRate, sent: number): void {
		this.rate = before;
		this.rate.noteRefuted();
		const now = monotonicNow();
		for (let count = 0; count < sent; count += 1) this.rate.noteSent(now);
		for (const waiter of this.waiting) waiter.paused -= this.pauseLeft(now);
		this.episode = undefined;
		this.pausedUntil = now;
		this.confirmed = 0;
		this.believed = 0;
	}

	private noteRefusal(rateSignal: RateLimited, number: number): void {
		const now = monotonicNow();
		const { episode } = this;
		if (episode === undefined && number > this.lastBefore)
			return this.begin(rateSignal, number, now);
		if (episode && !episode.isOpen) this.goOn(episode, rateSignal, number, now);
		this.rate.noteRefusal();
		if (episode?.isOpen) return this.refuseInOpenEpisode(episode, rateSignal, number, now);
		this.pause(rateSignal, now);
	}

	/** The first refusal after successes. */
	private begin(rateSignal: RateLimited, number: number, now: number): void {
		this.rate.noteRefusal();
		// A named reset is that of a window, which holds for all requests.
		const isBelieved =
			rateSignal.resets || rateSignal.isBelieved || (this.believed > 0 && this.rate.explains(now));
		this.believed = Math.max(0, this.believed - 1);
		const before = isBelieved ? undefined : this.rate.copy();
		const isOpen = !isBelieved && this.rate.isUnlimited;
		const counts = { refusals: 0, successes: 0 };
		const { inFlight, sent: last } = this;
		const episode = { first: number, last, before, ...counts, inFlight, asked: rateSignal, isOpen };
		this.episode = episode;
		if (!isOpen) this.reduce(rateSignal, episode, now);
	}

	private reduce(rateSignal: RateLimited, { inFlight }: Episode, now: number): void {
		this.lastBefore = this.sent;
		this.rate.reduce(rateSignal, inFlight, now);
		this.pause(rateSignal, now);
	}

	/** Another refusal in an open episode. The rate is reduced once clearly more requests are refused than accepted. */
	private refuseInOpenEpisode(
		episode: Episode,
		rateSignal: RateLimited,
		number: number,
		now: number,
	): void {
		if (number < episode.first) return;
		episode.refusals += 1;
		if (rateSignal.resets || rateSignal.pause > episode.asked.pause) episode.asked = rateSignal;
		// Refusals come in the order of sending: what was sent before this one and not refused is accepted.
		const taken = number - episode.first - episode.refusals;
		const isForAll = episode.refusals >= fewRefusals && episode.refusals > 2 * taken;
		if (!isForAll && !rateSignal.resets && !rateSignal.isBelieved) return;
		episode.isOpen = false;
		episode.last = this.sent;
		episode.before = this.rate.copy();
		this.reduce(episode.asked, episode, now);
	}

	/** Another refusal. */
	private goOn(
		episode: Episode,
		{ isBelieved, resets }: RateLimited,
		number: number,
		now: number,
	): void {
		if (number > episode.first && episode.before !== undefined) {
			episode.refusals += 1;
			if (episode.refusals === 1) this.confirm();
		}
		const isAfterPause = number > episode.last && number !== episode.check;
		if (!isAfterPause || resets || isBelieved) return;
		this.confirm();
		this.rate.noteMiss(now);
	}

	private confirm(): void {
		this.confirmed = Math.min(this.confirmed + 1, mostDoublings);
		this.believed = 2 ** this.confirmed - 1;
	}

	private pause({ pause, refusal }: RateLimited, now: number): void {
		const until = now + Math.ceil(pause);
		const longer = until - Math.max(now, this.pausedUntil);
		if (longer <= 0) return;
		this.pausedUntil = until;
		this.refusal = refusal;
		this.rate.notePause(until, longer);
		for (const waiter of [...this.waiting]) this.hold(waiter, longer);
	}
}

/** Milliseconds after which the time of the next request is computed again. */
const maxAlarmDelay = 5000;

/** A request not refused within this multiple of the last refusal's time counts as accepted. */
const knownAfter = 1.5;

const mostDoublings = 4;

/** Other requests that must be refused before the first refusal of all counts. */
const fewRefusals = 2;

/** Milliseconds after the last pause for which an unused limiter remembers it. */
const memory = 10 * 60_000;

let lastPosition = 0;

/** The next place in the queue. */
export function nextQueuePosition(): number {
	lastPosition += 1;
	return lastPosition;
}

const limiters = new Map<string, RateLimiter>();

/** The rate limiters of a credential, one for each bucket of the service. Those that hold nothing are dropped on the way. */
export const rateLimitersFor =
	(credential: string) =>
	(bucket: string): RateLimiter => {
		const wanted = `${bucket} ${credential}`;
		for (const [key, limiter] of limiters) {
			if (limiter.idle && key !== wanted) limiters.delete(key);
		}
		const limiter = limiters.get(wanted) ?? new RateLimiter();
		limiters.set(wanted, limiter);
		return limiter;
	};
