import {
	childOf,
	childrenIn,
	chunksOf,
	codeExpression,
	expressionOf,
	isExpression,
	nameOf,
	parseExpression,
	sourceOf,
	type Chunk,
	type Syntax,
} from './expressions.cjs';
import { isTooDeep, maxDepth } from '../../nodes/runtime/values/json';
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

/** The value that code computes where JSON is expected: an object, or the text of one. */
function valueOfCode(code: string): Json {
	const parsed = parseExpression(code);
	return parsed ? valueOf(stringified(parsed.tree), code, parsed.offset) : codeExpression(code);
}

// Private use characters stand for the code of an expression while its text is parsed as JSON.
const before = '\uE000';
const after = '\uE001';

/** The text of a template with marks for its code; undefined if code makes JSON itself, as entries of a list do. */
function withMarks(chunks: Chunk[]): string | undefined {
	const open: string[] = [];
	let isInText = false;
	let isEscaped = false;
	let marked = '';
	for (const [index, { isCode, text }] of chunks.entries()) {
		if (isCode) {
			const makesJson = isInText ? /\\|JSON\.stringify/.test(text) : open.at(-1) === '[';
			if (makesJson) return undefined;
			const mark = `${before}${index}${after}`;
			marked += isInText ? mark : `"${mark}"`;
			continue;
		}
		for (const character of text) {
			if (character === '"' && !isEscaped) isInText = !isInText;
			else if (!isInText && '[{'.includes(character)) open.push(character);
			else if (!isInText && ']}'.includes(character)) open.pop();
			isEscaped = character === '\\' && !isEscaped;
		}
		marked += text;
	}
	return marked;
}

/** A text of a parsed template with its code again. */
function unmarked(text: string, chunks: Chunk[]): Json {
	const parts = text.split(before).flatMap((part, index): Chunk[] => {
		const end = index === 0 ? -1 : part.indexOf(after);
		const code = chunks[Number(part.slice(0, end))]?.text;
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

function parsed(text: string): Json | undefined {
	try {
		const value: Json = JSON.parse(text);
		return isTooDeep(value, maxDepth, null) ? undefined : value;
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
	const marked = withMarks(chunks);
	// Names of fields hold no expressions.
	if (marked === undefined || /\uE001[^"\\]*"\s*:/.test(marked)) return undefined;
	const value = parsed(marked);
	return value === undefined ? undefined : mapTexts(value, (text) => unmarked(text, chunks));
}

/** The object of JSON that a person wrote; undefined if it is computed as a whole, or cannot be understood. */
export function objectOfJson(given: Json | undefined): JsonObject | undefined {
	const value = valueOfJson(given);
	return isObject(value) ? value : undefined;
}
