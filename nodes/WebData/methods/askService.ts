import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { credentialType, exchange, type Request } from '../../runtime/client';
import { concealer } from '../../runtime/conceal';
import { serviceError, type Place } from '../../runtime/errors';

/** Where errors of the editor's lists belong: the node, and no item. */
async function placeOf(context: ILoadOptionsFunctions): Promise<Place> {
	const { apiKey, webhookSecret } = await context.getCredentials(credentialType);
	const conceal = concealer([apiKey, webhookSecret]);
	return { node: context.getNode(), itemIndex: 0, fields: [], conceal };
}

/**
 * Asks the service, once, for what the editor lists, and reads its answer.
 * @throws NodeApiError with the service's words and what to do
 */
export async function askService<Content>(
	context: ILoadOptionsFunctions,
	request: Request,
	read: (body: unknown, place: Place) => Content,
): Promise<Content> {
	const place = await placeOf(context);
	const reply = await exchange(context, request);
	if ('success' in reply) return read(reply.success.body, place);
	const error = serviceError(reply.failure, { tries: 1, elapsed: 0, cost: request.cost }, place);
	error.message = error.message.replace(/ \[item 0\]$/, '');
	throw error;
}
