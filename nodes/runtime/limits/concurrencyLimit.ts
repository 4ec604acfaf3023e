/** What an answer shows of how much the service takes at once. */
export interface Observation {
	/** Requests in flight when it was asked for, its own included, and whether more were not allowed. */
	inFlight: number;
	isFull: boolean;
	/** Milliseconds until it had come. */
	took: number;
	/** Bytes; 0 where they are not known. */
	size: number;
}

/**
 * By how much the limit grows with an answer. `slowing` is how much longer answers take in proportion to
 * what is in flight: 0 where that makes no difference, and the limit doubles with each round; 1 where they
 * only wait for each other, and it shrinks, slowly.
 */
export const growthFor = (slowing: number): number =>
	Math.max(slowestShrinking, Math.min(1, 1 - caution * slowing));

/** How many answers of a usual size may be under way, in bytes. */
export const boundByMemory = (size: number): number =>
	size === 0 ? mostInFlight : Math.max(1, Math.floor(memoryForAnswers / (size * copies)));

/**
 * How many requests may be in flight: few at first, and more for as long as answers do not get slower in
 * proportion. That proportion is the slope of a line through the last answers, time over requests in
 * flight, both as logarithms; older ones count ever less. Why it is so: docs/rate-limits.md.
 */
export class ConcurrencyLimit {
	/** Decayed sums over answers: their count, and x, y, x² and x·y of the line. */
	private count = 0;
	private x = 0;
	private y = 0;
	private xx = 0;
	private xy = 0;
	/** A usual answer's size in bytes, and of how many it is known. */
	private size = 0;
	private sizes = 0;
	/** The last request that had been sent when the limit was halved. */
	private halvedAt = 0;

	constructor(private limit = atFirst) {}

	/** Most requests in flight. */
	get width(): number {
		return Math.max(1, Math.min(Math.floor(this.limit), boundByMemory(this.size)));
	}

	noteAnswer({ inFlight, isFull, took, size }: Observation): void {
		this.sizes = Math.min(this.sizes + 1, sizesCounted);
		this.size += (size - this.size) / this.sizes;
		this.addToLine(Math.log(inFlight), Math.log(Math.max(1, took)));
		const growth = growthFor(this.slowing);
		// With free slots left, an answer says nothing about a higher limit.
		if (growth > 0 && !isFull) return;
		this.limit = Math.max(1, Math.min(mostInFlight, this.limit + growth));
	}

	/** Halves the limit after a time-out or an overload: once for all requests that were in flight together. */
	noteOverload(number: number, lastSent: number): void {
		if (number <= this.halvedAt) return;
		this.halvedAt = lastSent;
		this.limit = Math.max(1, this.limit / 2);
	}

	private addToLine(x: number, y: number): void {
		const kept = 1 - 1 / Math.max(fewestCounted, roundsCounted * this.limit);
		this.count = this.count * kept + 1;
		this.x = this.x * kept + x;
		this.y = this.y * kept + y;
		this.xx = this.xx * kept + x * x;
		this.xy = this.xy * kept + x * y;
	}

	private get slowing(): number {
		const [x, y] = [this.x / this.count, this.y / this.count];
		return (this.xy / this.count - x * y) / (this.xx / this.count - x * x + doubt);
	}
}

/** Requests in flight before anything is known. */
export const atFirst = 5;

/** Most requests in flight, whatever the service takes. */
export const mostInFlight = 100;

/** Above 1 / caution, the limit shrinks. */
const caution = 1.7;

/** What it changes by with an answer at the least: slowly, since too few in flight cost more than too many. */
const slowestShrinking = -0.03;

/** The line is drawn through so many rounds of what is in flight, and so many answers at the least. */
const roundsCounted = 4;
const fewestCounted = 40;

/** Where all answers were asked for with as many in flight, there is no line: then more are tried. */
const doubt = 0.003;

/** Answers that tell a usual size. */
const sizesCounted = 20;

/** Bytes of answers under way, and how many times an answer lies in memory while it is read: as it came, as text, as data. */
const memoryForAnswers = 100_000_000;
const copies = 4;
