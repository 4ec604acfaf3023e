import { factsOf, messageRules } from './apiErrors';
import { fact, forCaller, forUser, type Advice } from './sentence';

/**
 * Advice about an error by its status or network code. `apiErrors.ts` has the advice by the
 * service's code.
 */

const byStatus: Readonly<Record<number, Advice>> = {
	400: [
		fact('The server rejected the request as invalid.'),
		forCaller('Correct the field in the message.'),
	],
	401: [
		forUser(`Check 'API Key' in the credential, and that 'Base URL' is the server that issued it.`),
		fact('Nothing was charged.'),
	],
	402: [
		fact('The credits of the plan, or the limit of the key, are used up.'),
		forUser('Add credits in the Firecrawl dashboard.'),
		forUser(`A lower 'Limit' costs less.`),
	],
	403: [
		fact('The key lacks permission, or the plan lacks the feature.'),
		forUser(`Check the key's scopes in the Firecrawl dashboard, or remove the option.`),
	],
	404: [
		fact('Not found.'),
		forCaller('Check the ID.'),
		fact('Jobs are deleted 24 hours after they end.'),
	],
	408: [
		fact('The request timed out on the server.'),
		forCaller('Request less at once.'),
		forUser(`A higher 'Timeout' allows more time.`),
	],
	409: [
		fact('The current status of the job or resource does not allow this.'),
		forCaller('Check its status first.'),
	],
	410: [fact('It no longer exists.'), forCaller('Start a new one.')],
	413: [fact('The request is too large.'), forCaller('Split it.')],
	422: [
		fact('The page could not be converted to the schema.'),
		forCaller('Simplify the schema or the prompt.'),
	],
	429: [
		fact(`The plan's rate limit is reached.`),
		forCaller('Try again later.'),
		forUser(`To avoid this, lower 'Max Concurrency' or raise 'Max Tries'.`),
	],
	500: [fact('The server failed.'), forCaller('Try again later.')],
	501: [fact('This server does not support this operation.'), forUser('The hosted service does.')],
	502: [fact('The gateway could not reach the server.'), forCaller('Try again later.')],
	503: [fact('The server is temporarily unavailable.'), forCaller('Try again later.')],
	504: [
		fact('The gateway timed out.'),
		forCaller('Request less at once, or use an operation that runs as a job.'),
	],
};

/** The statuses with advice of their own. */
export const knownStatuses: readonly number[] = Object.keys(byStatus).map(Number);

/**
 * Advice about a document that the service is still processing
 * (https://docs.firecrawl.dev/api-reference/endpoint/scrape).
 */
export const adviceWhileProcessing: Advice = [
	fact('The server is still processing the document.'),
	forCaller(
		'Run the node again later: the same request returns the result and is not charged again.',
	),
	forUser(
		`To wait longer, raise 'Max Retries for Large Documents' and 'Max Time for Large Documents'.`,
	),
];

/** Advice about a field that the server does not know. */
export const adviceForUnknownField = (canBeLeftOut: boolean): Advice => [
	fact(`The server's version does not support this option.`),
	forUser('Remove it, or update the server.'),
	...(canBeLeftOut ? [forUser(`'On Unsupported Field' can omit such fields.`)] : []),
	fact('Nothing was charged.'),
];

/** Advice about an error by its code, message or status. */
export function adviceFor(status: number, code: string | undefined, message: string): Advice {
	const { advice } =
		factsOf(code) ?? messageRules.find(({ pattern }) => pattern.test(message)) ?? {};
	if (advice !== undefined) return advice;
	if (status in byStatus) return byStatus[status];
	if (status < 300) return [fact('The server could not do this.'), forCaller('See its message.')];
	return status >= 500 ? byStatus[500] : byStatus[400];
}

/** Advice about a missing response, by the network's error code. */
export function adviceForNetworkError(code: string): Advice {
	if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
		return [
			fact('The host was not found.'),
			forUser(`Check 'Base URL' in the credential and n8n's network.`),
		];
	}
	if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code)) {
		return [
			fact('Nothing is listening at this URL.'),
			forUser(`Check 'Base URL' in the credential, and that the server is running.`),
		];
	}
	if (code === 'ERR_TOO_LARGE')
		return [forCaller('Request less at once: fewer results, pages or formats.')];
	if (['ECONNABORTED', 'ETIMEDOUT'].includes(code)) {
		return [fact('The request timed out.'), forCaller('Request less at once, or try again later.')];
	}
	return [fact('The connection was closed.'), forCaller('Try again later.')];
}
