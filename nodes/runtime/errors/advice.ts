import {
	blockedByN8n,
	codeOf,
	errorText,
	isNotFromApi,
	isStillProcessing,
	isTlsFailure,
	isWithoutEngine,
	notSentInTime,
	pageText,
	privateHostCode,
	rejectedFields,
	retryRuleOf,
	tooManySessions,
	type ApiResponse,
	type NetworkError,
} from './response';
import { fieldOf } from '../values/record';

/** Advice about failed requests whose message names no field: by code, by status and place, or by message. */

const byCode: Readonly<Record<string, string>> = {
	AGENT_INDEX_ONLY: 'The owner of this key must confirm it first. Or use another key.',
	SCRAPE_ACTION_ERROR: `Check selectors and order of 'Actions'; a Wait before a Click often helps.`,
	SCRAPE_ACTIONS_NOT_SUPPORTED: `Remove 'Actions', or use the hosted service.`,
	SCRAPE_DNS_RESOLUTION_ERROR: `The host does not exist: it is probably mistyped. Nothing was charged, except 1 credit by servers before September 2026.`,
	SCRAPE_LOCKDOWN_CACHE_MISS: `Only cached pages are allowed: remove 'lockdown' from 'Request (JSON)' to scrape the page.`,
	SCRAPE_NO_CACHED_DATA: `The cache has no copy of this age: remove 'minAge' from 'Request (JSON)' to scrape the page.`,
	SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: `Raise 'Timeout', or lower 'Max Pages' of 'PDF'.`,
	SCRAPE_PDF_OCR_REQUIRED: `The PDF has scanned text: set 'Mode' of 'PDF' to OCR or Auto.`,
	SCRAPE_PROMPT_INJECTION_DETECTED: `The page contains instructions to AI models. If you trust it, turn 'checkPromptInjection' off in 'Request (JSON)'.`,
	SCRAPE_SITE_ERROR:
		'The site could not be reached or did not return the page: check the URL, or try again later.',
	SCRAPE_SSL_ERROR: `If you trust the site, set 'skipTlsVerification' in 'Request (JSON)' to true.`,
	SCRAPE_TIMEOUT: `Raise 'Timeout', which costs no extra credits; a lower 'Wait For', which is part of it, leaves more time.`,
	THIRD_PARTY_DATA_TERMS_REQUIRED: `An administrator of the organization must first accept the provider's terms: this node never does. Then run it again.`,
	UNKNOWN_ERROR: `Find the error ID in the server's logs, or ask Firecrawl's support. A self-hosted server without a database responds like this where one is required. Otherwise try again later.`,
	UNSUPPORTED_SITE: 'The site is not supported: use another.',
	duplicate_request: `This 'Request ID' was used for other calls: leave it empty, or give each item its own.`,
	request_in_flight: `The same request is still being processed. Run it again later with the same 'Request ID' and calls.`,
	request_unresolved: `The same request is still being processed. Run it again later with the same 'Request ID' and calls.`,
	thread_expired: `Leave 'Thread ID' empty to start a new thread. Threads are retained for 24 hours after their last run.`,
	thread_not_found: `Leave 'Thread ID' empty to start a new thread. Threads are retained for 24 hours after their last run.`,
	unsafe_domain_blocked: `Threat protection blocked this URL. If the page is safe, allow its domain by 'threatProtection' in 'Request (JSON)'.`,
};

const byStatus: Readonly<Record<number, string>> = {
	400: 'The server rejected the request as invalid: correct the field in the message.',
	401: `Check 'API Key' in the credential, and that 'Base URL' is the server that issued it. Nothing was charged.`,
	402: `The credits of the plan, or the limit of the key, are used up: add credits in the Firecrawl dashboard, or request less. Nothing was charged.`,
	403: `If the message does not name the cause, check the key's permissions and the plan's features in the Firecrawl dashboard.`,
	404: 'Not found: check the ID. Jobs are kept for 24 hours after they end, sessions while they are open.',
	408: `The request timed out on the server: request less at once, or raise 'Timeout'.`,
	409: 'The current status of the job or resource does not allow this: check it first.',
	410: 'It no longer exists: start a new one.',
	413: 'The request is too large: split it.',
	422: 'The page could not be converted to the schema: simplify the schema or the prompt.',
	429: `The plan's rate limit is reached: try again later.`,
	500: 'The server could not handle the request: try again later. A self-hosted server without a database responds like this where one is required.',
	501: 'This server does not support this operation. The hosted service does.',
	502: 'The gateway could not reach the server: try again later.',
	503: 'The server is temporarily unavailable: try again later.',
	504: 'The gateway timed out: request less at once, or use an operation that runs as a job.',
};

/** Advice by status and the beginning of a message without a code. */
const byText: ReadonlyArray<[status: number, beginning: RegExp, advice: string]> = [
	[
		403,
		/^(This (web)?site is (no longer|not) supported|We (apologize|do not support))/i,
		'The site is not supported: use another.',
	],
	[
		409,
		/^(The )?idempotency key/i,
		`This key was used before: by another run, by an attempt whose response was lost, or by a start that was rejected. 'Get Active' of the crawl and the dashboard show whether it started a crawl.`,
	],
	[410, /extract|llmstxt|deep-res/i, 'Ended on 10 December 2026: use Page: Scrape or Agent: Run.'],
	[409, /^Replay context/i, 'Scrape the page again and interact with the new ID.'],
	[429, tooManySessions, `Close sessions with 'Delete' ('Get Many' lists them), or wait.`],
	[429, /^Queue limit reached/i, 'Wait until jobs of the team end, or cancel some.'],
];

/** Whether a server of the API lacks the path, by its error page. */
const isMissingRoute = ({ status, body }: Pick<ApiResponse, 'status' | 'body'>) =>
	status === 404 && typeof body === 'string' && /Cannot [A-Z]{3,6} \//.test(body.slice(0, 10_000));

/** Advice about an error response of the API. */
export function adviceFor(response: ApiResponse): string {
	const { status, body } = response;
	const code = codeOf(body) ?? '';
	if (response.lacksAccounts)
		return `This operation needs accounts, and the server has none: it runs without a database. Nothing was done or charged. The hosted service has it.`;
	if (isWithoutEngine(body))
		return `The server has no engine for this request, not the site: it probably runs without a browser. Remove formats, actions and the proxy that need one. Nothing was charged.`;
	if (isStillProcessing(response))
		return `The server is still processing the document. Run the node again later: the same request returns the result and is not charged again.`;
	if (rejectedFields(response).some(({ isUnknown }) => isUnknown))
		return `The server's version does not support this option: remove it, or update the server. Nothing was charged.`;
	if (Object.hasOwn(byCode, code)) return byCode[code];
	const text = errorText(body);
	const told = byText.find(([of, beginning]) => of === status && beginning.test(text));
	if (told) return told[2];
	const rule = retryRuleOf(response);
	if (rule === 'once')
		return `The site may block the request, or be down: try again later, check the URL, or set another country in 'Location'.`;
	if (status === 503 && rule === 'never') return byStatus[501];
	if (status >= 500 && rule === 'never' && code !== '')
		return 'The same request would end the same way: change what the message names.';
	if (status < 300) return 'The server could not do this: see its message.';
	// A server that is not the API may respond with JSON as well.
	const suspicion = status === 404 && fieldOf(body, 'success') !== false;
	const advice = byStatus[status] ?? (status >= 500 ? byStatus[500] : byStatus[400]);
	return suspicion
		? `${advice} If nothing else works either, check 'Base URL' in the credential.`
		: advice;
}

/** What failed, and what to do. */
export interface Told {
	message: string;
	advice: string;
}

/** The message and advice of a response that is not from the API; undefined for others. */
export function foreignResponse(response: ApiResponse): Told | undefined {
	const { status, headers, body } = response;
	if (status === 407) {
		return {
			message: 'The proxy requires authentication (HTTP 407)',
			advice: `The server was not reached. Set user name and password in the proxy's URL in n8n's environment (HTTPS_PROXY or HTTP_PROXY: http://user:password@host:port).`,
		};
	}
	if (status >= 300 && status < 400) {
		const { location } = headers;
		const target = typeof location === 'string' && location !== '' ? ` to ${location}` : '';
		return {
			message: `The server redirects${target} (HTTP ${status})`,
			advice: `Redirects are not followed, to protect the key. Enter the correct URL as 'Base URL' in the credential.`,
		};
	}
	if (isMissingRoute(response)) {
		return {
			message: `This server does not have this feature (HTTP ${status})`,
			advice: `The hosted service supports it, and a newer version of the server may, too. If every operation ends like this, check 'Base URL' in the credential.`,
		};
	}
	if (isNotFromApi(response)) {
		return {
			message: `The response is not JSON${status < 300 ? '' : ` (HTTP ${status})`}`,
			advice: `Check 'Base URL' in the credential: it may point to a web page or a proxy.`,
		};
	}
	// The limits of size, time and rate of a web server or proxy hold for the API as well.
	const isOwnLimit = [408, 413, 429].includes(status);
	const page = status >= 400 && status < 500 && !isOwnLimit ? pageText(body) : undefined;
	return page === undefined
		? undefined
		: {
				message: `HTML page instead of JSON: ${page} (HTTP ${status})`,
				advice: `This is not an API response. Check 'Base URL' in the credential: it may point to another server, or to a proxy that rejects the request.`,
			};
}

/** Advice by the network's error code. */
const byNetworkCode: Readonly<Record<string, string>> = {
	ENOTFOUND: `The host was not found. Check 'Base URL' in the credential and n8n's network.`,
	ECONNREFUSED: `Nothing is listening at this URL. Check 'Base URL' in the credential, and that the server is running.`,
	ERR_TOO_LARGE: 'Request less at once: fewer results, pages or formats.',
	ETIMEDOUT: 'The request timed out. Request less at once, or try again later.',
	[privateHostCode]: 'Files may be on private addresses only if the server is on one too.',
	[blockedByN8n]: `Ask the n8n administrator to allow the host of 'Base URL' with N8N_SSRF_ALLOWED_HOSTNAMES.`,
	[notSentInTime]: '',
};

const alike: Readonly<Record<string, string>> = {
	EAI_AGAIN: 'ENOTFOUND',
	ECONNABORTED: 'ETIMEDOUT',
	EHOSTUNREACH: 'ECONNREFUSED',
	ENETUNREACH: 'ECONNREFUSED',
};

/** The message and advice of a request without a response. */
export function noResponse({ code, message }: NetworkError): Told {
	if (isTlsFailure({ code, message })) {
		return {
			message: `No TLS connection to the server: ${message} (${code})`,
			advice: `Check 'Base URL' in the credential: it begins with http:// if the server has no TLS. If you trust this server, turn 'Ignore SSL Issues (Insecure)' on in the credential, or make n8n trust its certificate (NODE_EXTRA_CA_CERTS).`,
		};
	}
	const advice = byNetworkCode[alike[code] ?? code];
	if ([privateHostCode, notSentInTime].includes(code))
		return { message: `Not sent: ${message}`, advice };
	return code === blockedByN8n
		? { message: `Not sent: n8n's SSRF protection blocks this server. ${message}`, advice }
		: {
				message: `The server did not respond: ${message}`,
				advice: advice ?? 'The connection was closed. Try again later.',
			};
}
