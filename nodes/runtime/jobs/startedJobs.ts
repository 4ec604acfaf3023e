import type { IExecuteFunctions } from 'n8n-workflow';
import type { StartEnd } from '../http/client';
import { isRecord } from '../values/record';
import { isId } from './readDelivery';

/** What tells a workflow, and what n8n keeps for it. */
type WorkflowFunctions = Pick<IExecuteFunctions, 'getWorkflow' | 'getWorkflowStaticData'>;

/** A start whose answer was lost in a time, in Unix milliseconds. */
export interface LostStart {
	at: number;
	until: number;
	/** Jobs that were listed shortly before it, and so are not its own; left out where the lists were not read. */
	before?: readonly string[];
}

/** A job that was started at a moment, or a start whose answer was lost. */
export type StartedJob = { at: number; id: string } | LostStart;

/** As n8n keeps it: when, and the job's ID or the end of the time, with the jobs before it. */
type Kept = [at: number, job: string | number, before?: readonly string[]];

function asKept(job: StartedJob): Kept {
	if ('id' in job) return [job.at, job.id];
	return job.before === undefined ? [job.at, job.until] : [job.at, job.until, job.before];
}

/** Milliseconds for which a job is remembered: as long as the service keeps results. */
export const remembered = 86_400_000;

/** Most jobs that n8n keeps for a workflow, about 80 bytes each, and most in a process. */
export const mostKept = 100;
const mostInProcess = 2_000;

/** Name under which they stand in the workflow's static data. */
const member = 'webDataJobs';

/** The jobs of this process by the keys of their requests, the oldest first. */
const jobs = new Map<string, StartedJob>();

/** What n8n keeps, by workflow: all executions of a workflow hold the same record, so that whichever ends last stores all. */
const workflows = new Map<string, Record<string, Kept>>();

const isYoung = (at: number) => Math.abs(Date.now() - at) < remembered;

function jobIn(value: unknown): StartedJob | undefined {
	const [at, job, before]: unknown[] = Array.isArray(value) ? value : [];
	if (typeof at !== 'number' || !isYoung(at)) return undefined;
	if (isId(job)) return { at, id: job };
	if (typeof job !== 'number') return undefined;
	return { at, until: job, ...(Array.isArray(before) && { before: before.filter(isId) }) };
}

/** Notes a job as the newest, and forgets those that are too old or too many. */
function remember(key: string, job: StartedJob): void {
	jobs.delete(key);
	jobs.set(key, job);
	for (const [other, { at }] of jobs) {
		if (jobs.size > mostInProcess || !isYoung(at)) jobs.delete(other);
	}
}

/** The jobs that a workflow has started by request, in this process and as n8n has kept them. */
export class StartedJobs {
	private readonly kept: Record<string, Kept>;

	constructor(context: WorkflowFunctions) {
		const { id = '' } = context.getWorkflow();
		const data = context.getWorkflowStaticData('global');
		const stored: unknown = data[member];
		this.kept = workflows.get(id) ?? {};
		workflows.set(id, this.kept);
		for (const [key, value] of Object.entries(isRecord(stored) ? stored : {})) {
			const job = jobIn(value);
			if (!job) continue;
			const known = jobs.get(key);
			// Another process may have started one since.
			if (!known || known.at < job.at) this.note(key, job);
		}
		data[member] = this.kept;
	}

	/** The job of a request, if one is known. */
	find(key: string): StartedJob | undefined {
		const job = jobs.get(key);
		return job && isYoung(job.at) ? job : undefined;
	}

	/** Whether a job is known to be that of another request. */
	isOfAnother(id: string, key: string): boolean {
		for (const [other, job] of jobs) {
			if (other !== key && 'id' in job && job.id === id) return true;
		}
		return false;
	}

	/** Whether the answer to another request's start was lost in the same time, so that a job of that time may be either's. */
	isDisputed(key: string, { at, until }: LostStart): boolean {
		for (const [other, job] of jobs) {
			if (other !== key && 'until' in job && job.at <= until && job.until >= at) return true;
		}
		return false;
	}

	/** Notes how the start of a request's job has ended. `before` are the jobs that were listed shortly before it. */
	noteEnd(key: string, end: StartEnd, before?: readonly string[]): void {
		const now = Date.now();
		if ('id' in end) this.note(key, { at: now, id: end.id });
		else if (end.lostSince !== undefined) {
			this.note(key, { at: end.lostSince, until: now, ...(before && { before }) });
		}
	}

	/** Notes a job that was found, unless it is known. */
	noteFound(key: string, id: string, at: number): void {
		const known = this.find(key);
		if (!known || !('id' in known)) this.note(key, { at, id });
	}

	private note(key: string, job: StartedJob): void {
		remember(key, job);
		const { kept } = this;
		kept[key] = asKept(job);
		const old = Object.keys(kept).filter((other) => !isYoung(kept[other][0]));
		const byAge = Object.keys(kept).sort((one, other) => kept[other][0] - kept[one][0]);
		for (const other of [...old, ...byAge.slice(mostKept)]) delete kept[other];
	}

	/** Forgets a job that is of no use any more. */
	forget(key: string): void {
		jobs.delete(key);
		delete this.kept[key];
	}
}
