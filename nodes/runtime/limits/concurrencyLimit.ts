/** Initial and maximum requests in flight. */
export const initialLimit = 5;
export const maxLimit = 100;

/**
 * The limit grows while the latency gradient is below 1 / gain, and shrinks slowly: too few in
 * flight cost more than too many.
 */
const [gain, minGrowth] = [1.7, -0.03];
/** Responses that the gradient covers: the last rounds of the limit, and a minimum. */
const [rounds, minResponses] = [4, 40];
/**
 * Pulls the gradient to 0 if all responses had the same number in flight, so that the limit grows.
 */
const regularization = 0.003;
/**
 * Bytes for concurrent responses, copies of each (raw, text and data), and number of responses
 * whose average size counts.
 */
const [memoryBudget, copies, sizeWindow] = [100_000_000, 4, 20];

/**
 * A response: the number of requests in flight, whether that was the limit, and its time in
 * milliseconds.
 */
export interface Sample {
	inFlight: number;
	isLimited: boolean;
	rtt: number;
	bytes: number;
}

/**
 * Adapts the number of requests in flight to the latency, as Netflix's Gradient2 does
 * (https://github.com/Netflix/concurrency-limits):
 *
 *     limit = limit + min(1, 1 − gain × latencyGradient)    with each response, from initialLimit up to maxLimit
 *
 * Gradient2 compares a long average of the round-trip time with the last one. Here `latencyGradient` is the
 * slope of log(rtt) over log(inFlight): 0 where more in flight make nothing slower, and the limit doubles with
 * each round; 1 where they only wait for each other. Time-outs and overloads halve the limit.
 */
export class ConcurrencyLimit {
	/** Decayed sums over the responses: their count, and x, y, x² and x·y of the line. */
	private sums = [0, 0, 0, 0, 0];
	private usualBytes = 0;
	private sizes = 0;
	/** The last request that had been sent when the limit was halved. */
	private halvedAt = 0;

	constructor(private estimate = initialLimit) {}

	/** Most requests in flight. */
	get limit(): number {
		const fitting = memoryBudget / (copies * Math.max(1, this.usualBytes));
		return Math.max(1, Math.floor(Math.min(this.estimate, fitting)));
	}

	onSample({ inFlight, isLimited, rtt, bytes }: Sample): void {
		this.sizes = Math.min(this.sizes + 1, sizeWindow);
		this.usualBytes += (bytes - this.usualBytes) / this.sizes;
		const growth = Math.max(minGrowth, Math.min(1, 1 - gain * this.latencyGradient(inFlight, rtt)));
		// With free slots left, a response does not show whether a higher limit is possible.
		if (growth > 0 && !isLimited) return;
		this.estimate = Math.max(1, Math.min(maxLimit, this.estimate + growth));
	}

	/** Halves the limit once for all requests that were in flight together. */
	onOverload(number: number, lastSent: number): void {
		if (number <= this.halvedAt) return;
		this.halvedAt = lastSent;
		this.estimate = Math.max(1, this.estimate / 2);
	}

	private latencyGradient(inFlight: number, rtt: number): number {
		const decay = 1 - 1 / Math.max(minResponses, rounds * this.estimate);
		const [logX, logY] = [Math.log(inFlight), Math.log(Math.max(1, rtt))];
		const added = [1, logX, logY, logX * logX, logX * logY];
		this.sums = this.sums.map((sum, index) => sum * decay + added[index]);
		const [count, x, y, xx, xy] = this.sums;
		return (xy / count - (x * y) / count ** 2) / (xx / count - (x / count) ** 2 + regularization);
	}
}
