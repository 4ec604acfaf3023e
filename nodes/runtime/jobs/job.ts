import {
	NodeApiError,
	type IDataObject,
	type INodeProperties,
	type NodeOperationError,
} from 'n8n-workflow';
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
import { pluralize } from '../values/pluralize';
import { operationError, stoppedError, type ErrorSource, type JobReference } from '../api/errors';
import { isTool } from '../output/limitToolResult';
import { delay } from '../host/delay';
import type { Job, Result, Values } from '../operation/operation';
import { settle } from '../values/settle';
import { free } from '../limits/price';
import { fieldOf } from '../values/record';
import { isFinished, poll, statusRequest } from './poll';
import { sendUncancellable, startOrCancel } from './executionCleanup';
import { goneStatuses, type ApiResponse } from '../api/retry';
import { planStart } from './reuse';
import type { RunningJob } from './runningJobs';
import { requireJobId, startedId } from '../http/requireJobId';
import { send, type RequestContext } from '../http/send';
import { waitSettingsFields } from '../form/options';
import { creditsIn, reserve, type Charge } from '../limits/budget';

/** The ways to wait for a job; the values are those of saved workflows. */
const waitField: INodeProperties = {
	displayName: 'Wait for Result',
	name: 'wait',
	type: 'options',
	default: 'poll',
	options: [
		{ name: 'Do Not Wait', value: 'none', description: 'Returns the job ID immediately' },
		{
			name: 'Poll Until Finished',
			value: 'poll',
			description: 'Checks the job status until it finishes',
		},
		{
			name: 'Suspend Until Webhook',
			value: 'suspend',
			description:
				"Suspends the execution until the webhook event of the last job, if the server can reach n8n. After 'Max Wait', the node polls each job once.",
		},
	],
	description: 'How to wait for the result, which may take minutes or hours',
};

/** How to wait for a job, with the settings that the choice needs. */
export const waitFields: INodeProperties[] = [waitField, ...waitSettingsFields];

/** What an execution that is to sleep would wait for. */
export interface PlannedSuspension {
	jobCount: number;
	/** Whether all items want it. */
	isForAll: boolean;
	/** Whether this n8n can have the node read the results when the sleep is over. */
	canSuspend: boolean;
	/** Whether a job may be one that was started before, at whose end nobody calls this execution. */
	mayReuse: boolean;
	/** Whether an AI Agent waits. */
	asTool: boolean;
}

/** The rules of a suspended execution: it sleeps as a whole, and is woken by the one webhook of each job. */
export function validateSuspension(
	{ wait }: Values,
	body: unknown,
	{ jobCount, isForAll, canSuspend, mayReuse, asTool }: PlannedSuspension,
	errorSource: ErrorSource,
): NodeOperationError | undefined {
	if (wait !== 'suspend') return undefined;
	if (asTool) {
		return operationError(
			`'Wait for Result' cannot suspend the execution of an AI Agent that waits for this tool`,
			"Nothing was started. Choose 'Poll Until Finished'.",
			errorSource,
		);
	}
	if (!canSuspend) {
		return operationError(
			`'Wait for Result' cannot suspend the execution in this version of n8n`,
			"Nothing was started. Choose 'Poll Until Finished'.",
			errorSource,
		);
	}
	if (jobCount > 1 && !isForAll) {
		return operationError(
			`'Wait for Result' cannot suspend the execution for some items and not for others`,
			'Nothing was started. Choose the same for all items.',
			errorSource,
		);
	}
	if (jobCount > 1 && mayReuse) {
		return operationError(
			`'Wait for Result' cannot suspend the execution for several jobs while 'Reuse Recent Job' is set: a reused job sends no webhook event`,
			"Nothing was started. Choose 'Poll Until Finished', or do not reuse jobs.",
			errorSource,
		);
	}
	if (fieldOf(body, 'webhook') === undefined) return undefined;
	return operationError(
		`'Webhook' cannot be used while 'Wait for Result' suspends the execution, which uses the job's webhook`,
		"Nothing was started. Choose 'Poll Until Finished', or remove the webhook.",
		errorSource,
	);
}

/** Shows in the editor how far a job has got, each state once; n8n ignores it in production. */
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

/** The request that ends a job. */
const cancellationOf = (job: Job, id: string): Request => ({
	endpoint: job.cancel,
	ids: { id },
});

/** What became of a job that was not waited for any longer. */
type CancelOutcome = 'left alone' | 'cancelled' | 'ended before' | 'not told';

const cancelOutcomeMessages: Record<CancelOutcome, string> = {
	'left alone': 'It is still running.',
	cancelled: 'It was cancelled.',
	'ended before': 'It had already ended.',
	'not told': 'It could not be cancelled, and may still be running.',
};

/** Tells a job to stop, where the user wants that. */
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

/** Longest time that the end of a wait takes to tell the job to stop, in milliseconds; tries go on after it. */
const cancelWait = 15_000;

/** Tells a job to stop for which the wait is over. */
async function cancelInTime(
	job: Job,
	id: string,
	itemContext: ItemContext,
): Promise<CancelOutcome> {
	const timer = new AbortController();
	const late = delay(cancelWait, timer.signal).then((): CancelOutcome => 'not told');
	return await Promise.race([cancel(job, id, itemContext), late]).finally(() => timer.abort());
}

/** What a job that ended while the wait was over has come to; undefined where it has nothing to show for it. */
async function finalState(
	request: Request,
	requestContext: RequestContext,
): Promise<IDataObject | undefined> {
	const outcome = await settle(send(request, requestContext));
	if (!outcome.ok) return undefined;
	const body = outcome.value.body as IDataObject;
	return isFinished(body) ? body : undefined;
}

/** What there is of a job that has not ended: what it has found so far, or what names it. */
export const unfinishedResults = async (
	job: Job,
	response: IDataObject,
	itemContext: ItemContext,
): Promise<Result[]> => {
	const { values } = itemContext;
	const found = await job.unfinished?.(response, values, readContextOf(itemContext));
	return found ?? [job.started(response, values)];
};

/**
 * The results of a job that was found in the service's lists, unless they show that it is of another request.
 * @throws NodeOperationError that names it
 */
function requireOwn(
	results: Result[],
	message: string,
	traces: JobLookup | undefined,
	errorSource: ErrorSource,
): Result[] {
	const documents = results.map(({ json }) => json);
	const isOfOthers =
		traces?.proves !== undefined &&
		[{ data: documents }, ...documents].some((told) => traces.excludes(told));
	if (!isOfOthers) return results;
	throw operationError(
		`${message}, which seemed to belong to a start whose response was lost, belongs to another request`,
		`It was not cancelled. It is unknown whether the own job was started: look it up in the list of jobs or in the dashboard before you retry.`,
		errorSource,
	);
}

/** Waits for a started job; `start` is the request that has just started it, or has seemed to (`isRecovered`). It is cancelled when the execution is stopped or the wait is over, unless the user said no. */
async function waitUntilDone(
	job: Job,
	started: IDataObject,
	itemContext: ItemContext,
	running: RunningJob,
	charge: Charge | undefined,
	start?: Request,
	isRecovered = false,
): Promise<Result[]> {
	const { settings, values, requestContext } = itemContext;
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
	const longestWait = settings.maxWait * 60_000;
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
	const cancelOutcome = end.value.finished ? undefined : await cancelInTime(job, id, itemContext);
	const late =
		cancelOutcome === 'ended before' ? await finalState(request, requestContext) : undefined;
	if (signal?.aborted) throw stoppedError(errorSource);
	showNotices(late, itemContext);
	const response: IDataObject = { ...known, ...late, id };
	if (cancelOutcome === undefined || late !== undefined) {
		running.status = 'had ended';
		// Of a start whose response was lost, what was reserved stays counted.
		if (charge && !isRecovered) charge.known = creditsIn(response);
		return checked(await job.finish(response, values, readContextOf(itemContext, charge)));
	}
	if (settings.onTimeout === 'item') {
		return checked(await unfinishedResults(job, response, itemContext));
	}
	const instead = isTool(errorSource.node)
		? 'request less at once'
		: "choose 'Suspend Until Webhook'";
	const { status } = response;
	const state = typeof status === 'string' ? ` (its last state was ${status})` : '';
	throw operationError(
		`The ${job.noun} ${id} did not finish within ${pluralize(settings.maxWait, 'minute')}${state}`,
		`${cancelOutcomeMessages[cancelOutcome]} Raise 'Max Wait', or ${instead}.`,
		errorSource,
	);
}

/** What the user is told when an execution sleeps and no call that wakes it can be checked. */
export const unsignedResumeNotice =
	"The credential has no 'Webhook Secret', so anyone who knows this execution's resume URL and the job ID can have the job polled with your API key, and resume the execution once the job has ended. Set one.";

/** The address at which the service calls a sleeping execution back. */
function resumeUrl({ context }: RequestContext): unknown {
	if (!('getWorkflowDataProxy' in context)) return undefined;
	const { resumeUrl: url }: { resumeUrl?: unknown } = context.getWorkflowDataProxy(0).$execution;
	return url;
}

/** Starts a job at whose end the service calls the execution back, which is put to sleep when all jobs are started (`execute.ts`). */
async function startSuspended(
	request: Request,
	job: Job,
	itemContext: ItemContext,
): Promise<Result[]> {
	const { requests, requestContext, values, execution } = itemContext;
	const { running, waitingJobs } = execution;
	const body = {
		...request.body,
		webhook: { url: resumeUrl(requestContext), events: job.endEvents },
	};
	const response = await sendPaid({ ...request, body }, itemContext);
	const started = requireJobId(job.noun, response, requestContext.errorSource);
	const id = String(started.id);
	running.leave({ noun: job.noun, id });
	const [{ itemIndex }] = requests;
	waitingJobs.push({ id, itemIndex });
	return [job.started(started, values)];
}

/** What comes out of a job that was only started. */
async function startAlone(job: Job, request: Request, itemContext: ItemContext): Promise<Result[]> {
	const response = await sendPaid(request, itemContext);
	return [
		job.started(
			requireJobId(job.noun, response, itemContext.requestContext.errorSource),
			itemContext.values,
		),
	];
}

/** What comes out of a job that was started before, where nobody waits for it. */
const reusedAlone = (job: Job, { id, reused }: IDataObject, { values }: ItemContext): Result[] => [
	job.started({ id, reused }, values),
];

/** How errors name a job. */
const referenceOf = ({ noun }: Job, { id }: IDataObject): JobReference => ({
	id: String(id),
	noun,
});

/** Waits for a job that is named in errors from here on, also in that of a stopped execution. */
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

/** The same item, which cancels no job: a job that no response to it has named is not its own. */
const withoutCancelling = (itemContext: ItemContext): ItemContext => ({
	...itemContext,
	settings: { ...itemContext.settings, cancelJob: false },
});

/** Goes on with a job that was started before: it is not this item's to cancel, nor to pay for. */
async function resumeJob(
	job: Job,
	state: IDataObject,
	itemContext: ItemContext,
): Promise<Result[]> {
	const { values } = itemContext;
	if (values.wait === 'none') return reusedAlone(job, state, itemContext);
	const here = withoutCancelling(itemContext);
	if (!isFinished(state)) return await trackJob(job, state, here, undefined);
	return await job.finish(state, values, readContextOf(withJob(here, referenceOf(job, state))));
}

/** Starts one job and waits for it as the user chose. */
async function runNewJob(job: Job, request: Request, itemContext: ItemContext): Promise<Result[]> {
	const { values, settings, requestContext } = itemContext;
	if (values.wait === 'suspend') return await startSuspended(request, job, itemContext);
	if (values.wait === 'none') return await startAlone(job, request, itemContext);
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
 * Starts one job, or reuses that of the same request, and waits for it as the user chose.
 * @throws NodeApiError or NodeOperationError that names the job once there is one
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
 * Starts one job, or finds that of the same request, and does not wait for it.
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
