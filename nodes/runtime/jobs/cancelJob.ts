import { NodeApiError } from 'n8n-workflow';
import type { Endpoint } from '../api/endpoint';
import type { ReadContext, Result } from '../operation/operation';
import { settle } from '../values/settle';

/**
 * Whether the service rejected a cancellation since the job had ended (docs/api-notes.md, Jobs and
 * their status).
 */
const hadEnded = (error: Error) =>
	error instanceof NodeApiError &&
	error.httpCode === '409' &&
	/\balready\b/i.test(error.message) &&
	/\b(finished|completed|cancell?ed|failed)\b/i.test(error.message);

/**
 * Cancels a job. A job that has ended is no error.
 * @throws NodeApiError if the job continues
 */
export async function cancelJob(
	endpoint: Endpoint,
	jobId: string,
	context: ReadContext,
): Promise<Result[]> {
	const sent = await settle(context.send({ endpoint, ids: { id: jobId } }));
	if (sent.ok) return [{ json: { jobId, cancelled: true } }];
	const { error } = sent;
	if (!hadEnded(error)) throw error;
	const cancelled = /\balready cancell?ed\b/i.test(error.message);
	return [{ json: { jobId, cancelled, alreadyEnded: true } }];
}
