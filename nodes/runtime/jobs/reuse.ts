import type { Sender } from '../http/paging';
import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { operationError, stoppedError, type ErrorSource } from '../api/errors';
import type { Request } from '../http/client';
import type { JobLookup } from '../http/jobLookup';
import type { Job } from '../operation/operation';
import { asRecord } from '../output/results';
import { monotonicNow, wallTime } from '../values/clock';
import { settle } from '../values/settle';
import { readContextOf, type ItemContext } from './itemContext';
import { listJobs, type ListedJob } from './listedJobs';
import { lookupOn, statusReader, watchedStart } from './lostStart';
import { carriesMark, carriesOtherMark, judge, mostPolled } from './ownJob';
import { hasCompleted, isFinished, statusRequest, unknownAtFirst } from './poll';
import { requestKey } from './requestKey';
import { isOfAnotherRequest, remembered, type ReusableStarts, type Start } from './startedJobs';
import { acquireKey } from './keyedMutex';

/** Most jobs of the same target shortly before a start that are noted; where there are more, a lost start is not found for certain. */
const mostBefore = 20;

/** Milliseconds before a start in which another job may be taken for it: clocks differ by less (`ownJob.ts`). */
const shortlyBefore = 10 * 60_000;

/** A job that was started before. */
interface Found {
	/** Its state, with its ID. */
	state: IDataObject;
	/** By the monotonic clock. */
	startedAt: number;
}

/** What the lists say of a request: which job is its own, and which may be. */
interface Search {
	certain?: Found;
	/** The newest of those that may be. */
	unsure?: Found;
	/** The jobs of the same target that were started shortly before; undefined where the lists were not read as a whole. */
	before?: string[];
	/** Whether the lists were read as a whole, so that what they do not show was not started. */
	isWhole: boolean;
}

/** Whether an item can go on with a job that is in this state: it runs, or has ended well with something to show. */
function isOfUse(state: IDataObject): boolean {
	const { status, completed, expiresAt } = state;
	if (typeof expiresAt === 'string' && Date.parse(expiresAt) <= Date.now()) return false;
	if (isFinished(state)) return hasCompleted(state) && completed !== 0;
	return !/^cancel/i.test(String(status));
}

/** Reads the state of a job; undefined where it is gone or of no use. @throws NodeApiError where it cannot be told */
async function readState(
	job: Job,
	id: string,
	startedAt: number,
	context: Sender,
): Promise<IDataObject | undefined> {
	const sent = await settle(context.send(statusRequest(job, id)));
	if (sent.ok) {
		const state = { ...asRecord(sent.value.body), id };
		return isOfUse(state) ? state : undefined;
	}
	const { error } = sent;
	const status = error instanceof NodeApiError ? error.httpCode : undefined;
	if (status !== '404' && status !== '410') throw error;
	return monotonicNow() - startedAt <= unknownAtFirst ? { id } : undefined;
}

/** Looks for the job of a request among those that the service lists. */
async function search(
	job: Job,
	traces: JobLookup,
	key: string,
	lost: Start | undefined,
	context: Sender,
): Promise<Search> {
	const now = monotonicNow();
	const isMarked = (told: unknown) => carriesMark(told, key);
	const { jobs, isWhole } = await listJobs(traces, now - remembered, isMarked, context);
	const fitting = jobs.filter(
		(each) =>
			!isOfAnotherRequest(each.id, key) &&
			!carriesOtherMark(each, key) &&
			!each.told.some((told) => traces.excludes(told)),
	);
	if (lost) lost.traces = traces;
	const judged = lost && (await judge(jobs, lost, traces, statusReader(job, context)));
	const isCertain = ({ id, told }: ListedJob) =>
		told.some(isMarked) || (judged !== undefined && 'own' in judged && judged.own.id === id);
	const recent = jobs.filter(({ startedAt }) => now - startedAt < shortlyBefore);
	const searched: Search = {
		isWhole: isWhole && fitting.length <= mostPolled,
		...(isWhole && recent.length <= mostBefore && { before: recent.map(({ id }) => id) }),
	};
	const certain = fitting.filter(isCertain);
	for (const each of [...certain, ...fitting.filter((other) => !isCertain(other))].slice(
		0,
		mostPolled,
	)) {
		const state = await readState(job, each.id, each.startedAt, context);
		if (!state || traces.excludes(state)) continue;
		const found = { state, startedAt: each.startedAt };
		if (isCertain(each)) return { ...searched, certain: found };
		searched.unsure ??= found;
	}
	return searched;
}

const field = `'Reuse Recent Job'`;

/** Tells a job by its ID and, where it is known, its time. */
const named = ({ noun }: Job, { state, startedAt }: Found) =>
	`the ${noun} ${String(state.id)}, started at ${new Date(wallTime(startedAt)).toISOString()},`;

/** The job that an item without a certain one takes; undefined where it starts one. @throws NodeOperationError where the user wants neither */
function decide(
	job: Job,
	{ unsure, isWhole }: Search,
	{ settings, requestContext, execution: { notices } }: ItemContext,
): Found | undefined {
	const { reuseJob } = settings;
	if (!unsure && isWhole) return undefined;
	if (reuseJob === 'startNew') {
		notices.add(
			unsure
				? `A new ${job.noun} was started, because the server does not report whether ${named(job, unsure)} has the same request.`
				: `A new ${job.noun} was started, because the server could not list existing jobs.`,
		);
		return undefined;
	}
	if (!unsure) {
		throw operationError(
			`${field}: the server could not list existing jobs to find this ${job.noun}`,
			`Nothing was started. Choose 'On; if Unsure, Start New Job' to start one anyway. A server without a database cannot list jobs; on any other, try again.`,
			requestContext.errorSource,
		);
	}
	if (reuseJob === 'reuse') {
		notices.add(
			`Reused without certainty that it has the same request: ${named(job, unsure)} matches by its first URL or its prompt.`,
		);
		return unsure;
	}
	throw operationError(
		`${field}: ${named(job, unsure)} may have the same request, but the server returns too little to be certain`,
		`It matches by its first URL or its prompt. Nothing was started. Choose 'On; if Unsure, Reuse Job' to reuse it, or 'On; if Unsure, Start New Job' to start another.`,
		requestContext.errorSource,
	);
}

/** The job of a request that an item goes on with; undefined where it starts one. */
async function find(
	job: Job,
	traces: JobLookup,
	key: string,
	starts: ReusableStarts,
	itemContext: ItemContext,
): Promise<{ found?: Found; before?: string[] }> {
	const note = (found: Found): Found => {
		const id = String(found.state.id);
		starts.noteFound(key, id, found.startedAt);
		itemContext.execution.notices.add(
			`The ${job.noun} ${id} was reused from an earlier start of the same request, at no charge.`,
		);
		return found;
	};
	const known = starts.find(key);
	if (known?.id !== undefined) {
		const state = await readState(job, known.id, known.at, readContextOf(itemContext));
		if (state) return { found: note({ state, startedAt: known.at }) };
		starts.forget(key);
		return {};
	}
	const searched = await search(job, traces, key, known, lookupOn(itemContext));
	return searched.certain
		? { found: note(searched.certain) }
		: { found: decide(job, searched, itemContext), before: searched.before };
}

/** How an item gets its job. */
export interface StartPlan {
	/** The state of the job that it reuses; undefined where it starts one. */
	reused?: IDataObject;
	/** The request that starts one, whose job is looked up when its response is lost. */
	request: Request;
	/** Lets other items with the same request go on; may be called more than once. */
	release(): void;
}

/** Locks a request, which only one item of the process starts at a time. @throws NodeOperationError when stopped */
async function lock(key: string, signal: AbortSignal | undefined, errorSource: ErrorSource) {
	const release = await acquireKey(key);
	if (!signal?.aborted) return release;
	release();
	throw stoppedError(errorSource);
}

/**
 * Decides whether an item reuses the job that the same request has started in the last 24 hours, where the
 * user wants that and there is one. Items with the same request wait for each other until it is started, so
 * that they share it.
 * @throws NodeOperationError where the user wants neither to take an uncertain job nor to start another
 */
export async function planStart(
	job: Job,
	request: Request,
	itemContext: ItemContext,
): Promise<StartPlan> {
	const { settings, requestContext, execution } = itemContext;
	const { jobLookup } = request;
	const reuses = settings.reuseJob !== 'off' && job.isReusable === true;
	const unlocked = () => undefined;
	if (!jobLookup) {
		if (reuses) {
			execution.notices.add(
				`${field} has no effect on a ${job.noun} that appends to an earlier one.`,
			);
		}
		return { request, release: unlocked };
	}
	const key = requestKey(execution.account(), request);
	if (!reuses) {
		const watched = watchedStart(job, request, jobLookup, { key }, itemContext);
		return { request: watched, release: unlocked };
	}
	const starts = execution.started();
	const release = await lock(key, requestContext.signal, requestContext.errorSource);
	const outcome = await settle(find(job, jobLookup, key, starts, itemContext));
	if (!outcome.ok) {
		release();
		throw outcome.error;
	}
	const { found, before } = outcome.value;
	if (found) return { reused: { ...found.state, reused: true }, request, release };
	const facts = { key, before, isReusable: true };
	const watched = watchedStart(job, request, jobLookup, facts, itemContext, (start) => {
		starts.keep(start);
		release();
	});
	return { request: watched, release };
}
