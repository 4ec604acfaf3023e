/** Where text first breaks the grammar of JSON, and what is most likely wrong there. */
export interface JsonFault {
	/** Both from 1. */
	line: number;
	column: number;
	/** A clause, such as "a comma is missing before this". */
	cause: string;
}

/** A fault at an offset, before lines are counted. */
interface Fault {
	at: number;
	cause: string;
}

/** What the grammar takes next. A "first" one may be the end of its list or object instead. */
type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma' | 'end';

const longestWord = 40;

/** A character as it is quoted: by its number where it cannot be seen. */
function quoted(text: string, at: number): string {
	const code = text.codePointAt(at) ?? 0;
	const character = String.fromCodePoint(code);
	const isVisible = /^[^\s\p{C}]$/u.test(character);
	return isVisible ? `'${character}'` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The word that begins at an offset: up to white space or a sign of JSON. */
function wordAt(text: string, at: number): string {
	const [word = ''] = text.slice(at, at + longestWord + 1).split(/[\s"',:[\]{}]/, 1);
	return word.length > longestWord ? `${word.slice(0, longestWord)}…` : word;
}

const isWord = (character: string) => /[\p{L}\p{N}_$]/u.test(character);

/** Mistakes that are the same wherever a value, a name, a colon or a comma is expected. */
function defaultCause(text: string, at: number): string | undefined {
	const character = text[at];
	const pair = text.slice(at, at + 2);
	if (pair === '//' || pair === '/*' || character === '#') {
		return 'JSON has no comments; take this one out';
	}
	if (/[“”„‟«»‘’‚‛]/.test(character)) {
		return `text needs straight double quotes ("), not the typographic ${character}`;
	}
	if (character === "'") return 'text and names need double quotes ("), not single ones';
	if (character === '`') return 'text and names need double quotes ("), not backticks';
	if (/[\s\u200b-\u200d\u2060\ufeff]/.test(character)) {
		return `${quoted(text, at)} is a space that JSON does not know; use a plain one`;
	}
	if (text.startsWith('object Object]', at)) {
		return 'an expression put an object into the text; use JSON.stringify() in it';
	}
	return undefined;
}

const foreignWords: Record<string, string> = {
	none: 'null',
	nil: 'null',
	undefined: 'null',
	nan: 'null',
	null: 'null',
	true: 'true',
	false: 'false',
};

/** What is wrong with a word that stands for a value, or for the whole JSON. */
function wordCause(text: string, at: number, isOutermost: boolean): string {
	const word = wordAt(text, at);
	if (isOutermost) return `JSON begins with { or [, not with ${word}`;
	const known = Object.hasOwn(foreignWords, word.toLowerCase()) && foreignWords[word.toLowerCase()];
	return known ? `JSON writes ${known}, not ${word}` : `the text ${word} needs double quotes`;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The end of the number at an offset; undefined where none is, or more follows than belongs to one. */
function endOfNumber(text: string, at: number): number | undefined {
	number.lastIndex = at;
	const [found] = number.exec(text) ?? [];
	if (found === undefined) return undefined;
	const end = at + found.length;
	return end < text.length && /[\w.+-]/.test(text[end]) ? undefined : end;
}

const literals = ['true', 'false', 'null'];

/** The end of true, false or null at an offset. */
function endOfLiteral(text: string, at: number): number | undefined {
	const literal = literals.find((word) => text.startsWith(word, at));
	if (literal === undefined) return undefined;
	const end = at + literal.length;
	return end < text.length && isWord(text[end]) ? undefined : end;
}

/** What is wrong with a text that has not ended by the end of its line. */
function unclosed(text: string, start: number, end: number): Fault {
	for (let at = start + 1; at < end; at += 1) {
		if (/[“”„‟]/.test(text[at])) return { at, cause: defaultCause(text, at) ?? '' };
	}
	return {
		at: start,
		cause:
			end === text.length
				? 'the text that begins here has no closing quote'
				: 'the text that begins here has no closing quote in its line; a line break inside a text is written \\n',
	};
}

/** The offset behind the closing quote of the text at an offset, or what is wrong inside. */
function endOfText(text: string, start: number): number | Fault {
	for (let at = start + 1; at < text.length; at += 1) {
		const character = text[at];
		if (character === '"') return at + 1;
		if (character === '\n' || character === '\r') return unclosed(text, start, at);
		if (character < ' ') {
			const written = character === '\t' ? '\\t' : 'an escape such as \\u001f';
			return { at, cause: `${quoted(text, at)} inside a text is written as ${written}` };
		}
		if (character === '\\') {
			const escape = text.slice(at + 1, at + 6);
			const length = /^["\\/bfnrt]/.test(escape) ? 1 : /^u[\da-f]{4}/i.test(escape) ? 5 : 0;
			if (length === 0 && escape !== '') {
				return { at, cause: 'a backslash inside a text is written twice: \\\\' };
			}
			at += length;
		}
	}
	return unclosed(text, start, text.length);
}

/** The offset behind the value at an offset that is neither list nor object, or what is wrong with it. */
function endOfScalar(text: string, at: number, isOutermost: boolean): number | Fault {
	if (text[at] === '"') return endOfText(text, at);
	const end = endOfLiteral(text, at) ?? endOfNumber(text, at);
	if (end !== undefined) return end;
	const cause = defaultCause(text, at);
	if (cause !== undefined) return { at, cause };
	if (/[\d.+-]/.test(text[at])) {
		return {
			at,
			cause: `${wordAt(text, at)} is no number of JSON; as text it needs double quotes`,
		};
	}
	if (isWord(text[at])) return { at, cause: wordCause(text, at, isOutermost) };
	return { at, cause: `a value is expected, not ${quoted(text, at)}` };
}

const closers: Record<string, string> = { '{': '}', '[': ']' };

/** What is missing where the text ends. */
function missingAtEnd(expected: Expected, open: string[]): string {
	if (expected === 'colon') return "the text ends where a ':' is expected";
	const opener = open.at(-1);
	return opener === undefined
		? 'there is no value'
		: `a '${closers[opener]}' is missing at the end`;
}

/** What is wrong where a name, a colon, a comma or the end is expected and something else comes. */
function misplaced(text: string, at: number, expected: Expected, opener: string): string {
	const cause = defaultCause(text, at);
	if (cause !== undefined) return cause;
	if (expected === 'name' || expected === 'first name') {
		return isWord(text[at])
			? `the name ${wordAt(text, at)} needs double quotes`
			: `a name in double quotes is expected, not ${quoted(text, at)}`;
	}
	if (expected === 'colon') return "a ':' is missing after the name";
	if (expected === 'end') return 'more text follows after the end of the JSON';
	if (text[at] === '}' || text[at] === ']') {
		return `a '${closers[opener]}' is missing before this ${quoted(text, at)}`;
	}
	if (text[at] === ':' && opener === '[') return 'a list has no names; an object is in { }';
	return isWord(text[at])
		? 'a comma is missing before this, or a quote inside the text before needs a backslash: \\"'
		: `a comma is missing before this ${quoted(text, at)}`;
}

const closes = (character: string) => character === '}' || character === ']';

/** The first fault of JSON text; undefined where there is none. Every character is looked at a bounded number of times. */
function firstFault(text: string): Fault | undefined {
	const open: string[] = [];
	let expected: Expected = 'value';
	/** The comma that was the last to be read. */
	let comma: number | undefined;
	let at = 0;
	const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma');
	for (;;) {
		while (at < text.length && ' \t\n\r'.includes(text[at])) at += 1;
		if (at === text.length) {
			return expected === 'end' ? undefined : { at, cause: missingAtEnd(expected, open) };
		}
		const character = text[at];
		const opener = open.at(-1) ?? '';
		const isFirst = expected === 'first value' || expected === 'first name';
		if (closes(character) && (isFirst || expected === 'comma')) {
			if (character !== closers[opener]) {
				return { at, cause: misplaced(text, at, 'comma', opener) };
			}
			open.pop();
			at += 1;
			expected = afterValue();
		} else if (closes(character) && comma !== undefined) {
			return { at: comma, cause: 'nothing follows this comma; take it out' };
		} else if (expected === 'value' || expected === 'first value') {
			comma = undefined;
			if (character === '{' || character === '[') {
				open.push(character);
				expected = character === '{' ? 'first name' : 'first value';
				at += 1;
				continue;
			}
			const end = endOfScalar(text, at, open.length === 0);
			if (typeof end !== 'number') return end;
			at = end;
			expected = afterValue();
		} else if ((expected === 'name' || expected === 'first name') && character === '"') {
			comma = undefined;
			const end = endOfText(text, at);
			if (typeof end !== 'number') return end;
			at = end;
			expected = 'colon';
		} else if (expected === 'colon' && character === ':') {
			expected = 'value';
			at += 1;
		} else if (expected === 'comma' && character === ',') {
			expected = opener === '{' ? 'name' : 'value';
			comma = at;
			at += 1;
		} else {
			return { at, cause: misplaced(text, at, expected, opener) };
		}
	}
}

/**
 * What is wrong with text that is no JSON: the place, counted as editors do, and the cause. JSON.parse
 * words this differently in each version of Node and names no cause. Undefined for JSON.
 */
export function faultOfJson(text: string): JsonFault | undefined {
	const fault = firstFault(text);
	if (fault === undefined) return undefined;
	const lines = text.slice(0, fault.at).split(/\r\n|\n|\r/);
	return { line: lines.length, column: (lines.at(-1) ?? '').length + 1, cause: fault.cause };
}
