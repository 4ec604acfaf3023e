import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import type { ApiCall } from '../pipeline.cjs';
import { parseBatch, type BatchRequest } from '../schemas/batch.cjs';
import { pageCredits } from '../scrape/price.cjs';
import { checkRights, isSupported, unsupportedSite } from './admission.cjs';
import type { Page, PageJob } from './job.cjs';
import { BatchSource } from './sources.cjs';

export interface StartedBatch {
	job: PageJob;
	/** Empty unless the request asked for leniency; missing where it refused it. */
	invalidURLs?: string[];
}

/** `POST /batch/scrape`: checks the request, then starts a job or adds to one. An idempotency key is ignored, whatever it is. */
export function startBatch(context: Context, call: ApiCall): StartedBatch {
	const request = parseBatch(call.body);
	const { invalidURLs, ignoreInvalidURLs, ...rest } = request;
	const { urls, webhook, maxConcurrency, appendToId, origin, integration, ...options } = rest;
	const lenient = ignoreInvalidURLs === true;
	checkRights(context, call, request, options);
	const supported = urls.filter((url) => isSupported(context, url));
	const refused = urls.filter((url) => !isSupported(context, url));
	if (refused.length > 0 && !lenient) throw unsupportedSite(refused[0]);
	if (supported.length === 0) throw new ApiError(400, { error: 'No valid URLs provided' });
	const earlier = appendToId === undefined ? undefined : batchOf(context, call, appendToId);
	requireCredits(context, call.caller, supported.length * pageCredits(options, undefined));

	const pages = supported.map((url): Page => ({ url, options }));
	const job = earlier ? append(context, earlier, pages) : begin(context, call, request, pages);
	return { job, ...(ignoreInvalidURLs !== false && { invalidURLs: [...invalidURLs, ...refused] }) };
}

/** The team's batch that a request adds to. */
function batchOf({ pageJobs }: Context, { caller }: ApiCall, id: string): PageJob {
	const job = pageJobs.find(id);
	if (!job || job === 'expired' || job.about.kind !== 'batch') throw notFound('Job not found');
	if (job.about.team.id !== caller.team.id) throw forbidden();
	return job;
}

function append({ pageJobs }: Context, job: PageJob, pages: readonly Page[]): PageJob {
	const { source } = job.about;
	if (source instanceof BatchSource) source.add(pages);
	pageJobs.resume(job);
	return job;
}

function begin(
	{ pageJobs }: Context,
	call: ApiCall,
	{ webhook, maxConcurrency }: BatchRequest,
	pages: readonly Page[],
): PageJob {
	const source = new BatchSource();
	source.add(pages);
	return pageJobs.start({
		kind: 'batch',
		team: call.caller.team,
		source,
		concurrency: maxConcurrency ?? Infinity,
		delayMs: 0,
		webhook,
		requestId: call.entry.id,
	});
}
