import { pluralize } from '../values/text';
import type { Result } from '../operation/operation';
import { without } from './results';

/** Most characters of JSON of a value that every result repeats. */
const mostInEach = 500;

/** Most characters of JSON of a longer one in all results together. */
const mostInAll = 5_000_000;

/** Whether a value has about more than `most` characters as JSON. Stops there. */
function isLonger(value: unknown, most: number): boolean {
	const open: unknown[] = [value];
	let length = 0;
	while (open.length > 0 && length <= most) {
		const next = open.pop();
		length += typeof next === 'string' ? next.length + 3 : 6;
		if (typeof next !== 'object' || next === null) continue;
		const isList = Array.isArray(next);
		for (const [name, value] of Object.entries(next)) {
			length += isList ? 0 : name.length + 3;
			open.push(value);
			if (length + open.length > most) return true;
		}
	}
	return length > most;
}

/**
 * Keeps a large value that all results share, such as the check of a monitor's pages, only in the
 * first: n8n stores and shows items as JSON, which would multiply it.
 */
export function repeatedOnce(results: Result[], notice: (message: string) => void): Result[] {
	const [first, second] = results;
	const most = Math.max(mostInEach, mostInAll / results.length);
	if (second === undefined) return results;
	const names = Object.keys(first.json).filter(
		(name) => first.json[name] === second.json[name] && isLonger(first.json[name], most),
	);
	if (names.length === 0) return results;
	for (const name of names) {
		notice(
			`'${name}' is too large to repeat in ${pluralize(results.length, 'item')}: only the first item has it.`,
		);
	}
	return results.map((result, index) => {
		if (index === 0) return result;
		const shared = names.filter((name) => result.json[name] === first.json[name]);
		return { ...result, json: without(result.json, ...shared) };
	});
}
