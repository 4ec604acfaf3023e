import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { operationError } from '../runtime/errors/message';
import type { Job, Result } from '../runtime/execution/operation';
import type { Request } from '../runtime/http/client';
import type { Item } from '../runtime/jobs/context';
import { collectJob, startJob } from '../runtime/jobs/job';
import { hasCompleted, isFinished } from '../runtime/jobs/poll';
import { settle } from '../runtime/values/outcome';
import { fingerprint } from '../runtime/values/seenSet';

/** The jobs that checks have started and not read, by trigger and request; they are paid for. */
const unread = new Map<string, string>();

/** Most of these jobs; one that no check asks for any more gives way. */
const mostUnread = 1_000;

function keep(key: string, id: string): void {
	unread.set(key, id);
	const [oldest] = unread.keys();
	if (unread.size > mostUnread) unread.delete(oldest);
}

/** Whether a job is gone or has failed, rather than being unknown for the moment. */
const hasNoResults = (error: Error, state: IDataObject): boolean =>
	(error instanceof NodeApiError && error.httpCode === '404') ||
	(isFinished(state) && !hasCompleted(state));

/** Whether the service refused a start, at no cost. */
const isRefusal = (error: Error): error is NodeApiError =>
	error instanceof NodeApiError && ['400', '403'].includes(String(error.httpCode));

/**
 * Runs a job for a trigger. n8n stores nothing of a check that fails, so a job that could not be
 * read to its end is kept in memory: the next check reads it, and starts another only if it has no
 * results. Returns the error of the service if it refuses the start.
 * @throws NodeApiError or NodeOperationError
 */
export async function runKept(
	job: Job,
	request: Request,
	trigger: string,
	item: Item,
): Promise<Result[] | NodeApiError> {
	const key = fingerprint(`${trigger} ${JSON.stringify(request.body)}`, 22);
	let state: IDataObject = {};
	const unfinished = async () => {
		const advice = `The next check reads it; raise 'Max Wait' to wait longer.`;
		const message = `The ${job.noun} ${unread.get(key)} has not finished`;
		return await Promise.reject(operationError(message, advice, item.errorSource));
	};
	const finish: Job['finish'] = async (response, context) => {
		state = response;
		return await job.finish(response, context);
	};
	const collect = async (id: string) => await collectJob({ ...job, unfinished, finish }, id, item);
	const known = unread.get(key);
	if (known !== undefined) {
		const read = await settle(collect(known));
		if (!read.ok && !hasNoResults(read.error, state)) throw read.error;
		unread.delete(key);
		if (read.ok) return read.value;
	}
	const started = await settle(startJob(job, request, item));
	if (!started.ok && isRefusal(started.error)) return started.error;
	if (!started.ok) throw started.error;
	const id = String(started.value[0].json.jobId);
	keep(key, id);
	const results = await collect(id);
	unread.delete(key);
	return results;
}
