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
import { nameForModel } from './nameForModel';
import {
	fact,
	forCaller,
	forUser,
	quoted,
	sentencesOf,
	textOf,
	type Advice,
	type AnyAdvice,
	type Sentence,
} from './sentence';
import { expressionAt, isFromModel } from './emptyExpression';
import { missingAdvice, unkeptAdvice, type Endpoint } from './endpoint';
import { unexpectedResponse, pageText } from './unexpectedResponse';
import { privateHostCode } from './privateAddress';
import { isRecord, fieldOf } from '../values/record';
import { codeOf, isCode, knownKey, retryRuleOf } from './apiErrors';
import { describeProblem, problemsIn } from './refusedFields';
import {
	blockedByN8n,
	isNotFromApi,
	isProcessing,
	mayHaveBeenCharged,
	mayHaveRun,
	notSentInTime,
	type ApiResponse,
	type Failure,
	type RetrySafety,
	type NetworkError,
} from './retry';
import { tlsProblem } from './tls';
import { isTool } from '../host/tool';
import { trimEnd, withoutMarkup } from '../values/text';

/** The source of an error: the node, the item, and the fields with their display names. */
export interface ErrorSource {
	node: INode;
	/** The input item; none in triggers and in the editor's lists. */
	itemIndex?: number;
	fields: readonly INodeProperties[];
	/** Redacts the credential's secrets in a text. */
	redact: (text: string) => string;
	/** The endpoint of the current request. */
	endpoint?: Endpoint;
	/** The remote job of the request, once it is known. */
	job?: JobReference;
}

/** A remote job, so that every error names it. */
export interface JobReference {
	id: string;
	/** Its name for the user, such as "agent run". */
	noun: string;
}

type NodeError = NodeApiError | NodeOperationError;

const longestMessage = 600;

/**
 * Most characters of a text to scan: patterns are linear in its length, and a response has up to
 * 100 MB. Far more than a message shows, so that a secret cut in two here is beyond its end.
 */
const maxScanned = 100_000;

/** Cut after redaction, so that no part of a secret remains at the end. */
const cut = (text: string) =>
	text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;

/** The item mark at the end of a message, if any. */
const itemMark = ({ itemIndex }: Pick<ErrorSource, 'itemIndex'>) =>
	itemIndex === undefined ? '' : ` [item ${itemIndex}]`;

/** Removes that mark from a message that is shown elsewhere or in another. */
export const withoutItemMark = (message: string) => message.replace(/ \[item \d+\]$/, '');

/** A sentence without full stop, for use in another. */
const withoutFullStop = (text: string) => trimEnd(text, (character) => /[.\s]/.test(character));

function located(text: string, errorSource: ErrorSource): string {
	const { job } = errorSource;
	const about = job === undefined || text.includes(job.id) ? '' : ` (${job.noun} ${job.id})`;
	return `${withoutFullStop(text)}${about}${itemMark(errorSource)}`;
}

/** Locates a message; the node's own part of it, without the item. */
function locatedMessage(message: Message, errorSource: ErrorSource): Message {
	const redacted = (text: string) => cut(errorSource.redact(text));
	if (typeof message === 'string') return located(redacted(message), errorSource);
	return {
		text: located(redacted(message.text), errorSource),
		own: located(redacted(message.own), { ...errorSource, itemIndex: undefined }),
	};
}

const retrievalHint = ({ job }: ErrorSource): Advice =>
	job === undefined
		? []
		: [
				forUser(
					`Use 'Get' with the ID of the ${job.noun} to fetch it within 24 hours after it ends.`,
				),
			];

/** The message of an error: a text of the node, or one that quotes the service. */
export type Message = string | { text: string; own: string };

const textIn = (message: Message) => (typeof message === 'string' ? message : message.text);

/** An error as the model of a tool gets it: the node's own text and advice, and the service's. */
export interface ErrorForModel {
	/** The node's own message. */
	own: string;
	/** The whole message, if it quotes the service. */
	quote?: string;
	advice: Advice;
}

const errorsForModel = new WeakMap<Error, ErrorForModel>();

/** The parts of an error for a model. An error of n8n concerns the node, which only its user can change. */
export const errorForModel = (error: NodeError): ErrorForModel =>
	errorsForModel.get(error) ?? {
		own: error.message,
		advice: [forUser(error.description || 'Check the node and its credential.')],
	};

/**
 * Sets the texts of an error, for people and for models. n8n replaces whole messages that contain a
 * code such as ECONNRESET (or "preexisting") by shorter ones.
 */
function worded<Error extends NodeError>(
	error: Error,
	message: Message,
	advice: Advice,
	{ redact }: Pick<ErrorSource, 'redact'>,
	adviceForModel = advice,
): Error {
	const shown = (text: string) => withoutMarkup(redact(text));
	error.message = withoutMarkup(textIn(message));
	const description = shown(textOf(advice));
	error.description = description === '' ? undefined : description;
	errorsForModel.set(error, {
		...(typeof message === 'string'
			? { own: error.message }
			: { own: shown(message.own), quote: error.message }),
		advice: adviceForModel.map((sentence) => ({ ...sentence, text: shown(sentence.text) })),
	});
	return error;
}

/** Replaces the advice of an error. */
export function setAdvice(error: NodeError, given: AnyAdvice): void {
	const advice = sentencesOf(given);
	errorsForModel.set(error, { ...errorForModel(error), advice });
	error.description = withoutMarkup(textOf(advice));
}

/** Adds advice to that of an error. */
export function addAdvice(error: NodeError, given: AnyAdvice): void {
	const more = sentencesOf(given);
	const { advice } = errorForModel(error);
	errorsForModel.set(error, { ...errorForModel(error), advice: [...advice, ...more] });
	error.description = withoutMarkup([error.description, textOf(more)].filter(Boolean).join(' '));
}

/** Puts a text before the message of an error. */
export function prefixMessage(error: NodeError, prefix: string): void {
	const { own, quote, advice } = errorForModel(error);
	const whole = quote !== undefined && { quote: `${prefix}: ${quote}` };
	errorsForModel.set(error, { own: `${prefix}: ${own}`, ...whole, advice });
	error.message = `${prefix}: ${error.message}`;
}

const nothingSent = fact('Nothing was sent and nothing was charged.');

/** The text of a problem, without its field. */
const problemText = (issue: ZodIssue): string =>
	issue.code === 'unrecognized_keys'
		? `has no field ${issue.keys.map((key) => `'${key}'`).join(', ')}`
		: issue.message;

/** A problem for people: the display name of its field, or the expression that returned nothing. */
function problemForPeople(issue: ZodIssue, { node, fields }: ErrorSource): string {
	const name = displayName(fields, issue.path);
	const expression = issue.message === 'is required' ? expressionAt(node, issue.path) : undefined;
	if (expression !== undefined)
		return `'${name}' has no value: the expression ${expression} returned nothing`;
	return name === '' ? `The request ${problemText(issue)}` : `'${name}' ${problemText(issue)}`;
}

/** Advice about an empty field of a tool, which the model cannot fill in; none for others. */
function adviceForEmptyField(issues: readonly ZodIssue[], { node, fields }: ErrorSource): Advice {
	if (!isTool(node)) return [];
	const empty = issues.find(
		({ message, path }) =>
			message === 'is required' &&
			!isFromModel(node, path) &&
			expressionAt(node, path) === undefined,
	);
	if (!empty) return [];
	const name = displayName(fields, empty.path);
	return [
		forUser(
			`In the panel of this tool, fill in '${name}', or click ✨ beside it so that the model fills it in.`,
		),
	];
}

/**
 * The error for input rejected by its schema: each problem with its field's display name, before
 * any request. A model reads its own name of each field that it filled in.
 */
export function inputError(
	issues: readonly ZodIssue[],
	errorSource: ErrorSource,
): NodeOperationError {
	const { node, fields, redact, itemIndex } = errorSource;
	const messageOf = (problems: string[]) => cut(redact([...new Set(problems)].join('; ')));
	// A full stop at the end belongs to a quoted value.
	const text =
		messageOf(issues.map((issue) => problemForPeople(issue, errorSource))) + itemMark(errorSource);
	const filled = issues.map(({ path }) => nameForModel(node.parameters, fields, path));
	const own = messageOf(
		issues.map((issue, index) =>
			filled[index] === undefined
				? problemForPeople(issue, errorSource)
				: `'${filled[index]}' ${problemText(issue)}`,
		),
	);
	const isOfModel = filled.every((name) => name !== undefined);
	const error = new NodeOperationError(node, text, { itemIndex });
	const emptyAdvice = adviceForEmptyField(issues, errorSource);
	worded(error, text, [nothingSent, ...emptyAdvice], errorSource);
	errorsForModel.set(error, {
		own: withoutMarkup(own),
		advice: [
			nothingSent,
			...(isOfModel
				? [forCaller('Correct the value and call again.')]
				: emptyAdvice.length > 0
					? emptyAdvice
					: [forUser('Correct the fields in the message.')]),
		],
	});
	return error;
}

/** The fields of `details` that no problem in the message shows, as JSON. */
function otherDetails(details: unknown): string | undefined {
	if (typeof details !== 'object' || details === null || Object.keys(details).length === 0) {
		return undefined;
	}
	return problemsIn(details).length > 0 ? undefined : JSON.stringify(details).slice(0, maxScanned);
}

/** A scannable part of a text in a response; undefined without text. */
function string(value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.slice(0, maxScanned).trim() : '';
	return text === '' ? undefined : text;
}

/** Most characters of a quoted text: those of a long URL. */
const longestNamed = 2_048;

/** A text to quote as a whole or not at all, since part of an ID or URL is useless. */
function named(value: unknown): string | undefined {
	const text = string(value);
	return text !== undefined && text.length <= longestNamed ? text : undefined;
}

/** The service's own message in any form: JSON, RFC 7807, text, HTML, or none. */
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
	const described = [
		...new Set(problems.map((problem) => describeProblem(problem, fields))),
	].filter(Boolean);
	// Omitted if a problem repeats the message, or if it only reports an unknown key.
	const isRepeated =
		own !== undefined &&
		(problems.some(({ isUnknown }) => isUnknown) ||
			described.some((problem) => problem.endsWith(own)));
	const parts = [isRepeated ? undefined : own, string(described.join('; '))].filter(
		(part) => part !== undefined,
	);
	return parts.length === 0 ? 'The server returned no reason' : parts.join(': ');
}

/** Whether the node shows a setting of one of its groups. */
const hasSetting = (fields: ErrorSource['fields'], group: string, name: string) =>
	fields.some((field) => field.name === group && field.options?.some((one) => one.name === name));

/** A failed request before redaction. */
interface FailureError {
	message: Message;
	advice: Advice;
	/** Further fields of the service's error, as JSON. */
	details?: string;
	/** Whether the server lacks the feature. */
	isLack?: boolean;
}

/**
 * Advice for a server that reports that it lacks an endpoint's requirements; undefined for others.
 */
function adviceForLack(response: ApiResponse, endpoint?: Endpoint): Advice | undefined {
	const { status, body } = response;
	const missing = missingAdvice(endpoint);
	if (missing === undefined) return undefined;
	const isLacking = status === 501 || (status === 503 && retryRuleOf(response) === 'never');
	if (isLacking) return [fact('This server does not have this feature.'), ...missing];
	const code = codeOf(body);
	// Some lists fail without a code.
	const mayLack = code === 'UNKNOWN_ERROR' || (code === undefined && endpoint?.method === 'GET');
	if (status !== 500 || !mayLack || !endpoint?.needsDatabase) return undefined;
	return [
		fact(
			'A self-hosted server without a database responds like this, because it does not have this feature.',
		),
		...missing,
		code === undefined
			? forCaller('Otherwise try again later.')
			: forUser(`Otherwise look up the error ID in the server's logs.`),
	];
}

/** Terms to accept before a request (https://docs.firecrawl.dev/api-reference/errors). */
function termsIn(action: unknown): Advice {
	const terms = named(fieldOf(action, 'terms'));
	const version = named(fieldOf(action, 'version'));
	if (terms === undefined) return [];
	return [
		quoted(`The terms are '${terms}'${version === undefined ? '' : `, version ${version}`}.`),
	];
}

/** The status of a failed response. One of success would mislead. */
const failedStatus = (status: number): string[] => (status >= 300 ? [`HTTP ${status}`] : []);

/** Whether a mark beside a message is a status, or a code and not a text in the place of one. */
const isSafe = (mark: string) => /^HTTP \d{3}$/.test(mark) || (mark.length <= 60 && isCode(mark));

function responseError(
	response: ApiResponse,
	{ fields, endpoint }: Pick<ErrorSource, 'fields' | 'endpoint'>,
): FailureError {
	const foreign = unexpectedResponse(response, endpoint);
	if (foreign) {
		const { message, own, advice } = foreign;
		return { message: own === undefined ? message : { text: message, own }, advice };
	}
	const { status, body } = response;
	const code = codeOf(body);
	const links = [
		fieldOf(fieldOf(body, 'requiresAction'), 'url'),
		fieldOf(body, 'upgrade_url'),
		fieldOf(body, 'login_url'),
	];
	const details = otherDetails(fieldOf(body, 'details'));
	const termsNote = termsIn(fieldOf(body, 'requiresAction'));
	const linkNotes = links
		.map(named)
		.flatMap((link) => (link === undefined ? [] : [quoted(`See ${link}`)]));
	const run = named(fieldOf(body, 'runId'));
	const runNote = run === undefined ? [] : [quoted(`Run ID: ${run}.`)];
	const check = status === 409 ? named(fieldOf(body, 'id')) : undefined;
	const checkNote = check === undefined ? [] : [quoted(`Its ID is ${check}.`)];
	const text = messageOf(response, fields);
	const marks = [...failedStatus(status), ...(code === undefined || text === code ? [] : [code])];
	const isUnknownField = problemsIn(fieldOf(body, 'details')).some(({ isUnknown }) => isUnknown);
	const lack = adviceForLack(response, endpoint);
	const advice = isProcessing({ response })
		? adviceWhileProcessing
		: isUnknownField
			? adviceForUnknownField(hasSetting(fields, 'retries', 'onUnsupportedField'))
			: (lack ?? adviceFor(status, code, text));
	// A server that is not the API may respond with JSON as well.
	const isDoubtful = status === 404 && fieldOf(body, 'success') !== false;
	const doubt = isDoubtful
		? [forUser(`If nothing else works either, check 'Base URL' in the credential.`)]
		: [];
	const unkept = status === 404 && !isDoubtful ? unkeptAdvice(endpoint) : [];
	const markOf = (parts: string[]) => (parts.length > 0 ? ` (${parts.join(', ')})` : '');
	const own = `The server responded with an error${markOf(marks.filter(isSafe))}`;
	return {
		message: { text: `${withoutFullStop(text)}${markOf(marks)}`, own },
		advice: [...advice, ...unkept, ...doubt, ...runNote, ...checkNote, ...termsNote, ...linkNotes],
		details,
		isLack: lack !== undefined,
	};
}

function connectionError(networkError: NetworkError): FailureError {
	if (networkError.code === privateHostCode) {
		return {
			message: `Not sent: ${networkError.message}`,
			advice: [forUser('Files may be on private addresses only if the server is on one too.')],
		};
	}
	if (networkError.code === notSentInTime) {
		return { message: `Not sent: ${networkError.message}`, advice: [] };
	}
	if (networkError.code === blockedByN8n) {
		return {
			message: `Not sent: n8n's SSRF protection blocks this server. ${networkError.message}`,
			advice: [
				forUser(
					`Ask the n8n administrator to allow the host of 'Base URL' with N8N_SSRF_ALLOWED_HOSTNAMES.`,
				),
			],
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

/** A failed request as text, with advice. */
export function summarize(failure: Failure): string {
	const { message, advice } = failureError(failure, { fields: [] });
	return `${cut(textIn(message))}. ${textOf(advice)}`;
}

/** Whether the key of a start was used before. That advice explains the earlier attempt. */
const isKnownKey = (failure: Failure) =>
	'response' in failure && knownKey.test(messageOf(failure.response));

/** Errors of rejected requests that did nothing, each with the codes of its rejections. */
const rejectedErrors = new WeakMap<Error, string[]>();

/** Whether the service rejected every attempt of the request, so that nothing was done. */
export const wasRejected = (error: Error): boolean => rejectedErrors.has(error);

/** The service's codes, one for each attempt; undefined if one may have been carried out. */
export const errorCodes = (error: Error): string[] | undefined => rejectedErrors.get(error);

const isFromElsewhere = (failure: Failure) =>
	'response' in failure && isNotFromApi(failure.response);

const rounded = (ms: number) => `${Math.max(1, Math.round(ms / 1000))} s`;

/** The reason why a started job is unknown: no match, candidates without proof, or no list. */
export type NotFound = 'none' | 'unreachable' | 'unsupported' | { candidates: readonly string[] };

/** The attempts of a request that failed for good. */
export interface Attempts {
	attemptCount: number;
	elapsed: number;
	retrySafety: RetrySafety;
	/** Delay in milliseconds before the next attempt, if it exceeds the remaining time. */
	tooLong?: number;
	/** Failures of the earlier attempts. One of them may have done what the last was rejected for. */
	earlier?: Failure[];
	/** The reason why the started job is unknown, if it was searched for. */
	notFound?: NotFound;
}

/** Search results for a lost job, with advice. */
function lookupResults(notFound: NotFound | undefined): Advice {
	if (notFound === undefined) return [howToFind];
	if (typeof notFound === 'object') {
		return [
			fact(`The server lists ${notFound.candidates.join(', ')}, which may be its job.`),
			forUser(`Use 'Get' with the ID to compare it with the request before you start again.`),
		];
	}
	const found = {
		none: 'The server lists no such job yet.',
		unreachable: 'The server could not be reached to list its jobs.',
		unsupported: 'The server does not list its jobs, for example without a database.',
	};
	return [fact(found[notFound]), howToFind];
}

const howToFind = forUser(
	'Look it up in the dashboard or the list of jobs before you start again.',
);

/** Whether a request of this kind may have been charged although it failed. */
const chargeRiskOf = (retrySafety: RetrySafety) =>
	retrySafety === 'mayChargeTwice' ? mayHaveBeenCharged : mayHaveRun;

/** Describes the earliest next attempt. */
function nextAttempt(
	pause: number,
	failure: Failure,
	isUncharged: boolean,
	{ node }: ErrorSource,
): Advice {
	if (isTool(node)) {
		return [
			...(isUncharged ? [fact('Nothing was charged.')] : []),
			forCaller(`Call again in ${rounded(pause)} with the same arguments.`),
		];
	}
	const limit = isProcessing(failure) ? 'Max Time for Large Documents' : 'Max Retry Time';
	const until = new Date(Date.now() + pause).toISOString().replace(/\.\d+Z$/, ' UTC');
	return [
		fact(`The next attempt is due in ${rounded(pause)}, which exceeds '${limit}'.`),
		fact(`The server allows none before ${until.replace('T', ' ')}.`),
	];
}

function attemptsSummary(attempts: Attempts, failure: Failure, errorSource: ErrorSource): Advice {
	const { attemptCount, elapsed, retrySafety, tooLong, earlier = [], notFound } = attempts;
	const wasRisked = earlier.some(mayHaveRun);
	const mayHaveStarted = wasRisked || mayHaveRun(failure);
	const notes: Sentence[] = [];
	if (attemptCount === 0 && 'response' in failure) {
		notes.push(fact('Not sent: the server rate-limited another request with this credential.'));
	}
	const isUnsent = 'networkError' in failure && retrySafety !== 'free' && !mayHaveStarted;
	if (isUnsent && tooLong === undefined) {
		notes.push(fact('Nothing was sent, and nothing was charged.'));
	}
	if (attemptCount > 1) notes.push(fact(`${attemptCount} attempts in ${rounded(elapsed)}.`));
	if (tooLong !== undefined) {
		const isUncharged =
			retrySafety !== 'free' && ![...earlier, failure].some(chargeRiskOf(retrySafety));
		notes.push(...nextAttempt(tooLong, failure, isUncharged, errorSource));
	}
	const isStart = retrySafety === 'mayStartTwice' || retrySafety === 'idempotencyKey';
	if (isStart && mayHaveStarted && (notFound || !isKnownKey(failure))) {
		const consequence =
			retrySafety === 'mayStartTwice' && !wasRisked ? ', so it was not retried' : '';
		notes.push(
			fact(`It may have been processed anyway${consequence}.`),
			...lookupResults(notFound),
		);
	}
	if (retrySafety === 'mayChargeTwice') {
		const uncertain = [...earlier, failure].filter(mayHaveBeenCharged).length;
		if (uncertain === 1 && attemptCount === 1) {
			notes.push(fact('The request may have been processed and charged, so it was not retried.'));
		} else if (uncertain > 0) {
			notes.push(fact(`${uncertain} of the attempts may have been processed and charged.`));
		}
	}
	return notes;
}

/**
 * Builds the only error for a request that failed for good: the service's message, advice,
 * attempts.
 */
export function serviceError(
	failure: Failure,
	attempts: Attempts,
	errorSource: ErrorSource,
): NodeApiError {
	const { message: text, advice, details, isLack } = failureError(failure, errorSource);
	const message = locatedMessage(text, errorSource);
	const uncertain = attempts.retrySafety === 'mayStartTwice' && mayHaveRun(failure);
	// Advice to repeat is wrong if a job may be running; "Check 'Base URL'" is not.
	const isSound = !uncertain || isFromElsewhere(failure) || isLack;
	const notes = [
		...(isSound ? advice : []),
		...attemptsSummary(attempts, failure, errorSource),
		...retrievalHint(errorSource),
		...(details === undefined ? [] : [quoted(`Details: ${cut(errorSource.redact(details))}`)]),
	];
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
		message: textIn(message),
		httpCode: status,
		itemIndex: errorSource.itemIndex,
	});
	error.httpCode = status ?? null;
	const { retrySafety, earlier = [] } = attempts;
	const failures = [...earlier, failure];
	if (!failures.some(chargeRiskOf(retrySafety))) {
		const codes = failures.map((each) =>
			'response' in each ? (codeOf(each.response.body) ?? '') : '',
		);
		rejectedErrors.set(error, codes);
	}
	return worded(error, message, notes, errorSource);
}

/** Converts any other error to one that n8n shows with its item. Node errors pass. */
export function asNodeError(error: unknown, errorSource: ErrorSource): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const given = error instanceof Error ? error : new Error(String(error));
	// n8n reports the parameter of a failed expression.
	const parameter = string(fieldOf(Reflect.get(given, 'context'), 'parameter'));
	const field =
		parameter === undefined ? '' : `'${displayName(errorSource.fields, [parameter])}': `;
	const message = located(cut(errorSource.redact(field + given.message)), errorSource);
	const description = string(Reflect.get(given, 'description'));
	return worded(
		new NodeOperationError(errorSource.node, given, { itemIndex: errorSource.itemIndex }),
		message,
		description === undefined ? [] : [forUser(description)],
		errorSource,
		[forUser(description ?? 'Check the node and its credential.')],
	);
}

/**
 * The error for a response without a required field of every known version. It must not count as
 * empty.
 */
export const missingInResponse = (what: string, errorSource: ErrorSource): NodeOperationError =>
	operationError(
		`The response lacks ${what}`,
		[forUser(`Check 'Base URL' in the credential: the server may be of another version.`)],
		errorSource,
	);

/**
 * The error without a single failed request, such as for a failed job: `text` is what happened,
 * `advice` what to do.
 */
export function operationError(
	text: Message,
	given: AnyAdvice,
	errorSource: ErrorSource,
): NodeOperationError {
	const advice = sentencesOf(given);
	const message = locatedMessage(text, errorSource);
	const { node, itemIndex } = errorSource;
	const error = new NodeOperationError(node, textIn(message), { itemIndex });
	return worded(error, message, [...advice, ...retrievalHint(errorSource)], errorSource);
}

/** The error of a stopped execution. n8n recognises it by "canceled". */
export const stoppedError = ({ node, itemIndex }: ErrorSource) =>
	new NodeOperationError(node, `The execution was canceled${itemMark({ itemIndex })}`, {
		itemIndex,
	});
