import type { Sender } from '../http/paging';
import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { operationError, stoppedError, type ErrorSource } from '../api/errors';
import type { Request } from '../http/client';
import type { JobLookup } from '../http/jobLookup';
import type { Job } from '../operation/operation';
import { asRecord } from '../output/results';
import { monotonicNow, wallTime } from '../values/clock';
import { settle } from '../values/settle';
import { isTool } from '../host/tool';
import { readContextOf, type ItemContext } from './itemContext';
import { listJobs, type ListedJob } from './listedJobs';
import { lookupOn, statusReader, watchedStart } from './lostStart';
import { carriesMark, carriesOtherMark, judge, mostPolled } from './ownJob';
import { hasCompleted, isFinished, statusRequest, unknownAtFirst } from './poll';
import { requestKey } from './requestKey';
import { isOfAnotherRequest, reuseWindow, type ReusableStarts, type Start } from './startedJobs';
import { acquireKey } from '../values/semaphore';
import { findToolJob, noteToolJob } from './toolCalls';
import { fact, forCaller, forUser } from '../api/sentence';

/**
 * Most recent jobs of the same target that are recorded before a start. With more, a lost start is
 * never found for certain.
 */
const mostBefore = 20;

/**
 * Milliseconds before a start in which another job may be mistaken for it: clocks differ by less
 * (`ownJob.ts`).
 */
const shortlyBefore = 10 * 60_000;

/** An earlier job. */
interface Found {
	/** Its state, with its ID. */
	state: IDataObject;
	/** Start by the monotonic clock. */
	startedAt: number;
}

/** Search result of the lists for the job of a request. */
interface Search {
	certain?: Found;
	/** The newest possible job. */
	unsure?: Found;
	/**
	 * The jobs of the same target shortly before the start; undefined if the lists are incomplete.
	 */
	before?: string[];
	/** Whether the lists are complete, so that other jobs were not started. */
	isWhole: boolean;
}

/** Whether a job can be reused in this state: it runs, or has completed with results. */
function isOfUse(state: IDataObject): boolean {
	const { status, completed, expiresAt } = state;
	if (typeof expiresAt === 'string' && Date.parse(expiresAt) <= Date.now()) return false;
	if (isFinished(state)) return hasCompleted(state) && completed !== 0;
	return !/^cancel/i.test(String(status));
}

/**
 * Fetches the state of a job; undefined if it is gone or cannot be reused.
 * @throws NodeApiError if it is unknown
 */
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

/** Searches the service's lists for the job of a request. */
async function search(
	job: Job,
	jobLookup: JobLookup,
	key: string,
	lost: Start | undefined,
	context: Sender,
): Promise<Search> {
	const now = monotonicNow();
	const isMarked = (listed: unknown) => carriesMark(listed, key);
	const { jobs, isWhole } = await listJobs(jobLookup, now - reuseWindow, isMarked, context);
	const fitting = jobs.filter(
		(each) =>
			!isOfAnotherRequest(each.id, key) &&
			!carriesOtherMark(each, key) &&
			!each.listed.some((listed) => jobLookup.excludes(listed)),
	);
	if (lost) lost.jobLookup = jobLookup;
	const judged = lost && (await judge(jobs, lost, jobLookup, statusReader(job, context)));
	const isCertain = ({ id, listed }: ListedJob) =>
		listed.some(isMarked) || (judged !== undefined && 'own' in judged && judged.own.id === id);
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
		if (!state || jobLookup.excludes(state)) continue;
		const found = { state, startedAt: each.startedAt };
		if (isCertain(each)) return { ...searched, certain: found };
		searched.unsure ??= found;
	}
	return searched;
}

const field = `'Reuse Recent Job'`;

/** Formats a job's ID and start for messages. */
const named = ({ noun }: Job, { state, startedAt }: Found) =>
	`the ${noun} ${String(state.id)}, started at ${new Date(wallTime(startedAt)).toISOString()},`;

/**
 * Decides which job an item without a certain one reuses; undefined to start one.
 * @throws NodeOperationError if the user wants neither
 */
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
			[
				fact('Nothing was started.'),
				forUser(`Choose 'On; if Unsure, Start New Job' to start one anyway.`),
				forCaller('A server without a database cannot list jobs; on any other, try again.'),
			],
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
		[
			fact('It matches by its first URL or its prompt. Nothing was started.'),
			forUser(
				`Choose 'On; if Unsure, Reuse Job' to reuse it, or 'On; if Unsure, Start New Job' to start another.`,
			),
		],
		requestContext.errorSource,
	);
}

/** Finds the job of a request that an item reuses; undefined to start one. */
async function find(
	job: Job,
	jobLookup: JobLookup,
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
	const searched = await search(job, jobLookup, key, known, lookupOn(itemContext));
	return searched.certain
		? { found: note(searched.certain) }
		: { found: decide(job, searched, itemContext), before: searched.before };
}

/** The decision how an item gets its job. */
export interface StartPlan {
	/** State of the reused job; undefined to start one. */
	reused?: IDataObject;
	/** The request that starts one, and recovers the job if its response is lost. */
	request: Request;
	/** Lets other items with the same request continue. Idempotent. */
	release(): void;
}

/**
 * Locks a request, which only one item of the process starts at a time.
 * @throws NodeOperationError if stopped
 */
async function lock(key: string, signal: AbortSignal | undefined, errorSource: ErrorSource) {
	const release = await acquireKey(key);
	if (!signal?.aborted) return release;
	release();
	throw stoppedError(errorSource);
}

/** Continues the job that the same call of a tool has started, or starts one. */
async function planToolStart(
	job: Job,
	request: Request,
	jobLookup: JobLookup,
	key: string,
	itemContext: ItemContext,
): Promise<StartPlan> {
	const { requestContext, execution } = itemContext;
	const release = await lock(key, requestContext.signal, requestContext.errorSource);
	const known = findToolJob(key);
	const found = await settle(
		known
			? readState(job, known.id, known.startedAt, readContextOf(itemContext))
			: Promise.resolve(undefined),
	);
	if (!found.ok) {
		release();
		throw found.error;
	}
	if (found.value) {
		execution.ownNotes.add(
			`The ${job.noun} ${String(found.value.id)} of an earlier call with the same arguments was continued. Nothing more was charged.`,
		);
		return { reused: { ...found.value, reused: true }, request, release };
	}
	const watched = watchedStart(job, request, jobLookup, { key }, itemContext, ({ id }) => {
		if (id !== undefined) noteToolJob(key, id);
		release();
	});
	return { request: watched, release };
}

/**
 * Decides whether an item reuses a job that the same request has started in the last 24 hours.
 * Items with the same request wait for each other until the job is started, so that they share it.
 * @throws NodeOperationError if the user wants neither to reuse an uncertain job nor to start one
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
	if (!reuses && job.isReusable && isTool(requestContext.errorSource.node))
		return await planToolStart(job, request, jobLookup, key, itemContext);
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
		starts.store(start);
		release();
	});
	return { request: watched, release };
}
