import { NodeApiError } from 'n8n-workflow';
import type { Request } from '../http/client';
import type { ReadContext } from '../operation/operation';
import { settle } from '../values/settle';
import type { ApiResponse } from '../api/retry';

/**
 * Sends a request whose error message can be improved by its parameters.
 * @param reword changes the message of a failed request's error; other errors pass unchanged
 * @throws NodeApiError with that message if the request failed for good
 */
export async function sendReworded(
	request: Request,
	context: Pick<ReadContext, 'send'>,
	reword: (error: NodeApiError) => void,
): Promise<ApiResponse> {
	const sent = await settle(context.send(request));
	if (sent.ok) return sent.value;
	if (sent.error instanceof NodeApiError) reword(sent.error);
	throw sent.error;
}
