import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse, NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';
import { builtNode } from '../../test/builtNode.cjs';
import { projectRoot } from '../../test/root.cjs';

const folder = join(projectRoot, 'examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

/** What notes also set in bold: their own headings, choices, and names of n8n. */
const others = [
	...['Costs', 'To change'],
	...['JSON', 'Papers', 'Remove Duplicates'],
	...[
		'Web Data API',
		'Webhook Secret',
		'Bearer Auth',
		'Production URL',
		'Web Data Polling Trigger',
	],
	...['Data Table', 'Google Drive', 'Google Sheets', 'S3', 'Schedule Trigger', 'Send Email'],
];

const isProperty = (option: object): option is INodeProperties => 'type' in option;

/** The label of a field without its unit, and those of the fields that a collection holds. */
const labels = (field: INodeProperties): string[] => [
	field.displayName.replace(/ \(\w+\)$/, ''),
	...(field.type === 'collection' ? (field.options ?? []).filter(isProperty).flatMap(labels) : []),
];

/** The labels that the panel of a node of this package shows. */
function labelsOf(node: INode): string[] {
	const [packageName, name] = node.type.split('.');
	if (packageName !== 'n8n-nodes-web-data') return [];
	const own = builtNode(`W${name.slice(1).replace(/Tool$/, '')}`).description;
	const description = { ...own, name };
	const { properties } = description;
	const set = node.parameters;
	const stored = NodeHelpers.getNodeParameters(properties, set, true, false, node, description);
	return properties
		.filter((field) => NodeHelpers.displayParameter(stored ?? {}, field, node, description))
		.flatMap(labels);
}

/** What the notes of a workflow set in bold that is neither a node of it nor a field of its panels. */
function unknownIn(nodes: INode[]): string[] {
	const known = [...others, ...nodes.flatMap((node) => [node.name, ...labelsOf(node)])];
	return nodes
		.flatMap(({ parameters: { content = '' } }) => [...String(content).matchAll(/\*\*(.+?)\*\*/g)])
		.flatMap(([, bold]) => bold.split(' → '))
		.filter((bold) => !known.includes(bold));
}

it.each(files)('the notes of %s name nodes and fields as they are called', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	expect(unknownIn(jsonParse<{ nodes: INode[] }>(text).nodes)).toEqual([]);
});
