import { fromJson } from '../../nodes/runtime/values/json';
import { withoutMarkup } from '../../nodes/runtime/values/text';

/** The names of all members in a value. */
const namesIn = (value: unknown): string[] =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)])
		: [];

/** The names of all members that parameters give in the API's own shape: what the node does not know of them it passes on. */
export function passedOn(parameters: unknown): Set<string> {
	if (typeof parameters !== 'object' || parameters === null) return new Set();
	const found = Object.entries(parameters).flatMap(([name, value]: [string, unknown]) =>
		['requestJson', 'optionsJson'].includes(name) ? namesIn(fromJson(value)) : [...passedOn(value)],
	);
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
