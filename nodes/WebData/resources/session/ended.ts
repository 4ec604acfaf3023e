import { prefixMessage, setAdvice } from '../../../runtime/api/errors';
import type { NodeApiError } from 'n8n-workflow';
import type { Request } from '../../../runtime/http/client';
import type { ReadContext } from '../../../runtime/operation/operation';
import type { ApiResponse } from '../../../runtime/api/retry';
import { sendReworded } from '../../../runtime/jobs/sendReworded';
import { type Advice } from '../../../runtime/api/sentence';

const endedMessage = /destroyed|expired|not found|\bgone\b|session (is |was )?closed/i;

/**
 * Whether an error means that the session has ended
 * (https://docs.firecrawl.dev/api-reference/endpoint/browser-create). An unknown scrape is a
 * different error.
 */
function hasEnded({ httpCode, message }: NodeApiError): boolean {
	if (httpCode === '410') return true;
	return (
		['403', '404'].includes(httpCode ?? '') &&
		endedMessage.test(message) &&
		!/\bjob\b/i.test(message)
	);
}

/**
 * Sends a request to a browser session.
 * @throws NodeApiError; for an expired or closed session with a message of that and `advice`
 */
export async function sendToSession(
	request: Request,
	advice: Advice,
	context: ReadContext,
): Promise<ApiResponse> {
	return await sendReworded(request, context, (error) => {
		if (!hasEnded(error)) return;
		prefixMessage(error, 'The browser session is no longer open');
		setAdvice(error, advice);
	});
}
