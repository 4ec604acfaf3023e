import { z } from 'zod';

import { strict } from '../schemas/body.cjs';

/**
 * How batch and crawl jobs go, where the specification leaves it to chance. What they find is computed;
 * this only says how long pages take and what stops a job.
 */
const pace = {
	/**
	 * What a page takes on average beside its own delays, in milliseconds on the service's clock: between
	 * a half and one and a half of it, always the same for an address.
	 */
	pageMs: z.number().int().nonnegative().optional(),
	/** How long the job's status is 404 after its start, in milliseconds, as where a store lags behind. */
	unknownMs: z.number().int().nonnegative().optional(),
	/** The status while the job runs, in the place of `scraping`. */
	runningStatus: z.string().min(1).optional(),
	/** The job fails after so many pages. */
	failure: strict({
		afterPages: z.number().int().nonnegative(),
		error: z.string().min(1).default('The job failed because of an internal error.'),
	}).optional(),
};
export const paceSchema = strict(pace);
export type Pace = z.output<typeof paceSchema>;

/** The next `count` jobs go so. */
export const nextJobsSchema = strict({ ...pace, count: z.number().int().positive().default(1) });
export type NextJobs = z.input<typeof nextJobsSchema>;

export type FullPace = Pace & { pageMs: number };

/** What the jobs to come are told to do. */
export class Paces {
	private common: Pace;
	private next: Array<z.output<typeof nextJobsSchema>> = [];

	/** `initial`: how all jobs go from the start. */
	constructor(private readonly initial: Pace) {
		this.common = initial;
	}

	/** Changes how all jobs go. */
	set(change: Pace): void {
		this.common = { ...this.common, ...change };
	}

	/** Adds jobs to come, after those added before. */
	add(...jobs: NextJobs[]): void {
		this.next.push(...jobs.map((job) => nextJobsSchema.parse(job)));
	}

	/** How a job that starts now goes. */
	take(): FullPace {
		const [found] = this.next;
		if (found && --found.count === 0) this.next.shift();
		const { count: _count, ...own } = found ?? {};
		return { pageMs: 100, ...this.common, ...own };
	}

	clear(): void {
		this.common = this.initial;
		this.next = [];
	}
}

/** What a page takes: pages of one average come in another order than they were asked for. */
export function pageTime(url: string, { pageMs }: FullPace): number {
	let hash = 0;
	for (const letter of url) hash = (hash * 31 + letter.charCodeAt(0)) % 1009;
	return Math.round(pageMs * (0.5 + hash / 1009));
}
