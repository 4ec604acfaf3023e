import { errorMessageIn } from './errorMessage';
import { fieldOf } from '../values/record';

/**
 * Which refusals can change: https://docs.firecrawl.dev/api-reference/errors and docs/api-notes.md,
 * "Errors and repeats".
 */

/** The parts of an answer that tell what a refusal is. */
interface ErrorResponse {
	status: number;
	body: unknown;
}

/**
 * How often a refused request may be sent again: `never`, `once`, `always` (as often as the user allows),
 * or `identical`: as often, for the service is still working on it and knows the same request again.
 */
export type RetryRule = 'never' | 'once' | 'always' | 'identical';

/** The codes whose refusals are repeated otherwise than their status says. */
const byCode: ReadonlyMap<string, RetryRule> = new Map([
	['DB_DISABLED', 'never'],
	['PARSE_UPLOAD_REF_SECRET_MISSING', 'never'],
	['PARSE_UPLOAD_STORAGE_DISABLED', 'never'],
	['PARSE_UPLOAD_UNPARSED_LIMIT_REACHED', 'never'],
	['SCRAPE_ACTION_ERROR', 'never'],
	['SCRAPE_AUDIO_UNSUPPORTED_URL', 'never'],
	['SCRAPE_BRANDING_NOT_SUPPORTED', 'never'],
	['SCRAPE_PDF_INSUFFICIENT_TIME_ERROR', 'never'],
	['SCRAPE_PDF_OCR_REQUIRED', 'never'],
	['SCRAPE_SITE_RESTRICTION_BLOCKED', 'never'],
	['SCRAPE_SSL_ERROR', 'never'],
	['SCRAPE_UNSUPPORTED_FILE_ERROR', 'never'],
	['SCRAPE_VIDEO_UNSUPPORTED_URL', 'never'],
	['SCRAPE_ZDR_VIOLATION_ERROR', 'never'],
	['MAP_FAILED', 'once'],
	['SCRAPE_ALL_ENGINES_FAILED', 'once'],
	['SCRAPE_DOCUMENT_ANTIBOT_ERROR', 'once'],
	['SCRAPE_DOCUMENT_FETCH_PROXY_ERROR', 'once'],
	['SCRAPE_DOCUMENT_PREFETCH_FAILED', 'once'],
	['SCRAPE_PDF_ANTIBOT_ERROR', 'once'],
	['SCRAPE_PDF_FETCH_PROXY_ERROR', 'once'],
	['SCRAPE_PDF_PREFETCH_FAILED', 'once'],
	['SCRAPE_PROXY_SELECTION_ERROR', 'once'],
	['SCRAPE_RETRY_LIMIT', 'once'],
	['SCRAPE_SITE_ERROR', 'once'],
	['SCRAPE_TIMEOUT', 'once'],
	['request_in_flight', 'identical'],
]);

/** Refusals without a code that their words tell apart from others of their status. */
const byWords: ReadonlyArray<[status: number, ...words: RegExp[]]> = [
	[429, /number of active browser|too many/i, /sessions/i],
	[503, /\b(is|are) not configured\b/i],
];

const byStatus = new Set([408, 429, 500, 502, 503, 504]);

/** Longest part of an error's text that is looked at. */
const longestText = 2_000;

/** What an error says in words. */
export const errorText = (body: unknown): string => {
	const text = errorMessageIn(fieldOf(body, 'error')) ?? fieldOf(body, 'message') ?? body;
	return typeof text === 'string' ? text.slice(0, longestText) : '';
};

const word = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Whether a refusal's `error` is a code, in the place of words (https://docs.firecrawl.dev/api-reference/errors). */
export const isCode = (error: string): boolean => /^[A-Za-z0-9]+(_[A-Za-z0-9]+)+$/.test(error);

/** The service's code; some refusals carry it in the place of words (https://docs.firecrawl.dev/api-reference/errors). */
export function codeOf(body: unknown): string | undefined {
	const text = word(fieldOf(body, 'error'));
	return (
		word(fieldOf(body, 'code')) ??
		word(fieldOf(body, 'feedbackErrorCode')) ??
		word(fieldOf(fieldOf(body, 'error'), 'code')) ??
		(text !== undefined && isCode(text) ? text : undefined)
	);
}

/**
 * Whether the service is still working on a large document: the identical request, sent again later,
 * collects the result of the work under way (https://docs.firecrawl.dev/api-reference/endpoint/scrape).
 */
export const isStillProcessing = ({ status, body }: ErrorResponse): boolean =>
	status === 408 && fieldOf(fieldOf(body, 'details'), 'state') === 'processing_continues';

/** Whether a caller without a key has spent the day's allowance. */
const isAllowanceSpent = ({ status, body }: ErrorResponse) =>
	status === 429 && word(fieldOf(body, 'reason')) !== undefined;

/** How often a refused request may be sent again, as far as the refusal tells. */
export function retryRuleOf(response: ErrorResponse): RetryRule {
	const { status, body } = response;
	if (isStillProcessing(response)) return 'identical';
	const code = codeOf(body) ?? '';
	const known = byCode.get(code);
	if (known === 'identical') return known;
	if (!byStatus.has(status)) return 'never';
	// Newer servers say whether the site failed, or a proxy of theirs.
	const retryable = fieldOf(fieldOf(body, 'details'), 'retryable');
	if (code === 'SCRAPE_SITE_ERROR' && typeof retryable === 'boolean') {
		return retryable ? 'always' : 'never';
	}
	if (known !== undefined) return known;
	const text = errorText(body);
	const isFinal = byWords.some(
		([of, ...words]) => of === status && words.every((pattern) => pattern.test(text)),
	);
	return isFinal || isAllowanceSpent(response) ? 'never' : 'always';
}

/**
 * Whether the body is an error of the API itself: JSON with `success: false`
 * (https://docs.firecrawl.dev/api-reference/errors). A proxy on the way can respond with any status, but
 * not with this.
 */
export const isApiError = (body: unknown): boolean => fieldOf(body, 'success') === false;

/** Codes of failures after which a charge is not ruled out. */
const mayCharge = new Set(['MAP_FAILED', 'MAP_TIMEOUT']);

/**
 * Whether a failed request may have been charged all the same: after the statuses of a gateway, which may
 * have lost the response to what was done, and after a 408 or 5xx that is not the API's own.
 */
export function mayBeCharged({ status, body }: ErrorResponse): boolean {
	const code = codeOf(body) ?? '';
	if (status === 502 || status === 504) return !byCode.has(code);
	return (status === 408 || status >= 500) && (!isApiError(body) || mayCharge.has(code));
}
