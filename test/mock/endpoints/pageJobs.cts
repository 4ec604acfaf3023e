import { requireCredits, takeIdempotencyKey } from '../access.cjs';
import type { Context } from '../context.cjs';
import { crawlDefaults, SiteCrawl } from '../crawl.cjs';
import { readData } from '../data.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import { BatchSource, type PageJob } from '../pageJobs.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';
import { pageCredits } from '../prices.cjs';
import { isUuid, jobUuid, parseBody } from '../schemas/fields.cjs';
import { checkPatterns, crawlRequest, paramsPreviewRequest, parseBatch } from '../schemas/jobs.cjs';

const batchPath = '/v2/batch/scrape';
const crawlPath = '/v2/crawl';

/** Batch scrapes and crawls: how each starts, and what both have in common. */
export function pageJobEndpoints(context: Context): Endpoints {
	const common = (path: `/${string}`): Endpoints => ({
		[`GET ${path}/:id`]: (call) => statusOf(context, call, path),
		[`DELETE ${path}/:id`]: (call) => cancel(context, call),
		[`GET ${path}/:id/errors`]: (call) => errorsOf(context, call, path),
	});
	return {
		[`POST ${batchPath}`]: (call) => startBatch(context, call),
		[`POST ${crawlPath}`]: (call) => startCrawl(context, call),
		[`GET ${crawlPath}/active`]: (call) => activeCrawls(context, call),
		[`GET ${crawlPath}/ongoing`]: (call) => activeCrawls(context, call),
		[`POST ${crawlPath}/params-preview`]: paramsPreview,
		...common(batchPath),
		...common(crawlPath),
	};
}

/** Starts a job or adds to one. An idempotency key is ignored, whatever it is. */
function startBatch(context: Context, call: ApiCall): Answer {
	const { pageJobs } = context;
	const { team } = call;
	const request = parseBatch(call.body);
	const { invalidURLs, ignoreInvalidURLs, ...rest } = request;
	const { urls, webhook, maxConcurrency, appendToId, origin, integration, ...options } = rest;
	if (urls.length === 0) throw new ApiError(400, { error: 'No valid URLs provided' });
	const earlier = appendToId === undefined ? undefined : batchOf(context, call, appendToId);
	requireCredits(context, call.team, urls.length * pageCredits(options));

	const source = earlier?.about.source ?? new BatchSource();
	if (source instanceof BatchSource) source.add(urls);
	if (earlier) pageJobs.pump(earlier);
	const { id } =
		earlier ??
		pageJobs.start({
			...{ kind: 'batch', team, source, pageOptions: options, webhook, delayMs: 0 },
			concurrency: maxConcurrency ?? team.concurrency,
			requestId: call.entry.id,
			url: urls[0],
		});
	// Empty unless the request asked for leniency; missing where it refused it.
	const invalid = ignoreInvalidURLs !== false && { invalidURLs };
	return { body: { success: true, id, url: jobAddress(call, batchPath, id), ...invalid } };
}

function batchOf({ pageJobs }: Context, { team }: ApiCall, id: string): PageJob {
	const job = pageJobs.find(id);
	if (job?.about.kind !== 'batch') throw notFound('Job not found');
	if (job.about.team.id !== team.id) throw forbidden();
	if (job.status === 'scraping') return job;
	throw new ApiError(409, { error: `Batch scrape is already ${job.status}` });
}

/** What every prompt is read as. */
const promptOptions = { allowSubdomains: true, limit: 20, includePaths: ['^/guides(/.*)?$'] };

/** The scrape options of a crawl as the list of active ones returns them, where its request says nothing: recorded. */
const scrapeDefaults = readData<object>('data/scrapeDefaults.json');

function startCrawl(context: Context, call: ApiCall): Answer {
	// The service's order: who has no credits keeps the key, who is refused for the body does not.
	requireCredits(context, call.team, 1);
	takeIdempotencyKey(context, call);
	const request = parseBody(crawlRequest, call.body);
	const { team } = call;
	const { prompt, scrapeOptions = {}, webhook, zeroDataRetention, ...rest } = request;
	const { origin, integration, maxConcurrency, ...asked } = rest;
	for (const list of [request.includePaths, request.excludePaths]) checkPatterns(list);

	const wanted = { ...crawlDefaults, ...(prompt !== undefined && promptOptions), ...asked };
	const pageOptions = { ...scrapeOptions, ...(zeroDataRetention && { zeroDataRetention }) };
	const { delay, ...scope } = { ...wanted, limit: Math.max(1, wanted.limit) };
	const { url: _, ...options } = { ...scope, ...(delay !== undefined && { delay }) };
	const { id } = context.pageJobs.start({
		...{ kind: 'crawl', team, webhook, pageOptions },
		source: new SiteCrawl(scope, context.site),
		concurrency: delay === undefined ? (maxConcurrency ?? team.concurrency) : 1,
		delayMs: (delay ?? 0) * 1000,
		requestId: call.entry.id,
		url: asked.url,
		options: { ...options, scrapeOptions: { ...scrapeDefaults, ...scrapeOptions } },
	});
	return { body: { success: true, id, url: jobAddress(call, crawlPath, id) } };
}

function activeCrawls({ pageJobs }: Context, { team }: ApiCall): Answer {
	const crawls = pageJobs.active(team.id, 'crawl').map(({ id, about, startedAt }) => ({
		id,
		teamId: team.id,
		url: about.url,
		created_at: new Date(startedAt).toISOString(),
		options: about.options,
	}));
	return { body: { success: true, crawls } };
}

function paramsPreview({ body }: ApiCall): Answer {
	const request = paramsPreviewRequest.safeParse(body);
	if (request.success) {
		return { body: { success: true, data: { url: request.data.url, ...promptOptions } } };
	}
	const words = request.error.issues.map(({ message }) => message).join(', ');
	const error = `Invalid request parameters: ${words}`;
	throw new ApiError(400, { code: 'BAD_REQUEST', error });
}

/** The address of a job as its requester sees the service. */
function jobAddress({ headers }: ApiCall, path: string, id: string): string {
	return `http://${headers.host}${path}/${id}`;
}

function statusOf(context: Context, call: ApiCall, path: string): Answer {
	const job = jobOf(context, call);
	if (!context.pageJobs.isKnown(job)) throw notFound('Job not found');
	const paging = parsePaging(call.query);
	return { body: statusView(job, paging, jobAddress(call, path, job.id), context.clock.now()) };
}

/** For batches, an ID that is none is not looked at. The body has no `success`. */
function errorsOf(context: Context, call: ApiCall, path: string): Answer {
	if (path.includes('batch') && !isUuid(call.params.id)) throw notFound('Job not found');
	const { about, errors } = jobOf(context, call);
	return { body: { errors, robotsBlocked: about.source.robotsBlocked } };
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
function jobOf({ pageJobs }: Context, { params, team }: ApiCall, more: object = {}): PageJob {
	const job = pageJobs.find(jobUuid(params.id));
	if (!job) throw new ApiError(404, { error: 'Job not found', ...more });
	if (job.about.team.id !== team.id) throw new ApiError(403, { error: 'Forbidden', ...more });
	return job;
}

/** Answers are cut at about this size. */
const largestAnswer = 10 * 1024 * 1024;

/** Documents in an answer to a request without a limit. */
const defaultPage = 100;

/** Reads `skip` and `limit`, or throws the 400. */
function parsePaging({ skip = '0', limit }: Record<string, unknown>) {
	const isWhole = (value: unknown) => typeof value === 'string' && /^\d+$/.test(value);
	const most = limit ?? '1';
	const fault = !isWhole(skip)
		? 'skip must be a non-negative integer'
		: !isWhole(most) || Number(most) < 1 || Number(most) > 1000
			? 'limit must be an integer between 1 and 1000'
			: undefined;
	if (fault) throw new ApiError(400, { error: `Invalid pagination: ${fault}` });
	return { skip: Number(skip), limit: limit === undefined ? undefined : Number(limit) };
}

function statusView(
	job: PageJob,
	paging: ReturnType<typeof parsePaging>,
	address: string,
	now: number,
) {
	const { about, course, status, error, documents, startedAt, finishedAt, creditsUsed } = job;
	const { skip, limit } = paging;
	const until = skip + fitting(job, paging);
	const more = status === 'scraping' || until < documents.length;
	const next = new URL(address);
	next.searchParams.set('skip', String(until));
	if (limit !== undefined) next.searchParams.set('limit', String(limit));
	return {
		success: status !== 'failed',
		status: status === 'scraping' ? (course.runningStatus ?? status) : status,
		...(status === 'failed' && { error }),
		total: about.source.total,
		completed: documents.length,
		creditsUsed,
		expiresAt: new Date(job.expiresAt).toISOString(),
		createdAt: new Date(startedAt).toISOString(),
		...(finishedAt !== undefined && { completedAt: new Date(finishedAt).toISOString() }),
		duration: ((finishedAt ?? now) - startedAt) / 1000,
		...(more && { next: next.href }),
		data: documents.slice(skip, until),
	};
}

/** How many documents from `skip` on fit into one answer: at least one, if there is one. */
function fitting(
	{ documents }: PageJob,
	{ skip, limit = defaultPage }: ReturnType<typeof parsePaging>,
): number {
	let count = 0;
	let bytes = 0;
	while (skip + count < documents.length && count < limit) {
		bytes += JSON.stringify(documents[skip + count]).length;
		if (count > 0 && bytes > largestAnswer) break;
		count++;
	}
	return count;
}
