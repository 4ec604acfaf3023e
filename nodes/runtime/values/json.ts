import { attempt, type Outcome } from './settle';
import { isRecord } from './record';

/**
 * Most levels of nesting: JSON.stringify and n8n's own recursion overflow the stack at some
 * thousands.
 */
export const maxDepth = 500;

/** Position of the quote that closes the string at `start`. */
function endOfText(json: string, start: number): number {
	for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (json[end - 1 - backslashes] === '\\') backslashes += 1;
		if (backslashes % 2 === 0) return end;
	}
	return json.length;
}

const [quote, openList, openRecord, closeList, closeRecord] = Buffer.from('"[{]}');

/** The parts of JSON below the maximum depth, each from its first bracket to its last. */
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
			if (level === maxDepth + 1) start = at;
		} else if (code === closeList || code === closeRecord) {
			if (level === maxDepth + 1) parts.push([start, at + 1]);
			level -= 1;
		}
	}
	return parts;
}

/** Whether JSON exceeds the maximum depth. */
export const isDeepJson = (json: string) => deepParts(json).length > 0;

/** Whether a value exceeds the maximum depth. Iterative, because recursion would overflow. */
export function isTooDeep(value: unknown): boolean {
	if (typeof value !== 'object') return false;
	const seen = new Set<object>();
	let within: unknown[] = [value];
	for (let level = 0; within.length > 0; level += 1) {
		const objects = within.filter(
			(each): each is object => (Array.isArray(each) || isRecord(each)) && !seen.has(each),
		);
		if (objects.length > 0 && level === maxDepth) return true;
		for (const each of objects) seen.add(each);
		within = objects.flatMap((each): unknown[] => Object.values(each));
	}
	return false;
}

const parsed = (json: string): Outcome<unknown> => attempt(() => JSON.parse(json) as unknown);

/** The beginning of JSON. Parsing other text would cost an error with its stack for each item. */
const beginningOfJson = /^\s*(?:[[{"\d-]|true|false|null)/;

/** Removes a Markdown code fence around a text, in which AI models write JSON. */
function withoutCodeFence(text: string): string {
	if (!/^\s*```/.test(text)) return text;
	const fenced = text.trim();
	const start = fenced.indexOf('\n');
	return start > 0 && fenced.endsWith('```') ? fenced.slice(start, -'```'.length) : text;
}

/** Parses JSON; returns other values, invalid JSON and too deep JSON unchanged. */
export function fromJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const json = withoutCodeFence(value);
	if (!beginningOfJson.test(json) || isDeepJson(json)) return value;
	const outcome = parsed(json);
	return outcome.ok ? outcome.value : value;
}

/** Turns the parts of JSON below the maximum depth into strings. */
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
 * Parses the body of a response; returns invalid JSON as text. Parts below the maximum depth become
 * strings of JSON (`isFlattened`), since the response may have been charged.
 */
export function parseBody(text: string): { body: unknown; isFlattened?: boolean } {
	const json = flattened(text);
	const outcome = parsed(json);
	if (!outcome.ok) return { body: text };
	return { body: outcome.value, ...(json !== text && { isFlattened: true }) };
}

/** Approximate characters of a value as JSON. */
export function lengthOf(value: unknown): number {
	if (typeof value === 'string') return value.length;
	if (typeof value !== 'object' || value === null) return 1;
	return Object.values(value).reduce<number>((sum, field) => sum + lengthOf(field), 0);
}
