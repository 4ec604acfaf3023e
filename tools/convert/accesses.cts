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
	/** Where the name of the node stands. */
	name?: [number, number];
}

/** The accesses in a piece of code, and the nodes of which it reads something that they do not describe. */
export interface Accesses {
	known: Access[];
	/** Names, or undefined for the items that come in. */
	unclear: Array<string | undefined>;
}

/** A part of a chain such as `$('Page').item.json.data`. */
interface Part {
	name?: Step;
	end: number;
	isOptional: boolean;
	/** The arguments of a call. */
	call?: Syntax[];
}

/** The root of a chain and its parts. */
function chainOf(node: Syntax): { root: Syntax; parts: Part[] } {
	const [, end] = node.range;
	const isOptional = node.optional === true;
	const object = childOf(node, 'object');
	if (node.type === 'MemberExpression' && object) {
		const { root, parts } = chainOf(object);
		const name = nameOf(childOf(node, 'property'), node.computed === true);
		return { root, parts: [...parts, { name, end, isOptional }] };
	}
	const callee = childOf(node, 'callee');
	if (node.type === 'CallExpression' && callee) {
		const { root, parts } = chainOf(callee);
		return { root, parts: [...parts, { end, isOptional, call: childrenIn(node, 'arguments') }] };
	}
	return { root: node, parts: [] };
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
	/** The number of parts up to `json`; undefined if the access is unclear. */
	length?: number;
}

const literalName = (node: Syntax | undefined) => {
	const name = nameOf(node, true);
	return typeof name === 'string' && node ? { source: name, name: node.range } : undefined;
};

/** What a chain reads; undefined if it reads no item. */
function rootOf(root: Syntax, parts: Part[], isScript: boolean): Root | undefined {
	const [first, second] = parts;
	switch (root.type === 'Identifier' ? root.name : '') {
		case '$json':
			return { length: 0 };
		case '$input':
			return givesNoItem.includes(String(first?.name))
				? undefined
				: { length: partsToJson(parts, 0) };
		case '$': {
			const named = literalName(first?.call?.[0]);
			if (!named || givesNoItem.includes(String(second?.name))) return named ? undefined : {};
			return { ...named, length: partsToJson(parts, 1) };
		}
		case '$items':
			return literalName(first?.call?.[0]) ?? {};
		case '$node': {
			const source = typeof first?.name === 'string' ? first.name : undefined;
			if (givesNoItem.includes(String(second?.name))) return undefined;
			return { source, length: second?.name === 'json' ? 2 : undefined };
		}
		case 'items':
			if (!isScript) return undefined;
			return { length: first?.name === 0 && second?.name === 'json' ? 2 : undefined };
		default:
			return undefined;
	}
}

/** Finds what code reads of items. `isScript` for that of a Code node, where `items` are the items that come in. */
export function accessesIn({ tree, offset }: Parsed, isScript: boolean): Accesses {
	const found: Accesses = { known: [], unclear: [] };
	const visit = (node: Syntax) => {
		const { root, parts } = chainOf(node);
		const read = rootOf(root, parts, isScript);
		if (!read) return childrenOf(node).forEach(visit);
		for (const argument of parts.flatMap(({ call }) => call ?? [])) visit(argument);
		const { source, name, length } = read;
		if (length === undefined) return void found.unclear.push(source);
		const steps: Step[] = [];
		let [, base] = length === 0 ? root.range : [0, parts[length - 1].end];
		let end = base;
		for (let at = length; at < parts.length; at++) {
			const { name: step } = parts[at];
			// A method is not a part of the item.
			if (step === undefined || parts[at + 1]?.call) break;
			steps.push(step);
			end = parts[at].end;
		}
		base -= offset;
		found.known.push({
			...(source !== undefined && { source }),
			...(name && { name: [name[0] - offset, name[1] - offset] }),
			start: root.range[0] - offset,
			base,
			end: end - offset,
			steps,
			isOptional: parts.some(({ isOptional }) => isOptional),
		});
	};
	visit(tree);
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
