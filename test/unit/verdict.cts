import type { INode } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import { inputError, type ErrorSource } from '../../nodes/runtime/errors/errors';
import { defaultLeave, type RetryPolicy } from '../../nodes/runtime/retry/retry';
import { query } from '../../nodes/WebData/resources/search/query';

type Schema<Out> = ZodType<Out, ZodTypeDef, unknown>;

/** What a schema makes of a value. @throws when it refuses the value */
export function accepted<Out>(schema: Schema<Out>, value: unknown): Out {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new Error(`refused: ${JSON.stringify(result.error.issues)}`);
}

/** The words of every refusal, each after its path. Empty when the value is accepted. */
export const refusals = (schema: Schema<unknown>, value: unknown): string[] =>
	(schema.safeParse(value).error?.issues ?? []).map(({ path, message }) =>
		[...path, message].join(' '),
	);

/** A node as far as errors look at it. */
export const node: INode = {
	id: '1',
	name: 'Web Data',
	type: 'n8n-nodes-web-data.webData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** How hard tests try: as the node does unless told otherwise. Times in milliseconds. */
export const defaultPolicy: RetryPolicy = {
	maxTries: 5,
	backOffCap: 30_000,
	budget: 600_000,
	...defaultLeave,
	processing: { maxTries: 6, budget: 1_200_000 },
};

/** The place of an error in the search operation. */
export const errorSource = (rest: Partial<ErrorSource> = {}): ErrorSource => ({
	node,
	itemIndex: 0,
	fields: query.fields,
	conceal: (text) => text,
	...rest,
});

/** The body that a search sends for the node's parameters, as it goes over the wire. @throws when refused */
export const searchBody = (parameters: Record<string, unknown>): unknown =>
	JSON.parse(JSON.stringify(accepted(query.schema, query.read({ query: 'tides', ...parameters }))));

/** The message that the user gets for the node's parameters. @throws when they are accepted */
export function searchRefusal(parameters: Record<string, unknown>): string {
	const result = query.schema.safeParse(query.read({ query: 'tides', ...parameters }));
	if (result.success) throw new Error(`accepted: ${JSON.stringify(result.data)}`);
	return inputError(result.error.issues, errorSource()).message;
}
