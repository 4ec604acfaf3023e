import { attempt, type Outcome } from './settle';
import { isRecord } from './record';

/**
 * Most levels of nesting that data has in n8n: JSON.stringify and n8n's own walks through execution data
 * end in a stack overflow at some thousands.
 */
export const deepest = 500;

/** Where the text in quotes ends that begins at `start`. */
function endOfText(json: string, start: number): number {
	for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (json[end - 1 - backslashes] === '\\') backslashes += 1;
		if (backslashes % 2 === 0) return end;
	}
	return json.length;
}

const [quote, openList, openRecord, closeList, closeRecord] = Buffer.from('"[{]}');

/** The parts of JSON text that lie below the deepest level, from their first bracket to behind their last. */
function deepParts(json: string): Array<[start: number, end: number]> {
	const parts: Array<[number, number]> = [];
	let level = 0;
	let start = 0;
	for (let at = 0; at < json.length; at += 1) {
		const code = json.charCodeAt(at);
		if (code === quote) {
			at = endOfText(json, at);
		} else if (code === openList || code === openRecord) {
			level += 1;
			if (level === deepest + 1) start = at;
		} else if (code === closeList || code === closeRecord) {
			if (level === deepest + 1) parts.push([start, at + 1]);
			level -= 1;
		}
	}
	return parts;
}

/** Whether JSON text is nested deeper than data may be. */
export const isDeepJson = (json: string) => deepParts(json).length > 0;

/** Whether a value is nested deeper than data may be; looked at level by level, for recursion would overflow. */
export function isTooDeep(value: unknown): boolean {
	if (typeof value !== 'object') return false;
	const seen = new Set<object>();
	let within: unknown[] = [value];
	for (let level = 0; within.length > 0; level += 1) {
		const objects = within.filter(
			(each): each is object => (Array.isArray(each) || isRecord(each)) && !seen.has(each),
		);
		if (objects.length > 0 && level === deepest) return true;
		for (const each of objects) seen.add(each);
		within = objects.flatMap((each): unknown[] => Object.values(each));
	}
	return false;
}

const parsed = (json: string): Outcome<unknown> => attempt(() => JSON.parse(json) as unknown);

/** How JSON text begins. To try other text costs an error with its stack, for each item. */
const beginningOfJson = /^\s*(?:[[{"\d-]|true|false|null)/;

/** Parses JSON text; anything else, text that is no JSON, and JSON that is nested too deep comes back as it is. */
export function fromJson(value: unknown): unknown {
	if (typeof value !== 'string' || !beginningOfJson.test(value) || isDeepJson(value)) return value;
	const outcome = parsed(value);
	return outcome.ok ? outcome.value : value;
}

/** JSON text with what lies below the deepest level as texts of JSON. */
function flattened(json: string): string {
	const pieces: string[] = [];
	let done = 0;
	for (const [start, end] of deepParts(json)) {
		pieces.push(json.slice(done, start), JSON.stringify(json.slice(start, end)));
		done = end;
	}
	return done === 0 ? json : pieces.join('') + json.slice(done);
}

/**
 * Parses the text of an answer; text that is no JSON comes back as it is. What is nested too deep comes as
 * JSON text in its place (`isFlattened`): it may be paid for, and stays.
 */
export function parseBody(text: string): { body: unknown; isFlattened?: boolean } {
	const json = flattened(text);
	const outcome = parsed(json);
	if (!outcome.ok) return { body: text };
	return { body: outcome.value, ...(json !== text && { isFlattened: true }) };
}
