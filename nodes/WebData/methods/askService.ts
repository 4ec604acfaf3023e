import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { exchange, retrySafetyOf, type Request } from '../../runtime/http/client';
import { connect } from '../../runtime/http/connection';
import { serviceError, type ErrorSource } from '../../runtime/api/errors';

/** Where errors of the editor's lists belong: the node, and no item. */
async function errorSourceOf(context: ILoadOptionsFunctions): Promise<ErrorSource> {
	const { redact } = await connect(context);
	return { node: context.getNode(), fields: [], redact };
}

/**
 * Asks the service, once, for what the editor lists, and reads its answer.
 * @throws NodeApiError with the service's words and what to do
 */
export async function askService<Content>(
	context: ILoadOptionsFunctions,
	request: Request,
	read: (body: unknown, errorSource: ErrorSource) => Content,
): Promise<Content> {
	const errorSource = await errorSourceOf(context);
	const reply = await exchange(context, request);
	if ('success' in reply) return read(reply.success.body, errorSource);
	throw serviceError(
		reply.failure,
		{ tries: 1, elapsed: 0, retrySafety: retrySafetyOf(request) },
		errorSource,
	);
}
