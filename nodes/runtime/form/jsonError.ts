import { attempt } from '../values/settle';

/** Returns V8's message about a text; undefined for JSON. */
function messageOf(text: string): string | undefined {
	const outcome = attempt(() => JSON.parse(text) as unknown);
	return outcome.ok ? undefined : outcome.error.message;
}

/** Returns the offset of the error. V8 omits it for an unexpected token: it ends the shortest beginning that has one. */
function offsetOf(message: string, text: string): number {
	const [, position] = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message) ?? [];
	if (position !== undefined) return Number(position);
	if (message.startsWith('Unexpected end')) return text.length;
	let [right, wrong] = [0, text.length];
	while (wrong - right > 1) {
		const middle = Math.floor((right + wrong) / 2);
		if (messageOf(text.slice(0, middle))?.endsWith(' is not valid JSON')) wrong = middle;
		else right = middle;
	}
	return right;
}

const trailingComma = 'nothing follows this comma; remove it';

/** Usual causes, by how V8's message begins and by the text around the error (▸); the first that fits. % is the word or sign there. */
const causes: Array<[message: string, around: RegExp, cause: string]> = [
	['Bad control', /▸/, 'a line break in a text is \\n, a tab \\t; or a closing quote is missing'],
	['Bad ', /▸/, 'in a text, a backslash is written twice: \\\\'],
	['Unterminated string', /▸/, 'the last text has no closing quote'],
	["Expected ','", /▸$/, 'a closing bracket is missing at the end'],
	['', /▸$/, 'the text ends before the JSON does'],
	['', /,\s*▸[\]}]/, trailingComma],
	['', /▸(?:\/\/|\/\*|#)/, 'JSON does not support comments; remove this one'],
	['', /▸['`“”„‟«»‘’‚‛]/, 'text and names need straight double quotes ("), not %'],
	[
		'',
		/▸[\s\u200b-\u200d\u2060\ufeff]/,
		'JSON does not support this whitespace; use a plain space',
	],
	['', /▸object Object\]/, 'an expression inserted an object; use JSON.stringify() in it'],
	["Expected ':'", /▸/, "a ':' is missing after the name"],
	['Unexpected non-whitespace', /▸/, 'more text follows after the end of the JSON'],
	['Expected ', /[{,]\s*▸[\p{L}\p{N}]/u, 'the name % needs double quotes'],
	["Expected ',' or ']'", /▸:/, 'a list has no names; an object is in { }'],
	["Expected ','", /▸[\]}]/, 'a bracket is missing before this one'],
	["Expected ','", /" ?▸\w/, 'a comma is missing, or a \\ before the quote in the text before'],
	["Expected ','", /[^\w$]▸/, "a comma is missing before this '%'"],
	['', /[\d.+-]▸|▸[\d.+-]/, '% is not a JSON number; text needs double quotes'],
	['', /^\s*\w?▸\p{L}/u, 'JSON begins with { or [, not with %'],
	['', /▸(?:None|undefined|NaN|True|False)\b|n▸il\b/, 'JSON has true, false and null, not %'],
	['', /▸[\p{L}\p{N}_$]/u, 'the text % needs double quotes'],
];

const notWord = /[^\p{L}\p{N}_$.+-]/u;
const longestQuote = 40;

/** Explains why a text is no JSON, such as "line 1, column 14: nothing follows this comma; take it out". Undefined for JSON. */
export function explainJsonError(text: string): string | undefined {
	const message = messageOf(text);
	if (message === undefined) return undefined;
	const at = offsetOf(message, text);
	const before = (at > longestQuote ? '…' : '') + text.slice(Math.max(0, at - longestQuote), at);
	const rest = text.slice(at, at + longestQuote);
	const around = `${before}▸${rest}`;
	const fits = causes.find(([start, spot]) => message.startsWith(start) && spot.test(around));
	const cause = fits?.[2] ?? "'%' is not expected here";
	const [ending = '', beginning] = [before.split(notWord).at(-1), rest.split(notWord, 1)[0]];
	const word = ending + beginning || [...rest][0];
	const start = cause.includes('%') ? at - ending.length : at;
	const place = cause === trailingComma ? text.lastIndexOf(',', at) : start;
	const lines = text.slice(0, place).split(/\r\n|\n|\r/);
	const column = (lines.at(-1) ?? '').length + 1;
	return `line ${lines.length}, column ${column}: ${cause.replaceAll('%', () => word)}`;
}
