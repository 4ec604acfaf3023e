import type { INode } from 'n8n-workflow';
import type { ZodIssue } from 'zod/v3';
import { displayName } from './displayName';
import { shorten, WebDataError, withoutFullStop, type ErrorSource } from './webDataError';
import { fieldOf, isRecord } from '../values/record';

/** Errors without a single failed request. */

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

/** The error for input rejected by its schema: each problem with its field, before any request. */
export function inputError(issues: readonly ZodIssue[], errorSource: ErrorSource): WebDataError {
	const problems = new Set(issues.map((issue) => describe(issue, errorSource)));
	const advice = 'Nothing was sent and nothing was charged.';
	// A full stop at the end belongs to a quoted value.
	return new WebDataError(shorten([...problems].join('; '), errorSource), { advice }, errorSource);
}

/**
 * The error for what no schema and no request shows, such as a failed job: `text` is what happened,
 * `advice` what to do, `quote` what a page or a program wrote.
 */
export const operationError = (
	text: string,
	advice: string,
	errorSource: ErrorSource,
	quote?: string,
): WebDataError =>
	new WebDataError(withoutFullStop(shorten(text, errorSource)), { advice, quote }, errorSource);

/**
 * The error for a response without a required field of every known version. It must not count as
 * empty.
 */
export const missingInResponse = (what: string, errorSource: ErrorSource): WebDataError =>
	operationError(
		`The response lacks ${what}`,
		`Check 'Base URL' in the credential: the server may be of another version.`,
		errorSource,
	);

/** Most jobs that an error names. */
const mostJobs = 100;

/** Where the results of jobs are that a run does not return; empty without jobs. */
export const retainedJobs = (jobs: string[]): string =>
	jobs.length === 0
		? ''
		: `Jobs: ${[...jobs.slice(0, mostJobs), ...(jobs.length > mostJobs ? ['…'] : [])].join(', ')}. Results are retained for 24 hours; use 'Get' with the ID.`;

/** The error of a stopped execution, with its jobs. n8n recognises it by "canceled". */
export const stoppedError = (errorSource: ErrorSource, jobs: string[] = []): WebDataError =>
	new WebDataError(
		'The execution was canceled',
		{ advice: retainedJobs(jobs) },
		{ ...errorSource, job: undefined },
	);
