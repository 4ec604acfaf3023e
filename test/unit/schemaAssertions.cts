import type { IBinaryKeyData, INode } from 'n8n-workflow';
import type { ZodError, ZodType, ZodTypeDef } from 'zod/v3';
import { type ErrorSource, inputError } from '../../nodes/runtime/errors/webDataError';
import type { RetryPolicy } from '../../nodes/runtime/http/retry';
import type { Operation, Values } from '../../nodes/runtime/operation';
import { query } from '../../nodes/WebData/resources/search';

type Schema<Out> = ZodType<Out, ZodTypeDef, unknown>;

/** What a schema makes of a value. @throws when it refuses the value */
export function accepted<Out>(schema: Schema<Out>, value: unknown): Out {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new Error(`refused: ${JSON.stringify(result.error.issues)}`);
}

/** The words of every refusal, each after its path. Empty when a value was accepted. */
export const refusalsIn = ({ error }: { error?: ZodError }): string[] =>
	(error?.issues ?? []).map(({ path, message }) => [...path, message].join(' '));

/** The words of every refusal of a value by a schema. */
export const refusals = (schema: Schema<unknown>, value: unknown): string[] =>
	refusalsIn(schema.safeParse(value));

/** A value that a schema accepts, with what is sent for it if that is something else. */
export type Accepted = [given: unknown, sent?: unknown];
/** A value that a schema refuses, with the words of each refusal. */
export type Refused = [given: unknown, ...words: unknown[]];

/** Holds what a field's schema makes of values, and by which words it refuses others. */
export function reads(
	name: string,
	schema: Schema<unknown>,
	accepts: Accepted[],
	refuses: Refused[] = [],
): void {
	describe(name, () => {
		const sent = accepts.map((row) => [row[0], row.at(-1)]);
		if (sent.length > 0) {
			it.each(sent)('of %j is sent as %j', (given, expected) => {
				expect(accepted(schema, given)).toEqual(expected);
			});
		}
		if (refuses.length > 0) {
			it.each(refuses)('of %j is refused: %j', (given, ...words) => {
				expect(refusals(schema, given)).toEqual(words);
			});
		}
	});
}

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
export const defaultPolicy: RetryPolicy = { maxAttempts: 5, backOffCap: 30_000, budget: 600_000 };

/** The place of an error in the search operation. */
export const errorSource = (rest: Partial<ErrorSource> = {}): ErrorSource => ({
	node,
	itemIndex: 0,
	fields: query.fields,
	redact: (text) => text,
	...rest,
});

/** The message for an operation's parameters, without the item's mark. @throws when accepted, or without it */
export function refusalOf(
	operation: Pick<Operation, 'schema' | 'read' | 'fields'>,
	parameters: Values,
	files?: IBinaryKeyData,
): string {
	const result = operation.schema.safeParse(operation.read(parameters, files));
	if (result.success) throw new Error(`accepted: ${JSON.stringify(result.data)}`);
	const error = inputError(result.error.issues, errorSource({ fields: operation.fields }));
	const { message } = error.render();
	const mark = ' [item 0]';
	if (!message.endsWith(mark)) throw new Error(`names no item: ${message}`);
	return message.slice(0, -mark.length);
}
