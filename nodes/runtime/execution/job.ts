import type { IDataObject } from 'n8n-workflow';
import { operationError, statusOf, stoppedError } from '../errors/webDataError';
import { errorText, type ApiResponse } from '../errors/response';
import type { Counted, Job, ReadContext, Result } from '../operation';
import type { Request } from '../http/client';
import { creditsIn } from '../http/credits';
import type { Endpoint } from '../http/endpoint';
import { goneStatuses } from '../http/retry';
import { send, type RequestContext } from '../http/send';
import { requireJobId, startedId } from './results';
import { settle, type Outcome } from '../values/outcome';
import { fieldOf } from '../values/record';
import { pluralize } from '../values/text';
import { delay, monotonicNow, within } from '../values/time';
import { isTool } from '../tool/tool';
import { sendUncancellable } from './atEnd';
import type { Charge, Charged } from '../spending/budget';
import { readContextOf, type Item } from './item';
import { sendCharged, showNotices } from '../spending/paid';
import { startOrFind } from './lostStart';
import { ToolCall, toolKey } from '../spending/toolCalls';

/**
 * The life of a job (`JobRun`), from its start to its results:
 *
 *     start ──▶ own ──▶ ended ──▶ results
 *       │        │        ▲
 *       │        ▼        │
 *       └────▶ shared ────┘
 *
 * | State | Event | Next |
 * |---|---|---|
 * | start | its response is lost | own, if the list of jobs shows it (`lostStart.ts`); otherwise an error |
 * | start | an equal call of a tool has started it; it is another execution's | shared |
 * | own | an equal call of a tool follows it | shared |
 * | own | the execution is stopped, or *Max Wait* is over | cancelled; ended, if it had ended before |
 * | shared | the execution is stopped, or *Max Wait* is over | left running |
 * | own, shared | the time of a tool is over | handed back: the next equal call continues it |
 * | shared | it is gone, failed or cancelled, or was returned a minute ago | forgotten: start |
 * | own, shared | its status is final | ended: its results, a part of them, or its error |
 */

// The states that the service reports.

const ends = new Set(['completed', 'failed', 'cancelled', 'canceled']);

/** Whether a job's response is final. An unknown or missing state is not: the job may continue and be charged. */
export const isFinished = ({ status }: IDataObject) =>
	typeof status === 'string' && ends.has(status.toLowerCase());

/** Whether a job has done all of its work. */
export const hasCompleted = ({ status }: IDataObject) =>
	typeof status === 'string' && status.toLowerCase() === 'completed';

/** Whether a response has the state of a job: that of a failed one, too, which may hold charged results. */
export const isJobState = ({ status, body }: ApiResponse) =>
	status === 200 && typeof fieldOf(body, 'status') === 'string';

/** The status request of a job. */
export const statusRequest = ({ status, pollQuery }: Job, id: string): Request => ({
	endpoint: status,
	ids: { id },
	query: pollQuery,
	accepts: isJobState,
});

/** Milliseconds for which the service may not find a new job (docs/api-notes.md, Jobs and their status). */
const unknownAtFirst = 10_000;

/** Milliseconds for which a job that says it has completed without doing anything is polled on. */
const doubtedFor = 30_000;

/**
 * Whether a poll says nothing about a job of that age: the server is busy, does not know it yet, or
 * says that it has completed without a page and without taking time. Servers say so of a job that has
 * not begun yet, whose pages are charged later (docs/api-notes.md, Jobs and their status).
 */
function saysNothing(sent: Outcome<ApiResponse>, age: number): boolean {
	if (!sent.ok) {
		const status = statusOf(sent.error);
		return status >= 500 || status === 429 || (status === 404 && age <= unknownAtFirst);
	}
	const body = sent.value.body as IDataObject;
	const isEmpty = hasCompleted(body) && body.completed === 0;
	const tookTime = typeof body.duration === 'number' && body.duration >= 1;
	return isEmpty && !tookTime && age < doubtedFor;
}

/** Whether a model can use a job again: it runs, or has completed with results. */
const isOfUse = (state: IDataObject): boolean =>
	isFinished(state)
		? hasCompleted(state) && state.completed !== 0
		: !/^cancel/i.test(String(state.status));

// Its polls.

/** Milliseconds from a job's start to its first poll. */
const firstDelay = 1_000;

/** Delay before the next poll in milliseconds: a tenth of the time waited so far, 1.5 to 15 seconds. */
export const nextPollDelay = (waited: number) => Math.min(15_000, Math.max(1_500, waited / 10));

/** Timeout of a poll in milliseconds, so that it can succeed at the deadline, and holds up no other polls. */
const shortestTimeout = 5_000;
const longestTimeout = 30_000;

/** Most consecutive unexpected responses until the wait ends. */
const mostUnexpected = 5;

/**
 * Polls a job until it has finished or `longestWait` milliseconds have passed on the monotonic
 * clock. A busy server or a lost connection never ends the wait; several consecutive unexpected
 * responses do. `onResponse` is called with every response.
 * @returns the last response, and whether the job has finished
 * @throws WebDataError if the job can no longer be polled, or if stopped
 */
export async function poll(
	request: Request,
	longestWait: number,
	requestContext: RequestContext,
	onResponse: (body: IDataObject) => void = () => undefined,
): Promise<{ body: IDataObject; finished: boolean }> {
	const { errorSource, policy, signal } = requestContext;
	const startedAt = monotonicNow();
	const waited = () => monotonicNow() - startedAt;
	let last: IDataObject = {};
	let pause = firstDelay;
	let unexpected = 0;
	for (;;) {
		const left = longestWait - waited();
		// If stopped, `send` throws.
		if (left <= 0 && !signal?.aborted) return { body: last, finished: false };
		await settle(delay(Math.min(pause, left), signal));
		const budget = Math.max(shortestTimeout, longestWait - waited());
		const once = { ...request, longestWait: Math.min(longestTimeout, budget) };
		const patient = { ...policy, maxAttempts: Infinity, budget };
		const sent = await settle(send(once, { ...requestContext, policy: patient }));
		if (signal?.aborted) throw stoppedError(errorSource);
		pause = nextPollDelay(waited());
		if (sent.ok) {
			unexpected = 0;
			last = sent.value.body as IDataObject;
			onResponse(last);
			if (isFinished(last) && !saysNothing(sent, waited())) return { body: last, finished: true };
		} else {
			unexpected = saysNothing(sent, waited()) ? 0 : unexpected + 1;
			if (unexpected >= mostUnexpected) throw sent.error;
			// The server allows no poll before the end of the wait.
			if ([429, 503].includes(statusOf(sent.error))) pause = Infinity;
		}
	}
}

// Its end before its results.

/** Whether a cancellation found that the job had ended (docs/api-notes.md, Jobs and their status). */
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

/** Longest wait for a cancellation in milliseconds. Its attempts continue after it. */
const cancelWait = 15_000;

/** A job from its start until its results, for one item. */
export class JobRun {
	private readonly item: Item;
	private readonly id: string;
	private readonly counted: Counted = { completed: 0, total: 0 };

	/** `state` is its last known response, with its ID; `call` started it, and `charge` are its reserved credits. */
	constructor(
		private readonly job: Job,
		private state: IDataObject,
		item: Item,
		private readonly call?: ToolCall,
		private readonly charge?: Charge,
	) {
		this.id = String(state.id);
		this.item = {
			...item,
			errorSource: { ...item.errorSource, job: { id: this.id, noun: job.noun } },
		};
	}

	/** Whether it is only this item's, so that it also cancels it. Otherwise others may wait for it. */
	private get isOwn(): boolean {
		return this.charge !== undefined && !this.job.isLeftAlone && this.call?.isFollowed !== true;
	}

	/** Returns what its start says, without waiting. */
	started(): Result[] {
		this.charge?.settle();
		this.call?.markReturned();
		return [this.job.started(this.state, this.item.settings)];
	}

	/** Waits for its end and returns its results. */
	async results(): Promise<Result[]> {
		return await this.wait().finally(() => this.charge?.settle());
	}

	private async wait(): Promise<Result[]> {
		const { job, id, item, counted, state } = this;
		const { settings, signal, deadline = Infinity } = item;
		if (isFinished(state)) return await this.finish();
		const onStop = () => {
			this.note(this.isOwn ? 'cancellation sent, not confirmed' : 'still running');
			if (this.isOwn) void this.cancel();
		};
		signal?.addEventListener('abort', onStop, { once: true });
		if (signal?.aborted) onStop();
		const maxWait = settings.maxWait * 60_000;
		const toolWait = Math.max(0, deadline - monotonicNow());
		const onResponse = (body: IDataObject) => {
			showNotices(body, item);
			counted.completed = Math.max(counted.completed, Number(body.completed) || 0);
			counted.total = Math.max(counted.total, Number(body.total) || 0);
		};
		const longestWait = Math.min(maxWait, toolWait);
		const status = statusRequest(job, id);
		const { body, finished } = await poll(status, longestWait, item, onResponse).finally(() =>
			signal?.removeEventListener('abort', onStop),
		);
		this.state = { ...state, ...body, id };
		if (finished) return await this.finish();
		return toolWait < maxWait ? this.handBack() : await this.giveUp();
	}

	/** Ended: its results. */
	private async finish(): Promise<Result[]> {
		const { job, state, item, charge, counted, call } = this;
		this.note('had ended');
		if (charge) charge.known = creditsIn(state);
		const results = await job.finish(state, readContextOf(item, charge), counted);
		// Past the deadline they may be a part, which the same call completes.
		if (monotonicNow() < (item.deadline ?? Infinity)) call?.keep();
		return results;
	}

	/** Handed back: its ID and state for a model before its client gives up, with the way on. */
	private handBack(): Result[] {
		const { id, item } = this;
		const { noun } = this.job;
		const { status, completed, total } = this.state;
		item.run.ownNotes.add(
			`The ${noun} ${id} has not finished. To wait on, call this tool again with the same arguments: it continues this ${noun}, which is not charged again. A tool that gets a ${noun} by its ID returns it, too.`,
		);
		return [{ json: { jobId: id, status, completed, total } }];
	}

	/** *Max Wait* is over: cancelled, left running, or ended at the last moment. */
	private async giveUp(): Promise<Result[]> {
		const { job, id, item, state } = this;
		const { errorSource, settings, signal } = item;
		const end = this.isOwn
			? await within(cancelWait, this.cancel(), (): CancelOutcome => 'not told')
			: 'left alone';
		if (end === 'ended before') {
			const late = await settle(send(statusRequest(job, id), item));
			const body = late.ok ? (late.value.body as IDataObject) : {};
			if (isFinished(body)) this.state = { ...state, ...body, id };
		}
		if (signal?.aborted) throw stoppedError(errorSource);
		showNotices(this.state, item);
		if (isFinished(this.state)) return await this.finish();
		if (job.unfinished) return await job.unfinished(state, readContextOf(item));
		const advice = isTool(errorSource.node)
			? `Request less at once. A higher 'Max Wait' allows more time.`
			: `Raise 'Max Wait', or use 'Start' and, once the job has ended, 'Get'.`;
		const { status } = state;
		const last = typeof status === 'string' ? `; its last state was ${status}` : '';
		throw operationError(
			`The ${job.noun} did not finish within ${pluralize(settings.maxWait, 'minute')}${last}`,
			`${cancelOutcomeMessages[end]} ${advice}`,
			errorSource,
		);
	}

	private async cancel(): Promise<CancelOutcome> {
		const sent = await sendUncancellable(cancellationOf(this.job.cancel, this.id), this.item);
		if (sent.ok) return hadEnded(sent.value) ? 'ended before' : 'cancelled';
		return goneStatuses.has(statusOf(sent.error)) ? 'ended before' : 'not told';
	}

	/** Notes its state for the error of a stopped execution. */
	private note(left: string): void {
		this.item.run.jobs.set(this.id, `${this.job.noun} ${this.id} (${left})`);
	}
}

/** Sends a start, and cancels its job if the execution is stopped before the response. */
async function sendStart(job: Job, request: Request, item: Item): Promise<Charged> {
	const cancellation = ({ body }: ApiResponse): Request | undefined => {
		const id = startedId(body);
		return id === undefined || job.isLeftAlone ? undefined : cancellationOf(job.cancel, id);
	};
	const sent = await sendCharged(
		request,
		item,
		async (affordable) => await startOrFind(job.noun, affordable, cancellation, item),
	);
	if (startedId(sent.response.body) === undefined) sent.charge.settle();
	const id = String(requireJobId(job.noun, sent.response, item.errorSource).id);
	item.run.jobs.set(id, `${job.noun} ${id}`);
	return sent;
}

/** The state of the job of an equal call, `age` milliseconds ago; undefined if gone. @throws if unknown */
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

/** Starts a job, or continues that of an equal call of a tool. @throws WebDataError */
export async function startJob(job: Job, request: Request, item: Item): Promise<JobRun> {
	const { run, errorSource } = item;
	// Other nodes do not repeat a call by themselves.
	const key = isTool(errorSource.node) ? toolKey(run.account(), request) : undefined;
	for (;;) {
		const { call, isFirst } = await ToolCall.join(
			key,
			async () => await sendStart(job, request, item),
		);
		const { response, charge, at } = await call.sent;
		const started = requireJobId(job.noun, response, errorSource);
		if (isFirst) return new JobRun(job, started, item, call, charge);
		const state = await stateOfCall(job, started, monotonicNow() - at, item);
		if (state && !(isFinished(state) && call.isOver)) {
			run.ownNotes.add(
				`The ${job.noun} ${String(state.id)} of an earlier call with the same arguments was continued. Nothing more was charged.`,
			);
			return new JobRun(job, state, item, call);
		}
		call.forget();
	}
}

/** Cancels a job by its ID. A job that has ended is no error. @throws WebDataError if the job continues */
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
