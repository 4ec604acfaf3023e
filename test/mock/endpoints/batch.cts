import { checkRights, requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import { BatchSource, type PageJob } from '../pageJobs/job.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { pageCredits } from '../prices.cjs';
import { parseBatch } from '../schemas/jobs.cjs';
import { jobAddress, pageJobEndpoints } from './pageJobs.cjs';

const path = '/v2/batch/scrape';

/** Batch scrapes. */
export function batchEndpoints(context: Context): ApiEndpoint[] {
	return [
		...endpoints({ scope: 'batch-scrape', rate: 'scrape' }, [
			`POST ${path}`,
			(call) => start(context, call),
		]),
		...pageJobEndpoints(context, path, 'batch-scrape'),
	];
}

/** Starts a job or adds to one. An idempotency key is ignored, whatever it is. */
function start(context: Context, call: ApiCall): Answer {
	const { pageJobs } = context;
	const { team } = call.caller;
	const request = parseBatch(call.body);
	const { invalidURLs, ignoreInvalidURLs, ...rest } = request;
	const { urls, webhook, maxConcurrency, appendToId, origin, integration, ...options } = rest;
	checkRights(call, request, options);
	if (urls.length === 0) throw new ApiError(400, { error: 'No valid URLs provided' });
	const earlier = appendToId === undefined ? undefined : batchOf(context, call, appendToId);
	requireCredits(context, call.caller, urls.length * pageCredits(options));

	const source = earlier?.about.source ?? new BatchSource();
	const pages = urls.map((url) => ({ url, options }));
	if (source instanceof BatchSource) source.add(pages);
	if (earlier) pageJobs.resume(earlier);
	const concurrency = maxConcurrency ?? Infinity;
	const facts = { kind: 'batch', team, source, concurrency, delayMs: 0, webhook } as const;
	const { id } = earlier ?? pageJobs.start({ ...facts, requestId: call.entry.id });
	// Empty unless the request asked for leniency; missing where it refused it.
	const invalid = ignoreInvalidURLs !== false && { invalidURLs };
	return { body: { success: true, id, url: jobAddress(call, path, id), ...invalid } };
}

function batchOf({ pageJobs, options }: Context, { caller }: ApiCall, id: string): PageJob {
	const job = pageJobs.find(id);
	if (!job || job === 'expired' || job.about.kind !== 'batch') throw notFound('Job not found');
	if (job.about.team.id !== caller.team.id) throw forbidden();
	if (job.status === 'scraping' || options.server?.age === '2026-08') return job;
	throw new ApiError(409, { error: `Batch scrape is already ${job.status}` });
}
