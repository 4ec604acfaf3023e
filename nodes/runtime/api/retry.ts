import { privateAddressCode } from './privateAddress';
import { isRecord, fieldOf } from '../values/record';
import { errorText, isApiError, isStillProcessing, mayBeCharged, retryRuleOf } from './apiErrors';
import { tlsProblem } from './tls';

/**
 * What may be repeated, and when: pure decisions (https://docs.firecrawl.dev/api-reference/errors).
 */

/** What the service answered to one request. Header names are in lower case. */
export interface ApiResponse {
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: unknown;
	/** Whether what was nested too deep in the body is text now. */
	isFlattened?: boolean;
	/** Whether it stands for the lost response to a start, whose job was found in the service's lists. */
	isRecovered?: boolean;
}

/** No answer came: the network's error code, such as ECONNRESET, and its words. */
export interface NetworkError {
	code: string;
	message: string;
}

/** A request that did not bring what was asked for. */
export type Failure = { response: ApiResponse } | { networkError: NetworkError };

/**
 * What a repeat can cost. `free`: nothing. `mayChargeTwice`: the price again when the first answer was
 * lost on the way. `mayStartTwice`: a second job beside a running one. `idempotencyKey`: nothing either,
 * for the request names a key by which the service knows it again.
 */
export type RetrySafety = 'free' | 'mayChargeTwice' | 'mayStartTwice' | 'idempotencyKey';

const isHarmless = (retrySafety: RetrySafety) =>
	retrySafety === 'free' || retrySafety === 'idempotencyKey';

/** Statuses by which the API says that nothing was done, so that a start may be sent again. */
const refusedUndone = new Set([429, 503]);

/** The spec's one 500 that says the job was rejected on submission (https://docs.firecrawl.dev/api-reference/errors). */
const rejectedOnSubmission = /^Failed to passthrough agent request/;

/** Network failures that prove the request never arrived. */
const neverArrived = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

/** Code of a request that the node did not send, for its path leads elsewhere. */
export const invalidPath = 'ERR_INVALID_PATH';

/** Code of a request that n8n's SSRF protection blocked before it was sent. */
export const blockedByN8n = 'ERR_BLOCKED_BY_N8N';

/** What the node itself, or n8n, did not send. */
const neverSent = new Set([invalidPath, privateAddressCode, blockedByN8n]);

/** The system's own failures of a connection (ECONNRESET, EPROTO …) and those of axios that cut an answer short. */
const isConnectionFailure = (code: string) =>
	/^E[A-Z]+(_[A-Z]+)?$/.test(code) ||
	['ERR_BAD_RESPONSE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code);

/** Whether another than the service answered, such as a proxy with its page or redirect: that tells nothing of what was done. */
export const isNotFromApi = ({ status, body }: ApiResponse): boolean =>
	status >= 200 && status < 400 && (status >= 300 || !isRecord(body));

/**
 * Whether a response that is not the API's says that the request was refused on the way, before the API
 * had it. Not so 408, 429 and 5xx: a proxy sends these, too, when it gives up on a request that it has
 * handed on.
 */
const isRefusedOnTheWay = ({ status }: ApiResponse): boolean =>
	status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Whether the failed request may have been carried out and charged. Only the API's own error rules it out. */
export function mayHaveRun(failure: Failure): boolean {
	if ('networkError' in failure) {
		const { code } = failure.networkError;
		return !neverSent.has(code) && !neverArrived.has(code) && !tlsProblem(failure.networkError);
	}
	const { response } = failure;
	if (!isApiError(response.body)) return !isRefusedOnTheWay(response);
	return (
		retryRuleOf(response) !== 'never' &&
		!refusedUndone.has(response.status) &&
		!rejectedOnSubmission.test(errorText(response.body))
	);
}

/** Whether an answer that costs credits may have been charged although it did not come. */
export function mayHaveBeenCharged(failure: Failure): boolean {
	if ('networkError' in failure) return mayHaveRun(failure);
	return isNotFromApi(failure.response) || mayBeCharged(failure.response);
}

/** The user's consent to repeat what may have been done. */
export interface RepeatConsent {
	/** To start a job again that may be running. */
	retryUnclearStarts: boolean;
	/** To ask again for an answer that may have been charged, after an error that the API calls retryable. */
	retryUnclearResponses: boolean;
}

/** What the user allows unless told otherwise. */
export const defaultConsent: RepeatConsent = {
	retryUnclearStarts: false,
	retryUnclearResponses: true,
};

/** Whether the same request may be sent again. */
export function mayRepeat(
	failure: Failure,
	retrySafety: RetrySafety,
	consent = defaultConsent,
): boolean {
	const mayStartAgain = retrySafety === 'mayStartTwice' && consent.retryUnclearStarts;
	if ('networkError' in failure) {
		const { code } = failure.networkError;
		if (neverArrived.has(code)) return true;
		if (tlsProblem(failure.networkError)) return false;
		return isConnectionFailure(code) && (isHarmless(retrySafety) || mayStartAgain);
	}
	const repetition = retryRuleOf(failure.response);
	if (repetition === 'never') return false;
	if (retrySafety === 'mayChargeTwice')
		return consent.retryUnclearResponses || !mayHaveBeenCharged(failure);
	return isHarmless(retrySafety) || mayStartAgain || !mayHaveRun(failure);
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/;

function fromHeader(value: unknown, now: number): number | undefined {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (text === '') return undefined;
	const seconds = Number(text);
	if (Number.isFinite(seconds)) return seconds * 1000;
	return httpDate.test(text) ? Date.parse(text) - now : undefined;
}

const fromSeconds = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) ? value * 1000 : undefined;

/** Milliseconds until a window of the service resets: servers name the seconds, a date, or a Unix time in seconds or milliseconds. */
function windowReset({ headers }: ApiResponse, now: number): number | undefined {
	const reset = fromHeader(headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'], now);
	if (reset === undefined || reset < 1e11) return reset;
	return (reset < 1e14 ? reset : reset / 1000) - now;
}

/** The wait that the service named, in milliseconds: the longest of headers, body fields and text. Undefined when it named none. */
export function parseRetryAfter(response: ApiResponse, now: number): number | undefined {
	const { headers, body } = response;
	const details = fieldOf(body, 'details');
	const message = /retry after (\d+(?:\.\d+)?)\s*s/i.exec(errorText(body));
	const named = [
		fromHeader(headers['retry-after'], now),
		response.status === 429 ? windowReset(response, now) : undefined,
		fromSeconds(fieldOf(body, 'retry_after_seconds')),
		fromSeconds(fieldOf(details, 'retryAfterSeconds')),
		message ? Number(message[1]) * 1000 : undefined,
	].filter((wait): wait is number => wait !== undefined && wait > 0);
	return named.length === 0 ? undefined : Math.max(...named);
}

const overloadStatuses = new Set([502, 503, 504]);

/** Whether the service took too long, or is too busy for what it is asked. */
export const isOverload = (failure: Failure): boolean =>
	'response' in failure ? overloadStatuses.has(failure.response.status) : mayHaveRun(failure);

/** What a 429 response says of the wait: whether it names one, and whether a window of the service ends with it (docs/api-notes.md, Rate limits). */
export interface Hints {
	isNamed: boolean;
	endsWindow: boolean;
}

export function hintsOf(failure: Failure): Hints {
	if ('networkError' in failure) return { isNamed: false, endsWindow: false };
	const { response } = failure;
	const now = Date.now();
	const isNamed = parseRetryAfter(response, now) !== undefined;
	const namesReset =
		/\bresets at\b/i.test(errorText(response.body)) || (windowReset(response, now) ?? 0) > 0;
	return { isNamed, endsWindow: isNamed && namesReset };
}

/** 2^tries seconds up to the cap, plus up to a second of jitter, in milliseconds. `random` is in [0, 1). */
export const backOff = (tries: number, capMs: number, random: number) =>
	Math.min(2 ** tries * 1000, capMs) + random * 1000;

/** How often and how long to try. */
export interface RetryLimits {
	/** Requests in all, the first included. */
	maxTries: number;
	/** Longest time from the first request to the last, in milliseconds. */
	budget: number;
}

/** How hard to try. Times in milliseconds. */
export interface RetryPolicy extends RetryLimits, RepeatConsent {
	/** Longest back-off when the service names no wait. */
	backOffCap: number;
	/** For a document that the service is still working on. */
	processing: RetryLimits;
}

/** The policy of requests for which the user sets no options. `backOffCap` in milliseconds. */
export const fixedPolicy = (limits: RetryLimits, backOffCap: number): RetryPolicy => ({
	...limits,
	backOffCap,
	...defaultConsent,
	processing: limits,
});

/** Whether the service is still working on a large document: asking again collects the result of the work under way. */
export const isProcessing = (failure: Failure) =>
	'response' in failure && isStillProcessing(failure.response);

/** Whether a failure is of the kind that an early repeat seldom helps: it is repeated once, later. */
export const isRepeatedOnce = (failure: Failure) =>
	'response' in failure && retryRuleOf(failure.response) === 'once';

/** The pause before a document is asked for again when the service names none, and its bounds, in milliseconds. */
const processingPause = { unnamed: 60_000, min: 5_000, max: 600_000 };

/** What has been tried so far, by requests that failed in the same way. */
export interface Progress {
	tries: number;
	elapsed: number;
	/** How many of the tries failed in a way that is repeated once. */
	repeatedOnce?: number;
}

/** The pause before a repeat in milliseconds: what the service named, else a growing back-off with jitter. `random` is in [0, 1). */
export function pauseAfter(
	failure: Failure,
	{ tries }: Progress,
	{ backOffCap }: RetryPolicy,
	now: number,
	random: number,
): number {
	const named = 'response' in failure ? parseRetryAfter(failure.response, now) : undefined;
	if (isProcessing(failure)) {
		const { unnamed, min, max } = processingPause;
		return Math.min(max, Math.max(min, named ?? unnamed));
	}
	return named ?? backOff(isRepeatedOnce(failure) ? Infinity : tries, backOffCap, random);
}

/** Why a failed request is not repeated: it must not be, it was often enough, or the pause is too long. */
export type Stop = 'final' | 'tries' | 'budget';

/** Why a failed request is not repeated, or undefined when it is. */
export function reasonToStop(
	failure: Failure,
	retrySafety: RetrySafety,
	policy: RetryPolicy,
	{ tries, elapsed, repeatedOnce = 0 }: Progress,
	pause: number,
): Stop | undefined {
	if (!mayRepeat(failure, retrySafety, policy)) return 'final';
	if (isRepeatedOnce(failure) && repeatedOnce > 1) return 'tries';
	const { maxTries, budget } = isProcessing(failure) ? policy.processing : policy;
	if (tries >= maxTries) return 'tries';
	return elapsed + pause > budget ? 'budget' : undefined;
}

/** Answers that say that there is nothing left to end: gone, or ended before. */
export const goneStatuses: ReadonlySet<number> = new Set([404, 409, 410]);

/** Whether a repeated DELETE is told that an earlier try, whose answer was lost, has done the work. */
export const isDoneBefore = (failure: Failure, earlier: Failure[]): boolean =>
	'response' in failure &&
	goneStatuses.has(failure.response.status) &&
	earlier.some((one) => mayHaveRun(one));
