import type { IExecuteFunctions } from 'n8n-workflow';
import { scheduleResume } from '../host/resumedRun';
import type { WaitState, WaitingJob } from '../jobs/waitState';
import { collectJob } from '../jobs/collectJob';
import type { ItemContext } from '../jobs/itemContext';
import { operationError, withoutItemMark } from '../api/errors';
import { settingsSchema } from '../form/options';
import type { Operation, Result } from '../operation/operation';
import type { ItemFailure } from './failFastError';
import type { Tasks } from './mergeItems';
import { forUser } from '../api/sentence';

/**
 * Suspends the execution until all jobs have ended. Items whose job could not be started become
 * errors beside the results.
 */
export async function suspendExecution(
	context: IExecuteFunctions,
	jobs: WaitingJob[],
	failures: ItemFailure[],
	milliseconds: number,
): Promise<void> {
	const since = Date.now();
	const until = since + milliseconds;
	const failedStarts = failures.map(({ error, itemIndex }) => ({
		itemIndex,
		message: withoutItemMark(error.message),
		description: error.description ?? '',
	}));
	scheduleResume(context, { jobs, failedStarts, since, until, isCalled: false });
	await context.putExecutionToWait(new Date(until));
}

/**
 * Restores the tasks of a resumed execution. If the parameters of an item are no longer valid, its
 * job's result is returned with default settings, so that it is not lost.
 */
export const withWaitingJobs = (tasks: Tasks, { jobs }: WaitState, notices: Set<string>): Tasks => {
	const started = new Set(jobs.map(({ itemIndex }) => itemIndex));
	return tasks.map((task, itemIndex) => {
		if (!task || task.ok || !started.has(itemIndex)) return task;
		notices.add(`The result is as if nothing was set: ${task.error.message}`);
		const requests = [{ itemIndex, body: undefined }];
		const settings = settingsSchema.parse({});
		return { ok: true, value: { body: undefined, settings, requests } };
	});
};

/**
 * Collects the results of an item's job after the execution resumed.
 * @throws NodeApiError or NodeOperationError, also if the job could not be started
 */
export async function collectResults(
	{ jobs, failedStarts, until, isCalled }: WaitState,
	{ job }: Operation,
	itemContext: ItemContext,
): Promise<Result[]> {
	const [request] = itemContext.requests;
	const isOfItem = ({ itemIndex }: { itemIndex: number }) => itemIndex === request.itemIndex;
	const started = jobs.find(isOfItem);
	if (job && started) return await collectJob(job, started.id, isCalled ? until : 0, itemContext);
	const failure = failedStarts.find(isOfItem);
	throw operationError(
		failure?.message ?? 'Nothing was started for this item before the execution slept',
		failure?.description ? [forUser(failure.description)] : [],
		itemContext.requestContext.errorSource,
	);
}
