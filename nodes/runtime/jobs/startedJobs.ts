import type { IExecuteFunctions } from 'n8n-workflow';
import type { StartEnd, JobLookup } from '../http/jobLookup';
import { monotonicNow, monotonicTime, wallTime } from '../values/clock';
import { canonicalUrl } from '../values/parseUrl';
import { isRecord } from '../values/record';
import { isId } from '../webhooks/parseWebhook';

/**
 * The registry of starts, both of this process and stored by n8n with a workflow. A job of one
 * start is not reused for another (`ownJob.ts`).
 */

/**
 * A start, as far as it is known. Times by the monotonic clock; those that n8n stored may be
 * negative.
 */
export interface Start {
	/** Key of its request and account (`requestKey.ts`). */
	key: string;
	/** Time of its first request. */
	at: number;
	/** Time after its last request. */
	until?: number;
	/** ID of its job, once it is known. */
	id?: string;
	/** Not stored by n8n. */
	jobLookup?: JobLookup;
	/** The `origin` of its request, if a list returns it, and whether no other start has the same. */
	origin?: string;
	isMarked?: boolean;
	/** Jobs listed shortly before it; omitted if the lists were incomplete. */
	before?: readonly string[];
	/** Whether the same request may reuse its job. */
	isReusable?: boolean;
}

/** Milliseconds for which a job can be reused: as long as the service retains results. */
export const reuseWindow = 86_400_000;

/** Milliseconds for which any other start is remembered after its end. */
const otherWindow = 10 * 60_000;

/**
 * Most starts that n8n stores for a workflow, about 80 bytes each, and most reusable ones in a
 * process.
 */
export const mostStored = 100;
const mostInProcess = 2_000;

/** Their key in the workflow's static data. */
const staticDataKey = 'webDataJobs';

/** The starts of this process, oldest first. */
let starts: Start[] = [];

const isAlive = ({ at, until, isReusable }: Start, now: number) =>
	isReusable ? Math.abs(now - at) < reuseWindow : until === undefined || now - until < otherWindow;

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

/** Records the end of a start. */
export function settleStart(start: Start, end: StartEnd): void {
	if (end === 'refused') starts = starts.filter((other) => other !== start);
	else if ('id' in end) Object.assign(start, { id: end.id, until: monotonicNow() });
	else Object.assign(start, { at: end.lostSince, until: monotonicNow() });
}

/** Whether a job is known to belong to another start. */
export const isOfAnother = (id: string, start: Start): boolean =>
	starts.some((other) => other !== start && other.id === id);

/** Whether a job is known to belong to another request. */
export const isOfAnotherRequest = (id: string, key: string): boolean =>
	starts.some((other) => other.key !== key && other.id === id);

/** The concurrent starts with unknown jobs that may have the same target. */
export function competingStarts(start: Start, margin: number): Start[] {
	const { at, until = Infinity, jobLookup } = start;
	const targets = new Set(jobLookup?.matchBy.map(canonicalUrl));
	return starts.filter(
		(other) =>
			other !== start &&
			other.id === undefined &&
			other.at <= until + margin &&
			(other.until ?? Infinity) >= at - margin &&
			(other.jobLookup === undefined ||
				(other.jobLookup.lists === jobLookup?.lists &&
					other.jobLookup.matchBy.some((target) => targets.has(canonicalUrl(target))))),
	);
}

/**
 * A start as n8n stores it, in Unix milliseconds: its time, the job's ID or its end, and the jobs
 * before it.
 */
type StoredStart = [at: number, job: string | number, before?: readonly string[]];

function toStored({ at, id, until = at, before }: Start): StoredStart {
	const since = Math.round(wallTime(at));
	if (id !== undefined) return [since, id];
	const end = Math.round(wallTime(until));
	return before === undefined ? [since, end] : [since, end, before];
}

/** Parses a stored start; undefined if it is invalid or too old. */
function parseStored(key: string, value: unknown): Start | undefined {
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

/** n8n's access to a workflow and its static data. */
type WorkflowFunctions = Pick<IExecuteFunctions, 'getWorkflow' | 'getWorkflowStaticData'>;

/**
 * The stored starts by workflow. All its executions share one record, so that the last to end
 * stores all.
 */
const workflows = new Map<string, Record<string, StoredStart>>();

/** The starts whose jobs a workflow can reuse, of this process and stored by n8n. */
export class ReusableStarts {
	private readonly storedStarts: Record<string, StoredStart>;

	constructor(context: WorkflowFunctions) {
		const { id = '' } = context.getWorkflow();
		const data = context.getWorkflowStaticData('global');
		const stored: unknown = data[staticDataKey];
		this.storedStarts = workflows.get(id) ?? {};
		workflows.set(id, this.storedStarts);
		for (const [key, value] of Object.entries(isRecord(stored) ? stored : {})) {
			const start = parseStored(key, value);
			if (!start) continue;
			const known = this.find(key);
			// Another process may have started one since. Stored times are whole milliseconds.
			if (known && known.at + 1 >= start.at) continue;
			add(start);
			this.store(start);
		}
		data[staticDataKey] = this.storedStarts;
	}

	/** The newest ended start of a request, if one is known. */
	find(key: string): Start | undefined {
		const now = monotonicNow();
		const [newest] = starts
			.filter((start) => start.key === key && start.until !== undefined && isAlive(start, now))
			.sort((one, other) => other.at - one.at);
		return newest;
	}

	/** Has n8n store a start, unless it was rejected. */
	store(start: Start): void {
		if (start.until === undefined) return;
		const { storedStarts } = this;
		delete storedStarts[start.key];
		storedStarts[start.key] = toStored(start);
		const isOld = ([at]: StoredStart) => Math.abs(Date.now() - at) >= reuseWindow;
		const byAge = Object.keys(storedStarts).sort(
			(one, other) => storedStarts[other][0] - storedStarts[one][0],
		);
		for (const [rank, key] of byAge.entries()) {
			if (rank >= mostStored || isOld(storedStarts[key])) delete storedStarts[key];
		}
	}

	/** Records the job that was found for a request, unless one is known. */
	noteFound(key: string, id: string, at: number): void {
		const known = this.find(key);
		if (known?.id !== undefined) return;
		const start = known ?? { key, at, until: at, isReusable: true };
		if (!known) add(start);
		start.id = id;
		this.store(start);
	}

	/** Forgets the starts of a request whose job can no longer be reused. */
	forget(key: string): void {
		starts = starts.filter((start) => start.key !== key);
		delete this.storedStarts[key];
	}
}
