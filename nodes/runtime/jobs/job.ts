import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../http/endpoint';
import { errorText, type ApiResponse } from '../errors/response';
import { goneStatuses } from '../http/retry';
import { operationError, stoppedError } from '../errors/message';
import { statusOf } from '../errors/webDataError';
import { delay, monotonicNow } from '../values/time';
import { isTool } from '../values/tool';
import type { Request } from '../http/client';
import { requireJobId, startedId } from '../output/results';
import { send } from '../http/send';
import type { Charge, Charged } from './budget';
import { creditsIn } from '../http/credits';
import type { Counted, Job, ReadContext, Result } from '../execution/operation';
import { settle } from '../values/outcome';
import { pluralize } from '../values/text';
import { sendUncancellable, startOrCancel } from './atEnd';
import { readContextOf, sendCharged, showNotices, type Item } from './context';
import { startOrFind } from './lostStart';
import { hasCompleted, isFinished, poll, saysNothing, statusRequest } from './poll';
import { callOnce, sameTurn, toolKey } from './toolCalls';

/**
 * Whether a cancellation found that the job had ended, which is no failure (docs/api-notes.md, Jobs
 * and their status).
 */
const hadEnded = ({ status, body }: ApiResponse): boolean =>
	status === 409 &&
	/\balready\b/i.test(errorText(body)) &&
	/\b(finished|completed|cancell?ed|failed)\b/i.test(errorText(body));

/** The request that cancels a job. */
const cancellationOf = (endpoint: Endpoint, id: string): Request => ({
	endpoint,
	ids: { id },
	accepts: hadEnded,
});

/** The outcomes of cancelling a job at the end of the wait, with their messages. */
const cancelOutcomeMessages = {
	'left alone': 'It is still running.',
	cancelled: 'It was cancelled.',
	'ended before': 'It had already ended.',
	'not told': 'It could not be cancelled, and may still be running.',
};
type CancelOutcome = keyof typeof cancelOutcomeMessages;

async function cancel(job: Job, id: string, item: Item): Promise<CancelOutcome> {
	const outcome = await sendUncancellable(cancellationOf(job.cancel, id), item);
	if (outcome.ok) return hadEnded(outcome.value) ? 'ended before' : 'cancelled';
	return goneStatuses.has(statusOf(outcome.error)) ? 'ended before' : 'not told';
}

/** Longest wait for a cancellation in milliseconds. Its attempts continue after it. */
const cancelWait = 15_000;

/** Cancels a job at the end of the wait, within a time limit. */
async function cancelInTime(job: Job, id: string, item: Item): Promise<CancelOutcome> {
	const timer = new AbortController();
	const late = delay(cancelWait, timer.signal).then((): CancelOutcome => 'not told');
	return await Promise.race([cancel(job, id, item), late]).finally(() => timer.abort());
}

/** A job that an item waits for. */
interface Started {
	/** The response to its start, or its last known state; with its ID. */
	state: IDataObject;
	/** Whether it is only the item's, so that it also cancels it. */
	isOwn(): boolean;
	/** Its reserved credits, if the item started it. */
	charge?: Charge;
	/** Called when its results are returned. */
	onEnd?(): void;
}

/** The final state of a job that ended at the deadline; undefined if it has no result. */
async function finalState(job: Job, id: string, item: Item): Promise<IDataObject | undefined> {
	const outcome = await settle(send(statusRequest(job, id), item));
	if (!outcome.ok) return undefined;
	const body = outcome.value.body as IDataObject;
	return isFinished(body) ? body : undefined;
}

/** Returns the ID and state of a job to a model before its client gives up, with the way on. */
function handBack(job: Job, response: IDataObject, { run }: Item): Result[] {
	const { id, status, completed, total } = response;
	run.ownNotes.add(
		`The ${job.noun} ${String(id)} has not finished. To wait on, call this tool again with the same arguments: it continues this ${job.noun}, which is not charged again. A tool that gets a ${job.noun} by its ID returns it, too.`,
	);
	return [{ json: { jobId: id, status, completed, total } }];
}

/**
 * Waits for a job and returns its results. Cancels an own job if the execution is stopped or the
 * wait is over. All errors have its ID.
 */
async function follow(job: Job, started: Started, given: Item): Promise<Result[]> {
	const { state, isOwn, charge, onEnd } = started;
	const { settings, signal, deadline = Infinity } = given;
	const id = String(state.id);
	const errorSource = { ...given.errorSource, job: { id, noun: job.noun } };
	const item = { ...given, errorSource };
	const counted: Counted = { completed: 0, total: 0 };
	const tell = (left: string) => item.run.jobs.set(id, `${job.noun} ${id} (${left})`);
	const finish = async (response: IDataObject) => {
		tell('had ended');
		if (charge) charge.known = creditsIn(response);
		const results = await job.finish(response, readContextOf(item, charge), counted);
		// Past the deadline they may be a part, which the same call completes.
		if (monotonicNow() < deadline) onEnd?.();
		return results;
	};
	if (isFinished(state)) return await finish(state);

	const onStop = () => {
		tell(isOwn() ? 'cancellation sent, not confirmed' : 'still running');
		if (isOwn()) void cancel(job, id, item);
	};
	signal?.addEventListener('abort', onStop, { once: true });
	if (signal?.aborted) onStop();
	const maxWait = settings.maxWait * 60_000;
	const toolWait = Math.max(0, deadline - monotonicNow());
	const wait = Math.min(maxWait, toolWait);
	const onResponse = (body: IDataObject) => {
		showNotices(body, item);
		counted.completed = Math.max(counted.completed, Number(body.completed) || 0);
		counted.total = Math.max(counted.total, Number(body.total) || 0);
	};
	const end = await settle(poll(statusRequest(job, id), wait, item, onResponse));
	signal?.removeEventListener('abort', onStop);
	if (signal?.aborted) throw stoppedError(errorSource);
	if (!end.ok) throw end.error;
	const known: IDataObject = { ...state, ...end.value.body, id };
	if (end.value.finished) return await finish(known);
	if (toolWait < maxWait) return handBack(job, known, item);

	const cancelOutcome = isOwn() ? await cancelInTime(job, id, item) : 'left alone';
	const late = cancelOutcome === 'ended before' ? await finalState(job, id, item) : undefined;
	if (signal?.aborted) throw stoppedError(errorSource);
	showNotices(late, item);
	if (late) return await finish({ ...known, ...late, id });
	if (job.unfinished) return await job.unfinished(known, readContextOf(item));
	const advice = isTool(errorSource.node)
		? `Request less at once. A higher 'Max Wait' allows more time.`
		: `Raise 'Max Wait', or use 'Start' and, once the job has ended, 'Get'.`;
	const { status } = known;
	const last = typeof status === 'string' ? `; its last state was ${status}` : '';
	throw operationError(
		`The ${job.noun} did not finish within ${pluralize(settings.maxWait, 'minute')}${last}`,
		`${cancelOutcomeMessages[cancelOutcome]} ${advice}`,
		errorSource,
	);
}

/** Whether a model can use a job again: it runs, or has completed with results. */
function isOfUse(state: IDataObject): boolean {
	if (isFinished(state)) return hasCompleted(state) && state.completed !== 0;
	return !/^cancel/i.test(String(state.status));
}

/**
 * The state of the job that the same call of a tool has started `age` milliseconds ago; undefined if
 * it is gone or failed.
 * @throws NodeApiError if it is unknown
 */
async function stateOfCall(
	job: Job,
	started: IDataObject,
	age: number,
	item: Item,
): Promise<IDataObject | undefined> {
	const { id } = started;
	const sent = await settle(readContextOf(item).send(statusRequest(job, String(id))));
	if (saysNothing(sent, age)) return { ...started, reused: true };
	if (!sent.ok) {
		if (statusOf(sent.error) === 404) return undefined;
		throw sent.error;
	}
	const state = { ...(sent.value.body as IDataObject), id };
	return isOfUse(state) ? { ...state, reused: true } : undefined;
}

/**
 * Starts a job, or continues that of the same call of a tool; one that has ended only if it was
 * started `endedWithin` milliseconds ago.
 * @throws NodeApiError or NodeOperationError
 */
async function begin(
	job: Job,
	request: Request,
	item: Item,
	endedWithin = Infinity,
): Promise<Started> {
	const { run, errorSource } = item;
	const cancellation = ({ body }: ApiResponse): Request | undefined => {
		const id = startedId(body);
		return id === undefined || job.isLeftAlone ? undefined : cancellationOf(job.cancel, id);
	};
	const start = async (): Promise<Charged> => {
		const once = async (marked: Request) => await startOrCancel(marked, cancellation, item);
		const sent = await sendCharged(
			request,
			item,
			async (affordable) => await startOrFind(job.noun, affordable, item, once),
		);
		if (startedId(sent.response.body) === undefined) sent.charge.settle();
		const id = String(requireJobId(job.noun, sent.response, errorSource).id);
		run.jobs.set(id, `${job.noun} ${id}`);
		return sent;
	};
	// Other nodes do not repeat a call by themselves.
	const key = isTool(errorSource.node) ? toolKey(run.account(), request) : undefined;
	for (;;) {
		const call = await callOnce(key, start);
		const { response, charge, at, end: onEnd } = call;
		const state = requireJobId(job.noun, response, errorSource);
		if (!call.isShared) {
			const isOwn = () => !job.isLeftAlone && !call.isFollowed?.();
			return { state, isOwn, charge, onEnd };
		}
		const age = monotonicNow() - at;
		const earlier = await stateOfCall(job, state, age, item);
		if (earlier && (age <= endedWithin || !isFinished(earlier))) {
			run.ownNotes.add(
				`The ${job.noun} ${String(earlier.id)} of an earlier call with the same arguments was continued. Nothing more was charged.`,
			);
			return { state: earlier, isOwn: () => false, onEnd };
		}
		call.forget?.();
	}
}

/**
 * Starts one job, or continues that of the same call of a tool, and waits for it.
 * @throws NodeApiError or NodeOperationError, with the job's ID once it is known
 */
export async function runJob(job: Job, request: Request, item: Item): Promise<Result[]> {
	const started = await begin(job, request, item);
	return await follow(job, started, item).finally(() => started.charge?.settle());
}

/** Waits for a job that was started before, and returns its results. Leaves it alone if it takes longer. */
export const collectJob = async (job: Job, id: string, item: Item): Promise<Result[]> =>
	await follow(job, { state: { id }, isOwn: () => false }, item);

/**
 * Starts one job without waiting for it, or returns that of the same call of a tool.
 * @throws NodeApiError or NodeOperationError
 */
export async function startJob(job: Job, request: Request, item: Item): Promise<Result[]> {
	const { state, charge } = await begin(job, request, item, sameTurn);
	charge?.settle();
	return [job.started(state, item.settings)];
}

/**
 * Cancels a job by its ID. A job that has ended is no error.
 * @throws NodeApiError if the job continues
 */
export async function cancelJob(
	endpoint: Endpoint,
	jobId: string,
	context: ReadContext,
): Promise<Result[]> {
	const response = await context.send(cancellationOf(endpoint, jobId));
	if (!hadEnded(response)) return [{ json: { jobId, cancelled: true } }];
	const cancelled = /\balready cancell?ed\b/i.test(errorText(response.body));
	return [{ json: { jobId, cancelled, alreadyEnded: true } }];
}
