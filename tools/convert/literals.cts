import {
	childOf,
	childrenIn,
	chunksOf,
	codeExpression,
	codeOf,
	expressionOf,
	isExpression,
	nameOf,
	parseExpression,
	sourceOf,
	type Chunk,
	type Syntax,
} from './expressions.cjs';
import { isObject, mapTexts, type Json, type JsonObject } from './json.cjs';

/** Text as a value of a parameter, where `=` in front would make it an expression. */
const literal = (text: string): string =>
	text.startsWith('=') ? codeExpression(JSON.stringify(text)) : text;

/** The value of a literal in code, with expressions where the code computes something. */
function valueOf(node: Syntax, code: string, offset: number): Json {
	const computed = () => codeExpression(sourceOf(code, node, offset));
	if (node.type === 'Literal') {
		const { value } = node;
		if (typeof value === 'string') return literal(value);
		return typeof value === 'number' || typeof value === 'boolean' || value === null
			? value
			: computed();
	}
	if (node.type === 'ArrayExpression') {
		const elements = childrenIn(node, 'elements');
		const isPlain = elements.every(({ type }) => type !== 'SpreadElement');
		return isPlain ? elements.map((element) => valueOf(element, code, offset)) : computed();
	}
	if (node.type !== 'ObjectExpression') return computed();
	const fields = childrenIn(node, 'properties').map((property) => {
		const name = nameOf(childOf(property, 'key'), property.computed === true);
		const value = childOf(property, 'value');
		return property.type === 'Property' && name !== undefined && value
			? [String(name), valueOf(value, code, offset)]
			: undefined;
	});
	return fields.includes(undefined)
		? computed()
		: Object.fromEntries(fields.flatMap((field) => (field ? [field] : [])));
}

/** The argument of `JSON.stringify(…)`, or the node itself. */
function stringified(node: Syntax): Syntax {
	const callee = childOf(node, 'callee');
	const isStringify =
		node.type === 'CallExpression' &&
		childOf(callee, 'object')?.name === 'JSON' &&
		childOf(callee, 'property')?.name === 'stringify';
	const [argument] = childrenIn(node, 'arguments');
	return isStringify && argument ? argument : node;
}

/** Whether code makes JSON of one value. */
function isStringified(code: string): boolean {
	const parsed = parseExpression(code);
	return parsed !== undefined && stringified(parsed.tree) !== parsed.tree;
}

/** The value that code computes where JSON is expected: an object, or the text of one. */
function valueOfCode(code: string): Json {
	const parsed = parseExpression(code);
	return parsed ? valueOf(stringified(parsed.tree), code, parsed.offset) : codeExpression(code);
}

// Private use characters stand for the code of an expression while its text is parsed as JSON.
const before = '\uE000';
const after = '\uE001';

/** Where the code of a template stands: for a value, for entries of a list, or within a text. */
type Spot = 'value' | 'entries' | 'text';

/** The text of a template with marks for its code, which are texts of their own outside of a text. */
function withMarks(chunks: Chunk[]): { marked: string; spots: Spot[] } {
	const spots: Spot[] = [];
	const open: string[] = [];
	let isInText = false;
	let isEscaped = false;
	const marked = chunks.map(({ isCode, text }, index) => {
		if (isCode) {
			const mark = `${before}${index}${after}`;
			spots[index] = isInText ? 'text' : open.at(-1) === '[' ? 'entries' : 'value';
			return isInText ? mark : `"${mark}"`;
		}
		for (const character of text) {
			if (character === '"' && !isEscaped) isInText = !isInText;
			else if (!isInText && '[{'.includes(character)) open.push(character);
			else if (!isInText && ']}'.includes(character)) open.pop();
			isEscaped = character === '\\' && !isEscaped;
		}
		return text;
	});
	return { marked: marked.join(''), spots };
}

/** Code within a text of JSON: what it computes is read as a piece of that text, with its escapes. */
const pieceOfText = (code: string): string =>
	code.includes('\\') || code.includes('JSON.stringify')
		? ` JSON.parse('"' + (${code.trim()}) + '"') `
		: code;

/** A text of a parsed template with its code again. */
function unmarked(text: string, chunks: Chunk[], spots: Spot[]): Json {
	const parts = text.split(before).flatMap((part, index): Chunk[] => {
		const end = index === 0 ? -1 : part.indexOf(after);
		const at = Number(part.slice(0, end));
		const code = spots[at] === 'text' ? pieceOfText(chunks[at].text) : chunks[at]?.text;
		return [
			...(end < 0 ? [] : [{ isCode: true, text: code }]),
			{ isCode: false, text: part.slice(end + 1) },
		];
	});
	const filled = parts.filter((part) => part.isCode || part.text !== '');
	if (!filled.some(({ isCode }) => isCode)) return literal(text);
	const [only] = filled;
	return filled.length === 1 ? valueOfCode(only.text) : expressionOf(filled);
}

const wholeMark = new RegExp(`^${before}(\\d+)${after}$`);

/** The code that stands for entries of a list; undefined for another entry. */
function entriesCode(entry: Json, chunks: Chunk[], spots: Spot[]): string | undefined {
	const [, index] = typeof entry === 'string' ? (wholeMark.exec(entry) ?? []) : [];
	return spots[Number(index)] === 'entries' ? chunks[Number(index)].text : undefined;
}

/** The code of a list in which code stands for entries: any number of them, as JSON. */
function listCode(entries: Json[], chunks: Chunk[], spots: Spot[]): Json {
	const codes = entries.map((entry) => {
		const code = entriesCode(entry, chunks, spots);
		if (code === undefined) return codeOf(filledIn(entry, chunks, spots));
		return isStringified(code)
			? codeOf(valueOfCode(code))
			: `...JSON.parse("[" + (${code.trim()}) + "]")`;
	});
	return codeExpression(`[${codes.join(', ')}]`);
}

/** The value of a parsed template with its code again. */
function filledIn(value: Json, chunks: Chunk[], spots: Spot[]): Json {
	if (typeof value === 'string') return unmarked(value, chunks, spots);
	if (Array.isArray(value)) {
		return value.some((entry) => entriesCode(entry, chunks, spots) !== undefined)
			? listCode(value, chunks, spots)
			: value.map((entry) => filledIn(entry, chunks, spots));
	}
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, field]) => [name, filledIn(field, chunks, spots)]),
	);
}

function parsed(text: string): Json | undefined {
	try {
		const value: Json = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
}

/** The value of JSON that a person wrote into a parameter, as text, template or code; undefined if it cannot be understood. */
export function valueOfJson(given: Json | undefined): Json | undefined {
	if (typeof given !== 'string') return given;
	if (!isExpression(given)) {
		const value = parsed(given);
		return value === undefined ? undefined : mapTexts(value, literal);
	}
	const chunks = chunksOf(given);
	const code = chunks.filter(({ isCode }) => isCode);
	if (code.length === 1 && chunks.every(({ isCode, text }) => isCode || text.trim() === '')) {
		return valueOfCode(code[0].text);
	}
	const { marked, spots } = withMarks(chunks);
	// Names of fields hold no expressions.
	const hasComputedName = /\uE001[^"\\]*"\s*:/.test(marked);
	const value = hasComputedName ? undefined : parsed(marked);
	return value === undefined ? undefined : filledIn(value, chunks, spots);
}

/** The object of JSON that a person wrote; undefined if it is computed as a whole, or cannot be understood. */
export function objectOfJson(given: Json | undefined): JsonObject | undefined {
	const value = valueOfJson(given);
	return isObject(value) ? value : undefined;
}
