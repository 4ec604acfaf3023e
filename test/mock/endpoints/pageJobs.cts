import type { Context } from '../context.cjs';
import { ApiError, notFound } from '../errors.cjs';
import type { PageJob } from '../pageJobs/job.cjs';
import { expiresAt } from '../pageJobs/pageJobs.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { isUuid, jobUuid } from '../schemas/fields.cjs';

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
		[`GET ${path}/:id/errors`, (call) => errors(context, call, path)],
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
	const { nextHost, server } = context.options;
	const isNewest = (server?.age ?? 'newest') === 'newest';
	if (isNewest) checkPaging(call.query);
	const own = jobAddress(call, path, job.id);
	const address = nextHost === undefined ? own : `http://${nextHost}${new URL(own).pathname}`;
	const paging = parsePaging(call.query);
	const view = context.pageJobs.isEarly(job)
		? earlyView(job, paging, address)
		: statusView(job, paging, address, context.clock.now(), isNewest);
	// A server on one's own machine, without the service's database, has no warnings.
	return { body: { ...view, ...(context.options.authentication && warningOf(job)) } };
}

/** For batches, an ID that is none is not looked at. */
function errors(context: Context, call: ApiCall, path: string): Answer {
	if (path.includes('batch') && !isUuid(call.params.id)) throw notFound('Job not found');
	return { body: errorsView(jobOf(context, call)) };
}

/** Cancel answers without `success`, also that there is no such job. */
function cancel(context: Context, call: ApiCall): Answer {
	const bare = { success: undefined };
	const job = jobOf(context, call, bare);
	const said = context.pageJobs.isEarly(job) ? 'completed' : job.status;
	// The service has the same words for batches.
	if (said === 'completed' || said === 'failed') {
		throw new ApiError(409, { error: `Crawl is already ${said}`, ...bare });
	}
	if (job.status === 'scraping') context.pageJobs.cancel(job);
	return { body: { status: 'cancelled' } };
}

/** The job of an ID, a crawl or a batch: the service looks for both under both paths. */
function jobOf({ pageJobs }: Context, { params, caller }: ApiCall, more: object = {}): PageJob {
	const job = pageJobs.find(jobUuid(params.id));
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

/** Throws the 400 that the newest server has for `skip` and `limit`; a parameter that is repeated is a list here. */
function checkPaging({ skip = '0', limit = '1' }: Record<string, unknown>): void {
	const isWhole = (value: unknown) => typeof value === 'string' && /^\d+$/.test(value);
	const fault = !isWhole(skip)
		? 'skip must be a non-negative integer'
		: !isWhole(limit) || Number(limit) < 1 || Number(limit) > 1000
			? 'limit must be an integer between 1 and 1000'
			: undefined;
	if (fault) throw new ApiError(400, { error: `Invalid pagination: ${fault}` });
}

/** Reads `skip` and `limit`. What is no number or below 0 ends in an older server's store: an unknown error. */
function parsePaging(query: Record<string, unknown>) {
	const read = (name: string): number | undefined => {
		const value = query[name];
		if (value === undefined) return undefined;
		const number = typeof value === 'string' ? Math.trunc(Number.parseFloat(value)) : NaN;
		if (number >= 0) return number;
		const error =
			'An error occurred. Please check your logs for more details. Error ID: 675af025c8b0';
		throw new ApiError(500, { code: 'UNKNOWN_ERROR', error });
	};
	return { skip: read('skip') ?? 0, limit: read('limit') };
}

function statusView(
	job: PageJob,
	paging: ReturnType<typeof parsePaging>,
	address: string,
	now: number,
	/** The newest server ends the pages of every job that has ended; older ones those of a completed one alone. */
	isNewest: boolean,
) {
	const { about, status, error, documents, finishedAt, creditsUsed } = job;
	const { skip, limit } = paging;
	const until = skip + fitting(job, paging);
	const isOpen = isNewest ? status === 'scraping' : status !== 'completed';
	const more = isOpen || until < (isNewest ? documents.length : about.source.total);
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

/** The status of a job that says it has completed before anything was done: recorded. */
function earlyView(job: PageJob, { limit }: ReturnType<typeof parsePaging>, address: string) {
	const { total } = job.about.source;
	const startedAt = new Date(job.about.startedAt).toISOString();
	const next = `${address}?skip=0${limit === undefined ? '' : `&limit=${limit}`}`;
	return {
		...{ success: true, status: 'completed', completed: 0, total, creditsUsed: 0 },
		expiresAt: new Date(expiresAt(job)).toISOString(),
		...(total > 0 && { next }),
		...{ data: [], createdAt: startedAt, completedAt: startedAt, duration: 0 },
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
function errorsView({ about, errors }: PageJob) {
	return { errors, robotsBlocked: about.source.robotsBlocked };
}
