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

/** The text of a template with marks for its code, which are texts of their own outside of a text. */
function withMarks(chunks: Chunk[]): string {
	let isInText = false;
	let isEscaped = false;
	return chunks
		.map(({ isCode, text }, index) => {
			if (isCode) {
				const mark = `${before}${index}${after}`;
				return isInText ? mark : `"${mark}"`;
			}
			for (const character of text) {
				if (character === '"' && !isEscaped) isInText = !isInText;
				isEscaped = character === '\\' && !isEscaped;
			}
			return text;
		})
		.join('');
}

/** A text of a parsed template with its code again. */
function unmarked(text: string, chunks: Chunk[]): Json {
	const parts = text.split(before).flatMap((part, index): Chunk[] => {
		const end = index === 0 ? -1 : part.indexOf(after);
		return [
			...(end < 0 ? [] : [chunks[Number(part.slice(0, end))]]),
			{ isCode: false, text: part.slice(end + 1) },
		];
	});
	const filled = parts.filter((part) => part.isCode || part.text !== '');
	if (!filled.some(({ isCode }) => isCode)) return literal(text);
	const [only] = filled;
	return filled.length === 1 ? valueOfCode(only.text) : expressionOf(filled);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The value of JSON that a person wrote into a parameter, as text, template or code; undefined if it cannot be understood. */
export function valueOfJson(given: Json | undefined): Json | undefined {
	if (typeof given !== 'string') return given;
	if (!isExpression(given)) {
		const value = parsed(given);
		return value === undefined ? undefined : mapTexts(value as Json, literal);
	}
	const chunks = chunksOf(given);
	const code = chunks.filter(({ isCode }) => isCode);
	if (code.length === 1 && chunks.every(({ isCode, text }) => isCode || text.trim() === '')) {
		return valueOfCode(code[0].text);
	}
	const value = parsed(withMarks(chunks));
	return value === undefined
		? undefined
		: mapTexts(value as Json, (text) => unmarked(text, chunks));
}

/** The object of JSON that a person wrote; undefined if it is computed as a whole, or cannot be understood. */
export function objectOfJson(given: Json | undefined): JsonObject | undefined {
	const value = valueOfJson(given);
	return isObject(value) ? value : undefined;
}

/** Where an expression is one code that joins texts, such as `'…/crawl/' + $json.id`: a template of the same value. */
export function asTemplate(expression: string): Chunk[] {
	const chunks = chunksOf(expression);
	return chunks.flatMap((chunk) => {
		if (!chunk.isCode) return [chunk];
		const tree = parseExpression(chunk.text);
		return tree ? joined(tree.tree, chunk.text, tree.offset) : [chunk];
	});
}

/** The parts of a sum, which may be long. */
function summands(node: Syntax): Syntax[] {
	const parts: Syntax[] = [];
	let first = node;
	for (;;) {
		const [left, right] = [childOf(first, 'left'), childOf(first, 'right')];
		const isSum = first.type === 'BinaryExpression' && first.operator === '+';
		if (!isSum || !left || !right) return [first, ...parts.reverse()];
		parts.push(right);
		first = left;
	}
}

function joined(node: Syntax, code: string, offset: number): Chunk[] {
	const parts = summands(node);
	if (parts.length > 1) return parts.flatMap((part) => joined(part, code, offset));
	if (node.type === 'Literal' && typeof node.value === 'string') {
		return [{ isCode: false, text: node.value }];
	}
	if (node.type === 'TemplateLiteral') {
		const expressions = childrenIn(node, 'expressions');
		return childrenIn(node, 'quasis').flatMap((quasi, index) => {
			const { cooked } = Object(quasi.value);
			const text: Chunk = { isCode: false, text: String(cooked ?? '') };
			return index < expressions.length
				? [text, ...joined(expressions[index], code, offset)]
				: [text];
		});
	}
	return [{ isCode: true, text: ` ${sourceOf(code, node, offset)} ` }];
}
