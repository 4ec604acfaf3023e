import type { Bucket } from '../http/endpoint';
import { initialLimit, maxLimit } from '../http/limiter';
import type { Operation } from './operation';
import type { Limiter } from '../http/limiter';

/** Derives the concurrency of items from the rate limiters that they use. */
export class ItemConcurrency {
	private readonly used = new Set<Limiter>();

	constructor(private readonly limiterOf: (bucket: Bucket) => Limiter) {}

	/** The rate limiter of a bucket. */
	readonly limiters = (bucket: Bucket): Limiter => {
		const limiter = this.limiterOf(bucket);
		this.used.add(limiter);
		return limiter;
	};

	/** The highest concurrency of these limiters. Items of a bucket with a lower one wait there. */
	get limit(): number {
		return Math.max(
			...[...this.used].map(({ itemLimit }) => itemLimit),
			this.used.size === 0 ? initialLimit : 1,
		);
	}
}

/** Most items in flight if the first failure stops the execution, which loses their results. */
const mostToLose = 10;

/** Most jobs in flight: each takes more than one request and counts toward the plan's concurrency. */
const mostJobs = 5;

/** Most items in flight, independent of the rate limiters. */
export function mostItems(
	{ sequential, job }: Pick<Operation, 'sequential' | 'job'>,
	continuesOnFailure: boolean,
): number {
	if (sequential) return 1;
	if (job) return mostJobs;
	return continuesOnFailure ? maxLimit : mostToLose;
}
