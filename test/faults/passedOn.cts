import { fromJson } from '../../nodes/runtime/values/json';
import { withoutMarkup } from '../../nodes/runtime/values/text';
import { MultipartBody } from '../mock-server/parse/multipart.cjs';
import type { LogEntry } from '../mock-server/requestLog.cjs';

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
const unknown = /This server does not support '(.*?)'(?=; This | \(HTTP 400)/gs;
const rest =
	/^[;\s]*\(HTTP 400[^)]*\)( \([^)]*\))?( \[item \d+\])?(\. The server's version [^.]*\. Nothing was charged\.)?$/;

/** Whether an error says only that the server does not know members that were passed on. */
const isOfPassedOn = (words: string, names: ReadonlySet<string>): boolean => {
	// As an error shows them.
	const shown = new Set([...names].map(withoutMarkup));
	return (
		rest.test(words.replace(unknown, '')) &&
		[...words.matchAll(unknown)].every(([, name]) => shown.has(name.split(' > ').at(-1) ?? ''))
	);
};

/** What a request holds; a form holds it as JSON in one of its parts. */
const contentOf = ({ body }: LogEntry): unknown =>
	body instanceof MultipartBody
		? body.parts.map(([name, value]) => [name, name === 'options' ? fromJson(value) : value])
		: body;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The names of the members of `whole` that `rest` lacks; undefined where they differ in anything else. */
function leftOut(whole: unknown, rest: unknown): string[] | undefined {
	if (!isObject(whole) || !isObject(rest)) return Object.is(whole, rest) ? [] : undefined;
	const kept = new Map(Object.entries(rest));
	const names: string[] = [];
	for (const [name, member] of Object.entries(whole)) {
		const inside = kept.has(name) ? leftOut(member, kept.get(name)) : [name];
		if (inside === undefined) return undefined;
		names.push(...inside);
		kept.delete(name);
	}
	return kept.size === 0 ? names : undefined;
}

/** Whether a request is another one again, without members that were passed on and with all others. */
function isWithoutPassedOn(again: LogEntry, refused: LogEntry, names: ReadonlySet<string>) {
	if (again.method !== refused.method || again.path !== refused.path) return false;
	const left = leftOut(contentOf(refused), contentOf(again)) ?? [];
	return left.length > 0 && left.every((name) => names.has(name));
}

/** Requests that were refused for nothing but members that were passed on: told in the error, or sent again without and not refused for what was left. */
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
						.some((again) => again.status !== 400 && isWithoutPassedOn(again, entry, names))),
		),
	);
