import { NodeApiError, NodeOperationError, type INode, type INodeProperties } from 'n8n-workflow';
import type { ZodIssue } from 'zod/v3';
import { displayName } from './displayName';
import { fieldOf, isRecord } from '../values/record';
import { trimEnd, withoutMarkup } from '../values/text';

/**
 * Errors of the node. The message is what happened, with the service's own words; the description
 * is what to do and what it cost, in one line. Lines below it quote what a page or a program wrote.
 */

/** The source of an error: the node, the item, and the fields with their display names. */
export interface ErrorSource {
	node: INode;
	/** The input item; none in triggers and in the editor's lists. */
	itemIndex?: number;
	fields: readonly INodeProperties[];
	/** Redacts the credential's secrets in a text. */
	redact: (text: string) => string;
	/** The remote job of the request, once it is known, with its name for the user. */
	job?: { id: string; noun: string };
}

export type NodeError = NodeApiError | NodeOperationError;

const longestMessage = 600;

/** Redacts a text, then cuts it, so that no part of a secret remains at the end. */
export function shortened(text: string, { redact }: Pick<ErrorSource, 'redact'>): string {
	const clean = redact(text);
	return clean.length > longestMessage ? `${clean.slice(0, longestMessage)}…` : clean;
}

/** The item mark at the end of a message, if any. */
const itemMark = ({ itemIndex }: Pick<ErrorSource, 'itemIndex'>) =>
	itemIndex === undefined ? '' : ` [item ${itemIndex}]`;

/** Removes that mark from a message that is shown elsewhere or in another. */
export const withoutItemMark = (message: string) => message.replace(/ \[item \d+\]$/, '');

/** A sentence without full stop, for use in another. */
export const withoutFullStop = (text: string) =>
	trimEnd(text, (character) => /[.\s]/.test(character));

/** A message with its job and item. */
export function located(text: string, errorSource: Pick<ErrorSource, 'job' | 'itemIndex'>): string {
	const { job } = errorSource;
	const about = job === undefined || text.includes(job.id) ? '' : ` (${job.noun} ${job.id})`;
	return `${withoutFullStop(text)}${about}${itemMark(errorSource)}`;
}

/** Advice to fetch the results of a job. */
const retrievalHint = ({ job }: Pick<ErrorSource, 'job'>) =>
	job === undefined
		? ''
		: `Use 'Get' with the ID of the ${job.noun} to fetch it within 24 hours after it ends.`;

/**
 * Sets the texts of an error: n8n replaces whole messages that contain a code such as ECONNRESET
 * (or "preexisting") by shorter ones.
 */
export function worded<Error extends NodeError>(
	error: Error,
	message: string,
	advice: string,
	errorSource: Pick<ErrorSource, 'redact' | 'job'>,
): Error {
	error.message = withoutMarkup(message);
	const whole = [advice, retrievalHint(errorSource)].filter(Boolean).join(' ');
	error.description = whole === '' ? undefined : withoutMarkup(errorSource.redact(whole));
	return error;
}

/** Most characters of an expression in a message. */
const longestExpression = 120;

/** The user's expression of the field at a path of the request; undefined if it has none. */
function expressionAt({ parameters }: INode, path: ZodIssue['path']): string | undefined {
	const at = (group: unknown, steps = path) =>
		steps.reduce<unknown>((value, name) => fieldOf(value, String(name)), group);
	const groups: unknown[] = [parameters, ...Object.values(parameters).filter(isRecord)];
	// Settings of a format stand beside the choice of formats.
	const stored = [...groups.map((group) => at(group)), at(parameters, path.slice(1))].find(
		(value): value is string => typeof value === 'string' && value.startsWith('='),
	);
	if (stored === undefined || stored.includes('$fromAI(')) return undefined;
	const expression = stored.slice(1).trim();
	return expression.length > longestExpression
		? `${expression.slice(0, longestExpression)}…`
		: expression;
}

/** A problem with its field's display name, or the expression that returned nothing. */
function describe(issue: ZodIssue, { node, fields }: ErrorSource): string {
	const name = displayName(fields, issue.path);
	const expression = issue.message === 'is required' ? expressionAt(node, issue.path) : undefined;
	if (expression !== undefined)
		return `'${name}' has no value: the expression ${expression} returned nothing`;
	return name === '' ? `The request ${issue.message}` : `'${name}' ${issue.message}`;
}

/** Creates an error of the node with these texts. */
function nodeError(message: string, advice: string, errorSource: ErrorSource): NodeOperationError {
	const { node, itemIndex } = errorSource;
	const error = new NodeOperationError(node, message, { itemIndex });
	return worded(error, message, advice, errorSource);
}

/** The error for input rejected by its schema: each problem with its field, before any request. */
export function inputError(
	issues: readonly ZodIssue[],
	errorSource: ErrorSource,
): NodeOperationError {
	const problems = new Set(issues.map((issue) => describe(issue, errorSource)));
	// A full stop at the end belongs to a quoted value.
	const message = shortened([...problems].join('; '), errorSource) + itemMark(errorSource);
	return nodeError(message, 'Nothing was sent and nothing was charged.', errorSource);
}

/**
 * The error without a single failed request, such as for a failed job: `text` is what happened,
 * `advice` what to do.
 */
export const operationError = (
	text: string,
	advice: string,
	errorSource: ErrorSource,
): NodeOperationError =>
	nodeError(located(shortened(text, errorSource), errorSource), advice, errorSource);

/**
 * The error for a response without a required field of every known version. It must not count as
 * empty.
 */
export const missingInResponse = (what: string, errorSource: ErrorSource): NodeOperationError =>
	operationError(
		`The response lacks ${what}`,
		`Check 'Base URL' in the credential: the server may be of another version.`,
		errorSource,
	);

/** Converts any other error to one that n8n shows with its item. Node errors pass. */
export function asNodeError(error: unknown, errorSource: ErrorSource): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const given = error instanceof Error ? error : new Error(String(error));
	// n8n reports the parameter of a failed expression.
	const parameter = fieldOf(Reflect.get(given, 'context'), 'parameter');
	const field =
		typeof parameter === 'string' ? `'${displayName(errorSource.fields, [parameter])}': ` : '';
	const description: unknown = Reflect.get(given, 'description');
	const { node, itemIndex } = errorSource;
	return worded(
		new NodeOperationError(node, given, { itemIndex }),
		located(shortened(field + given.message, errorSource), errorSource),
		typeof description === 'string' ? description : '',
		errorSource,
	);
}

/** Most jobs that an error names. */
const mostJobs = 100;

/** Where the results of jobs are that a run does not return; nothing without jobs. */
export const retainedJobs = (jobs: string[]): string | undefined =>
	jobs.length === 0
		? undefined
		: `Jobs: ${[...jobs.slice(0, mostJobs), ...(jobs.length > mostJobs ? ['…'] : [])].join(', ')}. Results are retained for 24 hours; use 'Get' with the ID.`;

/** The error of a stopped execution, with its jobs. n8n recognises it by "canceled". */
export const stoppedError = ({ node, itemIndex }: ErrorSource, jobs: string[] = []) =>
	new NodeOperationError(node, `The execution was canceled${itemMark({ itemIndex })}`, {
		itemIndex,
		description: retainedJobs(jobs),
	});
