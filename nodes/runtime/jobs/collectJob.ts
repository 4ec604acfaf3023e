import { readContextOf, showNotices, withJob, type ItemContext } from './itemContext';
import { unfinishedResults } from './job';
import type { Job, Result } from '../operation/operation';
import { isFinished, poll, statusRequest } from './poll';
import type { RunningJob } from './runningJobs';
import { asRecord } from '../output/results';
import { send } from '../http/send';

/** Notice about jobs that had not finished by the deadline. */
const unfinishedNotice =
	"Some jobs did not finish within 'Max Wait' and are still running: use 'Get' with an item's 'jobId' to fetch the result.";

/**
 * Returns the results of a job of a resumed execution. Waits for an unfinished job until `deadline`
 * (Unix milliseconds); then the job continues, and its item holds its ID.
 * @throws NodeApiError or NodeOperationError with the job's ID
 */
export async function collectJob(
	job: Job,
	id: string,
	deadline: number,
	itemContext: ItemContext,
): Promise<Result[]> {
	const { requestContext, execution } = itemContext;
	const reference = { id, noun: job.noun };
	const here = withJob(itemContext, reference);
	const running: RunningJob = { ...reference, status: 'still running' };
	return await execution.running.during(running, requestContext.signal, async () => {
		const request = statusRequest(job, id);
		const first = asRecord((await send(request, here.requestContext)).body);
		const seen = (body: unknown) => showNotices(body, here);
		seen(first);
		const left = deadline - Date.now();
		const last =
			isFinished(first) || left <= 0
				? first
				: { ...first, ...(await poll(request, left, here.requestContext, seen)).body };
		const response = { ...last, id };
		if (isFinished(response)) {
			running.status = 'had ended';
			return await job.finish(response, readContextOf(here));
		}
		execution.notices.add(unfinishedNotice);
		return await unfinishedResults(job, response, here);
	});
}
