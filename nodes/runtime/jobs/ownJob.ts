import type { JobLookup } from '../http/jobLookup';
import { fieldOf } from '../values/record';
import type { ListedJob } from './listedJobs';
import { competingStarts, isOfAnother, type Start } from './startedJobs';

/**
 * Recovery of a start whose response was lost: proof that a job belongs to it, or rules the job
 * out. Without proof a job may be another client's. Proof is a unique mark, or that all fields
 * match and no other job does.
 */

/** Prefix of every mark that the node gives a start. */
const markPrefix = 'n8n-web-data-';

/** The mark that identifies a request's jobs in lists. Each start appends a random part. */
export const markOf = (key: string) => `${markPrefix}${key}`;

const isMark = (origin: unknown) => typeof origin === 'string' && origin.startsWith(markPrefix);

/** The origins of a job in the lists. */
const originsOf = ({ listed }: ListedJob): string[] =>
	listed
		.map((entry) => fieldOf(entry, 'origin'))
		.filter((origin): origin is string => typeof origin === 'string');

/** Whether a job has the mark of a request. */
export const carriesMark = (listed: unknown, key: string): boolean => {
	const origin = fieldOf(listed, 'origin');
	return typeof origin === 'string' && origin.startsWith(markOf(key));
};

/** Whether a job has the mark of another request of this node. */
export const carriesOtherMark = (job: ListedJob, key: string): boolean =>
	originsOf(job).some((origin) => isMark(origin) && !origin.startsWith(markOf(key)));

/** Milliseconds by which the service's own clocks may differ. */
const clockError = 2_000;

/**
 * Milliseconds by which the service's clock may differ from this machine's if responses have no
 * time, and by which a job may start late.
 */
export const skew = 60_000;

/**
 * Whether a job began while a start was sent, as far as known. This machine's clock alone is no
 * proof.
 */
function fitsTime(
	{ startedAt, isTimed }: ListedJob,
	{ at, until = Infinity }: Start,
): 'yes' | 'perhaps' | 'no' {
	if (startedAt < at - (isTimed ? clockError : skew) || startedAt > until + skew) return 'no';
	return isTimed && startedAt >= at && startedAt <= until + clockError ? 'yes' : 'perhaps';
}

/** Whether list entries or this process's registry rule a job out for a start. */
const isRuledOut = (job: ListedJob, start: Start): boolean =>
	fitsTime(job, start) === 'no' ||
	start.before?.includes(job.id) === true ||
	isOfAnother(job.id, start) ||
	(start.origin !== undefined && originsOf(job).some((origin) => origin !== start.origin)) ||
	job.listed.some((listed) => start.jobLookup?.excludes(listed));

/** Most jobs whose status is fetched one by one. */
export const mostPolled = 10;

/** The job of a start, or its candidates. */
export type Judgement = { own: ListedJob } | { candidates: ListedJob[] };

/** Whether another start with an unknown job may have begun this job as well. */
const isDisputed = ({ listed }: ListedJob, start: Start): boolean =>
	competingStarts(start, clockError).some(
		({ jobLookup }) => !listed.some((each) => jobLookup?.excludes(each)),
	);

/**
 * Compares the listed jobs with a start. `readStatus` returns the status of a job, if available.
 */
export async function judge(
	jobs: readonly ListedJob[],
	start: Start,
	jobLookup: JobLookup,
	readStatus: (job: ListedJob) => Promise<unknown>,
): Promise<Judgement> {
	const marked = jobs.filter((job) => originsOf(job).some((origin) => origin === start.origin));
	if (start.isMarked && marked.length === 1) return { own: marked[0] };
	const possible = jobs.filter((job) => !isRuledOut(job, start));
	const read = await Promise.all(
		possible
			.slice(0, mostPolled)
			.map(async (job) => ({ ...job, listed: [...job.listed, await readStatus(job)] })),
	);
	const candidates = [...read, ...possible.slice(mostPolled)].filter(
		(job) => !isRuledOut(job, start),
	);
	const [only] = candidates;
	const isProven =
		candidates.length === 1 &&
		fitsTime(only, start) === 'yes' &&
		only.listed.some((listed) => jobLookup.proves?.(listed)) &&
		!isDisputed(only, start);
	return isProven ? { own: only } : { candidates };
}
