import type { EngineRun } from '../engine/harness.cjs';
import type { LogEntry } from '../mock/requestLog.cjs';
import type { Findings } from './findings.cjs';

/** A run that waits for jobs, and what became of them at the service. */
export interface JobRun {
	run: EngineRun;
	/** The IDs of jobs that were running when the run ended. */
	running: string[];
	/** The IDs of agent runs that ended with partial data. */
	partial: string[];
	entries: LogEntry[];
}

/** The last request of a job whose true answer arrived; undefined when another answer came, or none. */
function lastTrue(entries: LogEntry[], method: string, id: string): LogEntry | undefined {
	const last = entries
		.filter((entry) => entry.method === method && entry.path.endsWith(`/${id}`))
		.at(-1);
	const isReplaced = last?.fault !== undefined && last.fault !== 'delay';
	return last && !isReplaced && last.delivery === 'complete' ? last : undefined;
}

/** Jobs that run on though the last look at them was answered as the service answers while they run, and nobody told them to stop. */
const abandoned = ({ running, entries }: JobRun): Findings =>
	running
		.filter(
			(id) =>
				lastTrue(entries, 'GET', id) &&
				!entries.some(({ method, path }) => method === 'DELETE' && path.endsWith(`/${id}`)),
		)
		.map(() => 'gave up on a job that runs');

/** Partial data that arrived and did not come out. */
function lostPartials({ run, partial, entries }: JobRun): Findings {
	const came = new Set(
		run
			.output()
			.filter(({ error }) => !error)
			.map(({ json }) => json.jobId),
	);
	const isLost = (id: string) => lastTrue(entries, 'GET', id) !== undefined && !came.has(id);
	// A run that ends at its first failure gives nothing of the others.
	return run.status === 'success' && partial.some(isLost)
		? ['partial data that arrived is lost']
		: [];
}

/** What is wrong with how a run waited for its jobs. */
export const jobFindings = (jobs: JobRun): Findings => [...abandoned(jobs), ...lostPartials(jobs)];

/** Jobs of other clients that a run has given out as its own, or has told to stop. To read the status of one is no harm. */
export function strangerFindings(
	run: EngineRun,
	entries: LogEntry[],
	ofOthers: ReadonlySet<string>,
): Findings {
	const given = run.output().filter(({ error }) => !error);
	const isTaken = given.some(
		({ json: { jobId } }) => typeof jobId === 'string' && ofOthers.has(jobId),
	);
	const stopped = entries.filter(
		({ method, path }) => method !== 'GET' && path.split('/').some((part) => ofOthers.has(part)),
	);
	return [
		...(isTaken ? ["took another client's job for its own"] : []),
		...stopped.map(({ method }) => `sent a ${method} for another client's job`),
	];
}
