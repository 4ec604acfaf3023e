import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';
import type { Request } from './client';
import type { Answer } from './retry';

/** A node's parameters for one item, as n8n resolves them, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** One result of an operation, on its way to becoming an item. */
export interface Result {
	json: IDataObject;
	binary?: INodeExecutionData['binary'];
}

/** What the runtime offers to an operation while it works on one item. */
export interface Call {
	readonly itemIndex: number;
	/** Sends a request, paced and retried. @throws NodeApiError when it failed for good */
	send(request: Request): Promise<Answer>;
	/** Shows a notice of the service above the node's output. */
	notice(text: string): void;
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
	run(body: Body, values: Values, call: Call): Promise<Result[]>;
}

/** A group of operations on one thing. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}

/** Keeps the body's type within an operation's file. */
export const operation = <Body>(definition: Operation<Body>): Operation => definition;
