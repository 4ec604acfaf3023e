import type { NodeApiError } from 'n8n-workflow';
import type { Request } from '../../../runtime/client';
import type { Call } from '../../../runtime/operation';
import type { Answer } from '../../../runtime/retry';
import { sendReworded } from '../../../runtime/sendReworded';

const saysEnded = /destroyed|expired|not found|\bgone\b|session (is |was )?closed/i;

/** Whether a refusal says that the session is no longer there (addendum 9; sdk-facts 0.2). A scrape that is unknown is something else. */
function hasEnded({ httpCode, message }: NodeApiError): boolean {
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
	return await sendReworded(request, call, (error) => {
		if (!hasEnded(error)) return;
		error.message = `The browser session is not open any more: ${error.message}`;
		error.description = advice;
	});
}
