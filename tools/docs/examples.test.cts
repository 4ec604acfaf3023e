import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	jsonParse,
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';
import { createEngine, type Engine, type WorkflowFile } from '../../test/engine/harness.cjs';
import { LoadedNodeTypes } from '../../test/engine/nodeTypes.cjs';
import { projectRoot } from '../../test/root.cjs';

const folder = join(projectRoot, 'examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

/** What notes also set in bold: their own headings, choices, and names of n8n. */
const others = [
	...['Costs', 'To change', 'What is not allowed'],
	...['JSON', 'Papers', 'Remove Duplicates'],
	...['Web Data API', 'Webhook Secret', 'Bearer Auth', 'Production URL'],
	...[
		'Web Data Polling Trigger',
		'Data Table',
		'Google Drive',
		'Google Sheets',
		'S3',
		'Schedule Trigger',
		'Send Email',
	],
];

const isProperty = (option: object): option is INodeProperties => 'type' in option;

/** The label of a field without its unit, and those of the fields that a collection holds. */
const labels = (field: INodeProperties): string[] => [
	field.displayName.replace(/ \(\w+\)$/, ''),
	...(field.type === 'collection' ? (field.options ?? []).filter(isProperty).flatMap(labels) : []),
];

let engine: Engine;

beforeAll(async () => {
	engine = await createEngine();
});

afterAll(() => engine.close());

interface Panel {
	/** What the node keeps of its parameters: those that it has, and shows with the others. */
	kept: INodeParameters;
	labels: string[];
}

/** The panel of a node of this package. */
function panelOf(node: INode): Panel {
	const nodeTypes = new LoadedNodeTypes(engine.loader);
	const { description } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const { properties } = description;
	const set = node.parameters;
	const stored = NodeHelpers.getNodeParameters(properties, set, true, false, node, description);
	const shown = properties.filter((field) =>
		NodeHelpers.displayParameter(stored ?? {}, field, node, description),
	);
	return { kept: stored ?? {}, labels: shown.flatMap(labels) };
}

const ownNodes = (nodes: INode[]) =>
	nodes.filter(({ type }) => type.startsWith('n8n-nodes-web-data.'));

/** What the notes of a workflow set in bold that is neither a node of it nor a field of its panels. */
function unknownIn(nodes: INode[]): string[] {
	const fields = ownNodes(nodes).flatMap((node) => panelOf(node).labels);
	const known = [...others, ...nodes.map(({ name }) => name), ...fields];
	return nodes
		.flatMap(({ parameters: { content = '' } }) => [...String(content).matchAll(/\*\*(.+?)\*\*/g)])
		.flatMap(([, bold]) => bold.split(' → '))
		.filter((bold) => !known.includes(bold));
}

const nodesOf = (file: string): INode[] =>
	jsonParse<WorkflowFile>(readFileSync(join(folder, file), 'utf8')).nodes;

it.each(files)('%s sets only parameters that the nodes have and show', (file) => {
	const own = ownNodes(nodesOf(file));

	expect(own).not.toEqual([]);
	for (const node of own) expect(panelOf(node).kept).toMatchObject(node.parameters);
});

it.each(files)('the notes of %s name nodes and fields as they are called', (file) => {
	expect(unknownIn(nodesOf(file))).toEqual([]);
});

it.each(files)('%s has a title and two sentences on what it does', (file) => {
	const { name, nodes } = jsonParse<WorkflowFile & { name: string }>(
		readFileSync(join(folder, file), 'utf8'),
	);
	const about = nodes.find((node) => node.name === 'About this workflow');
	const [title, description] = String(about?.parameters.content).split('\n');

	expect(title).toBe(`## ${name}`);
	expect(name).toMatch(/^[A-Z].{10,60}[^.]$/);
	expect(description.match(/[.!?](?= |$)/g)).toHaveLength(2);
});

/** Where a node or a note lies on the canvas, in pixels. */
interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** A note has its own size. A node is square, with its name below it. */
function boxOf({ name, position: [left, top], type, parameters }: INode): Box {
	const { width = 240, height = 160 } = type.endsWith('.stickyNote')
		? parameters
		: { width: 96, height: 96 + 32 };
	return { name, left, top, right: left + Number(width), bottom: top + Number(height) };
}

const isWithin = (inner: Box, outer: Box): boolean =>
	inner.left >= outer.left &&
	inner.right <= outer.right &&
	inner.top >= outer.top &&
	inner.bottom <= outer.bottom;

/** The names of those that overlap another. */
const overlapping = (boxes: Box[]): string[] =>
	boxes
		.filter((one) =>
			boxes.some(
				(other) =>
					other !== one &&
					one.left < other.right &&
					other.left < one.right &&
					one.top < other.bottom &&
					other.top < one.bottom,
			),
		)
		.map(({ name }) => name);

it.each(files)('on the canvas of %s nothing overlaps, and each node lies in a note', (file) => {
	const all = nodesOf(file);
	const notes = all.filter(({ type }) => type.endsWith('.stickyNote')).map(boxOf);
	const nodes = all.filter(({ type }) => !type.endsWith('.stickyNote')).map(boxOf);

	expect([...overlapping(notes), ...overlapping(nodes)]).toEqual([]);
	for (const node of nodes) {
		const behind = notes.filter((note) => isWithin(node, note));
		expect([node.name, behind.length]).toEqual([node.name, 1]);
	}
});
