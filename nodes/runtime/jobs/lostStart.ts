import type { Sender } from '../http/paging';
import { randomUUID } from 'node:crypto';
import type { Request } from '../http/client';
import { send } from '../http/send';
import type { Found, JobLookup } from '../http/jobLookup';
import { delay } from '../host/delay';
import type { Job } from '../operation/operation';
import { isRecord, fieldOf } from '../values/record';
import { settle } from '../values/settle';
import type { ItemContext } from './itemContext';
import { listJobs } from './listedJobs';
import { judge, markOf, skew } from './ownJob';
import { statusRequest } from './poll';
import { registerStart, settleStart, type Start } from './startedJobs';

/** Limits for the requests of a look-up, which something waits for. Times in milliseconds. */
const lookupPolicy = { maxTries: 3, budget: 15_000 };
const longestWait = 15_000;

/** Milliseconds from the failure to the look-up: the lists show a job a little after its start. */
const pauseBefore = 3_000;

/** Sends free requests with fewer attempts than usual. */
export const lookupOn = ({ requestContext }: ItemContext): Sender => {
	const policy = { ...requestContext.policy, ...lookupPolicy };
	return {
		errorSource: requestContext.errorSource,
		send: async (request) => await send({ ...request, longestWait }, { ...requestContext, policy }),
	};
};

/** Reads the status of a job as it is; undefined where it cannot be read. */
export const statusReader =
	(job: Job, context: Sender) =>
	async ({ id }: { id: string }) => {
		const sent = await settle(context.send(statusRequest(job, id)));
		return sent.ok ? sent.value.body : undefined;
	};

/** Looks up the job of a start whose response was lost. Bypasses the rate limiter: no later request can make up for it. */
async function recover(
	job: Job,
	start: Start,
	traces: JobLookup,
	itemContext: ItemContext,
): Promise<Found> {
	const { requestContext } = itemContext;
	const { signal } = requestContext;
	await settle(delay(pauseBefore, signal));
	if (signal?.aborted) return { notFound: 'unreadable' };
	const context = lookupOn({
		...itemContext,
		requestContext: { ...requestContext, rateLimiters: undefined },
	});
	const isMarked = (told: unknown) =>
		start.isMarked === true && fieldOf(told, 'origin') === start.origin;
	const { jobs, isReadable } = await listJobs(traces, start.at - skew, isMarked, context);
	if (!isReadable) return { notFound: 'unreadable' };
	const judged = await judge(jobs, start, traces, statusReader(job, context));
	if ('own' in judged) {
		const { id } = judged.own;
		// At once, so that of two that are looked up at the same time only one goes on with it.
		start.id = id;
		return { id };
	}
	const candidates = judged.candidates.map(({ id }) => `the ${job.noun} ${id}`);
	return { notFound: candidates.length === 0 ? 'none' : { candidates } };
}

/** A request whose start is registered, carries a mark where a list returns one, and has its job looked up when its response is lost. */
export function watchedStart(
	job: Job,
	request: Request,
	traces: JobLookup,
	facts: Pick<Start, 'key' | 'before' | 'isReusable'>,
	itemContext: ItemContext,
	onSettled: (start: Start) => void = () => undefined,
): Request {
	const isMarked =
		traces.showsOrigin === true && isRecord(request.body) && request.body.origin === undefined;
	const body = isMarked
		? { ...request.body, origin: `${markOf(facts.key)}-${randomUUID()}` }
		: request.body;
	const named = traces.showsOrigin ? fieldOf(body, 'origin') : undefined;
	const origin = typeof named === 'string' ? named : undefined;
	return {
		...request,
		body,
		watchStart() {
			const start = registerStart({ ...facts, traces, origin, isMarked });
			return {
				recover: async (since) => {
					start.at = since;
					return await recover(job, start, traces, itemContext);
				},
				settle: (end) => {
					settleStart(start, end);
					onSettled(start);
				},
			};
		},
	};
}
