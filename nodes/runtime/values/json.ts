import { attempt } from './outcome';
import { isRecord, valuesOf } from './record';

/** Most levels of nesting: JSON.stringify and n8n overflow the stack at some thousands. */
export const maxDepth = 500;

/** Whether a value exceeds the maximum depth, which bounds the recursion. `seen` notes each object, to count it once; null for parsed JSON, a tree. */
export function isTooDeep(value: unknown, levels = maxDepth, seen?: Set<object> | null): boolean {
	if (typeof value !== 'object' || value === null || seen?.has(value)) return false;
	if (!Array.isArray(value) && !isRecord(value)) return false;
	if (levels === 0) return true;
	const counted = seen === undefined ? new Set<object>() : seen;
	counted?.add(value);
	return valuesOf(value).some((each) => isTooDeep(each, levels - 1, counted));
}

/** The beginning of JSON. Parsing other text would cost an error with its stack for each item. */
const beginningOfJson = /^\s*(?:[[{"\d-]|true|false|null)/;

/** Removes a Markdown code fence around a text, in which AI models write JSON. */
function withoutCodeFence(text: string): string {
	if (!/^\s*```/.test(text)) return text;
	const fenced = text.trim();
	const start = fenced.indexOf('\n');
	return start > 0 && fenced.endsWith('```') ? fenced.slice(start, -'```'.length) : text;
}

/** Parses JSON; returns other texts, and JSON deeper than n8n can store, unchanged. */
export function parseJson(text: string): unknown {
	const parsed = attempt((): unknown => JSON.parse(text));
	return parsed.ok && !isTooDeep(parsed.value, maxDepth, null) ? parsed.value : text;
}

/** A text in JSON, with the colon before it and the quote at its end, or a sign that opens, closes or separates. */
const tokens = /(?::\s*)?"[^"\\]*(?:\\(?:u[\da-f]{4}|[^u])[^"\\]*)*("?)|[[\]{},]/gi;

/** Shortens a long JSON text to JSON of its beginning: closes what is open, and omits an incomplete entry. */
export function beginningOf(json: string, most = 100_000): string {
	if (json.length <= most) return json;
	const open: string[] = [];
	let end = 0;
	for (const { 0: token, 1: quote, index } of json.slice(0, most).matchAll(tokens)) {
		if (quote === '"') continue;
		if (quote === '' && !token.startsWith(':')) break;
		end = token === ',' ? index : index + token.length;
		if (quote === '') open.push('"');
		else if (token === '{') open.push('}');
		else if (token === '[') open.push(']');
		else if (token !== ',') open.pop();
	}
	return json.slice(0, end) + open.reverse().join('');
}

/** Parses JSON as users and models write it; returns other values unchanged. */
export function fromJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const json = withoutCodeFence(value);
	const parsed = beginningOfJson.test(json) ? parseJson(json) : json;
	return parsed === json ? value : parsed;
}

/** Approximate characters of a value as JSON. */
export function lengthOf(value: unknown): number {
	if (typeof value === 'string') return value.length;
	if (!Array.isArray(value) && !isRecord(value)) return 1;
	return valuesOf(value).reduce<number>((sum, field) => sum + lengthOf(field), 0);
}
