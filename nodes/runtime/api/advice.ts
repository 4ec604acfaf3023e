import { factsOf, messageRules } from './apiErrors';

/**
 * What to do about an error, by its status or the network's code; by the service's own code see `apiErrors.ts`.
 */

const byStatus: Readonly<Record<number, string>> = {
	400: 'The service refuses the request as it stands. Correct the field it names.',
	401: `Check 'API Key' in the credential, and that 'Base URL' is the service that issued it.`,
	402: `The credits of the plan, or those that the key may spend, are used up. Add credits in the service's dashboard, or lower 'Limit'.`,
	403: `The key has no right to this, or the plan lacks the feature. Check the key's scopes in the service's dashboard, or remove the option.`,
	404: 'The service does not know this. Check the ID. Jobs are gone 24 hours after their end.',
	408: `The service ran out of time. Raise 'Timeout', or ask for less at once.`,
	409: 'The state of the job or resource does not allow this now.',
	410: 'This is gone for good. Start a new one.',
	413: 'The request is too large. Split it.',
	422: 'The page could not be brought into the wanted shape. Simplify the schema or the prompt.',
	429: `The plan's limit is reached. Lower 'Requests in Flight', raise 'Max Tries', or wait.`,
	500: 'The service failed. Try again later.',
	501: 'This server does not offer this operation. The hosted service does.',
	502: 'The service was not reachable behind its gateway. Try again later.',
	503: 'The service is not available for the moment. Try again later.',
	504: 'The service took too long. Ask for less at once, or use an operation that runs as a job.',
};

/** What to do about a document that the service is still working on (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
export const adviceWhileProcessing = `The service goes on reading the document. Run the node again later: the same request collects the result and is not charged again. To wait longer, raise 'Max Repeats for Large Documents' and 'Max Time for Large Documents'.`;

/** What to do about a field that the server does not know. */
export const adviceForUnknownField = (canBeLeftOut: boolean): string =>
	`The server is older or newer than this option. Remove it, or update the server.${canBeLeftOut ? ` 'Fields Unknown to the Server' leaves such fields out.` : ''} Nothing was charged.`;

/** What to do about a refused request: what its code says, its words, or its status. */
export function adviceFor(status: number, code: string | undefined, message: string): string {
	const { advice } = factsOf(code) ?? messageRules.find(({ words }) => words.test(message)) ?? {};
	if (advice !== undefined) return advice;
	if (status in byStatus) return byStatus[status];
	if (status < 300) return 'The service could not do this, and its words say why.';
	return status >= 500 ? byStatus[500] : byStatus[400];
}

/** What to do when no answer came, by the network's error code. */
export function adviceForNetworkError(code: string): string {
	if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
		return `The host was not found. Check 'Base URL' in the credential and n8n's network.`;
	}
	if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code)) {
		return `Nothing answers there. Check 'Base URL' in the credential, and that the server runs.`;
	}
	if (code === 'ERR_TOO_LARGE') return 'Ask for less at once: fewer results, pages or formats.';
	if (['ECONNABORTED', 'ETIMEDOUT'].includes(code)) {
		return 'No answer came in time. Ask for less at once, or try again later.';
	}
	return 'The connection broke. Try again later.';
}
