import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type INodeProperties,
	type JsonObject,
} from 'n8n-workflow';
import type { ZodIssue } from 'zod';
import { adviceFor, adviceForSilence, adviceWhileProcessing, knownKey } from './advice';
import { displayName } from './displayName';
import { isRecord, memberOf } from './record';
import {
	isForeign,
	isProcessing,
	mayHaveRun,
	type Answer,
	type Failure,
	type RepeatCost,
} from './retry';

/** Where an error belongs: the node, the item, and the fields as the user sees them. */
export interface Place {
	node: INode;
	/** The input item; none where there is no input: in triggers and in the editor's lists. */
	itemIndex?: number;
	fields: readonly INodeProperties[];
	/** Takes the credential's secrets out of a text. */
	conceal: (text: string) => string;
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

/** Cut only after secrets are out, so that no part of one is left at the end. */
const cut = (text: string) =>
	text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;

/** The mark of the item at the end of a message; nothing where there is none. */
export const itemMark = ({ itemIndex }: Pick<Place, 'itemIndex'>) =>
	itemIndex === undefined ? '' : ` [item ${itemIndex}]`;

/** A message without that mark, to be read elsewhere or as part of another. */
export const withoutItemMark = (message: string) => message.replace(/ \[item \d+\]$/, '');

function located(words: string, place: Place): string {
	const { job } = place;
	const about = job === undefined || words.includes(job.id) ? '' : ` (${job.noun} ${job.id})`;
	return `${words.replace(/[.\s]+$/, '')}${about}${itemMark(place)}`;
}

const laterOn = ({ job }: Place) =>
	job === undefined
		? []
		: [`The ${job.noun} can be read with 'Get' and its id for 24 hours after its end.`];

/** n8n swaps whole messages that contain a code such as ECONNRESET (or "preexisting"); ours says more. */
function worded<Error extends NodeError>(
	error: Error,
	message: string,
	description?: string,
): Error {
	error.message = message;
	error.description = description;
	return error;
}

/** The error for input that its contract refuses: every problem by the field's name, before any request. */
export function inputError(issues: readonly ZodIssue[], place: Place): NodeOperationError {
	const problems = issues.map((issue) => {
		const words =
			issue.code === 'unrecognized_keys'
				? `has no field ${issue.keys.map((key) => `'${key}'`).join(', ')}`
				: issue.message;
		const name = displayName(place.fields, issue.path);
		return name === '' ? `The request ${words}` : `'${name}' ${words}`;
	});
	const message = located(cut(place.conceal([...new Set(problems)].join('; '))), place);
	const description = 'Nothing was sent and nothing was charged.';
	const error = new NodeOperationError(place.node, message, {
		itemIndex: place.itemIndex,
		description,
	});
	return worded(error, message, description);
}

const string = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The problems that a 400 lists under `details`, each with its field's name. */
function detailsInWords(details: unknown, fields: readonly INodeProperties[]): string[] {
	if (typeof details === 'string') return [details];
	if (!Array.isArray(details)) return [];
	return details.flatMap((detail: unknown) => {
		if (!isRecord(detail)) return string(detail) ?? [];
		const { path, message } = detail;
		const words = string(message);
		if (words === undefined) return [];
		const steps = Array.isArray(path)
			? path.filter((step) => typeof step === 'string' || typeof step === 'number')
			: [];
		return [steps.length === 0 ? words : `'${displayName(fields, steps)}': ${words}`];
	});
}

/** Plain text or HTML in the place of JSON: its title, or its first words. */
function plainWords(body: unknown): string | undefined {
	if (typeof body !== 'string') return undefined;
	const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
	return string(title) ?? string(body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
}

/** The service's own words, whatever form its error takes: JSON, RFC 7807, text, HTML, or nothing (addendum 0 and 17). */
export function serviceWords({ body }: Answer, fields: readonly INodeProperties[] = []): string {
	const own = isRecord(body)
		? (string(body.error) ??
			(isRecord(body.error) ? string(body.error.message) : undefined) ??
			string(body.message) ??
			string(body.detail) ??
			string(body.title))
		: plainWords(body);
	const details = isRecord(body) ? detailsInWords(body.details, fields) : [];
	const words = [own, details.join('; ')].filter((part) => part !== undefined && part !== '');
	return words.length === 0 ? 'The service gave no reason' : words.join(': ');
}

/** The service's code; some refusals carry it in the place of words (api-v2, Errors). */
function codeOf(body: unknown): string | undefined {
	const words = string(memberOf(body, 'error'));
	return (
		string(memberOf(body, 'code')) ??
		string(memberOf(body, 'feedbackErrorCode')) ??
		(words && /^[A-Z0-9]+(_[A-Z0-9]+)+$/.test(words) ? words : undefined)
	);
}

function answerError(answer: Answer, place: Place) {
	const { status, headers, body } = answer;
	const code = codeOf(body);
	if (status >= 300 && status < 400) {
		const target = string(headers.location);
		return {
			message: `The service redirects${target ? ` to ${target}` : ''} (HTTP ${status})`,
			advice: `Redirects are not followed, so that the key stays where it belongs. Enter the right address as 'Base URL' in the credential.`,
		};
	}
	if (isForeign(answer)) {
		return {
			message: `The service answered with something that is not JSON (HTTP ${status})`,
			advice: `Check 'Base URL' in the credential: it may lead to a web page or a proxy.`,
		};
	}
	const terms = string(memberOf(memberOf(body, 'requiresAction'), 'url'));
	const run = string(memberOf(body, 'runId'));
	const termsNote = terms === undefined ? [] : [`Terms: ${terms}`];
	const runNote = run === undefined ? [] : [`The run in question is ${run}.`];
	const check = status === 409 ? string(memberOf(body, 'id')) : undefined;
	const checkNote = check === undefined ? [] : [`Its ID is ${check}.`];
	const words = serviceWords(answer, place.fields);
	const marks = [`HTTP ${status}`, ...(code === undefined || words === code ? [] : [code])];
	const advice = isProcessing({ answer }) ? adviceWhileProcessing : adviceFor(status, code, words);
	return {
		message: `${words.replace(/[.\s]+$/, '')} (${marks.join(', ')})`,
		advice: [advice, ...termsNote, ...runNote, ...checkNote].join(' '),
	};
}

/** Whether the key of a start was used before; that advice says what became of the earlier try. */
const isKnownKey = (failure: Failure) =>
	'answer' in failure && knownKey.test(serviceWords(failure.answer));

const isFromElsewhere = (failure: Failure) => 'answer' in failure && isForeign(failure.answer);

const rounded = (ms: number) => `${Math.max(1, Math.round(ms / 1000))} s`;

/** How a request that failed for good was tried. */
export interface Attempts {
	tries: number;
	elapsed: number;
	cost: RepeatCost;
	/** The pause in milliseconds before the next try, when it was longer than the time left for repeats. */
	tooLong?: number;
	/** How the tries before the last have failed: one of them may have done what the last was refused. */
	earlier?: Failure[];
}

function history(attempts: Attempts, failure: Failure): string[] {
	const { tries, elapsed, cost, tooLong, earlier = [] } = attempts;
	const wasRisked = earlier.some(mayHaveRun);
	const mayHaveStarted = wasRisked || mayHaveRun(failure);
	const notes = [];
	if (tries > 1) notes.push(`Tried ${tries} times in ${rounded(elapsed)}.`);
	if (tooLong !== undefined) {
		const limit = isProcessing(failure) ? 'Max Time for Large Documents' : 'Max Retry Time';
		notes.push(`The next try is due in ${rounded(tooLong)}, which is more than '${limit}' allows.`);
	}
	if (cost === 'keyed start' && mayHaveStarted && !isKnownKey(failure)) {
		notes.push(
			`It may have been carried out all the same; 'Get Activity' of the account shows it.`,
		);
	}
	if (cost === 'paid start' && mayHaveStarted) {
		notes.push(
			`It may have been carried out all the same${wasRisked ? '' : ', so it was not sent again'}. Look for it in the list of jobs or in the dashboard before you repeat it.`,
		);
	}
	const isLost = 'silence' in failure || isFromElsewhere(failure);
	if (cost === 'paid answer' && isLost && mayHaveRun(failure)) {
		notes.push('The request may have been answered and charged, so it was not sent again.');
	}
	return notes;
}

/** The one error for a request that failed for good: the service's words, what to do, what was tried. */
export function serviceError(failure: Failure, attempts: Attempts, place: Place): NodeApiError {
	const { message: words, advice } =
		'answer' in failure
			? answerError(failure.answer, place)
			: {
					message: `The service did not answer: ${failure.silence.words}`,
					advice: adviceForSilence(failure.silence.code),
				};
	const message = located(cut(place.conceal(words)), place);
	const uncertain = attempts.cost === 'paid start' && mayHaveRun(failure);
	// "Try again" is wrong for what may be running; "Check 'Base URL'" is not.
	const isSound = !uncertain || isFromElsewhere(failure);
	const description = place.conceal(
		[...(isSound ? [advice] : []), ...history(attempts, failure), ...laterOn(place)].join(' '),
	);
	const status = 'answer' in failure ? String(failure.answer.status) : undefined;
	const response: JsonObject =
		'answer' in failure
			? { status: failure.answer.status, code: place.conceal(codeOf(failure.answer.body) ?? '') }
			: { code: failure.silence.code };
	const error = new NodeApiError(place.node, response, {
		message,
		description,
		httpCode: status,
		itemIndex: place.itemIndex,
	});
	error.httpCode = status ?? null;
	return worded(error, message, description);
}

/** Any other error, as one that n8n can show with its item. Errors of ours pass. */
export function asNodeError(error: unknown, place: Place): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const given = error instanceof Error ? error : new Error(String(error));
	// n8n says in which parameter an expression failed.
	const parameter = string(memberOf(Reflect.get(given, 'context'), 'parameter'));
	const field = parameter === undefined ? '' : `'${displayName(place.fields, [parameter])}': `;
	const message = located(cut(place.conceal(field + given.message)), place);
	const description = string(Reflect.get(given, 'description'));
	return worded(
		new NodeOperationError(place.node, given, { itemIndex: place.itemIndex }),
		message,
		description && place.conceal(description),
	);
}

/** The error for an answer that lacks what every known version of the service gives: it must not be taken for nothing. */
export const answeredWithout = (what: string, place: Place): NodeOperationError =>
	operationError(
		`The service answered without ${what}`,
		`Check 'Base URL' in the credential: the server may be of another version.`,
		place,
	);

/** The error for what no single request explains, such as a job that ended badly: `words` say what happened, `advice` what to do. */
export function operationError(words: string, advice: string, place: Place): NodeOperationError {
	const message = located(cut(place.conceal(words)), place);
	const description = place.conceal([advice, ...laterOn(place)].join(' '));
	const { node, itemIndex } = place;
	return worded(
		new NodeOperationError(node, message, { itemIndex, description }),
		message,
		description,
	);
}
