import { isTooDeep, maxDepth } from '../../nodes/runtime/values/json';
import { isObject, objectOf, type Json, type JsonObject } from './json.cjs';

/** A node as n8n stores it. What the converter does not know stays in it. */
export interface WorkflowNode {
	[field: string]: Json | undefined;
	name: string;
	type: string;
	typeVersion?: number;
	position: [number, number];
	parameters: JsonObject;
}

/** The type of a node without its package. */
export const shortType = ({ type }: WorkflowNode): string => type.slice(type.lastIndexOf('.') + 1);

/** A connection to the input of a node. */
export interface Link extends JsonObject {
	node: string;
	type: string;
	index: number;
}

/** Connections by the name of their source, their type and its output. */
export type Connections = Record<string, Record<string, Link[][]>>;

/** A workflow as the editor copies and exports it. */
export interface Workflow {
	[field: string]: Json | undefined | WorkflowNode[] | Connections;
	nodes: WorkflowNode[];
	connections: Connections;
}

/** Input that is no workflow, with a message for the person who gave it. */
export class InputError extends Error {}

const mostCharacters = 10_000_000;
const mostNodes = 2_000;

function readPosition(value: Json | undefined): [number, number] {
	const [x, y] = Array.isArray(value) ? value : [];
	return [typeof x === 'number' ? x : 0, typeof y === 'number' ? y : 0];
}

function readNode(value: Json, index: number): WorkflowNode {
	const node = objectOf(value);
	const { name, type, typeVersion, position, parameters } = node;
	if (typeof name !== 'string' || typeof type !== 'string' || name === '' || type === '') {
		throw new InputError(`Node ${index + 1} has no name or no type, so this is no n8n workflow.`);
	}
	return {
		...node,
		name,
		type,
		...(typeof typeVersion === 'number' && { typeVersion }),
		position: readPosition(position),
		parameters: objectOf(parameters),
	};
}

const isLink = (value: Json): value is Link =>
	isObject(value) &&
	typeof value.node === 'string' &&
	typeof value.type === 'string' &&
	typeof value.index === 'number';

function readConnections(value: Json | undefined): Connections {
	const outputsOf = (outputs: Json) =>
		(Array.isArray(outputs) ? outputs : []).map((links) =>
			(Array.isArray(links) ? links : []).filter(isLink),
		);
	return Object.fromEntries(
		Object.entries(objectOf(value)).map(([source, types]) => [
			source,
			Object.fromEntries(
				Object.entries(objectOf(types)).map(([type, outputs]) => [type, outputsOf(outputs)]),
			),
		]),
	);
}

/** Reads a workflow from the JSON that the editor copies or n8n exports. @throws {InputError} for anything else */
export function readWorkflow(value: unknown): Workflow {
	if (Array.isArray(value) && value.length > 1) {
		throw new InputError(`These are ${value.length} workflows: convert one at a time.`);
	}
	// n8n's command writes a list.
	const given: unknown = Array.isArray(value) ? value[0] : value;
	if (!isObject(given) || !Array.isArray(given.nodes)) {
		throw new InputError(
			'This is no n8n workflow: it has no list "nodes". Copy it in the editor with Ctrl+A, Ctrl+C, or download it.',
		);
	}
	if (given.nodes.length > mostNodes) {
		throw new InputError(`This has ${given.nodes.length} nodes; at most ${mostNodes} are read.`);
	}
	const nodes = given.nodes.map(readNode);
	const names = new Set(nodes.map(({ name }) => name));
	const repeated = nodes.find(({ name }) => !names.delete(name));
	if (repeated) throw new InputError(`Two nodes have the name "${repeated.name}".`);
	return { ...given, nodes, connections: readConnections(given.connections) };
}

/** Reads a workflow from its text. @throws {InputError} for text that is no workflow */
export function parseWorkflow(text: string): Workflow {
	if (text.trim() === '') throw new InputError('There is nothing to convert.');
	if (text.length > mostCharacters) {
		throw new InputError(`This has more than ${mostCharacters.toLocaleString('en')} characters.`);
	}
	let value: unknown;
	try {
		value = JSON.parse(text.replace(/^\uFEFF/, ''));
	} catch {
		// The parser's message repeats a piece of the text, which may be a key.
		throw new InputError(
			'This is no JSON. Copy the nodes in the editor with Ctrl+A, Ctrl+C, or download the workflow.',
		);
	}
	if (isTooDeep(value, maxDepth, null)) {
		throw new InputError(`This is nested deeper than n8n stores: ${maxDepth} levels at most.`);
	}
	return readWorkflow(value);
}

/** The names of the nodes that a node's output reaches directly. */
export const successorsOf = ({ connections }: Workflow, name: string): string[] => [
	...new Set((connections[name]?.main ?? []).flat().map(({ node }) => node)),
];

/** The names of the nodes whose output reaches a node directly. */
export const predecessorsOf = ({ connections }: Workflow, name: string): string[] =>
	Object.keys(connections).filter((source) =>
		(connections[source].main ?? []).flat().some(({ node }) => node === name),
	);

/** The names that `next` leads to from the first ones, with those. */
export function reach(first: Iterable<string>, next: (name: string) => string[]): Set<string> {
	const found = new Set<string>();
	const queue = [...first];
	for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
		if (found.has(name)) continue;
		found.add(name);
		queue.push(...next(name));
	}
	return found;
}
