import { inspect } from 'node:util';
import { NodeApiError, NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import { fromJson } from '../../nodes/runtime/values/json';
import { withoutMarkup } from '../../nodes/runtime/values/text';
import { builtNode } from '../builtNode.cjs';
import type { LogEntry } from '../mock/requestLog.cjs';

/** What is wrong with a run, in words; empty when all is well. */
export type Findings = string[];

/** Words that tell of a mistake in the program, where an error should speak to its reader. */
const programmersWords =
	/\bis not (a function|iterable|defined)\b|Cannot (read|convert|mix|set)|Maximum call stack|Invalid (input|array length)|Expected \w+, received|circular structure|serialize a BigInt|Unexpected token|\[object \w+\]/;

/** What ends a message of the service's own, which is shown as it came. */
const servicesWords = /\(HTTP \d{3}\b/;

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
	// What V8 says of faulty JSON names its place, and is quoted.
	const own = message.replace(/is not valid JSON: Unexpected token/g, 'is not valid JSON:');
	return [
		...(message.trim() === '' ? ['an error without words'] : []),
		...(programmersWords.test(own) && !servicesWords.test(own)
			? [`an error in programmers' words: ${message}`]
			: []),
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

/** Refusals of what only the service can judge, each with the reason why the node cannot do it before. */
const foreseen: Array<[words: RegExp, reason: string]> = [
	[/is no paper id/, 'the form of a paperId is not specified'],
	[/'[^']*formats > entry \d+': Invalid input/i, 'kinds of formats grow: "surface the 400"'],
	[/Parse uploads do not support/, 'so do those of parsing'],
	[
		/'Categories > entry \d+( > type)?': Invalid (option|input)/,
		'three are offered, the others are still accepted',
	],
	[/'Model': Invalid option/, 'any text; the names accepted are open'],
	[/'Existing Session ID': Invalid UUID/i, 'any text by the spec; the mock server is stricter'],
	[/No valid URLs provided/, 'which sites it serves is for the service to say'],
	[/URL[^']*': Invalid URL \(HTTP 400/, 'it takes user:password for a second scheme, at no cost'],
	[
		/Invalid domain entry|'Threat Protection > [^']*': Lower case letters and digits/,
		'the service checks domains and TLDs, at no cost',
	],
	[/Invalid country code/, 'so it does countries'],
	[
		/Invalid JSON schema/,
		'checking one takes a JSON Schema validator, which nodes may not bring along',
	],
];

const isForeseen = (words: string) => foreseen.some(([known]) => known.test(words));

/** The names of all members in a value. */
const namesIn = (value: unknown): string[] =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)])
		: [];

/** The names of the fields that the node has. */
function fieldsIn(description: unknown): string[] {
	if (typeof description !== 'object' || description === null) return [];
	const { name, type }: { name?: unknown; type?: unknown } = description;
	const own = typeof name === 'string' && type !== undefined ? [name] : [];
	return [...own, ...Object.values(description).flatMap(fieldsIn)];
}

const properties = () => builtNode('WebData').description.properties;

let known: ReadonlySet<string> | undefined;

/** The names of the scrape options: a field of another name, such as `type`, is none of them. */
let scrapeOptions: ReadonlySet<string> | undefined;

/** The names of all members that the node passes on: those in the API's own shape, and those it does not know in a group. */
export function passedOn(parameters: unknown): Set<string> {
	if (typeof parameters !== 'object' || parameters === null) return new Set();
	known ??= new Set(fieldsIn(properties()));
	scrapeOptions ??= new Set(fieldsIn(properties().filter(({ name }) => name === 'scrapeOptions')));
	const found = Object.entries(parameters).flatMap(([name, value]: [string, unknown]) => [
		...(known?.has(name) ? [] : [name]),
		...(name === 'scrapeOptions' && typeof value === 'object' && value !== null
			? Object.keys(value).filter((member) => !scrapeOptions?.has(member))
			: []),
		...(['requestJson', 'optionsJson'].includes(name)
			? namesIn(fromJson(value))
			: [...passedOn(value)]),
	]);
	return new Set(found);
}

// The names may hold quotes themselves.
const unknown = /This server does not support '(.*?)'(?=[.;] This | \(HTTP 400)/gs;

/** Whether an error says that the server does not know a member that was passed on. */
function namesPassedOn(words: string, names: ReadonlySet<string>): boolean {
	// As an error shows them.
	const shown = new Set([...names].map(withoutMarkup));
	return [...words.matchAll(unknown)].some(([, name]) => shown.has(name.split(' > ').at(-1) ?? ''));
}

/** Whether the service was sent a shape that it accepts, but for members of the names in `passed`, and bore it. */
export const requestFindings = (
	entries: LogEntry[],
	errors: unknown[],
	passed: ReadonlySet<string>,
): Findings => {
	const words = errors.map((error) => (error instanceof Error ? error.message : '')).join('; ');
	const isKnown = isForeseen(words) || namesPassedOn(words, passed);
	return entries
		.filter(
			(entry) =>
				(entry.status === 400 && !isKnown) ||
				entry.status === undefined ||
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

const builtIns = [
	...[Object, Array, String, Number, Boolean, Function],
	...[Map, Set, RegExp, Date, Promise],
];

/** What every object inherits, to compare: names and values of the members of all built-in prototypes. */
export const prototypes = (): unknown[] =>
	builtIns.map(({ name, prototype }) => [
		name,
		Reflect.ownKeys(prototype).map((key) => [key, Object.getOwnPropertyDescriptor(prototype, key)]),
	]);
