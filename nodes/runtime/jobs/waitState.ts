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
	/** The started jobs, each for one input item. */
	jobs: z.array(waitingJob).nonempty(),
	/** The items whose job could not be started, with the error. */
	failedStarts: z.array(failedStart),
	/** Times in Unix milliseconds: the start of the wait and its deadline. */
	since: z.number(),
	until: z.number(),
	/** Whether a webhook event resumed the execution, not the deadline. */
	isCalled: z.boolean(),
});

/** A job that a suspended execution waits for. */
export type WaitingJob = z.output<typeof waitingJob>;

/** The state that a suspended execution stores for its jobs. */
export type WaitState = z.output<typeof waitState>;

const read = (note: unknown): WaitState | undefined => waitState.safeParse(note).data;

/** The jobs whose results this run of the node outputs; undefined to start jobs. */
export const resumedStateOf = (context: IExecuteFunctions): WaitState | undefined =>
	read(resumedState(context));

/** The jobs that the execution waits for, read by a webhook request. */
export const waitStateOf = (context: IWebhookFunctions): WaitState | undefined =>
	read(savedState(context));

/** Lets the node output the results. */
export const resumeExecution = (context: IWebhookFunctions, note: WaitState) =>
	startResumedRun(context, { ...note, isCalled: true });
