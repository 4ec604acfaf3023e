import { factsOf, messageRules } from './apiErrors';

/**
 * Advice about an error by its status or network code. `apiErrors.ts` has the advice by the
 * service's code.
 */

const byStatus: Readonly<Record<number, string>> = {
	400: 'The server rejected the request as invalid. Correct the field in the message.',
	401: `Check 'API Key' in the credential, and that 'Base URL' is the server that issued it. Nothing was charged.`,
	402: `The credits of the plan, or the limit of the key, are used up. Add credits in the Firecrawl dashboard, or lower 'Limit'.`,
	403: `The key lacks permission, or the plan lacks the feature. Check the key's scopes in the Firecrawl dashboard, or remove the option.`,
	404: 'Not found. Check the ID. Jobs are deleted 24 hours after they end.',
	408: `The request timed out on the server. Raise 'Timeout', or request less at once.`,
	409: 'The current status of the job or resource does not allow this.',
	410: 'It no longer exists. Start a new one.',
	413: 'The request is too large. Split it.',
	422: 'The page could not be converted to the schema. Simplify the schema or the prompt.',
	429: `The plan's rate limit is reached. Try again later. To avoid this, lower 'Max Concurrency' or raise 'Max Tries'.`,
	500: 'The server failed. Try again later.',
	501: 'This server does not support this operation. The hosted service does.',
	502: 'The gateway could not reach the server. Try again later.',
	503: 'The server is temporarily unavailable. Try again later.',
	504: 'The gateway timed out. Request less at once, or use an operation that runs as a job.',
};

/**
 * Advice about a document that the service is still processing
 * (https://docs.firecrawl.dev/api-reference/endpoint/scrape).
 */
export const adviceWhileProcessing = `The server is still processing the document. Run the node again later: the same request returns the result and is not charged again. To wait longer, raise 'Max Retries for Large Documents' and 'Max Time for Large Documents'.`;

/** Advice about a field that the server does not know. */
export const adviceForUnknownField = (canBeLeftOut: boolean): string =>
	`The server's version does not support this option. Remove it, or update the server.${canBeLeftOut ? ` 'On Unsupported Field' can omit such fields.` : ''} Nothing was charged.`;

/** Advice about an error by its code, message or status. */
export function adviceFor(status: number, code: string | undefined, message: string): string {
	const { advice } =
		factsOf(code) ?? messageRules.find(({ pattern }) => pattern.test(message)) ?? {};
	if (advice !== undefined) return advice;
	if (status in byStatus) return byStatus[status];
	if (status < 300) return 'The server could not do this; see its message.';
	return status >= 500 ? byStatus[500] : byStatus[400];
}

/** Advice about a missing response, by the network's error code. */
export function adviceForNetworkError(code: string): string {
	if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
		return `The host was not found. Check 'Base URL' in the credential and n8n's network.`;
	}
	if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code)) {
		return `Nothing is listening at this URL. Check 'Base URL' in the credential, and that the server is running.`;
	}
	if (code === 'ERR_TOO_LARGE') return 'Request less at once: fewer results, pages or formats.';
	if (['ECONNABORTED', 'ETIMEDOUT'].includes(code)) {
		return 'The request timed out. Request less at once, or try again later.';
	}
	return 'The connection was closed. Try again later.';
}
