import type { Sender } from '../http/paging';
import { randomUUID } from 'node:crypto';
import type { Request } from '../http/client';
import { send } from '../http/send';
import type { Found, JobLookup } from '../http/jobLookup';
import { delay } from '../host/delay';
import type { RetryLimits } from '../api/retry';
import type { Job } from '../operation/operation';
import { isRecord, fieldOf } from '../values/record';
import { settle } from '../values/settle';
import type { ItemContext } from './itemContext';
import { listJobs } from './listedJobs';
import { judge, markOf, skew } from './ownJob';
import { statusRequest } from './poll';
import { registerStart, settleStart, type Start } from './startedJobs';

/** Limits of the requests of a recovery, which blocks an item. Times in milliseconds. */
const lookupPolicy: RetryLimits = { maxAttempts: 3, budget: 15_000 };
const longestWait = 15_000;

/** Milliseconds from the failure to the recovery: lists show a job shortly after its start. */
const pauseBefore = 3_000;

/** Sends free requests with fewer attempts than usual. */
export const lookupOn = ({ requestContext }: ItemContext): Sender => {
	const policy = { ...requestContext.policy, ...lookupPolicy };
	return {
		errorSource: requestContext.errorSource,
		send: async (request) => await send({ ...request, longestWait }, { ...requestContext, policy }),
	};
};

/** Fetches the current status of a job; undefined on failure. */
export const statusReader =
	(job: Job, context: Sender) =>
	async ({ id }: { id: string }) => {
		const sent = await settle(context.send(statusRequest(job, id)));
		return sent.ok ? sent.value.body : undefined;
	};

/**
 * Recovers the job of a start whose response was lost. Bypasses the rate limiter, since no later
 * request can replace it.
 */
async function recover(
	job: Job,
	start: Start,
	jobLookup: JobLookup,
	itemContext: ItemContext,
): Promise<Found> {
	const { requestContext } = itemContext;
	const { signal } = requestContext;
	await settle(delay(pauseBefore, signal));
	if (signal?.aborted) return { notFound: 'unreadable' };
	const context = lookupOn({
		...itemContext,
		requestContext: { ...requestContext, rateLimiters: undefined, deadline: undefined },
	});
	const isMarked = (listed: unknown) =>
		start.isMarked === true && fieldOf(listed, 'origin') === start.origin;
	const { jobs, isReadable } = await listJobs(jobLookup, start.at - skew, isMarked, context);
	if (!isReadable) return { notFound: 'unreadable' };
	const judged = await judge(jobs, start, jobLookup, statusReader(job, context));
	if ('own' in judged) {
		const { id } = judged.own;
		// Immediate, so that of two concurrent recoveries only one resumes the job.
		start.id = id;
		return { id };
	}
	const candidates = judged.candidates.map(({ id }) => `the ${job.noun} ${id}`);
	return { notFound: candidates.length === 0 ? 'none' : { candidates } };
}

/**
 * Registers a start, marks it if a list returns the mark, and recovers its job if the response is
 * lost.
 */
export function watchedStart(
	job: Job,
	request: Request,
	jobLookup: JobLookup,
	facts: Pick<Start, 'key' | 'before' | 'isReusable'>,
	itemContext: ItemContext,
	onSettled: (start: Start) => void = () => undefined,
): Request {
	const isMarked =
		jobLookup.showsOrigin === true && isRecord(request.body) && request.body.origin === undefined;
	const body = isMarked
		? { ...request.body, origin: `${markOf(facts.key)}-${randomUUID()}` }
		: request.body;
	const named = jobLookup.showsOrigin ? fieldOf(body, 'origin') : undefined;
	const origin = typeof named === 'string' ? named : undefined;
	return {
		...request,
		body,
		watchStart() {
			const start = registerStart({ ...facts, jobLookup, origin, isMarked });
			return {
				recover: async (since) => {
					start.at = since;
					return await recover(job, start, jobLookup, itemContext);
				},
				settle: (end) => {
					settleStart(start, end);
					onSettled(start);
				},
			};
		},
	};
}
