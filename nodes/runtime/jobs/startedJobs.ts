import type { IExecuteFunctions } from 'n8n-workflow';
import type { StartEnd, JobLookup } from '../http/jobLookup';
import { monotonicNow, monotonicTime, wallTime } from '../values/clock';
import { canonicalUrl } from '../values/parseUrl';
import { isRecord } from '../values/record';
import { isId } from '../webhooks/parseWebhook';

/**
 * The registry of starts: those that this process has sent, and those that n8n keeps with a workflow. What
 * it knows to be the job of one start is not taken for that of another (`ownJob.ts`).
 */

/** A start, as far as it is known. Times by the monotonic clock; what n8n has kept of one may lie before its beginning. */
export interface Start {
	/** Fingerprint of its request and account (`requestKey.ts`). */
	key: string;
	/** When its first request was sent. */
	at: number;
	/** When nothing was sent for it any more. */
	until?: number;
	/** Of its job, once it is known. */
	id?: string;
	/** Left out of what n8n has kept. */
	traces?: JobLookup;
	/** What its request names as its `origin`, where a list returns that, and whether no other start names the same. */
	origin?: string;
	isMarked?: boolean;
	/** Jobs that were listed shortly before it; left out where the lists were not read as a whole. */
	before?: readonly string[];
	/** Whether the same request may go on with its job. */
	isReusable?: boolean;
}

/** Milliseconds for which a job can be reused: as long as the service keeps results. */
export const remembered = 86_400_000;

/** Milliseconds for which any other start is remembered after its end. */
const remembersOthers = 10 * 60_000;

/** Most starts that n8n keeps for a workflow, about 80 bytes each, and most reusable ones in a process. */
export const mostKept = 100;
const mostInProcess = 2_000;

/** Name under which they stand in the workflow's static data. */
const member = 'webDataJobs';

/** The starts of this process, the oldest first. */
let starts: Start[] = [];

const isAlive = ({ at, until, isReusable }: Start, now: number) =>
	isReusable
		? Math.abs(now - at) < remembered
		: until === undefined || now - until < remembersOthers;

function add(start: Start): void {
	const now = monotonicNow();
	starts = starts.filter((other) => isAlive(other, now));
	const reusable = starts.filter(({ isReusable }) => isReusable);
	if (reusable.length >= mostInProcess) starts.splice(starts.indexOf(reusable[0]), 1);
	starts.push(start);
}

/** Registers a start that is about to be sent. */
export function registerStart(start: Omit<Start, 'at'>): Start {
	const registered = { ...start, at: monotonicNow() };
	add(registered);
	return registered;
}

/** Notes how a start has ended. */
export function settleStart(start: Start, end: StartEnd): void {
	if (end === 'refused') starts = starts.filter((other) => other !== start);
	else if ('id' in end) Object.assign(start, { id: end.id, until: monotonicNow() });
	else Object.assign(start, { at: end.lostSince, until: monotonicNow() });
}

/** Whether a job is known to be that of another start. */
export const isOfAnother = (id: string, start: Start): boolean =>
	starts.some((other) => other !== start && other.id === id);

/** Whether a job is known to be that of another request. */
export const isOfAnotherRequest = (id: string, key: string): boolean =>
	starts.some((other) => other.key !== key && other.id === id);

/** The starts whose jobs are not known and that were sent at the same time, with the same target as far as is known. */
export function competingStarts(start: Start, margin: number): Start[] {
	const { at, until = Infinity, traces } = start;
	const targets = new Set(traces?.matchBy.map(canonicalUrl));
	return starts.filter(
		(other) =>
			other !== start &&
			other.id === undefined &&
			other.at <= until + margin &&
			(other.until ?? Infinity) >= at - margin &&
			(other.traces === undefined ||
				(other.traces.lists === traces?.lists &&
					other.traces.matchBy.some((target) => targets.has(canonicalUrl(target))))),
	);
}

/** As n8n keeps a start, in Unix milliseconds: when, and the job's ID or the end of its time, with the jobs before it. */
type Kept = [at: number, job: string | number, before?: readonly string[]];

function asKept({ at, id, until = at, before }: Start): Kept {
	const since = Math.round(wallTime(at));
	if (id !== undefined) return [since, id];
	const end = Math.round(wallTime(until));
	return before === undefined ? [since, end] : [since, end, before];
}

/** A start that n8n has kept; undefined where the value is none, or too old. */
function keptIn(key: string, value: unknown): Start | undefined {
	const [since, job, before]: unknown[] = Array.isArray(value) ? value : [];
	if (typeof since !== 'number') return undefined;
	const start: Start = { key, at: monotonicTime(since), isReusable: true };
	if (!isAlive(start, monotonicNow())) return undefined;
	if (isId(job)) return { ...start, id: job, until: start.at };
	if (typeof job !== 'number') return undefined;
	return {
		...start,
		until: monotonicTime(job),
		...(Array.isArray(before) && { before: before.filter(isId) }),
	};
}

/** What tells a workflow, and what n8n keeps for it. */
type WorkflowFunctions = Pick<IExecuteFunctions, 'getWorkflow' | 'getWorkflowStaticData'>;

/** What n8n keeps, by workflow: all executions of a workflow hold the same record, so that whichever ends last stores all. */
const workflows = new Map<string, Record<string, Kept>>();

/** The starts whose jobs a workflow can reuse, in this process and as n8n has kept them. */
export class ReusableStarts {
	private readonly kept: Record<string, Kept>;

	constructor(context: WorkflowFunctions) {
		const { id = '' } = context.getWorkflow();
		const data = context.getWorkflowStaticData('global');
		const stored: unknown = data[member];
		this.kept = workflows.get(id) ?? {};
		workflows.set(id, this.kept);
		for (const [key, value] of Object.entries(isRecord(stored) ? stored : {})) {
			const start = keptIn(key, value);
			if (!start) continue;
			const known = this.find(key);
			// Another process may have started one since. Milliseconds are whole in what is kept.
			if (known && known.at + 1 >= start.at) continue;
			add(start);
			this.keep(start);
		}
		data[member] = this.kept;
	}

	/** The newest start of a request that has ended, if one is known. */
	find(key: string): Start | undefined {
		const now = monotonicNow();
		const [newest] = starts
			.filter((start) => start.key === key && start.until !== undefined && isAlive(start, now))
			.sort((one, other) => other.at - one.at);
		return newest;
	}

	/** Has n8n keep a start, unless it was refused. */
	keep(start: Start): void {
		if (start.until === undefined) return;
		const { kept } = this;
		delete kept[start.key];
		kept[start.key] = asKept(start);
		const isOld = ([at]: Kept) => Math.abs(Date.now() - at) >= remembered;
		const byAge = Object.keys(kept).sort((one, other) => kept[other][0] - kept[one][0]);
		for (const [rank, key] of byAge.entries()) {
			if (rank >= mostKept || isOld(kept[key])) delete kept[key];
		}
	}

	/** Notes the job that was found for a request, unless one is known. */
	noteFound(key: string, id: string, at: number): void {
		const known = this.find(key);
		if (known?.id !== undefined) return;
		const start = known ?? { key, at, until: at, isReusable: true };
		if (!known) add(start);
		start.id = id;
		this.keep(start);
	}

	/** Forgets the starts of a request, whose job is of no use any more. */
	forget(key: string): void {
		starts = starts.filter((start) => start.key !== key);
		delete this.kept[key];
	}
}
