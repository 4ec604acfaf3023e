import {
	childOf,
	childrenIn,
	childrenOf,
	nameOf,
	type Parsed,
	type Syntax,
} from './expressions.cjs';

export type Step = string | number;

/** A place in code that reads the item of a node. */
export interface Access {
	/** The node that is named; undefined for the item that comes in. */
	source?: string;
	/** Where the access begins, where the item's `json` ends, and where the last step ends. */
	start: number;
	base: number;
	end: number;
	/** What it reads of the item: names and indexes, as far as the code has them literally. */
	steps: Step[];
	isOptional: boolean;
	/** Where the name of the node stands, with its brackets if it is a member. */
	name?: [number, number];
	isMember?: boolean;
}

/** The accesses in a piece of code, and the nodes of which it reads something that they do not describe. */
export interface Accesses {
	known: Access[];
	/** Names, or undefined for the items that come in. */
	unclear: Array<string | undefined>;
	/** Nodes that are named, but not for their items. */
	named: string[];
	/** Whether it reads a node whose name it computes. */
	isOpen: boolean;
}

/** A part of a chain such as `$('Page').item.json.data`. */
interface Part {
	name?: Step;
	end: number;
	isOptional: boolean;
	/** The arguments of a call. */
	call?: Syntax[];
}

/** The root of a chain, its parts, and the code in its brackets. */
function chainOf(node: Syntax): { root: Syntax; parts: Part[]; inner: Syntax[] } {
	const parts: Part[] = [];
	const inner: Syntax[] = [];
	let root = node;
	for (;;) {
		const [, end] = root.range;
		const isOptional = root.optional === true;
		const object = childOf(root, 'object');
		const callee = childOf(root, 'callee');
		if (root.type === 'MemberExpression' && object) {
			const isComputed = root.computed === true;
			const property = childOf(root, 'property');
			parts.push({ name: nameOf(property, isComputed), end, isOptional });
			if (isComputed && property) inner.push(property);
			root = object;
		} else if (root.type === 'CallExpression' && callee) {
			const call = childrenIn(root, 'arguments');
			parts.push({ end, isOptional, call });
			for (const argument of call) inner.push(argument);
			root = callee;
		} else {
			return { root, parts: parts.reverse(), inner };
		}
	}
}

const givesItem = ['first', 'last', 'itemMatching', 'pairedItem'];
const givesNoItem = ['isExecuted', 'params', 'context', 'parameter', 'runIndex', 'binary'];

/** The number of parts up to the item's `json`, beginning with one that gives the item; undefined if they give something else. */
function partsToJson(parts: Part[], from: number): number | undefined {
	const [first, second, third] = parts.slice(from);
	const name = String(first?.name);
	if (name === 'item' && second?.name === 'json') return from + 2;
	return givesItem.includes(name) && second?.call && third?.name === 'json' ? from + 3 : undefined;
}

interface Root {
	source?: string;
	name?: [number, number];
	isMember?: boolean;
	/** The number of parts up to `json`; undefined if the access is unclear. */
	length?: number;
	/** Whether the name of the node is computed. */
	isOpen?: boolean;
	/** Whether it reads something else than items. */
	isOther?: boolean;
}

const literalName = (node: Syntax | undefined) => {
	const name = nameOf(node, true);
	return typeof name === 'string' && node ? { source: name, name: node.range } : undefined;
};

/** What a chain reads; undefined if it reads no item. */
function rootOf(root: Syntax, parts: Part[], isScript: boolean): Root | undefined {
	const [first, second] = parts;
	const isOther = givesNoItem.includes(String((root.name === '$input' ? first : second)?.name));
	switch (root.type === 'Identifier' ? root.name : '') {
		case '$json':
			return { length: 0 };
		case '$input':
			return { length: partsToJson(parts, 0), isOther };
		case '$': {
			const named = literalName(first?.call?.[0]);
			return named ? { ...named, length: partsToJson(parts, 1), isOther } : { isOpen: true };
		}
		case '$items':
			if (first?.call?.length === 0) return {};
			return literalName(first?.call?.[0]) ?? { isOpen: true };
		case '$node': {
			if (typeof first?.name !== 'string') return { isOpen: true };
			const name: [number, number] = [root.range[1], first.end];
			const length = second?.name === 'json' ? 2 : undefined;
			return { source: first.name, name, isMember: true, length, isOther };
		}
		case 'items':
			if (!isScript) return undefined;
			return { length: first?.name === 0 && second?.name === 'json' ? 2 : undefined };
		case 'item':
			return isScript ? {} : undefined;
		default:
			return undefined;
	}
}

/** The steps behind an item's `json`, and where the last one ends. */
function stepsBehind(parts: Part[], base: number) {
	const steps: Step[] = [];
	let end = base;
	for (const [at, { name, end: next }] of parts.entries()) {
		// A method is not a part of the item.
		if (name === undefined || parts[at + 1]?.call) break;
		steps.push(name);
		end = next;
	}
	return { steps, end };
}

/** Finds what code reads of items. `isScript` for that of a Code node, where `items` are the items that come in. */
export function accessesIn({ tree, offset }: Parsed, isScript: boolean): Accesses {
	const found: Accesses = { known: [], unclear: [], named: [], isOpen: false };
	const queue = [tree];
	for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
		const { root, parts, inner } = chainOf(node);
		const read = rootOf(root, parts, isScript);
		const isKey = root.type === 'Property' && root.computed !== true;
		const value = childOf(root, 'value');
		const children = read ? [] : isKey && value ? [value] : childrenOf(root);
		for (const child of [...inner, ...children]) queue.push(child);
		if (!read) continue;
		const { source, name, isMember, length, isOpen = false, isOther = false } = read;
		if (isOpen) found.isOpen = true;
		else if (isOther) found.named.push(...(source === undefined ? [] : [source]));
		else if (length === undefined) found.unclear.push(source);
		else {
			const base = length === 0 ? root.range[1] : parts[length - 1].end;
			const { steps, end } = stepsBehind(parts.slice(length), base);
			found.known.push({
				...(source !== undefined && { source }),
				...(name && { name: [name[0] - offset, name[1] - offset] }),
				...(isMember && { isMember }),
				start: root.range[0] - offset,
				base: base - offset,
				end: end - offset,
				steps,
				isOptional: parts.some(({ isOptional }) => isOptional),
			});
		}
	}
	return found;
}

const isName = (step: Step) => typeof step === 'string' && /^[A-Za-z_$][\w$]*$/.test(step);

/** Steps as code behind an item. */
export function pathCode(steps: readonly Step[], isOptional = false): string {
	const optional = isOptional ? '?.' : '';
	return steps
		.map((step) =>
			isName(step) ? `${optional || '.'}${step}` : `${optional}[${JSON.stringify(step)}]`,
		)
		.join('');
}
