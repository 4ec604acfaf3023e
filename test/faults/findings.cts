import { inspect } from 'node:util';
import { NodeApiError, NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import type { LogEntry } from '../service/requestLog.cjs';

/** What is wrong with a run, in words; empty when all is well. */
export type Findings = string[];

/** Words that tell of a mistake in the program, where an error should speak to its reader. */
const programmersWords =
	/\bis not (a function|iterable|defined)\b|Cannot (read|convert|mix|set)|Maximum call stack|Invalid (input|array length)|Expected \w+, received|circular structure|serialize a BigInt|Unexpected token|\[object \w+\]/;

const isProgramError = (cause: unknown): boolean =>
	cause instanceof TypeError ||
	cause instanceof RangeError ||
	cause instanceof SyntaxError ||
	cause instanceof ReferenceError;

/** Whether an error is of n8n's two kinds, which the engine keeps as copies with their names. */
const isNodeError = (error: unknown): error is NodeApiError | NodeOperationError =>
	error instanceof NodeApiError ||
	error instanceof NodeOperationError ||
	['NodeApiError', 'NodeOperationError'].includes(String(Reflect.get(Object(error), 'name')));

/** Whether an error is of n8n's two kinds and speaks to its reader; a trigger's has no item to name. */
export function triggerErrorFindings(error: unknown): Findings {
	if (!isNodeError(error)) return [`an error of another kind: ${inspect(error)}`];
	const { message, cause } = error;
	return [
		...(message.trim() === '' ? ['an error without words'] : []),
		...(programmersWords.test(message) ? [`an error in programmers' words: ${message}`] : []),
		...(isProgramError(cause) ? [`a mistake of the program: ${inspect(cause)}`] : []),
	];
}

/** Whether an error is all that, and names its item. */
export const errorFindings = (error: unknown): Findings => [
	...triggerErrorFindings(error),
	...(isNodeError(error) && typeof error.context.itemIndex !== 'number'
		? [`an error without an item: ${error.message}`]
		: []),
];

/** Refusals of what only the service can judge: its sets of formats and models are open, its IDs have no form that the spec names, and a schema is for it to read. */
const foreseen = [
	/is no paper id/,
	/Invalid discriminator value/,
	/Unsupported parse options: formats/,
	/'Model': Invalid enum value/,
	/'Existing Session ID': Invalid uuid/,
	/No valid URLs provided/,
	/Invalid JSON schema/,
];

/** Whether the service was sent a shape that it accepts, and bore it. */
export const requestFindings = (entries: LogEntry[], errors: unknown[]): Findings => {
	const words = errors.map((error) => (error instanceof Error ? error.message : '')).join('; ');
	return entries
		.filter(
			({ status }) =>
				(status === 400 && !foreseen.some((known) => known.test(words))) ||
				status === undefined ||
				words.includes('An unexpected error occurred'),
		)
		.map((entry) => {
			const { method, path, status } = entry;
			const sent = inspect({ query: entry.query, body: entry.body }, { depth: 8 });
			return `${status} to ${method} ${path} ${sent}: ${words}`;
		});
};

/** The texts of items' errors. */
export const errorsIn = (items: INodeExecutionData[]): unknown[] =>
	items.flatMap(({ error }) => (error === undefined ? [] : [error]));

const builtIns = {
	Object,
	Array,
	String,
	Number,
	Boolean,
	Function,
	Map,
	Set,
	RegExp,
	Date,
	Promise,
};

/** What every object inherits, to compare: names and values of the members of all built-in prototypes. */
export const prototypes = (): unknown[] =>
	Object.entries(builtIns).map(([name, { prototype }]) => [
		name,
		Reflect.ownKeys(prototype).map((key) => [key, Object.getOwnPropertyDescriptor(prototype, key)]),
	]);
