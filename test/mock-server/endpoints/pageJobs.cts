import type { Context } from '../context.cjs';
import { ApiError, notFound } from '../errors.cjs';
import type { PageJob } from '../pageJobs/job.cjs';
import { expiresAt } from '../pageJobs/pageJobs.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { isUuid } from '../schemas/fields.cjs';

/** What batch and crawl jobs have in common: status, cancel and errors. */
export function pageJobEndpoints(
	context: Context,
	path: '/v2/crawl' | '/v2/batch/scrape',
	scope: 'crawl' | 'batch-scrape',
): ApiEndpoint[] {
	return endpoints(
		{ scope, rate: 'crawlStatus' },
		[`GET ${path}/:id`, (call) => status(context, call, path)],
		[`DELETE ${path}/:id`, (call) => cancel(context, call)],
		[`GET ${path}/:id/errors`, (call) => ({ body: errorsView(jobOf(context, call)) })],
	);
}

/** The address of a job as its requester sees the service. */
export function jobAddress({ headers }: ApiCall, path: string, id: string): string {
	return `http://${headers.host}${path}/${id}`;
}

function status(context: Context, call: ApiCall, path: string): Answer {
	const job = jobOf(context, call);
	const { startedAt, pace } = job.about;
	if (context.clock.now() < startedAt + (pace.unknownMs ?? 0)) throw notFound('Job not found');
	const { nextHost } = context.options;
	const own = jobAddress(call, path, job.id);
	const address = nextHost === undefined ? own : `http://${nextHost}${new URL(own).pathname}`;
	const view = statusView(job, parsePaging(call.query), address, context.clock.now());
	// A server on one's own machine, without the service's database, has no warnings.
	return { body: { ...view, ...(context.options.authentication && warningOf(job)) } };
}

/** Cancel answers without `success`, also that there is no such job. */
function cancel(context: Context, call: ApiCall): Answer {
	const bare = { success: undefined };
	const job = jobOf(context, call, bare);
	// The service has the same words for batches.
	if (job.status === 'completed' || job.status === 'failed') {
		throw new ApiError(409, { error: `Crawl is already ${job.status}`, ...bare });
	}
	if (job.status === 'scraping') context.pageJobs.cancel(job);
	return { body: { status: 'cancelled' } };
}

/** The job of an ID, a crawl or a batch: the service looks for both under both paths. */
function jobOf({ pageJobs }: Context, { params, caller }: ApiCall, more: object = {}): PageJob {
	if (!isUuid(params.id)) {
		throw new ApiError(400, { error: 'Invalid job ID format. Job ID must be a valid UUID.' });
	}
	const job = pageJobs.find(params.id);
	if (!job) throw new ApiError(404, { error: 'Job not found', ...more });
	if (job === 'expired') throw new ApiError(404, { error: 'Job expired', ...more });
	if (job.about.team.id !== caller.team.id)
		throw new ApiError(403, { error: 'Forbidden', ...more });
	return job;
}

/** Answers are cut at about this size. */
const largestAnswer = 10 * 1024 * 1024;

/** Documents in an answer to a request without a limit. */
const defaultPage = 100;

/** Reads `skip` and `limit`. What is no number or below 0 ends in the service's store: an unknown error. */
function parsePaging(query: Record<string, unknown>) {
	const read = (name: string): number | undefined => {
		const value = query[name];
		if (value === undefined) return undefined;
		const number = typeof value === 'string' ? Math.trunc(Number.parseFloat(value)) : NaN;
		if (number >= 0) return number;
		throw new ApiError(500, { code: 'UNKNOWN_ERROR', error: 'An error occurred.' });
	};
	return { skip: read('skip') ?? 0, limit: read('limit') };
}

export function statusView(
	job: PageJob,
	paging: ReturnType<typeof parsePaging>,
	address: string,
	now: number,
) {
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
		data: documents.slice(skip, until),
	};
}

const blocked =
	'One or more pages were unable to be crawled because the robots.txt file prevented this. Please use the /scrape endpoint instead.';

/** What an ended job's status says beside its documents: of robots.txt, or of a crawl that found next to nothing below its start page. */
function warningOf({ about, status, documents, errors }: PageJob): { warning?: string } {
	if (status === 'scraping') return {};
	const { warning } = about.pace;
	if (warning !== undefined) return { warning };
	const isBlocked =
		about.source.robotsBlocked.length > 0 || errors.some(({ error }) => /robots\.txt/.test(error));
	if (isBlocked) return { warning: blocked };
	if (about.url === undefined || documents.length > 1) return {};
	const { origin, pathname } = new URL(about.url, 'http://unknown');
	if (pathname === '/' || about.options?.crawlEntireDomain === true) return {};
	const found = `Only ${documents.length} result(s) found.`;
	return {
		warning: `${found} For broader coverage, try crawling with crawlEntireDomain=true or start from a higher-level path like ${origin}`,
	};
}

/** How many documents from `skip` on fit into one answer: at least one, if there is one. */
function fitting(
	{ sizes }: PageJob,
	{ skip, limit = defaultPage }: ReturnType<typeof parsePaging>,
): number {
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
export function errorsView({ about, errors }: PageJob) {
	return { errors, robotsBlocked: about.source.robotsBlocked };
}
