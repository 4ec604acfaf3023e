import { fromJson } from '../../nodes/runtime/json';
import type { LogEntry } from '../service/requestLog.cjs';

/** The names of all members in a value. */
const namesIn = (value: unknown): string[] =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)])
		: [];

/** The names of all members that parameters give in the API's own shape: what the node does not know of them it passes on. */
export function passedOn(parameters: unknown): Set<string> {
	if (typeof parameters !== 'object' || parameters === null) return new Set();
	const found = Object.entries(parameters).flatMap(([name, value]: [string, unknown]) =>
		name === 'requestJson' ? namesIn(fromJson(value)) : [...passedOn(value)],
	);
	return new Set(found);
}

// The names may hold quotes themselves.
const unknown = /This server does not know '(.*?)'(?=; This | \(HTTP 400)/gs;
const rest = /^[;\s]*\(HTTP 400[^)]*\)( \([^)]*\))?( \[item \d+\])?$/;

/** Whether an error says only that the server does not know members that were passed on. */
const isOfPassedOn = (words: string, names: ReadonlySet<string>): boolean =>
	rest.test(words.replace(unknown, '')) &&
	[...words.matchAll(unknown)].every(([, name]) => names.has(name.split(' > ').at(-1) ?? ''));

/** Requests that were refused for nothing but members that were passed on: told in the error, or sent again without. */
export const refusedForPassedOn = (
	entries: readonly LogEntry[],
	words: string,
	names: ReadonlySet<string>,
): ReadonlySet<LogEntry> =>
	new Set(
		entries.filter(
			(entry, place) =>
				entry.status === 400 &&
				names.size > 0 &&
				(isOfPassedOn(words, names) ||
					entries
						.slice(place + 1)
						.some(({ path, status }) => path === entry.path && status !== 400)),
		),
	);
