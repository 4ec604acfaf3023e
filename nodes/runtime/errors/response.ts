import { fieldOf, isRecord, type JsonRecord } from '../values/record';

/**
 * The service's errors: what they say, and whether a retry can succeed
 * (https://docs.firecrawl.dev/api-reference/errors; docs/api-notes.md, Errors and repeats).
 */

/** The service's response to one request. Header names are in lower case. */
export interface ApiResponse {
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: unknown;
	/** Whether it is the error of a server without accounts, which the request needs. */
	lacksAccounts?: boolean;
}

/** A missing response: the network's error code, such as ECONNRESET, and its message. */
export interface NetworkError {
	code: string;
	message: string;
}

/** A request without the requested result. */
export type Failure = { response: ApiResponse } | { networkError: NetworkError };

/** Code of a request that is not sent since its host is private. */
export const privateHostCode = 'ERR_PRIVATE_ADDRESS';

/** Code of a request that n8n's SSRF protection blocked before it was sent. */
export const blockedByN8n = 'ERR_BLOCKED_BY_N8N';

/** Code of a request that a tool did not send, since its time was over. */
export const notSentInTime = 'ERR_NOT_SENT_IN_TIME';

/** Codes of a rejected certificate (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const certificateCode =
	/^(CERT_|CRL_|ERR_TLS_CERT_|ERROR_IN_C|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_|CA_MD_)/;

/** Reasons of a failed handshake. Others, such as a bad record, can also interrupt a response. */
const handshakeReason =
	/alert (access|bad cert|certificate|decrypt|handshake|inappropriate|insufficient|no reneg|protocol|unknown ca|unrecognized|unsupported cert)|bad ecpoint|key too small|http request|no (ciphers|protocols|shared|suitable)|packet length too long|unknown protocol|unsafe legacy|unsupported protocol|version too low|wrong (signature type|ssl version|version number)/;

/** Whether no TLS connection was established: the request was never sent, and no retry helps. */
export function isTlsFailure({ code, message }: NetworkError): boolean {
	if (certificateCode.test(code)) return true;
	const text = `${code} ${message}`.toLowerCase().replaceAll('_', ' ');
	return (code === 'EPROTO' || code.startsWith('ERR_SSL_')) && handshakeReason.test(text);
}

/** Whether a response is not from the API, but a proxy's page or redirect: it does not show what was done. */
export const isNotFromApi = ({ status, body }: ApiResponse): boolean =>
	status >= 200 && status < 400 && (status >= 300 || !isRecord(body));

/**
 * Most characters of a text to scan: patterns are linear in its length, and a response has up to
 * 100 MB. Far more than a message shows, so that a secret cut in two here is beyond its end.
 */
const maxScanned = 100_000;

/** The beginning of a text in a response; undefined without text. */
function textIn(value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.slice(0, maxScanned).trim() : '';
	return text === '' ? undefined : text;
}

const textsIn = (list: unknown): string[] =>
	Array.isArray(list)
		? list.filter((text): text is string => typeof text === 'string' && text !== '')
		: [];

/** The warning of self-hosted servers about every PDF, of a feature that nobody has asked for. */
const isIdle = (warning: string) => /features: skipTlsVerification -- /.test(warning);

/** The service's notices in a response, and its hints to a model. */
export const noticesIn = (body: unknown): string[] => [
	...textsIn([fieldOf(body, 'warning')]).filter((warning) => !isIdle(warning)),
	...textsIn(fieldOf(body, 'warnings')),
	...textsIn(fieldOf(body, 'agent_hints')).map((hint) => `Hint of the server: ${hint}`),
];

/** Whether an `error` is a code instead of a message. */
const isCode = (error: string): boolean => /^[A-Za-z0-9]+(_[A-Za-z0-9]+)+$/.test(error);

/** The service's error code. Some errors have it instead of a message. */
export function codeOf(body: unknown): string | undefined {
	const error = fieldOf(body, 'error');
	const text = textIn(error);
	return (
		textIn(fieldOf(body, 'code')) ??
		textIn(fieldOf(error, 'code')) ??
		(text !== undefined && isCode(text) ? text : undefined)
	);
}

/** The message of an `error` in a response, which is a text, or an object with message and code; if any. */
export function errorMessageIn(error: unknown): string | undefined {
	const code = textIn(fieldOf(error, 'code'));
	const message = textIn(fieldOf(error, 'message'));
	if (message === undefined) return textIn(error) ?? code;
	return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

/** The text of a response's error, to be matched by its beginning: it may quote any URL. */
export const errorText = (body: unknown): string =>
	errorMessageIn(fieldOf(body, 'error')) ?? textIn(fieldOf(body, 'message')) ?? textIn(body) ?? '';

/** Whether the body is an error of the API itself, not of a proxy: JSON with `success: false`. */
export const isApiError = (body: unknown): boolean => fieldOf(body, 'success') === false;

/** Failures that the same request would repeat. */
const neverRetried = new Set([
	'SCRAPE_ACTION_ERROR',
	'SCRAPE_AUDIO_UNSUPPORTED_URL',
	'SCRAPE_BRANDING_NOT_SUPPORTED',
	'SCRAPE_PDF_INSUFFICIENT_TIME_ERROR',
	'SCRAPE_PDF_OCR_REQUIRED',
	'SCRAPE_SITE_RESTRICTION_BLOCKED',
	'SCRAPE_SSL_ERROR',
	'SCRAPE_UNSUPPORTED_FILE_ERROR',
	'SCRAPE_VIDEO_UNSUPPORTED_URL',
	'SCRAPE_ZDR_VIOLATION_ERROR',
]);

/** Failures of a site, which an early retry seldom repairs. */
const retriedOnce = new Set([
	'MAP_FAILED',
	'SCRAPE_ALL_ENGINES_FAILED',
	'SCRAPE_DOCUMENT_ANTIBOT_ERROR',
	'SCRAPE_DOCUMENT_FETCH_PROXY_ERROR',
	'SCRAPE_DOCUMENT_PREFETCH_FAILED',
	'SCRAPE_PDF_ANTIBOT_ERROR',
	'SCRAPE_PDF_FETCH_PROXY_ERROR',
	'SCRAPE_PDF_PREFETCH_FAILED',
	'SCRAPE_PROXY_SELECTION_ERROR',
	'SCRAPE_RETRY_LIMIT',
	'SCRAPE_SITE_ERROR',
	'SCRAPE_TIMEOUT',
]);

/** Whether a server has no engine for what a request wants, as for a format that needs a browser. */
export const isWithoutEngine = (body: unknown): boolean =>
	codeOf(body) === 'SCRAPE_ALL_ENGINES_FAILED' && errorText(body).includes('Engines tried: []');

/** The service's own failures that may have been charged. */
const chargedFailures = new Set(['MAP_FAILED', 'MAP_TIMEOUT']);

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Rejections without a code that no retry changes, by the beginning of their message. */
const isFinalText = (status: number, body: unknown): boolean =>
	(status === 503 && /^Browser feature is not configured|^Parse upload/.test(errorText(body))) ||
	(status === 429 && tooManySessions.test(errorText(body)));

/** Beginning of the message of a rejected session. */
export const tooManySessions =
	/^(You have (too many|reached the maximum number of)|(The )?maximum number of) (open |active )*browser/i;

/** Retry rule of an error; `always` is as often as the user allows. */
export type RetryRule = 'never' | 'once' | 'always';

/** Whether the service still processes a large document: the same request later collects its result. */
export const isStillProcessing = ({ status, body }: ApiResponse): boolean =>
	status === 408 && fieldOf(fieldOf(body, 'details'), 'state') === 'processing_continues';

/** The retry rule of an error response. */
export function retryRuleOf(response: ApiResponse): RetryRule {
	const { status, body } = response;
	const code = codeOf(body) ?? '';
	if (isStillProcessing(response) || code === 'request_in_flight') return 'always';
	if (!retriedStatuses.has(status) || neverRetried.has(code)) return 'never';
	if (response.lacksAccounts || isWithoutEngine(body)) return 'never';
	// Newer servers report whether the site or their proxy failed.
	const retryable = fieldOf(fieldOf(body, 'details'), 'retryable');
	if (code === 'SCRAPE_SITE_ERROR' && typeof retryable === 'boolean') {
		return retryable ? 'always' : 'never';
	}
	if (retriedOnce.has(code)) return 'once';
	// A `reason` says that a caller without a key has spent the day's allowance.
	const isSpent = status === 429 && textIn(fieldOf(body, 'reason')) !== undefined;
	return isSpent || isFinalText(status, body) ? 'never' : 'always';
}

/** Whether a failed request may have been charged: after a gateway's status, or a 408 or 5xx of others. */
export function mayBeCharged({ status, body }: ApiResponse): boolean {
	const code = codeOf(body) ?? '';
	if (status === 502 || status === 504) return !neverRetried.has(code) && !retriedOnce.has(code);
	return (status === 408 || status >= 500) && (!isApiError(body) || chargedFailures.has(code));
}

/** Most problems of a rejected request to report, nested unions to read, and steps of a path. */
const mostProblems = 50;
const deepestUnion = 5;
const longestPath = 20;

/** A problem of a rejected request, with the path of its field. */
export interface Problem {
	path: Array<string | number>;
	message: string;
	/** Whether the server has no such field. The path then ends with it. */
	isUnknown: boolean;
}

const stepsOf = (path: unknown): Problem['path'] =>
	Array.isArray(path)
		? path.slice(0, longestPath).filter((step) => ['string', 'number'].includes(typeof step))
		: [];

function problemsOf(issue: unknown, above: Problem['path'], depth: number): Problem[] {
	const { code, errors, keys, message, ...more }: JsonRecord = isRecord(issue)
		? issue
		: { message: issue };
	const path = [...above, ...stepsOf(more.path)];
	if (code === 'unrecognized_keys')
		return stepsOf(keys).map((key) => ({
			path: [...path, key],
			message: 'unknown',
			isUnknown: true,
		}));
	// The meant branch of a union has the right type and a wrong nested field.
	const isMeant = (each: Problem) =>
		each.isUnknown || (each.path.length > path.length && each.path[path.length] !== 'type');
	const meant = (depth < deepestUnion && Array.isArray(errors) ? errors : [])
		.slice(0, mostProblems)
		.map((branch) => problemsIn(branch, path, depth + 1))
		.find((problems) => problems.length > 0 && problems.every(isMeant));
	const text = textIn(message);
	return meant ?? (text === undefined ? [] : [{ path, message: text, isUnknown: false }]);
}

const problemsIn = (issues: unknown, above: Problem['path'], depth: number): Problem[] =>
	(Array.isArray(issues) ? issues.slice(0, mostProblems) : [])
		.flatMap((issue: unknown) => problemsOf(issue, above, depth))
		.slice(0, mostProblems);

/** The rejected fields of a request: its error's `details` are a text, or a list of zod's issues. */
export function rejectedFields({ body }: ApiResponse): Problem[] {
	const details = fieldOf(body, 'details');
	return problemsIn(typeof details === 'string' ? [details] : details, [], 0);
}

/** The text of an HTML or plain page instead of JSON: its title, or its beginning. */
export function pageText(body: unknown): string | undefined {
	const page = textIn(body)?.slice(0, 10_000);
	if (page === undefined) return undefined;
	const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(page)?.[1].trim() ?? '';
	// The API's own pages all have this title; the error is in their body.
	if (title !== '' && title !== 'Error') return title;
	const visible = page.replace(/<title[^<>]*>[^<]*<\/title>/i, ' ').replace(/<[^<>]*>/g, ' ');
	return textIn(visible.replace(/\s+/g, ' '));
}

/** The service's own message in any form: JSON, RFC 7807, text, HTML, or none; `nameOf` names the field at a path. */
export function messageOf(
	response: ApiResponse,
	nameOf: (path: Problem['path']) => string,
): string {
	const { body } = response;
	const error = textIn(fieldOf(body, 'error'));
	const own = isRecord(body)
		? ((error !== undefined && isCode(error) ? textIn(body.message) : undefined) ??
			error ??
			textIn(fieldOf(body.error, 'message')) ??
			textIn(body.message) ??
			textIn(body.detail) ??
			textIn(body.title))
		: pageText(body);
	const details = fieldOf(body, 'details');
	const problems = rejectedFields(response);
	const describe = ({ path, message, isUnknown }: Problem) => {
		const name = nameOf(path);
		if (isUnknown) return `This server does not support '${name}'`;
		return name === '' ? message : `'${name}': ${message}`;
	};
	const described = [...new Set(problems.map(describe))];
	// Omitted if a problem repeats the message, or if it only reports an unknown key.
	const isRepeated =
		own !== undefined &&
		(problems.some(({ isUnknown }) => isUnknown) ||
			described.some((problem) => problem.endsWith(own)));
	const isOther =
		problems.length === 0 && typeof details === 'object' && fieldOf(details, 'state') === undefined;
	const parts = [
		isRepeated ? undefined : own,
		textIn(described.join('; ')),
		isOther && Object.keys(details ?? {}).length > 0 ? textIn(JSON.stringify(details)) : undefined,
	].filter((part) => part !== undefined);
	return parts.length === 0 ? 'The server returned no reason' : parts.join(': ');
}

/** Whether a request was rejected because of a URL in it, at no cost, and not because of the key; `text` is its message. */
export const isOfUrl = ({ status, body }: ApiResponse, text: string): boolean =>
	[400, 403].includes(status) && /domain|site|url/i.test(`${text} ${codeOf(body)}`);

/** A request that was not sent, since the pause of the rate limit exceeds its time. */
export class PauseTooLong extends Error {
	constructor(
		readonly pause: number,
		readonly failure: Failure,
	) {
		super('The pause is too long');
	}
}

/** The same for a request of a tool that others held up until its deadline. */
export function heldUp(): PauseTooLong {
	const message = 'other requests of this call or with this credential took too long';
	return new PauseTooLong(30_000, { networkError: { code: notSentInTime, message } });
}
