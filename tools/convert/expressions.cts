import { parseScript } from 'esprima-next';
import type { Json } from './json.cjs';

/** A part of an expression of n8n: text, or code between double braces. */
export interface Chunk {
	isCode: boolean;
	text: string;
}

export const isExpression = (value: unknown): value is `=${string}` =>
	typeof value === 'string' && value.startsWith('=');

/** The index of the braces from `start` on that no backslash escapes, or -1. */
function indexOfBraces(text: string, braces: string, start: number): number {
	for (let at = text.indexOf(braces, start); at >= 0; at = text.indexOf(braces, at + 2)) {
		let backslashes = 0;
		while (text[at - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return at;
	}
	return -1;
}

/** Divides an expression into text and code, as n8n's parser does; `=` in front is left out. */
export function chunksOf(expression: string): Chunk[] {
	const chunks: Chunk[] = [];
	let at = 1;
	while (at < expression.length) {
		const open = indexOfBraces(expression, '{{', at);
		if (open !== at) {
			chunks.push({ isCode: false, text: expression.slice(at, open < 0 ? undefined : open) });
		}
		if (open < 0) break;
		const close = indexOfBraces(expression, '}}', open + 2);
		const code = expression.slice(open + 2, close < 0 ? undefined : close);
		chunks.push({ isCode: true, text: code.replaceAll('\\}}', '}}') });
		if (close < 0) break;
		at = close + 2;
	}
	return chunks;
}

/** The text without double closing braces, which would end the code of an expression. */
const withoutBraces = (code: string) => code.replaceAll('}}', '} }');

/** Joins text and code to an expression. */
export const expressionOf = (chunks: Chunk[]): string =>
	`=${chunks.map(({ isCode, text }) => (isCode ? `{{${withoutBraces(text)}}}` : text)).join('')}`;

/** The expression with the value of this code. */
export const codeExpression = (code: string): string =>
	expressionOf([{ isCode: true, text: ` ${code.trim()} ` }]);

/** The code whose value an expression has, or the literal of a value that is no expression. */
export function codeOf(value: Json): string {
	if (!isExpression(value)) {
		if (Array.isArray(value)) return `[${value.map(codeOf).join(', ')}]`;
		if (typeof value !== 'object' || value === null) return JSON.stringify(value);
		const fields = Object.entries(value).map(
			([name, field]) => `${JSON.stringify(name)}: ${codeOf(field)}`,
		);
		return `{ ${fields.join(', ')} }`;
	}
	const chunks = chunksOf(value);
	const [only] = chunks;
	if (chunks.length === 1 && only.isCode) return `(${only.text.trim()})`;
	return `(${['""', ...chunks.map(({ isCode, text }) => (isCode ? `(${text.trim()})` : JSON.stringify(text)))].join(' + ')})`;
}

/** Whether a value is or contains an expression. */
export const hasExpression = (value: Json): boolean =>
	typeof value === 'object' && value !== null
		? Object.values(value).some(hasExpression)
		: isExpression(value);

/** A node of the syntax tree. */
export interface Syntax {
	[field: string]: unknown;
	type: string;
	range: [number, number];
}

const isSyntax = (value: unknown): value is Syntax =>
	typeof value === 'object' && value !== null && 'type' in value && 'range' in value;

/** A value that is a node; the parser wraps chains with `?.` in one without a range. */
function nodeIn(value: unknown): Syntax | undefined {
	if (isSyntax(value)) return value;
	const isChain = typeof value === 'object' && value !== null && 'expression' in value;
	return isChain ? nodeIn(value.expression) : undefined;
}

const nodesIn = (value: unknown): Syntax[] =>
	(Array.isArray(value) ? value : [value]).flatMap((entry) => nodeIn(entry) ?? []);

/** The nodes directly below a node. */
export const childrenOf = (node: Syntax): Syntax[] => Object.values(node).flatMap(nodesIn);

/** The child in that field. */
export const childOf = (node: Syntax | undefined, field: string): Syntax | undefined =>
	nodeIn(node?.[field]);

/** The children in the list in that field. */
export const childrenIn = (node: Syntax | undefined, field: string): Syntax[] =>
	nodesIn(node?.[field]);

/** Code whose tree begins at `offset` in it. */
export interface Parsed {
	tree: Syntax;
	offset: number;
}

function attempt(code: string): Syntax | undefined {
	try {
		const tree = parseScript(code, { range: true });
		return isSyntax(tree) ? tree : undefined;
	} catch {
		return undefined;
	}
}

/** Parses the code of an expression: an object literal is one, not a block. Undefined for a syntax error. */
export function parseExpression(code: string): Parsed | undefined {
	const [statement] = childrenIn(attempt(`(${code}\n)`), 'body');
	const expression = childOf(statement, 'expression');
	if (expression) return { tree: expression, offset: 1 };
	const script = attempt(code);
	return script && { tree: script, offset: 0 };
}

/** The code in expressions that cannot be parsed. */
export function unparsableIn(value: Json): string[] {
	if (typeof value === 'object' && value !== null)
		return Object.values(value).flatMap(unparsableIn);
	const chunks = isExpression(value) ? chunksOf(value) : [];
	return chunks.flatMap(({ isCode, text }) => (isCode && !parseExpression(text) ? [text] : []));
}

/** Parses a script, which may return a value at its top, as in a Code node. */
export function parseBody(code: string): Parsed | undefined {
	const head = 'async function* code() {\n';
	const tree = attempt(`${head}${code}\n}`);
	return tree && { tree, offset: head.length };
}

/** The part of the code that a node stands for. */
export const sourceOf = (code: string, { range }: Syntax, offset: number): string =>
	code.slice(range[0] - offset, range[1] - offset);

/** The name of a property of an object or a member, where the code has it literally. */
export function nameOf(key: Syntax | undefined, isComputed: boolean): string | number | undefined {
	if (key?.type === 'Identifier' && !isComputed) return String(key.name);
	const value = key?.type === 'Literal' ? key.value : undefined;
	return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
