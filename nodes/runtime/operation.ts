import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';
import type { Request } from './client';
import type { Place } from './errors';
import type { Answer } from './retry';

/** A node's parameters for one item, as n8n resolves them, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** One result of an operation, on its way to becoming an item. */
export interface Result {
	json: IDataObject;
	binary?: INodeExecutionData['binary'];
}

/** What the runtime offers while it works on one item. */
export interface Call {
	/** Where errors belong. */
	readonly place: Place;
	/** Sends a request, paced and retried. @throws NodeApiError when it failed for good */
	send(request: Request): Promise<Answer>;
	/** Shows a notice of the service above the node's output. */
	notice(text: string): void;
}

/** What it offers to an operation that may start a job. */
export interface RunCall extends Call {
	/** Sends the request that starts one job, and waits for its end as the user chose. */
	runJob(job: Job, request: Request): Promise<Result[]>;
}

/** What the service does in the background, and how its end is turned into results. */
export interface Job {
	/** What the user calls one, such as "agent run". */
	noun: string;
	/** Path that answers its state to GET and ends it on DELETE. */
	path(id: string): string;
	/** Event names that say it has come to an end (addendum 11). */
	endEvents: string[];
	/** Makes results of its last answer. @throws NodeOperationError when it ended badly */
	finish(answer: IDataObject, values: Values, call: Call): Promise<Result[]>;
	/** What comes out when it was only started, or not waited for to its end. */
	unfinished(answer: IDataObject, values: Values): Result;
}

/**
 * One operation of the service, as its page in the API's documentation: what the user fills in, what
 * is accepted, what is sent, what comes out.
 */
export interface Operation<Body = unknown> {
	/** Name in the editor, in title case. */
	name: string;
	/** Name in saved workflows; never changes. */
	value: string;
	/** Sentence in the editor's list of actions. */
	action: string;
	/** When to use it and what it returns, for people and for AI models. */
	description: string;
	fields: INodeProperties[];
	/** Puts the parameters together as the API's request. */
	read(values: Values): unknown;
	/** Checks the request before anything is sent. */
	contract: ZodType<Body, ZodTypeDef, unknown>;
	/** Sends it and makes results of the answer. */
	run(body: Body, values: Values, call: RunCall): Promise<Result[]>;
	/** The job it waits for, so that a suspended execution can be taken up again. */
	job?: Job;
}

/** A group of operations on one thing. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}

/** Keeps the body's type within an operation's file. */
export const operation = <Body>(definition: Operation<Body>): Operation => definition;
