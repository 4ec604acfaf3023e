import { delay } from './host/delay';
import type { Failure } from './retry';

/** A refusal that asks everybody to pause, in milliseconds. */
interface Pause {
	pause: number;
	refusal: Failure;
}

/** What a result says about the service's limits: it has room, it asks everybody to pause, or nothing. */
export type Sign = 'room' | 'none' | Pause;

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
	/** Its place in the order (see `arrive`), which it keeps when it is repeated. */
	arrival: number;
	/** Longest time that pauses may hold it up, in milliseconds. Waiting behind others does not count. */
	patience: number;
	signal?: AbortSignal;
}

/** Somebody who waits for a place; the earlier they came to the gate first, the sooner they are let in. */
interface Waiter extends Turn {
	/** Milliseconds that pauses have held it up for. */
	paused: number;
	enter: () => void;
	giveUp: (reason: unknown) => void;
}

/**
 * Bounds one kind of requests of one credential in this process. Free until the service answers 429.
 * Then everybody pauses for the time it named, a single request tries whether there is room again, and
 * from there the number in flight grows: quickly to half of what it was, then by one for each full
 * round of successes. From the second refusal on, requests are also let in evenly: as many in a time
 * as the service took on between two refusals, a little fewer at first, then ever more. Where it
 * refuses whatever the pace, that slows down only so far.
 */
export class Gate {
	private limit = Infinity;
	/** Up to here the limit grows with every success. */
	private cautious = Infinity;
	private inFlight = 0;
	private pausedUntil = 0;
	/** The refusal that named the end of the pause. */
	private refusal?: Failure;
	/** Successes of this round, and since the last refusal. */
	private successes = 0;
	private calm = 0;
	/** Milliseconds from one that is let in to the next, the least that was measured, and when the next is due. */
	private spacing = 0;
	private least = Infinity;
	private due = 0;
	/** Let in and not refused since `measuredFrom`, a refusal: what the service takes on. */
	private measured = 0;
	private measuredFrom?: number;
	private emptySince = 0;
	/** Counts the reductions, so that the refusals of one burst reduce once. */
	private reductions = 0;
	private readonly waiting: Waiter[] = [];
	private alarm?: AbortController;

	/** Nobody is inside or waiting, and no refusal is worth remembering any more. */
	get idle(): boolean {
		const forgotten = this.limit === Infinity || Date.now() > this.pausedUntil + memory;
		return this.isEmpty && forgotten;
	}

	private get isEmpty(): boolean {
		return this.inFlight === 0 && this.waiting.length === 0;
	}

	/** Nobody is let in before. */
	private get opensAt(): number {
		return Math.max(this.pausedUntil, this.due);
	}

	/**
	 * Runs `work` as soon as a place is free, and tells it for how long pauses have held it up.
	 * @throws PauseTooLong when they would for longer than its patience; the signal's reason when it
	 * fires while waiting for a place
	 */
	async pass<Result>(
		work: (paused: number) => Promise<Result>,
		signOf: (result: Result) => Sign,
		turn: Turn,
	): Promise<Result> {
		const paused = await this.enter(turn);
		const { reductions } = this;
		try {
			const result = await work(paused);
			const sign = signOf(result);
			if (sign === 'room') this.grow(reductions);
			else if (sign !== 'none') this.reduce(sign, reductions);
			return result;
		} finally {
			this.inFlight -= 1;
			this.noteEmpty();
			this.admit();
		}
	}

	private async enter(turn: Turn): Promise<number> {
		const { arrival, signal } = turn;
		signal?.throwIfAborted();
		// Time in which nobody asks for anything tells nothing of the service.
		if (this.isEmpty && this.measuredFrom !== undefined) {
			this.measuredFrom += Date.now() - this.emptySince;
		}
		return await new Promise<number>((resolve, reject) => {
			const waiter: Waiter = {
				...turn,
				paused: 0,
				enter: () => {
					signal?.removeEventListener('abort', leave);
					resolve(waiter.paused);
				},
				giveUp: (reason) => {
					signal?.removeEventListener('abort', leave);
					this.waiting.splice(this.waiting.indexOf(waiter), 1);
					if (this.waiting.length === 0) this.alarm?.abort();
					this.noteEmpty();
					reject(reason);
				},
			};
			const leave = () => waiter.giveUp(signal?.reason);
			signal?.addEventListener('abort', leave, { once: true });
			const behind = this.waiting.findIndex((other) => other.arrival > arrival);
			this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
			this.hold(waiter, this.pausedUntil - Date.now());
			this.admit();
		});
	}

	/** Counts a pause, or what it became longer by, towards the patience of one who waits. */
	private hold(waiter: Waiter, pause: number): void {
		if (pause <= 0 || this.refusal === undefined) return;
		waiter.paused += pause;
		if (waiter.paused <= waiter.patience) return;
		waiter.giveUp(new PauseTooLong(this.pausedUntil - Date.now(), this.refusal));
	}

	private noteEmpty(): void {
		if (this.isEmpty) this.emptySince = Date.now();
	}

	private admit(): void {
		while (this.inFlight < this.limit && Date.now() >= this.opensAt) {
			const next = this.waiting.shift();
			if (!next) return;
			this.inFlight += 1;
			this.measured += 1;
			this.due = Math.max(this.due, Date.now() - savedUp) + this.spacing;
			next.enter();
		}
		// No second look at the clock: it may have reached the time meanwhile, and nobody would come any more.
		if (this.waiting.length > 0 && this.inFlight < this.limit) this.setAlarm();
	}

	/** One timer for everybody who waits for the gate to open; none is left when nobody waits. */
	private setAlarm(): void {
		if (this.alarm) return;
		const alarm = new AbortController();
		this.alarm = alarm;
		const ring = () => {
			this.alarm = undefined;
			this.admit();
		};
		delay(this.opensAt - Date.now(), alarm.signal).then(ring, ring);
	}

	private reduce({ pause, refusal }: Pause, reductionsAtStart: number): void {
		const now = Date.now();
		const longer = now + Math.ceil(pause) - Math.max(now, this.pausedUntil);
		if (longer > 0) {
			this.pausedUntil = now + Math.ceil(pause);
			this.refusal = refusal;
			for (const waiter of [...this.waiting]) this.hold(waiter, longer);
		}
		if (this.reductions !== reductionsAtStart) return;
		this.reductions += 1;
		this.measure(now);
		this.successes = 0;
		this.calm = 0;
		this.cautious = Math.max(1, Math.floor(this.inFlight / 2));
		this.limit = 1;
	}

	/** Finds the spacing from what was taken on since the refusal before; where that is nothing, the measure goes on. */
	private measure(now: number): void {
		this.measured -= 1;
		if (this.measuredFrom !== undefined && this.measured <= 0) return;
		if (this.measuredFrom !== undefined) {
			const found = (now - this.measuredFrom) / this.measured;
			this.least = Math.min(this.least, found);
			// Refusals that are no matter of pace make this measure its own slowness, and then ever slower.
			this.spacing = Math.min(found, this.least * doubt) * slowdown;
		}
		this.measuredFrom = now;
		this.measured = 0;
		this.due = now + this.spacing;
	}

	private grow(reductionsAtStart: number): void {
		// An answer to a request from before the refusal says nothing about the room after it.
		if (this.limit === Infinity || this.reductions !== reductionsAtStart) return;
		this.successes += 1;
		this.calm += 1;
		this.spacing /= 1 + quickening * this.calm;
		if (this.limit >= this.cautious && this.successes < this.limit) return;
		this.successes = 0;
		this.limit += 1;
		if (this.limit <= forgetAbove) return;
		this.limit = Infinity;
		this.spacing = 0;
		this.least = Infinity;
		this.measuredFrom = undefined;
	}
}

/** How much further apart requests are after a refusal than the service was measured to take them. */
const slowdown = 1.1;

/** Up to so many times the least spacing that was measured is believed: as if so many processes shared a plan. */
const doubt = 4;

/** How much closer they get with each success, times the successes before: slowly while the measure is fresh. */
const quickening = 0.0004;

/** Milliseconds whose unused places can be used later, at once: services count by the minute. */
const savedUp = 60_000;

/** A gate that has grown this wide has forgotten the last refusal. */
const forgetAbove = 50;

/** Milliseconds after the last pause for which an unused gate remembers it. */
const memory = 10 * 60_000;

let arrivals = 0;

/** A request's place in the order of coming. */
export function arrive(): number {
	arrivals += 1;
	return arrivals;
}

const gates = new Map<string, Gate>();

/**
 * The gates of a credential, one for each kind of request: the service counts starts, answers and
 * looks apart, so a refused start must not hold up the looks at running jobs (addendum 14). Gates that
 * hold nothing are dropped on the way.
 */
export const gatesOf =
	(credential: string) =>
	(kind: string): Gate => {
		const wanted = `${kind} ${credential}`;
		for (const [key, gate] of gates) if (gate.idle && key !== wanted) gates.delete(key);
		const gate = gates.get(wanted) ?? new Gate();
		gates.set(wanted, gate);
		return gate;
	};
