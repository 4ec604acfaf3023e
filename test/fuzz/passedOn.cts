import { fromJson } from '../../nodes/runtime/values/json';
import { withoutMarkup } from '../../nodes/runtime/values/text';
import { builtNode } from '../builtNode.cjs';

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

let known: ReadonlySet<string> | undefined;

/** The names of all members that the node passes on: those in the API's own shape, and those it does not know in a group. */
export function passedOn(parameters: unknown): Set<string> {
	if (typeof parameters !== 'object' || parameters === null) return new Set();
	known ??= new Set(fieldsIn(builtNode('WebData').description.properties));
	const found = Object.entries(parameters).flatMap(([name, value]: [string, unknown]) => [
		...(known?.has(name) ? [] : [name]),
		...(['requestJson', 'optionsJson'].includes(name)
			? namesIn(fromJson(value))
			: [...passedOn(value)]),
	]);
	return new Set(found);
}

// The names may hold quotes themselves.
const unknown = /This server does not support '(.*?)'(?=[.;] This | \(HTTP 400)/gs;

/** Whether an error says that the server does not know a member that was passed on. */
export function namesPassedOn(words: string, names: ReadonlySet<string>): boolean {
	// As an error shows them.
	const shown = new Set([...names].map(withoutMarkup));
	return [...words.matchAll(unknown)].some(([, name]) => shown.has(name.split(' > ').at(-1) ?? ''));
}
