import { callOn, type ItemContext } from './itemContext';
import { statusRequest } from './job';
import type { Job, Result, Values } from '../operation/operation';
import { isFinished, poll } from './poll';
import type { RunningJob } from './runningJobs';
import { asRecord } from '../output/results';
import { send } from '../http/send';

/** What to say of jobs that had not ended when the wait was over. */
const unfinishedNotice =
	"Some jobs had not ended when 'Max Wait' was over. They go on: 'Get' with an item's 'jobId' reads the result.";

/** What collecting takes of the item that started the job. */
export interface CollectContext extends ItemContext {
	values: Values;
}

/**
 * The results of a job that the execution has slept for. One that has not ended is waited for until
 * `deadline` (Unix milliseconds); then it goes on, and its item names it.
 * @throws NodeApiError or NodeOperationError that names the job
 */
export async function collectJob(
	job: Job,
	id: string,
	deadline: number,
	collecting: CollectContext,
): Promise<Result[]> {
	const { line, values } = collecting;
	const place = { ...line.place, job: { id, noun: job.noun } };
	const here = { ...collecting, line: { ...line, place } };
	const running: RunningJob = { ...place.job, fate: 'goes on' };
	return await collecting.running.during(running, line.signal, async () => {
		const look = statusRequest(job, id);
		const first = asRecord((await send(look, here.line)).body);
		const isLate = isFinished(first) || deadline <= Date.now();
		const last = isLate ? first : { ...first, ...(await poll(look, deadline, here.line)).body };
		const answer = { ...last, id };
		if (isFinished(answer)) {
			running.fate = 'had ended';
			return await job.finish(answer, values, callOn(here));
		}
		collecting.notices.add(unfinishedNotice);
		return (await job.unfinished?.(answer, values, callOn(here))) ?? [job.started(answer, values)];
	});
}
