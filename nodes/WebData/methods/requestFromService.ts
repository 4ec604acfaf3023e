import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { exchange, retrySafetyOf, type Request } from '../../runtime/http/client';
import { connect } from '../../runtime/http/connection';
import { serviceError, type ErrorSource } from '../../runtime/api/errors';

/** Attributes errors of the editor's lists to the node. */
async function errorSourceOf(context: ILoadOptionsFunctions): Promise<ErrorSource> {
	const { redact } = await connect(context);
	return { node: context.getNode(), fields: [], redact };
}

/**
 * Sends one request for a list of the editor and parses the response.
 * @throws NodeApiError with the service's message and advice
 */
export async function requestFromService<Content>(
	context: ILoadOptionsFunctions,
	request: Request,
	read: (body: unknown, errorSource: ErrorSource) => Content,
): Promise<Content> {
	const errorSource = await errorSourceOf(context);
	const response = await exchange(context, request);
	if ('success' in response) return read(response.success.body, errorSource);
	throw serviceError(
		response.failure,
		{ attemptCount: 1, elapsed: 0, retrySafety: retrySafetyOf(request) },
		errorSource,
	);
}
