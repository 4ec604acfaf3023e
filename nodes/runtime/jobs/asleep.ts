import { z } from 'zod/v3';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { beginSecondRun, noteOfRun, noteOfSleep } from '../host/secondRun';

const jobAsleep = z.object({ id: z.string(), itemIndex: z.number() });

const startRefused = z.object({
	itemIndex: z.number(),
	message: z.string(),
	description: z.string(),
});

const asleep = z.object({
	/** The jobs that were started, each for one input item. */
	jobs: z.array(jobAsleep).nonempty(),
	/** The items for which none could be started, and why. */
	refused: z.array(startRefused),
	/** When the jobs had been started and when the wait is over, in Unix milliseconds. */
	since: z.number(),
	until: z.number(),
	/** Whether a call woke it; otherwise the wait is over. */
	isCalled: z.boolean(),
});

/** A job that a sleeping execution waits for. */
export type JobAsleep = z.output<typeof jobAsleep>;

/** What a sleeping execution keeps of the jobs that it waits for. */
export type Asleep = z.output<typeof asleep>;

const read = (note: unknown): Asleep | undefined => asleep.safeParse(note).data;

/** The jobs whose results this run of the node has to hand over; undefined where it has to start some. */
export const sleptFor = (context: IExecuteFunctions): Asleep | undefined =>
	read(noteOfRun(context));

/** The jobs that the execution sleeps for, for a call that comes meanwhile. */
export const sleepsFor = (context: IWebhookFunctions): Asleep | undefined =>
	read(noteOfSleep(context));

/** Has the node hand the results over. */
export const wakeUp = (context: IWebhookFunctions, note: Asleep) =>
	beginSecondRun(context, { ...note, isCalled: true });
