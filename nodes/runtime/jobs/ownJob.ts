import type { JobLookup } from '../http/jobLookup';
import { fieldOf } from '../values/record';
import type { ListedJob } from './listedJobs';
import { competingStarts, isOfAnother, type Start } from './startedJobs';

/**
 * What proves that a job is that of a start whose response was lost, and what rules it out. A job is taken
 * only with proof, for it may be another client's: a mark that no other start carries, or all that the
 * service returns fits and no other job does.
 */

/** What begins every mark that the node gives a start. */
const markPrefix = 'n8n-web-data-';

/** The mark by which a list shows that a job was started by a request; each start adds something of its own. */
export const markOf = (key: string) => `${markPrefix}${key}`;

const isMark = (origin: unknown) => typeof origin === 'string' && origin.startsWith(markPrefix);

/** What the lists return as the origins of a job. */
const originsOf = ({ told }: ListedJob): string[] =>
	told
		.map((entry) => fieldOf(entry, 'origin'))
		.filter((origin): origin is string => typeof origin === 'string');

/** Whether a job carries the mark of a request. */
export const carriesMark = (told: unknown, key: string): boolean => {
	const origin = fieldOf(told, 'origin');
	return typeof origin === 'string' && origin.startsWith(markOf(key));
};

/** Whether a job carries the mark of another request of this node. */
export const carriesOtherMark = (job: ListedJob, key: string): boolean =>
	originsOf(job).some((origin) => isMark(origin) && !origin.startsWith(markOf(key)));

/** Milliseconds by which clocks of the service may differ from each other. */
const clockError = 2_000;

/** Milliseconds by which the service's clock may differ from this machine's where it names no time, and by which a job may be late. */
export const skew = 60_000;

/** Whether a job was started while a start was sent, as far as is known; not by the clock of this machine alone. */
function fitsTime(
	{ startedAt, isTimed }: ListedJob,
	{ at, until = Infinity }: Start,
): 'yes' | 'perhaps' | 'no' {
	if (startedAt < at - (isTimed ? clockError : skew) || startedAt > until + skew) return 'no';
	return isTimed && startedAt >= at && startedAt <= until + clockError ? 'yes' : 'perhaps';
}

/** Whether anything that the service returns of a job, or that this process knows, rules it out for a start. */
const isRuledOut = (job: ListedJob, start: Start): boolean =>
	fitsTime(job, start) === 'no' ||
	start.before?.includes(job.id) === true ||
	isOfAnother(job.id, start) ||
	(start.origin !== undefined && originsOf(job).some((origin) => origin !== start.origin)) ||
	job.told.some((told) => start.traces?.excludes(told));

/** Most jobs whose status is read one by one. */
export const mostPolled = 10;

/** The job of a start, or those that may be it. */
export type Judgement = { own: ListedJob } | { candidates: ListedJob[] };

/** Whether another start, whose job is not known, may have begun a job as well. */
const isDisputed = ({ told }: ListedJob, start: Start): boolean =>
	competingStarts(start, clockError).some(
		({ traces }) => !told.some((each) => traces?.excludes(each)),
	);

/** Judges the jobs that are listed. `readStatus` returns the status of a job, where it can be read. */
export async function judge(
	jobs: readonly ListedJob[],
	start: Start,
	traces: JobLookup,
	readStatus: (job: ListedJob) => Promise<unknown>,
): Promise<Judgement> {
	const marked = jobs.filter((job) => originsOf(job).some((origin) => origin === start.origin));
	if (start.isMarked && marked.length === 1) return { own: marked[0] };
	const possible = jobs.filter((job) => !isRuledOut(job, start));
	const read = await Promise.all(
		possible
			.slice(0, mostPolled)
			.map(async (job) => ({ ...job, told: [...job.told, await readStatus(job)] })),
	);
	const candidates = [...read, ...possible.slice(mostPolled)].filter(
		(job) => !isRuledOut(job, start),
	);
	const [only] = candidates;
	const isProven =
		candidates.length === 1 &&
		fitsTime(only, start) === 'yes' &&
		only.told.some((told) => traces.proves?.(told)) &&
		!isDisputed(only, start);
	return isProven ? { own: only } : { candidates };
}
