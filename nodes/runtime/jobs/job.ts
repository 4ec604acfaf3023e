import { NodeApiError, type IDataObject } from 'n8n-workflow';
import {
	readContextOf,
	guardOf,
	sendPaid,
	showNotices,
	withJob,
	type ItemContext,
} from './itemContext';
import type { Request } from '../http/client';
import type { JobLookup } from '../http/jobLookup';
import { pluralize } from '../values/text';
import { operationError, stoppedError, type ErrorSource, type JobReference } from '../api/errors';
import { isTool } from '../host/tool';
import { delay } from '../host/delay';
import type { Job, ReadContext, Result } from '../operation/operation';
import { monotonicNow } from '../values/clock';
import { settle } from '../values/settle';
import { noteToolResults } from './toolCalls';
import { free } from '../limits/price';
import { isFinished, poll, statusRequest } from './poll';
import { sendUncancellable, startOrCancel } from './executionCleanup';
import { goneStatuses, type ApiResponse } from '../api/retry';
import { planStart } from './reuse';
import type { RunningJob } from './runningJobs';
import { requireJobId, startedId } from '../http/requireJobId';
import { send, type RequestContext } from '../http/send';
import { creditsIn, reserve, type Charge } from '../limits/budget';
import { fact, forCaller, forUser } from '../api/sentence';

/** Shows a job's progress in the editor, each state once. n8n ignores it in production. */
function progressShown({ noun, counted }: Job, id: string, { context }: RequestContext) {
	let shown = '';
	return ({ status, completed, total }: IDataObject) => {
		const done =
			counted !== undefined && typeof completed === 'number'
				? `, ${completed} of ${String(total)} ${counted}`
				: '';
		const message = `The ${noun} ${id}: ${String(status)}${done}`;
		if (message !== shown && 'sendMessageToUI' in context) context.sendMessageToUI(message);
		shown = message;
	};
}

/** The request that cancels a job. */
const cancellationOf = (job: Job, id: string): Request => ({
	endpoint: job.cancel,
	ids: { id },
});

/** Outcome of cancelling a job at the end of the wait. */
type CancelOutcome = 'left alone' | 'cancelled' | 'ended before' | 'not told';

const cancelOutcomeMessages: Record<CancelOutcome, string> = {
	'left alone': 'It is still running.',
	cancelled: 'It was cancelled.',
	'ended before': 'It had already ended.',
	'not told': 'It could not be cancelled, and may still be running.',
};

/** Cancels a job if the user wants that. */
async function cancel(
	job: Job,
	id: string,
	{ settings, requestContext }: ItemContext,
): Promise<CancelOutcome> {
	if (!settings.cancelJob) return 'left alone';
	const outcome = await sendUncancellable(cancellationOf(job, id), requestContext);
	if (outcome.ok) return 'cancelled';
	const status = outcome.error instanceof NodeApiError ? Number(outcome.error.httpCode) : 0;
	return goneStatuses.has(status) ? 'ended before' : 'not told';
}

/** Longest wait for a cancellation in milliseconds. Its attempts continue after it. */
const cancelWait = 15_000;

/** Cancels a job at the end of the wait, within a time limit. */
async function cancelInTime(
	job: Job,
	id: string,
	itemContext: ItemContext,
): Promise<CancelOutcome> {
	const timer = new AbortController();
	const late = delay(cancelWait, timer.signal).then((): CancelOutcome => 'not told');
	return await Promise.race([cancel(job, id, itemContext), late]).finally(() => timer.abort());
}

/** The final state of a job that ended at the deadline; undefined if it has no result. */
async function finalState(
	request: Request,
	requestContext: RequestContext,
): Promise<IDataObject | undefined> {
	const outcome = await settle(send(request, requestContext));
	if (!outcome.ok) return undefined;
	const body = outcome.value.body as IDataObject;
	return isFinished(body) ? body : undefined;
}

/** The results of an unfinished job: those found so far, or its ID. */
const unfinishedResults = async (
	job: Job,
	response: IDataObject,
	itemContext: ItemContext,
): Promise<Result[]> => {
	const found = await job.unfinished?.(response, readContextOf(itemContext));
	return found ?? [job.started(response, itemContext.settings)];
};

/**
 * Returns the results of a recovered job, unless they prove that another request started it.
 * @throws NodeOperationError with the job's ID
 */
function requireOwn(
	results: Result[],
	message: string,
	jobLookup: JobLookup | undefined,
	errorSource: ErrorSource,
): Result[] {
	const documents = results.map(({ json }) => json);
	const isOfOthers =
		jobLookup?.proves !== undefined &&
		[{ data: documents }, ...documents].some((listed) => jobLookup.excludes(listed));
	if (!isOfOthers) return results;
	throw operationError(
		`${message}, which seemed to belong to a start whose response was lost, belongs to another request`,
		[
			fact('It was not cancelled. It is unknown whether the own job was started.'),
			forUser('Look it up in the list of jobs or in the dashboard before you retry.'),
		],
		errorSource,
	);
}

/** Milliseconds for which a tool can wait for a job: the same call continues it. */
function toolWaitOf({ isReusable }: Job, { deadline }: RequestContext): number {
	if (deadline === undefined || !isReusable) return Infinity;
	return Math.max(0, deadline - monotonicNow());
}

/** Returns the ID and state of a job to a model before its client gives up, with the way on. */
function handBack(job: Job, response: IDataObject, { execution }: ItemContext): Result[] {
	const { id, status, completed, total } = response;
	execution.ownNotes.add(
		`The ${job.noun} ${String(id)} has not finished. To wait on, call this tool again with the same arguments: it continues this ${job.noun}, which is not charged again. A tool that gets a ${job.noun} by its ID returns it, too.`,
	);
	return [{ json: { jobId: id, status, completed, total } }];
}

/** Turns the last status of a job into results. A minute later, the same call of a tool starts a new job. */
async function finish(job: Job, response: IDataObject, context: ReadContext): Promise<Result[]> {
	const results = await job.finish(response, context);
	noteToolResults(String(response.id));
	return results;
}

/**
 * Waits for a started job. `start` is its request, or the one it seems to belong to
 * (`isRecovered`). Cancels the job if the execution is stopped or the wait is over, unless the user
 * disabled that.
 */
async function waitUntilDone(
	job: Job,
	started: IDataObject,
	itemContext: ItemContext,
	running: RunningJob,
	charge: Charge | undefined,
	start?: Request,
	isRecovered = false,
): Promise<Result[]> {
	const { settings, requestContext } = itemContext;
	const { signal, errorSource } = requestContext;
	const id = String(started.id);
	const request = statusRequest(job, id);
	const onStop = () => void cancel(job, id, itemContext);
	signal?.addEventListener('abort', onStop, { once: true });
	if (signal?.aborted) onStop();
	const checked = (results: Result[]) =>
		isRecovered
			? requireOwn(results, `The ${job.noun} ${id}`, start?.jobLookup, errorSource)
			: results;
	const maxWait = settings.maxWait * 60_000;
	const toolWait = toolWaitOf(job, requestContext);
	const longestWait = Math.min(maxWait, toolWait);
	const showProgress = progressShown(job, id, requestContext);
	const seen = (body: IDataObject) => {
		showProgress(body);
		showNotices(body, itemContext);
	};
	const [end] = await Promise.all([
		settle(poll(request, longestWait, requestContext, seen)),
		start && job.afterStart?.(started, start, readContextOf(itemContext)),
	]);
	signal?.removeEventListener('abort', onStop);

	if (signal?.aborted) throw stoppedError(errorSource);
	if (!end.ok) throw end.error;
	const known: IDataObject = { ...started, ...end.value.body };
	if (!end.value.finished && toolWait < maxWait) {
		running.status = 'still running';
		return handBack(job, { ...known, id }, itemContext);
	}
	const cancelOutcome = end.value.finished ? undefined : await cancelInTime(job, id, itemContext);
	const late =
		cancelOutcome === 'ended before' ? await finalState(request, requestContext) : undefined;
	if (signal?.aborted) throw stoppedError(errorSource);
	showNotices(late, itemContext);
	const response: IDataObject = { ...known, ...late, id };
	if (cancelOutcome === undefined || late !== undefined) {
		running.status = 'had ended';
		// If the response to a start was lost, its reservation stays charged.
		if (charge && !isRecovered) charge.known = creditsIn(response);
		return checked(await finish(job, response, readContextOf(itemContext, charge)));
	}
	if (settings.onTimeout === 'item') {
		return checked(await unfinishedResults(job, response, itemContext));
	}
	const advice = isTool(errorSource.node)
		? [forCaller('Request less at once.'), forUser(`A higher 'Max Wait' allows more time.`)]
		: [forUser(`Raise 'Max Wait', or use Start and, when the job has ended, Get.`)];
	const { status } = response;
	const state = typeof status === 'string' ? ` (its last state was ${status})` : '';
	throw operationError(
		`The ${job.noun} ${id} did not finish within ${pluralize(settings.maxWait, 'minute')}${state}`,
		[fact(cancelOutcomeMessages[cancelOutcome]), ...advice],
		errorSource,
	);
}

/** Starts a job without waiting for it. */
async function startAlone(job: Job, request: Request, itemContext: ItemContext): Promise<Result[]> {
	const response = await sendPaid(request, itemContext);
	return [
		job.started(
			requireJobId(job.noun, response, itemContext.requestContext.errorSource),
			itemContext.settings,
		),
	];
}

/** Results of a reused job without waiting for it. */
const reusedAlone = (
	job: Job,
	{ id, reused }: IDataObject,
	{ settings }: ItemContext,
): Result[] => [job.started({ id, reused }, settings)];

/** A reference to a job for errors. */
const referenceOf = ({ noun }: Job, { id }: IDataObject): JobReference => ({
	id: String(id),
	noun,
});

/** Waits for a job and adds its ID to all errors, also to that of a stopped execution. */
async function trackJob(
	job: Job,
	started: IDataObject,
	itemContext: ItemContext,
	charge: Charge | undefined,
	start?: Request,
	isRecovered = false,
): Promise<Result[]> {
	const { requestContext, settings, execution } = itemContext;
	const reference = referenceOf(job, started);
	const here = withJob(itemContext, reference);
	const status = settings.cancelJob ? 'cancelled' : 'still running';
	const running: RunningJob = { ...reference, status };
	return await execution.running.during(
		running,
		requestContext.signal,
		async () => await waitUntilDone(job, started, here, running, charge, start, isRecovered),
	);
}

/** The item without cancellation: it does not own a job that no response has named. */
const withoutCancelling = (itemContext: ItemContext): ItemContext => ({
	...itemContext,
	settings: { ...itemContext.settings, cancelJob: false },
});

/** Resumes a reused job, which the item neither cancels nor pays for. */
async function resumeJob(
	job: Job,
	state: IDataObject,
	itemContext: ItemContext,
): Promise<Result[]> {
	if (itemContext.settings.wait === 'none') return reusedAlone(job, state, itemContext);
	const here = withoutCancelling(itemContext);
	if (!isFinished(state)) return await trackJob(job, state, here, undefined);
	return await finish(job, state, readContextOf(withJob(here, referenceOf(job, state))));
}

/** Starts one job and waits for it as chosen. */
async function runNewJob(job: Job, request: Request, itemContext: ItemContext): Promise<Result[]> {
	const { settings, requestContext } = itemContext;
	if (settings.wait === 'none') return await startAlone(job, request, itemContext);
	const { reserved } = request.price ?? free;
	const cancellation = ({ body, isRecovered }: ApiResponse): Request | undefined => {
		const id = startedId(body);
		return settings.cancelJob && !isRecovered && id !== undefined
			? cancellationOf(job, id)
			: undefined;
	};
	const charge = await reserve(reserved, guardOf(itemContext));
	const track = async () => {
		const response = await startOrCancel(request, cancellation, requestContext);
		showNotices(response.body, itemContext);
		charge.known = reserved;
		const started = requireJobId(job.noun, response, requestContext.errorSource);
		return response.isRecovered
			? await trackJob(job, started, withoutCancelling(itemContext), charge, request, true)
			: await trackJob(job, started, itemContext, charge, request);
	};
	const results = await settle(track());
	charge.settle(results.ok ? undefined : results.error);
	if (!results.ok) throw results.error;
	return results.value;
}

/**
 * Starts one job, or reuses the job of the same request, and waits for it as chosen.
 * @throws NodeApiError or NodeOperationError, with the job's ID once it is known
 */
export async function runJob(
	job: Job,
	request: Request,
	itemContext: ItemContext,
): Promise<Result[]> {
	const plan = await planStart(job, request, itemContext);
	try {
		if (!plan.reused) return await runNewJob(job, plan.request, itemContext);
		plan.release();
		return await resumeJob(job, plan.reused, itemContext);
	} finally {
		plan.release();
	}
}

/**
 * Starts one job, or reuses the job of the same request, without waiting for it.
 * @throws NodeApiError or NodeOperationError
 */
export async function startJob(
	job: Job,
	request: Request,
	itemContext: ItemContext,
): Promise<Result[]> {
	const plan = await planStart(job, request, itemContext);
	try {
		return plan.reused
			? reusedAlone(job, plan.reused, itemContext)
			: await startAlone(job, plan.request, itemContext);
	} finally {
		plan.release();
	}
}
