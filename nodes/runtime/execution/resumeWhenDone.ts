import { NodeApiError, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';
import { respond } from '../webhooks/respond';
import { awaitedJobs } from '../jobs/awaitedJobs';
import { resumeExecution, type WaitState } from '../jobs/waitState';
import { skew } from '../jobs/ownJob';
import { isFinished, unknownAtFirst } from '../jobs/poll';
import { asRecord } from '../output/results';
import { goneStatuses, type ApiResponse } from '../api/retry';
import { monotonicNow } from '../values/clock';
import { settle } from '../values/settle';

/**
 * Milliseconds after the arrival of a webhook request in which polls may start: the service waits
 * 10 seconds for the response.
 */
const pollTimeout = 3_000;

/** Whether the service has deleted a job. */
const isGone = (error: Error, since: number) =>
	error instanceof NodeApiError &&
	goneStatuses.has(Number(error.httpCode)) &&
	// Another process may have started it, whose clock differs.
	Date.now() - since > unknownAtFirst + skew;

/** A webhook request that reports the end of a job. */
export interface JobEndEvent {
	id: string;
	/** Whether the signature is valid. */
	isSigned: boolean;
	/** Time of arrival on the monotonic clock. */
	arrival: number;
}

/**
 * Jobs whose event is being handled. A second event for one gets 503 meanwhile, so that each job is
 * polled once.
 */
const handling = new Set<string>();

/** Whether an event reports the end of the last job. @throws if the state of the jobs is unknown */
async function isLastJob(
	{ jobs, since }: WaitState,
	{ id, isSigned, arrival }: JobEndEvent,
	poll: (id: string) => Promise<ApiResponse>,
): Promise<boolean> {
	const isPolledAsEnded = async (each: string) => {
		const seen = await settle(poll(each));
		if (seen.ok) return isFinished(asRecord(seen.value.body));
		if (isGone(seen.error, since)) return true;
		throw seen.error;
	};
	if (!isSigned && !(await isPolledAsEnded(id))) throw new Error(`The job ${id} has not ended`);
	// An unsigned event's job was already polled.
	const hasEnded = async (each: string) =>
		(!isSigned && each === id) || (await isPolledAsEnded(each));
	const awaited = awaitedJobs(jobs.map((job) => job.id));
	return await awaited.end(id, hasEnded, () => monotonicNow() - arrival < pollTimeout);
}

/**
 * Handles the end of a job for a suspended execution: the last one resumes it. Polls the job of an
 * unsigned event first, and that of a signed one only if it is the last. Returns 503 if the state
 * of the jobs is unknown, so that the service sends the event again.
 */
export async function resumeWhenDone(
	context: IWebhookFunctions,
	waitState: WaitState,
	event: JobEndEvent,
	poll: (id: string) => Promise<ApiResponse>,
): Promise<IWebhookResponseData> {
	if (handling.has(event.id)) return respond(context, 503);
	handling.add(event.id);
	const isLast = await settle(isLastJob(waitState, event, poll));
	handling.delete(event.id);
	if (!isLast.ok) return respond(context, 503);
	const response = respond(context, 200);
	return isLast.value
		? { ...response, workflowData: resumeExecution(context, waitState) }
		: response;
}
