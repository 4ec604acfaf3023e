import { adviceFor, foreignResponse, noResponse } from '../errors/advice';
import {
	codeOf,
	isNotFromApi,
	isOfUrl,
	messageOf,
	type ApiResponse,
	type Failure,
} from '../errors/response';
import { displayName } from '../errors/displayName';
import { type ErrorSource, shorten, WebDataError, withoutFullStop } from '../errors/webDataError';
import type { Explanation, Request } from './client';
import { mayHaveBeenCharged, mayHaveRun, parseRetryAfter, type RetrySafety } from './retry';
import { isTool } from '../tool/tool';
import { fieldOf } from '../values/record';
import { canonicalUrl, parseUrl } from '../values/text';

/** The attempts of a request that failed for good. */
export interface Attempts {
	/** The failure of each. An earlier one may have done what the last was rejected for. */
	failures: Failure[];
	elapsed: number;
	retrySafety: RetrySafety;
	/** Delay in milliseconds before the next attempt, if it exceeds the remaining time. */
	tooLong?: number;
	/** The request; none to a file host. */
	request?: Request;
}

/** Most characters of an ID or URL to quote. A part of one is useless. */
const longestNamed = 2_048;

/** IDs and URLs that an error response refers to. */
function references({ status, body }: ApiResponse): string[] {
	const named = (value: unknown, text: (name: string) => string) =>
		typeof value === 'string' && value.trim() !== '' && value.length <= longestNamed
			? [text(value.trim())]
			: [];
	const action = fieldOf(body, 'requiresAction');
	return [
		...named(fieldOf(body, 'runId'), (id) => `run ID ${id}`),
		...(status === 409 ? named(fieldOf(body, 'id'), (id) => `ID ${id}`) : []),
		...named(fieldOf(action, 'terms'), (terms) => `terms '${terms}'`),
		...named(fieldOf(action, 'version'), (version) => `version ${version}`),
		...[fieldOf(action, 'url'), fieldOf(body, 'upgrade_url'), fieldOf(body, 'login_url')].flatMap(
			(url) => named(url, (link) => `see ${link}`),
		),
	];
}

/** The message of a failed request, redacted, its advice, and whether a URL in it is at fault. */
function readFailure(
	failure: Failure,
	errorSource: Pick<ErrorSource, 'fields' | 'redact'>,
	pathOf: Explanation['pathOf'] = (path) => path,
) {
	const other =
		'response' in failure ? foreignResponse(failure.response) : noResponse(failure.networkError);
	if (other || 'networkError' in failure) {
		const message = shorten(other?.message ?? '', errorSource);
		return { message, advice: other?.advice ?? '', isOfUrl: false };
	}
	const { response } = failure;
	const { status, body } = response;
	const code = codeOf(body);
	const text = messageOf(response, (path) => displayName(errorSource.fields, pathOf(path)));
	// A status of success would mislead.
	const marks = [status >= 300 ? `HTTP ${status}` : '', text === code ? '' : code].filter(Boolean);
	const mark = marks.length > 0 ? ` (${marks.join(', ')})` : '';
	const rest = references(response).map((reference) => `; ${reference}`);
	return {
		message: shorten(withoutFullStop(text) + mark, errorSource) + errorSource.redact(rest.join('')),
		advice: adviceFor(response),
		isOfUrl: isOfUrl(response, text),
	};
}

/** A failed request as text, with advice. */
export function summarize(failure: Failure): string {
	const { message, advice } = readFailure(failure, { fields: [], redact: String });
	return `${message}. ${advice}`;
}

/** Whether a request of this kind may have been charged although it failed. */
const chargeRiskOf = (retrySafety: RetrySafety) =>
	retrySafety === 'mayChargeTwice' ? mayHaveBeenCharged : mayHaveRun;

const rounded = (ms: number) => `${Math.max(1, Math.round(ms / 1000))} s`;

/** When the next attempt may follow. */
function nextAttempt(
	pause: number,
	failure: Failure,
	isUncharged: boolean,
	{ node }: ErrorSource,
): string[] {
	if (isTool(node)) {
		return [
			...(isUncharged ? ['Nothing was charged.'] : []),
			`Call again in ${rounded(pause)} with the same arguments.`,
		];
	}
	const until = new Date(Date.now() + pause).toISOString().replace(/\.\d+Z$/, ' UTC');
	const isNamed =
		'response' in failure && parseRetryAfter(failure.response, Date.now()) !== undefined;
	return [
		`The next attempt is due in ${rounded(pause)}, which exceeds 'Max Retry Time'.`,
		...(isNamed ? [`The server allows none before ${until.replace('T', ' ')}.`] : []),
	];
}

/** Advice for what may have started. */
export const lookItUp = 'Look it up in the dashboard or the list of jobs before you start again.';

/** What the attempts did and cost, of which `failures` are these and what prevented one more. */
function attemptsSummary(
	failures: Failure[],
	{ failures: { length: attemptCount }, elapsed, retrySafety, tooLong }: Attempts,
	mayHaveStarted: boolean,
	errorSource: ErrorSource,
): string[] {
	const failure = failures[failures.length - 1];
	const isCostly = retrySafety !== 'free';
	const notes: string[] = [];
	if (attemptCount === 0 && 'response' in failure)
		notes.push('Not sent: the server rate-limited another request with this credential.');
	if ('networkError' in failure && isCostly && !failures.some(mayHaveRun) && tooLong === undefined)
		notes.push('Nothing was sent, and nothing was charged.');
	if (attemptCount > 1) notes.push(`${attemptCount} attempts in ${rounded(elapsed)}.`);
	if (tooLong !== undefined) {
		const isUncharged = isCostly && !failures.some(chargeRiskOf(retrySafety));
		notes.push(...nextAttempt(tooLong, failure, isUncharged, errorSource));
	}
	if (mayHaveStarted) {
		const isSentOnce = retrySafety === 'mayStartTwice';
		notes.push(`It may have been processed anyway${isSentOnce ? ', so it was not retried' : ''}.`);
	}
	const uncertain =
		retrySafety === 'mayChargeTwice' ? failures.filter(mayHaveBeenCharged).length : 0;
	if (uncertain > 0)
		notes.push(
			uncertain === 1 && attemptCount === 1
				? 'The request may have been processed and charged, so it was not retried.'
				: `${uncertain} of the attempts may have been processed and charged.`,
		);
	return notes;
}

/** Builds the error of a request that failed for good: the service's message, advice, attempts. */
export function serviceError(
	failure: Failure,
	attempts: Attempts,
	errorSource: ErrorSource,
): WebDataError {
	const { retrySafety, request } = attempts;
	const failures = [...attempts.failures.filter((each) => each !== failure), failure];
	const explained = request?.explain?.(failure) ?? {};
	const {
		message,
		advice,
		isOfUrl: isUrlAtFault,
	} = readFailure(failure, errorSource, explained.pathOf);
	const response = 'response' in failure ? failure.response : undefined;
	const code = 'response' in failure ? codeOf(failure.response.body) : failure.networkError.code;
	const url = fieldOf(request?.body, 'url');
	const isNamed = code === 'SCRAPE_DNS_RESOLUTION_ERROR' && typeof url === 'string';
	const host = isNamed ? parseUrl(canonicalUrl(url))?.hostname : undefined;
	const text = withoutFullStop(host === undefined ? message : `${message}: ${host}`);
	const isStart = retrySafety === 'mayStartTwice' || retrySafety === 'idempotencyKey';
	const mayHaveStarted = isStart && failures.some(mayHaveRun);
	// Advice to repeat is wrong if a job may be running; "Check 'Base URL'" is not.
	const isSound =
		retrySafety !== 'mayStartTwice' ||
		!mayHaveRun(failure) ||
		(response !== undefined && isNotFromApi(response));
	const notes = [
		...(isSound ? [explained.advice ?? advice] : []),
		...attemptsSummary(failures, attempts, mayHaveStarted, errorSource),
	];
	const { itemIndex = errorSource.itemIndex } = explained;
	const error = new WebDataError(
		explained.text === undefined ? text : `${explained.text}: ${text}`,
		{
			advice: notes.filter(Boolean).join(' '),
			request: {
				status: response && response.status >= 300 ? response.status : undefined,
				code: errorSource.redact(code ?? ''),
				mayHaveCost: failures.some(chargeRiskOf(retrySafety)),
				isOfUrl: isUrlAtFault,
			},
		},
		{ ...errorSource, itemIndex },
	);
	error.search = [mayHaveStarted ? lookItUp : '', explained.also].filter(Boolean).join(' ');
	return error;
}
