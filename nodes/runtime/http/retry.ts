import { fieldOf } from '../values/record';
import {
	blockedByN8n,
	errorText,
	isApiError,
	isNotFromApi,
	isStillProcessing,
	isTlsFailure,
	mayBeCharged,
	notSentInTime,
	privateHostCode,
	retryRuleOf,
	type ApiResponse,
	type Failure,
} from '../errors/response';
import type { Effect } from './limiter';

/** Retry decisions as pure functions (https://docs.firecrawl.dev/api-reference/errors). */

/**
 * Cost of a retry. `free`: nothing. `mayChargeTwice`: the price again if the first response was
 * lost. `mayStartTwice`: a second job beside a running one. `idempotencyKey`: nothing, since a key
 * identifies the request.
 */
export type RetrySafety = 'free' | 'mayChargeTwice' | 'mayStartTwice' | 'idempotencyKey';

/** Statuses with which the API has done nothing, so that a start may be repeated. */
const rejectedUndone = new Set([429, 503]);

/** The only 500 of a rejected start (https://docs.firecrawl.dev/api-reference/errors). */
const rejectedOnSubmission = /^Failed to passthrough agent request/;

/** Network failures that prove the request never arrived. */
const neverArrived = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

/** Code of a request that the node did not send, since its path is not that of its endpoint. */
export const invalidPath = 'ERR_INVALID_PATH';

/** Codes of requests that the node or n8n did not send. */
const neverSent = new Set([invalidPath, privateHostCode, blockedByN8n, notSentInTime]);

/** Whether a code is the system's for a failed connection, or axios' for an incomplete response. */
const isConnectionFailure = (code: string) =>
	/^E[A-Z]+(_[A-Z]+)?$/.test(code) ||
	['ERR_BAD_RESPONSE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code);

/** Whether a proxy rejected the request itself: it may send 408, 429 and 5xx after forwarding a request. */
const isRejectedByProxy = ({ status }: ApiResponse): boolean =>
	status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Whether a failed request may have been carried out and charged: only the API's own error rules it out. */
export function mayHaveRun(failure: Failure): boolean {
	if ('networkError' in failure) {
		const { code } = failure.networkError;
		return !neverSent.has(code) && !neverArrived.has(code) && !isTlsFailure(failure.networkError);
	}
	const { response } = failure;
	if (!isApiError(response.body)) return !isRejectedByProxy(response);
	return (
		retryRuleOf(response) !== 'never' &&
		!rejectedUndone.has(response.status) &&
		!rejectedOnSubmission.test(errorText(response.body))
	);
}

/** Whether a lost response may have been charged. */
export function mayHaveBeenCharged(failure: Failure): boolean {
	if ('networkError' in failure) return mayHaveRun(failure);
	return isNotFromApi(failure.response) || mayBeCharged(failure.response);
}

/** Whether the same request may be sent again. */
export function mayRepeat(failure: Failure, retrySafety: RetrySafety): boolean {
	const isHarmless = retrySafety === 'free' || retrySafety === 'idempotencyKey';
	if ('networkError' in failure) {
		const { code } = failure.networkError;
		if (neverArrived.has(code)) return true;
		return isHarmless && isConnectionFailure(code) && !isTlsFailure(failure.networkError);
	}
	if (retryRuleOf(failure.response) === 'never') return false;
	return isHarmless || retrySafety === 'mayChargeTwice' || !mayHaveRun(failure);
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/;

/** Milliseconds of a header in seconds or as a date, by the server's clock if it shows one. */
function fromHeader(value: unknown, { date }: ApiResponse['headers'], now: number) {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (text === '') return undefined;
	const seconds = Number(text);
	if (Number.isFinite(seconds)) return seconds * 1000;
	const clock = typeof date === 'string' && httpDate.test(date) ? Date.parse(date) : now;
	return httpDate.test(text) ? Date.parse(text) - clock : undefined;
}

const fromSeconds = (value: unknown) => (typeof value === 'number' ? value * 1000 : 0);

/** Milliseconds until a window resets: servers send seconds, a date, or a Unix time in any unit. */
function windowReset({ status, headers }: ApiResponse, now: number): number | undefined {
	const header = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'];
	const reset = status === 429 ? fromHeader(header, headers, now) : undefined;
	// From seconds to microseconds, each taken for seconds.
	let time = reset ?? 0;
	while (time >= 1e14) time /= 1000;
	return time < 1e11 ? reset : time - now;
}

/** Longest delay in milliseconds that a service is taken at its word for: its longest quotas are monthly. */
const longestDelay = 31 * 86_400_000;

/** Milliseconds by which a delay in words may be too short, since services round it to seconds. */
const rounding = 500;

/** The delay that the service requests in milliseconds: Retry-After, else body and message, else a window. */
export function parseRetryAfter(response: ApiResponse, now: number): number | undefined {
	const { headers, body } = response;
	const message = /retry after (\d+(?:\.\d+)?)\s*s/i.exec(errorText(body).slice(0, 2_000));
	const inWords = Number(message?.[1] ?? 0) * 1000;
	const inBody = Math.max(
		fromSeconds(fieldOf(body, 'retry_after_seconds')),
		fromSeconds(fieldOf(fieldOf(body, 'details'), 'retryAfterSeconds')),
		inWords === 0 ? 0 : inWords + rounding,
	);
	const inHeader = fromHeader(headers['retry-after'], headers, now);
	const delay = [inHeader, inBody, windowReset(response, now)].find(
		(wait) => wait !== undefined && wait > 0 && Number.isFinite(wait),
	);
	return delay === undefined ? undefined : Math.min(delay, longestDelay);
}

const overloadStatuses = new Set([502, 503, 504]);

/** Longest pause of all requests in milliseconds, and the pause if the service names none. */
const [longestSharedPause, unnamedPause] = [120_000, 600];

/**
 * A failure's effect on the limits (docs/api-notes.md, Rate limits). Before a retry after a 429, all requests `pause`,
 * but for `longest` milliseconds at most: a quota may be exhausted for long.
 */
export function effectOfFailure(failure: Failure, pause: number, longest: number): Effect {
	if ('networkError' in failure) return { kind: mayHaveRun(failure) ? 'overloaded' : 'unrelated' };
	const { response } = failure;
	// Also if this request must not be repeated.
	const isLimit = response.status === 429 && mayRepeat(failure, 'free');
	if (!isLimit || pause > Math.min(longest, longestSharedPause))
		return { kind: overloadStatuses.has(response.status) ? 'overloaded' : 'unrelated' };
	const now = Date.now();
	const named = parseRetryAfter(response, now);
	if (named === undefined) {
		const shared = Math.min(pause, unnamedPause);
		return { kind: 'rejected', pause: shared, endsWindow: false, isNamed: false, failure };
	}
	const reset = windowReset(response, now) ?? 0;
	const endsWindow =
		/\bresets at\b/i.test(errorText(response.body).slice(0, 2_000)) ||
		(reset > 0 && Math.abs(reset - named) <= 1000);
	return { kind: 'rejected', pause, endsWindow, isNamed: true, failure };
}

/** The retry policy. Times in milliseconds. */
export interface RetryPolicy {
	/** Most failed attempts, including the first. */
	maxAttempts: number;
	/** Longest time from the first request to the last. */
	budget: number;
	/** Longest back-off if the service requests no delay. */
	backOffCap: number;
}

/** Whether the service is still processing a large document. The same request collects the result. */
const isProcessing = (failure: Failure) =>
	'response' in failure && isStillProcessing(failure.response);

/** Delay before a document is requested again if the service names none, and at least. Milliseconds. */
const processingPause = { unnamed: 60_000, min: 5_000 };

/** The attempts that count: the service may ask for the same request later, which limits its time alone. */
const countedAttempts = (failures: Failure[]): number =>
	failures.filter(
		(each) => !('response' in each && each.response.status === 429) && !isProcessing(each),
	).length;

/** Whether an early retry of a failure seldom helps: it is repeated once, later. */
const isRepeatedOnce = (failure: Failure) =>
	'response' in failure && retryRuleOf(failure.response) === 'once';

/**
 * The delay in milliseconds before a retry after the last of some failures: the service's, or a back-off of
 * 2^attempts seconds up to the cap, and up to a second of jitter. `random` is in [0, 1).
 */
export function pauseAfter(
	failures: Failure[],
	{ backOffCap }: RetryPolicy,
	now: number,
	random: number,
): number {
	const failure = failures[failures.length - 1];
	const named = 'response' in failure ? parseRetryAfter(failure.response, now) : undefined;
	if (isProcessing(failure)) return Math.max(processingPause.min, named ?? processingPause.unnamed);
	const attempts = isRepeatedOnce(failure) ? Infinity : countedAttempts(failures);
	return named ?? Math.min(2 ** attempts * 1000, backOffCap) + random * 1000;
}

/** Whether a request that has failed may be sent once more, if there is time. */
export function mayTryAgain(
	failures: Failure[],
	retrySafety: RetrySafety,
	{ maxAttempts }: RetryPolicy,
): boolean {
	const failure = failures[failures.length - 1];
	if (!mayRepeat(failure, retrySafety) || countedAttempts(failures) >= maxAttempts) return false;
	return !isRepeatedOnce(failure) || failures.filter(isRepeatedOnce).length === 1;
}

/** Statuses of a resource that is gone or has ended before. */
export const goneStatuses: ReadonlySet<number> = new Set([404, 409, 410]);

/** Whether an earlier attempt of a DELETE, whose response was lost, has succeeded. */
export const isDoneBefore = (failure: Failure, earlier: Failure[]): boolean =>
	'response' in failure && goneStatuses.has(failure.response.status) && earlier.some(mayHaveRun);
