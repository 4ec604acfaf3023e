import type { Context } from '../context.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import type { PageJob } from '../pageJobs/job.cjs';
import { errorsView, parsePaging, statusView } from '../pageJobs/views.cjs';
import { endpoints, type Answer, type ApiCall, type ApiEndpoint } from '../pipeline.cjs';
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
		[`DELETE ${path}/:id`, withoutSuccess((call) => cancel(context, call))],
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
	return { body: statusView(job, parsePaging(call.query), address, context.clock.now()) };
}

function cancel(context: Context, call: ApiCall): Answer {
	const job = jobOf(context, call);
	// The service has the same words for batches.
	if (job.status === 'completed' || job.status === 'failed') {
		throw new ApiError(409, { error: `Crawl is already ${job.status}` });
	}
	if (job.status === 'scraping') context.pageJobs.cancel(job);
	return { body: { status: 'cancelled' } };
}

/** The job of an ID, a crawl or a batch: the service looks for both under both paths. */
function jobOf({ pageJobs }: Context, { params, caller }: ApiCall): PageJob {
	if (!isUuid(params.id)) {
		throw new ApiError(400, { error: 'Invalid job ID format. Job ID must be a valid UUID.' });
	}
	const job = pageJobs.find(params.id);
	if (!job) throw notFound('Job not found');
	if (job === 'expired') throw notFound('Job expired');
	if (job.about.team.id !== caller.team.id) throw forbidden();
	return job;
}

/** Cancel answers without `success`, also that there is no such job; an ID that is none has it. */
function withoutSuccess(handle: (call: ApiCall) => Answer): (call: ApiCall) => Answer {
	return (call) => {
		try {
			return handle(call);
		} catch (error) {
			if (!(error instanceof ApiError) || error.status === 400) throw error;
			throw new ApiError(error.status, { ...error.body, success: undefined }, error.headers);
		}
	};
}
