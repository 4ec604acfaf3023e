import { monotonicNow } from '../values/clock';
import { setNewest } from '../values/setNewest';

/**
 * The jobs that tools of this process have started. Models call again after a timeout, and twice in
 * a turn: the same call continues the job of the first, so that it is charged once.
 */

interface ToolJob {
	id: string;
	startedAt: number;
	/** Time after its results were returned until which the same call gets them again. */
	until?: number;
}

/** Milliseconds for which the same call of a tool gets a result again: longer than a turn of a model. */
export const sameTurn = 60_000;

/** Milliseconds for which the service retains results, and most jobs to remember. */
const longest = 86_400_000;
const mostJobs = 1_000;

/** The jobs by the key of their request, oldest first. */
const jobs = new Map<string, ToolJob>();

const isOver = ({ startedAt, until = startedAt + longest }: ToolJob) => monotonicNow() > until;

/** Finds the job of a request. */
export function findToolJob(key: string): ToolJob | undefined {
	for (const [each, job] of jobs) if (isOver(job)) jobs.delete(each);
	return jobs.get(key);
}

/** Records the job that a request has started. */
export function noteToolJob(key: string, id: string): void {
	setNewest(jobs, key, { id, startedAt: monotonicNow() }, mostJobs);
}

/** Records that the results of a job were returned. */
export function noteToolResults(id: string): void {
	for (const job of jobs.values()) if (job.id === id) job.until ??= monotonicNow() + sameTurn;
}
