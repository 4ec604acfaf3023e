import type { Bucket } from '../api/endpoint';
import { initialLimit, maxLimit } from '../limits/concurrencyLimit';
import type { Operation } from '../operation/operation';
import type { RateLimiter } from '../limits/rateLimiter';

/** The rate limiters that an execution meets, which say how many of its items may be under way. */
export class ItemConcurrency {
	private readonly met = new Set<RateLimiter>();

	constructor(private readonly limiterOf: (bucket: Bucket) => RateLimiter) {}

	/** The rate limiter for a bucket of the service. */
	readonly rateLimiters = (bucket: Bucket): RateLimiter => {
		const limiter = this.limiterOf(bucket);
		this.met.add(limiter);
		return limiter;
	};

	/** The highest limit among these rate limiters. An item of a bucket with a lower one waits there. */
	get limit(): number {
		return Math.max(
			...[...this.met].map(({ itemLimit }) => itemLimit),
			this.met.size === 0 ? initialLimit : 1,
		);
	}
}

/** Most items in flight where the first failure ends the execution: their results are lost then. */
const mostToLose = 10;

/** Most jobs waited for at once: each costs more than a request and counts against the plan's concurrency. */
const mostJobs = 5;

/** Most items of an execution that are under way, whatever the service takes; `chosen` is what the user set. */
export function mostItems(
	{ sequential: sequential, job }: Pick<Operation, 'sequential' | 'job'>,
	chosen: number | undefined,
	goesOnAfterFailures: boolean,
): number {
	if (sequential) return 1;
	if (chosen !== undefined) return chosen;
	if (job) return mostJobs;
	return goesOnAfterFailures ? maxLimit : mostToLose;
}
