import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type INodeProperties,
	type JsonObject,
} from 'n8n-workflow';
import type { ZodIssue } from 'zod/v3';
import {
	adviceFor,
	adviceForNetworkError,
	adviceForUnknownField,
	adviceWhileProcessing,
} from './advice';
import { displayName } from './displayName';
import { missingAdvice, unkeptAdvice, type Endpoint } from './endpoint';
import { unexpectedResponse, pageText } from './unexpectedResponse';
import { privateAddressCode } from './privateAddress';
import { isRecord, fieldOf } from '../values/record';
import { codeOf, isCode, knownKey, retryRuleOf } from './apiErrors';
import { describeProblem, problemsIn } from './refusedFields';
import {
	blockedByN8n,
	isNotFromApi,
	isProcessing,
	mayHaveBeenCharged,
	mayHaveRun,
	type ApiResponse,
	type Failure,
	type RetrySafety,
	type NetworkError,
} from './retry';
import { tlsProblem } from './tls';
import { trimEnd } from '../values/trimEnd';
import { withoutMarkup } from '../values/withoutMarkup';

/** Where an error belongs: the node, the item, and the fields as the user sees them. */
export interface ErrorSource {
	node: INode;
	/** The input item; none where there is no input: in triggers and in the editor's lists. */
	itemIndex?: number;
	fields: readonly INodeProperties[];
	/** Takes the credential's secrets out of a text. */
	redact: (text: string) => string;
	/** The endpoint of the request, while one is sent. */
	endpoint?: Endpoint;
	/** The remote job that the request is about, once it is known. */
	job?: JobReference;
}

/** A remote job, so that no error leaves it behind unnamed. */
export interface JobReference {
	id: string;
	/** What the user calls it, such as "agent run". */
	noun: string;
}

type NodeError = NodeApiError | NodeOperationError;

const longestMessage = 600;

/**
 * How much of a text from outside is looked at, in characters: patterns take their time on every one,
 * and an answer has up to 100 MB. Far more than a message shows, so that a secret which this cuts in
 * two, and which is then not found, is beyond the message's end.
 */
const maxScanned = 100_000;

/** Cut only after secrets are out, so that no part of one is left at the end. */
const cut = (text: string) =>
	text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;

/** The mark of the item at the end of a message; nothing where there is none. */
const itemMark = ({ itemIndex }: Pick<ErrorSource, 'itemIndex'>) =>
	itemIndex === undefined ? '' : ` [item ${itemIndex}]`;

/** A message without that mark, to be read elsewhere or as part of another. */
export const withoutItemMark = (message: string) => message.replace(/ \[item \d+\]$/, '');

/** A sentence as part of another. */
const withoutFullStop = (words: string) => trimEnd(words, (character) => /[.\s]/.test(character));

function located(words: string, errorSource: ErrorSource): string {
	const { job } = errorSource;
	const about = job === undefined || words.includes(job.id) ? '' : ` (${job.noun} ${job.id})`;
	return `${withoutFullStop(words)}${about}${itemMark(errorSource)}`;
}

const retrievalHint = ({ job }: ErrorSource) =>
	job === undefined
		? []
		: [`Use 'Get' with the ID of the ${job.noun} to fetch it within 24 hours after it ends.`];

/** n8n swaps whole messages that contain a code such as ECONNRESET (or "preexisting"); ours says more. */
function worded<Error extends NodeError>(
	error: Error,
	message: string,
	description?: string,
): Error {
	error.message = withoutMarkup(message);
	error.description = description && withoutMarkup(description);
	return error;
}

/** The error for input that its schema refuses: every problem by the field's name, before any request. */
export function inputError(
	issues: readonly ZodIssue[],
	errorSource: ErrorSource,
): NodeOperationError {
	const problems = issues.map((issue) => {
		const words =
			issue.code === 'unrecognized_keys'
				? `has no field ${issue.keys.map((key) => `'${key}'`).join(', ')}`
				: issue.message;
		const name = displayName(errorSource.fields, issue.path);
		return name === '' ? `The request ${words}` : `'${name}' ${words}`;
	});
	// A full stop at the end belongs to a value that is quoted.
	const message =
		cut(errorSource.redact([...new Set(problems)].join('; '))) + itemMark(errorSource);
	const description = 'Nothing was sent and nothing was charged.';
	const error = new NodeOperationError(errorSource.node, message, {
		itemIndex: errorSource.itemIndex,
		description,
	});
	return worded(error, message, description);
}

/** What `details` say that no problem in the message tells: an object of any members, as JSON. */
function otherDetails(details: unknown): string | undefined {
	if (typeof details !== 'object' || details === null || Object.keys(details).length === 0) {
		return undefined;
	}
	return problemsIn(details).length > 0 ? undefined : JSON.stringify(details).slice(0, maxScanned);
}

/** A text of the answer, as far as it is looked at; undefined where there is none. */
function string(value: unknown): string | undefined {
	const words = typeof value === 'string' ? value.slice(0, maxScanned).trim() : '';
	return words === '' ? undefined : words;
}

/** Characters of a text of the answer that advice names: those of a long URL. */
const longestNamed = 2_048;

/** A text of the answer that is named whole or not at all: part of an ID or a URL leads nowhere. */
function named(value: unknown): string | undefined {
	const words = string(value);
	return words !== undefined && words.length <= longestNamed ? words : undefined;
}

/** The service's own words, whatever form its error takes: JSON, RFC 7807, text, HTML, or nothing. */
export function messageOf({ body }: ApiResponse, fields: readonly INodeProperties[] = []): string {
	const error = isRecord(body) ? string(body.error) : undefined;
	const own = isRecord(body)
		? ((error !== undefined && isCode(error) ? string(body.message) : undefined) ??
			error ??
			(isRecord(body.error) ? string(body.error.message) : undefined) ??
			string(body.message) ??
			string(body.detail) ??
			string(body.title))
		: string(pageText(body));
	const problems = problemsIn(fieldOf(body, 'details'));
	const told = [...new Set(problems.map((problem) => describeProblem(problem, fields)))].filter(
		Boolean,
	);
	// What a problem says in the same words, or that some key is unknown, need not be said before it.
	const isSaid =
		own !== undefined &&
		(problems.some(({ isUnknown }) => isUnknown) || told.some((problem) => problem.endsWith(own)));
	const words = [isSaid ? undefined : own, string(told.join('; '))].filter(
		(part) => part !== undefined,
	);
	return words.length === 0 ? 'The server returned no reason' : words.join(': ');
}

/** Whether the node shows a setting of one of its groups. */
const hasSetting = (fields: ErrorSource['fields'], group: string, name: string) =>
	fields.some((field) => field.name === group && field.options?.some((one) => one.name === name));

/** What is said of a failed request, secrets and all. */
interface FailureError {
	message: string;
	advice: string;
	/** What the service says beside its words, as JSON. */
	details?: string;
	/** Whether the answer says that the server lacks the feature. */
	isLack?: boolean;
}

/** What to do where a server of the API says that it lacks what an endpoint needs; undefined where it does not say so. */
function adviceForLack(response: ApiResponse, endpoint?: Endpoint): string | undefined {
	const { status, body } = response;
	const missing = missingAdvice(endpoint);
	if (missing === undefined) return undefined;
	const isLacking = status === 501 || (status === 503 && retryRuleOf(response) === 'never');
	if (isLacking) return `This server does not have this feature. ${missing}`;
	const code = codeOf(body);
	// Some lists fail without a code.
	const mayLack = code === 'UNKNOWN_ERROR' || (code === undefined && endpoint?.method === 'GET');
	if (status !== 500 || !mayLack || !endpoint?.needsDatabase) return undefined;
	const otherwise =
		code === undefined
			? 'Otherwise try again later.'
			: `Otherwise look up the error ID in the server's logs.`;
	return `A self-hosted server without a database responds like this, because it does not have this feature. ${missing} ${otherwise}`;
}

/** The terms that somebody must accept before a request (https://docs.firecrawl.dev/api-reference/errors). */
function termsIn(action: unknown): string[] {
	const terms = named(fieldOf(action, 'terms'));
	const version = named(fieldOf(action, 'version'));
	if (terms === undefined) return [];
	return [`The terms are '${terms}'${version === undefined ? '' : `, version ${version}`}.`];
}

/** The status of an answer where it tells of a failure: one of success would only mislead. */
const failedStatus = (status: number): string[] => (status >= 300 ? [`HTTP ${status}`] : []);

function responseError(
	response: ApiResponse,
	{ fields, endpoint }: Pick<ErrorSource, 'fields' | 'endpoint'>,
): FailureError {
	const foreign = unexpectedResponse(response, endpoint);
	if (foreign) return foreign;
	const { status, body } = response;
	const code = codeOf(body);
	const links = [
		fieldOf(fieldOf(body, 'requiresAction'), 'url'),
		fieldOf(body, 'upgrade_url'),
		fieldOf(body, 'login_url'),
	];
	const details = otherDetails(fieldOf(body, 'details'));
	const termsNote = termsIn(fieldOf(body, 'requiresAction'));
	const linkNotes = links.map(named).flatMap((link) => (link === undefined ? [] : [`See ${link}`]));
	const run = named(fieldOf(body, 'runId'));
	const runNote = run === undefined ? [] : [`Run ID: ${run}.`];
	const check = status === 409 ? named(fieldOf(body, 'id')) : undefined;
	const checkNote = check === undefined ? [] : [`Its ID is ${check}.`];
	const words = messageOf(response, fields);
	const marks = [...failedStatus(status), ...(code === undefined || words === code ? [] : [code])];
	const isUnknownField = problemsIn(fieldOf(body, 'details')).some(({ isUnknown }) => isUnknown);
	const lack = adviceForLack(response, endpoint);
	const advice = isProcessing({ response })
		? adviceWhileProcessing
		: isUnknownField
			? adviceForUnknownField(hasSetting(fields, 'retries', 'onUnsupportedField'))
			: (lack ?? adviceFor(status, code, words));
	// A server that is not the API may answer with JSON as well.
	const isDoubtful = status === 404 && fieldOf(body, 'success') !== false;
	const doubt = isDoubtful
		? [`If nothing else works either, check 'Base URL' in the credential.`]
		: [];
	const unkept = status === 404 && !isDoubtful ? [unkeptAdvice(endpoint) ?? []].flat() : [];
	const mark = marks.length > 0 ? ` (${marks.join(', ')})` : '';
	return {
		message: `${withoutFullStop(words)}${mark}`,
		advice: [
			advice,
			...unkept,
			...doubt,
			...runNote,
			...checkNote,
			...termsNote,
			...linkNotes,
		].join(' '),
		details,
		isLack: lack !== undefined,
	};
}

function connectionError(networkError: NetworkError): FailureError {
	if (networkError.code === privateAddressCode) {
		return {
			message: `Not sent: ${networkError.message}`,
			advice: 'Files may be on private addresses only if the server is on one too.',
		};
	}
	if (networkError.code === blockedByN8n) {
		return {
			message: `Not sent: n8n's SSRF protection blocks this server. ${networkError.message}`,
			advice: `Ask the n8n administrator to allow the host of 'Base URL' with N8N_SSRF_ALLOWED_HOSTNAMES.`,
		};
	}
	const problem = tlsProblem(networkError);
	return problem
		? { message: `The server ${problem.message} (${networkError.code})`, advice: problem.advice }
		: {
				message: `The server did not respond: ${networkError.message}`,
				advice: adviceForNetworkError(networkError.code),
			};
}

const failureError = (failure: Failure, errorSource: Pick<ErrorSource, 'fields' | 'endpoint'>) =>
	'response' in failure
		? responseError(failure.response, errorSource)
		: connectionError(failure.networkError);

/** A failed request in a text: what happened, and what to do. */
export function summarize(failure: Failure): string {
	const { message, advice } = failureError(failure, { fields: [] });
	return `${cut(message)}. ${advice}`;
}

/** Whether the key of a start was used before; that advice says what became of the earlier try. */
const isKnownKey = (failure: Failure) =>
	'response' in failure && knownKey.test(messageOf(failure.response));

/** Errors of requests that the service has refused, so that nothing was done, each with the codes of its refusals. */
const refused = new WeakMap<Error, string[]>();

/** Whether an error says that the service refused the request at every try: nothing was done. */
export const wasRefused = (error: Error): boolean => refused.has(error);

/** The service's codes of a request's errors, one for each attempt; undefined when it may have been carried out. */
export const errorCodes = (error: Error): string[] | undefined => refused.get(error);

const isFromElsewhere = (failure: Failure) =>
	'response' in failure && isNotFromApi(failure.response);

const rounded = (ms: number) => `${Math.max(1, Math.round(ms / 1000))} s`;

/** Why the job that may have been started is not known: none fits, those that may be it are not proven to be, or no list could be read. */
export type NotFound = 'none' | 'unreadable' | { candidates: readonly string[] };

/** How a request that failed for good was tried. */
export interface Attempts {
	tries: number;
	elapsed: number;
	retrySafety: RetrySafety;
	/** The pause in milliseconds before the next try, when it was longer than the time left for repeats. */
	tooLong?: number;
	/** How the tries before the last have failed: one of them may have done what the last was refused. */
	earlier?: Failure[];
	/** Why what may have been started is not known, where it was looked up in the service's lists. */
	notFound?: NotFound;
}

/** What the lists of the service returned of a job that may have been started, and how to go on. */
function lookupResults(notFound: NotFound | undefined): string[] {
	if (typeof notFound === 'object') {
		const { candidates } = notFound;
		const shown = candidates.slice(0, mostCandidates).join(', ');
		const more = candidates.length > mostCandidates ? ' and others' : '';
		return [
			`The server lists ${shown}${more}, which may be its job or another client's. None was reused or cancelled.`,
			`Use 'Get' with such an ID to fetch the result, and compare it with the request before you start again.`,
		];
	}
	const found = {
		none: ['The server lists no such job of that time yet.'],
		unreadable: ['The server could not list its jobs; a server without a database stores no list.'],
	};
	return [
		...(notFound === undefined ? [] : found[notFound]),
		notFound === 'unreadable' ? howToFindUnlisted : howToFind,
	];
}

/** Most jobs that an error names as those that it may be about. */
const mostCandidates = 5;

const howToFind = `Look it up with 'Get Activity' of the account, in the list of jobs or in the dashboard before you retry.`;

/** As `howToFind`, where the lists have just failed. */
const howToFindUnlisted = `Look it up in the dashboard or the logs of the server before you retry.`;

function attemptsSummary(attempts: Attempts, failure: Failure): string[] {
	const { tries, elapsed, retrySafety, tooLong, earlier = [], notFound } = attempts;
	const wasRisked = earlier.some(mayHaveRun);
	const mayHaveStarted = wasRisked || mayHaveRun(failure);
	const notes = [];
	if (tries === 0) {
		notes.push('Not sent: the server rate-limited another request with this credential.');
	}
	if ('networkError' in failure && retrySafety !== 'free' && !mayHaveStarted) {
		notes.push('Nothing was sent, and nothing was charged.');
	}
	if (tries > 1) notes.push(`${tries} attempts in ${rounded(elapsed)}.`);
	if (tooLong !== undefined) {
		const limit = isProcessing(failure) ? 'Max Time for Large Documents' : 'Max Retry Time';
		const until = new Date(Date.now() + tooLong).toISOString().replace(/\.\d+Z$/, ' UTC');
		notes.push(
			`The next attempt is due in ${rounded(tooLong)}, which exceeds '${limit}'.`,
			`The server allows none before ${until.replace('T', ' ')}.`,
		);
	}
	const isStart = retrySafety === 'mayStartTwice' || retrySafety === 'idempotencyKey';
	if (isStart && mayHaveStarted && (notFound || !isKnownKey(failure))) {
		const consequence =
			retrySafety === 'mayStartTwice' && !wasRisked ? ', so it was not retried' : '';
		notes.push(`It may have been processed anyway${consequence}.`, ...lookupResults(notFound));
	}
	if (retrySafety === 'mayChargeTwice') {
		const uncertain = [...earlier, failure].filter(mayHaveBeenCharged).length;
		if (uncertain === 1 && tries === 1) {
			notes.push('The request may have been processed and charged, so it was not retried.');
		} else if (uncertain > 0) {
			notes.push(`${uncertain} of the attempts may have been processed and charged.`);
		}
	}
	return notes;
}

/** The one error for a request that failed for good: the service's words, what to do, what was tried. */
export function serviceError(
	failure: Failure,
	attempts: Attempts,
	errorSource: ErrorSource,
): NodeApiError {
	const { message: words, advice, details, isLack } = failureError(failure, errorSource);
	const message = located(cut(errorSource.redact(words)), errorSource);
	const uncertain = attempts.retrySafety === 'mayStartTwice' && mayHaveRun(failure);
	// "Try again" is wrong for what may be running; "Check 'Base URL'" is not.
	const isSound = !uncertain || isFromElsewhere(failure) || isLack;
	const notes = [
		...(isSound ? [advice] : []),
		...attemptsSummary(attempts, failure),
		...retrievalHint(errorSource),
		...(details === undefined ? [] : [`Details: ${cut(errorSource.redact(details))}`]),
	];
	const description = errorSource.redact(notes.join(' '));
	const failed = 'response' in failure && failure.response.status >= 300;
	const status = failed ? String(failure.response.status) : undefined;
	const apiResponse: JsonObject =
		'response' in failure
			? {
					status: failure.response.status,
					code: errorSource.redact(codeOf(failure.response.body) ?? ''),
				}
			: { code: failure.networkError.code };
	const error = new NodeApiError(errorSource.node, apiResponse, {
		message,
		description,
		httpCode: status,
		itemIndex: errorSource.itemIndex,
	});
	error.httpCode = status ?? null;
	const { retrySafety, earlier = [] } = attempts;
	const isUncertain = retrySafety === 'mayChargeTwice' ? mayHaveBeenCharged : mayHaveRun;
	const failures = [...earlier, failure];
	if (!failures.some(isUncertain)) {
		const codes = failures.map((each) =>
			'response' in each ? (codeOf(each.response.body) ?? '') : '',
		);
		refused.set(error, codes);
	}
	return worded(error, message, description);
}

/** Any other error, as one that n8n can show with its item. Errors of ours pass. */
export function asNodeError(error: unknown, errorSource: ErrorSource): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const given = error instanceof Error ? error : new Error(String(error));
	// n8n says in which parameter an expression failed.
	const parameter = string(fieldOf(Reflect.get(given, 'context'), 'parameter'));
	const field =
		parameter === undefined ? '' : `'${displayName(errorSource.fields, [parameter])}': `;
	const message = located(cut(errorSource.redact(field + given.message)), errorSource);
	const description = string(Reflect.get(given, 'description'));
	return worded(
		new NodeOperationError(errorSource.node, given, { itemIndex: errorSource.itemIndex }),
		message,
		description && errorSource.redact(description),
	);
}

/** The error for an answer that lacks what every known version of the service gives: it must not be taken for nothing. */
export const missingInResponse = (what: string, errorSource: ErrorSource): NodeOperationError =>
	operationError(
		`The response lacks ${what}`,
		`Check 'Base URL' in the credential: the server may be of another version.`,
		errorSource,
	);

/** The error for what no single request explains, such as a job that ended badly: `words` say what happened, `advice` what to do. */
export function operationError(
	words: string,
	advice: string,
	errorSource: ErrorSource,
): NodeOperationError {
	const message = located(cut(errorSource.redact(words)), errorSource);
	const description = errorSource.redact([advice, ...retrievalHint(errorSource)].join(' '));
	const { node, itemIndex } = errorSource;
	return worded(
		new NodeOperationError(node, message, { itemIndex, description }),
		message,
		description,
	);
}

/** The error of a run that was stopped from outside; n8n knows it by the word "canceled". */
export const stoppedError = ({ node, itemIndex }: ErrorSource) =>
	new NodeOperationError(node, `The execution was canceled${itemMark({ itemIndex })}`, {
		itemIndex,
	});
