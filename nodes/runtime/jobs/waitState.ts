import { z } from 'zod/v3';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { startResumedRun, resumedState, savedState } from '../host/resumedRun';

const waitingJob = z.object({ id: z.string(), itemIndex: z.number() });

const failedStart = z.object({
	itemIndex: z.number(),
	message: z.string(),
	description: z.string(),
});

const waitState = z.object({
	/** The jobs that were started, each for one input item. */
	jobs: z.array(waitingJob).nonempty(),
	/** The items for which none could be started, and why. */
	failedStarts: z.array(failedStart),
	/** When the jobs had been started and when the wait is over, in Unix milliseconds. */
	since: z.number(),
	until: z.number(),
	/** Whether a call woke it; otherwise the wait is over. */
	isCalled: z.boolean(),
});

/** A job that a sleeping execution waits for. */
export type WaitingJob = z.output<typeof waitingJob>;

/** What a sleeping execution keeps of the jobs that it waits for. */
export type WaitState = z.output<typeof waitState>;

const read = (note: unknown): WaitState | undefined => waitState.safeParse(note).data;

/** The jobs whose results this run of the node has to hand over; undefined where it has to start some. */
export const resumedStateOf = (context: IExecuteFunctions): WaitState | undefined =>
	read(resumedState(context));

/** The jobs that the execution sleeps for, for a call that comes meanwhile. */
export const waitStateOf = (context: IWebhookFunctions): WaitState | undefined =>
	read(savedState(context));

/** Has the node hand the results over. */
export const resumeExecution = (context: IWebhookFunctions, note: WaitState) =>
	startResumedRun(context, { ...note, isCalled: true });
