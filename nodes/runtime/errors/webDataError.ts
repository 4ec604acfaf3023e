import { NodeApiError, NodeOperationError, type INode, type INodeProperties } from 'n8n-workflow';
import type { ZodIssue } from 'zod/v3';
import { displayName } from './displayName';
import { fieldOf, isRecord } from '../values/record';
import { trimEnd, withoutMarkup } from '../values/text';

/** The source of an error: the node, the item, and the fields with their display names. */
export interface ErrorSource {
	node: INode;
	/** The input item; none in triggers and in the editor's lists. */
	itemIndex?: number;
	fields: readonly INodeProperties[];
	/** Redacts the credential's secrets in a text. */
	redact: (text: string) => string;
	/** The remote job of the request, once it is known, with its name for the user. */
	job?: {
		id: string;
		noun: string;
		/** Whether it has ended: the text names it, and nothing can be fetched later. */
		hasEnded?: boolean;
	};
}

/** An error as n8n shows it. */
export type NodeError = NodeApiError | NodeOperationError;

/** What is known of the request that failed. */
export interface FailedRequest {
	/** The status of its response; none without a response, or if that has the status of a success. */
	status?: number;
	/** The code of the service, or of the network. */
	code: string;
	/** Whether an attempt may have been charged, or have started a job. */
	mayHaveCost: boolean;
	/** Whether it was rejected because of a URL in it. */
	isOfUrl: boolean;
}

/** What is known of an error beside its text. */
interface Facts {
	/** What to do, and what it cost. */
	advice?: string;
	/** What a page or a program wrote, in lines. */
	quote?: string;
	request?: FailedRequest;
	cause?: Error;
}

const longestMessage = 600;

/** Redacts a text, then cuts it, so that no part of a secret remains at the end. */
export function shorten(text: string, { redact }: Pick<ErrorSource, 'redact'>): string {
	const clean = redact(text);
	return clean.length > longestMessage ? `${clean.slice(0, longestMessage)}…` : clean;
}

/** Removes the full stop of a sentence, for use in another. */
export const withoutFullStop = (text: string) =>
	trimEnd(text, (character) => /[.\s]/.test(character));

/** An error with its facts, by which code decides; n8n, a model or a log shows what the edge makes of them. */
export class WebDataError extends Error {
	override readonly cause?: Error;
	readonly request?: FailedRequest;
	/** Lines that a page or a program wrote. */
	readonly quote: string;
	/** How to find what a lost request may have started. */
	search = '';
	private readonly given: string;

	/** `text` is what happened, redacted; `source` names the item at fault. */
	constructor(
		text: string,
		{ advice = '', quote = '', request, cause }: Facts,
		readonly source: ErrorSource,
	) {
		const { job } = source;
		super(
			withoutMarkup(job === undefined || job.hasEnded ? text : `${text} (${job.noun} ${job.id})`),
		);
		this.cause = cause;
		this.given = advice;
		this.quote = withoutMarkup(source.redact(quote));
		this.request = request;
	}

	/** What to do, and what it cost, in one line. */
	get advice(): string {
		const { job, redact } = this.source;
		const retrieval =
			job === undefined || job.hasEnded
				? ''
				: `Use 'Get' with the ID of the ${job.noun} to fetch it within 24 hours after it ends.`;
		return withoutMarkup(redact([this.given, this.search, retrieval].filter(Boolean).join(' ')));
	}

	/** The advice, and the quoted lines below it. */
	get description(): string {
		return [this.advice, this.quote].filter(Boolean).join('\n');
	}

	/** Renders it for n8n; with more sentences, or all in the message, which is all that n8n shows of an item. */
	render({ more = [] as string[], isItem = false } = {}): NodeError {
		const { request, source, cause, description } = this;
		const { node, itemIndex } = source;
		const mark = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
		const whole = [description, ...more].filter(Boolean).join(' ');
		const message = this.message + mark + (isItem && whole !== '' ? `. ${whole}` : '');
		const httpCode = request?.status === undefined ? undefined : String(request.status);
		const error = request
			? new NodeApiError(node, { code: request.code }, { message, httpCode, itemIndex })
			: new NodeOperationError(node, cause ?? message, { itemIndex });
		if (error instanceof NodeApiError) error.httpCode = httpCode ?? null;
		// n8n takes an error of its own as it is.
		error.context.itemIndex = itemIndex;
		// n8n replaces whole messages that contain a code such as ECONNRESET (or "preexisting") by shorter ones.
		error.message = message;
		error.description = whole === '' ? undefined : whole;
		return error;
	}
}

/** The status of a rejected request; 0 without one, or without a response. */
export const statusOf = (error: Error): number =>
	error instanceof WebDataError ? (error.request?.status ?? 0) : 0;

/** Whether the service rejected every attempt of a request, so that nothing was done. */
export const wasRejected = (error: Error): boolean =>
	error instanceof WebDataError && error.request?.mayHaveCost === false;

/** Whether an attempt of a request may have been charged, or have started a job. */
export const mayHaveCost = (error: Error): error is WebDataError =>
	error instanceof WebDataError && error.request?.mayHaveCost === true;

/** Converts any error. */
export function asWebDataError(error: unknown, errorSource: ErrorSource): WebDataError {
	if (error instanceof WebDataError) return error;
	const cause = error instanceof Error ? error : new Error(String(error));
	// n8n reports the parameter of a failed expression.
	const parameter = fieldOf(Reflect.get(cause, 'context'), 'parameter');
	const field =
		typeof parameter === 'string' ? `'${displayName(errorSource.fields, [parameter])}': ` : '';
	const advice: unknown = Reflect.get(cause, 'description');
	return new WebDataError(
		withoutFullStop(shorten(field + cause.message, errorSource)),
		{ cause, advice: typeof advice === 'string' ? advice : '' },
		errorSource,
	);
}

/** Awaits what n8n has called, and renders its error. @throws NodeApiError or NodeOperationError */
export const atEdge = async <Value>(work: Promise<Value>): Promise<Value> =>
	await work.catch((error: unknown) => {
		throw error instanceof WebDataError ? error.render() : error;
	});

// Errors without a single failed request.

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
function describeIssue(issue: ZodIssue, { node, fields }: ErrorSource): string {
	const name = displayName(fields, issue.path);
	const expression = issue.message === 'is required' ? expressionAt(node, issue.path) : undefined;
	if (expression !== undefined)
		return `'${name}' has no value: the expression ${expression} returned nothing`;
	return name === '' ? `The request ${issue.message}` : `'${name}' ${issue.message}`;
}

/** The error for input rejected by its schema: each problem with its field, before any request. */
export function inputError(issues: readonly ZodIssue[], errorSource: ErrorSource): WebDataError {
	const problems = new Set(issues.map((issue) => describeIssue(issue, errorSource)));
	const advice = 'Nothing was sent and nothing was charged.';
	// A full stop at the end belongs to a quoted value.
	return new WebDataError(shorten([...problems].join('; '), errorSource), { advice }, errorSource);
}

/** The error for what no schema and no request shows; `quote` is what a page or a program wrote. */
export const operationError = (
	text: string,
	advice: string,
	errorSource: ErrorSource,
	quote?: string,
): WebDataError =>
	new WebDataError(withoutFullStop(shorten(text, errorSource)), { advice, quote }, errorSource);

/** The error for a response without a required field, which must not count as an empty one. */
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
