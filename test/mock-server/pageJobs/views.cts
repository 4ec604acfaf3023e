import { ApiError } from '../errors.cjs';
import type { PageJob } from './job.cjs';
import { expiresAt } from './pageJobs.cjs';

/** Which documents an answer is to hold. */
export interface Paging {
	skip: number;
	limit?: number;
}

/** Answers are cut at about this size. */
const largestAnswer = 10 * 1024 * 1024;

/** Documents in an answer to a request without a limit. */
const defaultPage = 100;

/** Reads `skip` and `limit`. What is no number or below 0 ends in the service's store: an unknown error. */
export function parsePaging(query: Record<string, unknown>): Paging {
	const read = (name: string): number | undefined => {
		const value = query[name];
		if (value === undefined) return undefined;
		const number = typeof value === 'string' ? Math.trunc(Number.parseFloat(value)) : NaN;
		if (number >= 0) return number;
		throw new ApiError(500, { code: 'UNKNOWN_ERROR', error: 'An error occurred.' });
	};
	return { skip: read('skip') ?? 0, limit: read('limit') };
}

/** Body of `GET /crawl/{id}` and `GET /batch/scrape/{id}`; `address` is the job's own, for `next`. */
export function statusView(
	job: PageJob,
	paging: Paging,
	address: string,
	now: number,
): Record<string, unknown> {
	const { about, status, error, documents, finishedAt, creditsUsed } = job;
	const { skip, limit } = paging;
	const until = skip + fitting(job, paging);
	// A job that has ended otherwise than completed has a next page for ever, as the real server has it.
	const more = status !== 'completed' || until < about.source.total;
	const next = new URL(address);
	next.searchParams.set('skip', String(until));
	if (limit !== undefined) next.searchParams.set('limit', String(limit));
	return {
		success: status !== 'failed',
		status: status === 'scraping' ? (about.pace.runningStatus ?? status) : status,
		...(status === 'failed' && { error }),
		total: about.source.total,
		completed: documents.length,
		creditsUsed,
		expiresAt: new Date(expiresAt(job)).toISOString(),
		createdAt: new Date(about.startedAt).toISOString(),
		...(finishedAt !== undefined && { completedAt: new Date(finishedAt).toISOString() }),
		duration: ((finishedAt ?? now) - about.startedAt) / 1000,
		...(more && { next: next.href }),
		...(about.warning && { warning: about.warning }),
		data: documents.slice(skip, until),
	};
}

/** How many documents from `skip` on fit into one answer: at least one, if there is one. */
function fitting({ sizes }: PageJob, { skip, limit = defaultPage }: Paging): number {
	let count = 0;
	let bytes = 0;
	while (skip + count < sizes.length && count < limit) {
		bytes += sizes[skip + count];
		if (count > 0 && bytes > largestAnswer) break;
		count++;
	}
	return count;
}

/** Body of `GET …/errors`, without `success`. */
export function errorsView({ about, errors }: PageJob): Record<string, unknown> {
	return { errors, robotsBlocked: about.source.robotsBlocked };
}
