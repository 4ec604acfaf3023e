import type { Context } from '../context.cjs';
import { ApiError, badRequest, forbidden, notFound } from '../errors.cjs';
import type { JobFacts, PageJob } from '../pageJobs/job.cjs';
import { errorsView, parsePaging, statusView } from '../pageJobs/views.cjs';
import type { Answer, ApiCall, ApiEndpoint } from '../pipeline.cjs';
import { isUuid } from '../schemas/fields.cjs';

interface Family {
	kind: JobFacts['kind'];
	/** Path of the family, e.g. `/v2/crawl`. */
	path: string;
	scope: 'crawl' | 'batch-scrape';
}

/** What batch and crawl jobs have in common: status, cancel and errors (addendum sections 5 and 6). */
export function pageJobEndpoints(context: Context, family: Family): ApiEndpoint[] {
	const { path, scope } = family;
	const shared = { scope, rate: 'crawlStatus' } as const;
	return [
		{
			...shared,
			method: 'GET',
			path: `${path}/:id`,
			handle: (call) => status(context, call, family),
		},
		{
			...shared,
			method: 'DELETE',
			path: `${path}/:id`,
			handle: withoutSuccess((call) => cancel(context, call, family)),
		},
		{
			...shared,
			method: 'GET',
			path: `${path}/:id/errors`,
			handle: withoutSuccess((call) => ({ body: errorsView(jobOf(context, call, family)) })),
		},
	];
}

/** The address of a job as its requester sees the service. */
export function jobAddress({ headers }: ApiCall, path: string, id: string): string {
	return `http://${headers.host}${path}/${id}`;
}

function status(context: Context, call: ApiCall, family: Family): Answer {
	const job = jobOf(context, call, family);
	const { startedAt, pace } = job.about;
	if (context.clock.now() < startedAt + (pace.unknownMs ?? 0)) throw notFound('Job not found');
	const { nextHost } = context.options;
	const own = jobAddress(call, family.path, job.id);
	const address = nextHost === undefined ? own : `http://${nextHost}${new URL(own).pathname}`;
	return { body: statusView(job, parsePaging(call.query), address) };
}

function cancel(context: Context, call: ApiCall, family: Family): Answer {
	const job = jobOf(context, call, family);
	// The service has the same words for batches.
	if (job.status === 'completed' || job.status === 'failed') {
		throw new ApiError(409, { error: `Crawl is already ${job.status}` });
	}
	if (job.status === 'scraping') context.pageJobs.cancel(job);
	return { body: { status: 'cancelled' } };
}

function jobOf({ pageJobs }: Context, { params, caller }: ApiCall, { kind }: Family): PageJob {
	if (!isUuid(params.id)) {
		throw badRequest(
			[{ code: 'invalid_string', path: ['jobId'], message: 'Invalid uuid' }],
			'Invalid job ID format. Job ID must be a valid UUID.',
		);
	}
	const job = pageJobs.find(params.id, kind);
	if (!job) throw notFound('Job not found');
	if (job === 'expired') throw notFound('Job expired');
	if (job.about.team.id !== caller.team.id) throw forbidden();
	return job;
}

/** Cancel and errors answer without `success`, their own errors too (addendum sections 6 and 16). */
function withoutSuccess(handle: (call: ApiCall) => Answer): (call: ApiCall) => Answer {
	return (call) => {
		try {
			return handle(call);
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			throw new ApiError(error.status, { ...error.body, success: undefined }, error.headers);
		}
	};
}
