import { NodeApiError } from 'n8n-workflow';
import type { Request } from '../../../runtime/client';
import type { Call } from '../../../runtime/operation';
import { settle } from '../../../runtime/outcome';
import type { Answer } from '../../../runtime/retry';

const saysEnded = /destroyed|expired|not found|\bgone\b|session (is |was )?closed/i;

/** Whether a refusal says that the session is no longer there (addendum 9; sdk-facts 0.2). A scrape that is unknown is something else. */
function hasEnded(error: Error): error is NodeApiError {
	if (!(error instanceof NodeApiError)) return false;
	const { httpCode, message } = error;
	if (httpCode === '410') return true;
	return (
		['403', '404'].includes(httpCode ?? '') && saysEnded.test(message) && !/\bjob\b/i.test(message)
	);
}

/**
 * Sends a request to a browser session.
 * @throws NodeApiError; for a session that has expired or was closed it says so, and `advice` what to do
 */
export async function sendToSession(request: Request, advice: string, call: Call): Promise<Answer> {
	const sent = await settle(call.send(request));
	if ('value' in sent) return sent.value;
	const { error } = sent;
	if (hasEnded(error)) {
		error.message = `The browser session is not open any more: ${error.message}`;
		error.description = advice;
	}
	throw error;
}
