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

/** Milliseconds after a call in which a status request may still begin: the service waits 10 seconds for the answer. */
const pollTimeout = 3_000;

/** Whether the service has no more to say about a job. */
const isGone = (error: Error, since: number) =>
	error instanceof NodeApiError &&
	goneStatuses.has(Number(error.httpCode)) &&
	// Another process may have started it, whose clock differs.
	Date.now() - since > unknownAtFirst + skew;

/** A call that says that a job has ended. */
export interface EndCall {
	id: string;
	/** Whether its signature is valid. */
	isSigned: boolean;
	/** When it came, by the monotonic clock. */
	arrival: number;
}

/** Jobs whose call is being checked. Another call for one is refused meanwhile, so that the service is asked once. */
const underWay = new Set<string>();

/** Whether a call is the one that wakes the execution. @throws where that cannot be known now */
async function isLastCall(
	{ jobs, since }: WaitState,
	{ id, isSigned, arrival }: EndCall,
	poll: (id: string) => Promise<ApiResponse>,
): Promise<boolean> {
	const isReadAsEnded = async (each: string) => {
		const seen = await settle(poll(each));
		if (seen.ok) return isFinished(asRecord(seen.value.body));
		if (isGone(seen.error, since)) return true;
		throw seen.error;
	};
	if (!isSigned && !(await isReadAsEnded(id))) throw new Error(`The job ${id} has not ended`);
	// The job of an unsigned call has been read by now.
	const hasEnded = async (each: string) =>
		(!isSigned && each === id) || (await isReadAsEnded(each));
	const awaited = awaitedJobs(jobs.map((job) => job.id));
	return await awaited.end(id, hasEnded, () => monotonicNow() - arrival < pollTimeout);
}

/**
 * Takes a call for a sleeping execution. The call for the last of its jobs wakes it; any other leaves it
 * asleep. The job of an unsigned call is read from the service first; that of a signed one where it is the
 * last. Answers 503 where it cannot be known which jobs have ended; the service then calls again.
 */
export async function resumeWhenDone(
	context: IWebhookFunctions,
	note: WaitState,
	call: EndCall,
	poll: (id: string) => Promise<ApiResponse>,
): Promise<IWebhookResponseData> {
	if (underWay.has(call.id)) return respond(context, 503);
	underWay.add(call.id);
	const isLast = await settle(isLastCall(note, call, poll));
	underWay.delete(call.id);
	if (!isLast.ok) return respond(context, 503);
	const answered = respond(context, 200);
	return isLast.value ? { ...answered, workflowData: resumeExecution(context, note) } : answered;
}
