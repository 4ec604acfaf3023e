import type { IDataObject } from 'n8n-workflow';
import { operationError, statusOf, WebDataError } from '../runtime/errors/webDataError';
import type { Job, Result } from '../runtime/operation';
import type { Request } from '../runtime/http/client';
import { creditsIn } from '../runtime/http/credits';
import type { Item } from '../runtime/execution/item';
import { hasCompleted, isFinished, JobRun, startJob } from '../runtime/execution/job';
import { settle } from '../runtime/values/outcome';
import { fieldOf, isRecord } from '../runtime/values/record';
import { fingerprint } from '../runtime/values/seenSet';

/** Whether a page of documents could not be fetched. */
const isPartial = (results: Result[]): boolean =>
	results.some(({ json }) => fieldOf(json.request, 'partial') !== undefined);

/** Whether a job counts more documents than it lists. */
const isLate = (results: Result[], state: IDataObject): boolean =>
	hasCompleted(state) &&
	results.filter(({ json }) => !isRecord(json.failed)).length < Number(state.completed);

/**
 * Runs a job for a trigger. `kept` has the IDs of the jobs that checks have started, which are paid
 * for, until a check has succeeded: one of the same request and account is read, and another started
 * only if it has no results; `look` tells equal requests apart. Returns the error of the service if it refuses a URL.
 * @throws WebDataError
 */
export async function runKept(
	job: Job,
	request: Request,
	kept: IDataObject,
	item: Item,
	look = '',
): Promise<Result[] | WebDataError> {
	const { price: least = 0 } = request;
	const key = fingerprint(`${item.run.account()} ${JSON.stringify(request.body)}${look}`, 22);
	let state: IDataObject = {};
	const unread = (why: string) =>
		operationError(
			`The ${job.noun} ${String(kept[key])} ${why}`,
			`The next check reads it, if it comes within 24 hours after the ${job.noun} ends: check daily, or watch less at once.`,
			item.errorSource,
		);
	const unfinished = async () => await Promise.reject(unread('has not finished'));
	const finish: Job['finish'] = async (response, ...rest) => {
		state = response;
		return await job.finish(response, ...rest);
	};
	const collect = async () =>
		await new JobRun({ ...job, unfinished, finish }, { id: kept[key] }, item).results();
	if (kept[key] !== undefined) {
		const read = await settle(collect());
		if (read.ok && isPartial(read.value)) throw unread('was read in part');
		// What its list still lacks does not come any more.
		if (read.ok) return read.value;
		const hasFailed = isFinished(state) && !hasCompleted(state);
		if (statusOf(read.error) !== 404 && !hasFailed) throw read.error;
	}
	const started = await settle(startJob(job, request, item));
	if (!started.ok) {
		const { error } = started;
		// Any other refusal is of the key.
		if (error instanceof WebDataError && error.request?.isOfUrl) return error;
		throw error;
	}
	kept[key] = started.value.started()[0].json.jobId;
	const results = await collect();
	// Its start counted the least that it may cost.
	item.run.spending.settle(0, (creditsIn(state) ?? least) - least);
	if (isPartial(results) || isLate(results, state)) throw unread('was read in part');
	return results;
}
