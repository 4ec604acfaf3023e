import type { PackageDirectoryLoader } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IVersionedNodeType,
	ITriggerFunctions,
} from 'n8n-workflow';
import {
	isAssignmentCollectionValue,
	jsonParse,
	NodeConnectionTypes,
	NodeHelpers,
} from 'n8n-workflow';

function describe(
	name: string,
	displayName: string,
	more: Partial<INodeTypeDescription> = {},
): INodeTypeDescription {
	return {
		name,
		displayName,
		group: ['transform'],
		version: 1,
		description: displayName,
		defaults: { name: displayName },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
		...more,
	};
}

const parameter = (
	name: string,
	initial: INodeProperties['default'],
	type: INodeProperties['type'] = 'string',
): INodeProperties => ({ displayName: name, name, type, default: initial });

/** What an Edit Fields node makes of an item: the given JSON, or single fields beside those of the item. */
function editedFields(context: IExecuteFunctions, item: IDataObject, index: number): IDataObject {
	if (context.getNodeParameter('mode', index) === 'raw') {
		return jsonParse<IDataObject>(String(context.getNodeParameter('jsonOutput', index)));
	}
	const given = context.getNodeParameter('assignments', index);
	const assignments = isAssignmentCollectionValue(given) ? given.assignments : [];
	const kept = context.getNodeParameter('includeOtherFields', index) === true ? item : {};
	return { ...kept, ...Object.fromEntries(assignments.map(({ name, value }) => [name, value])) };
}

/** The entries of a list in an item: objects as items of their own, other values under the list's name. */
function entriesOf(item: IDataObject, field: string): IDataObject[] {
	const list = item[field];
	return (Array.isArray(list) ? list : []).map((entry) =>
		typeof entry === 'object' && entry !== null ? { ...entry } : { [field]: entry },
	);
}

/** An item with the text of one of its fields as a file: Convert to File's operation "Convert to Text File". */
async function textFile(context: IExecuteFunctions, item: number): Promise<INodeExecutionData> {
	const parameterOf = (name: string) => String(context.getNodeParameter(name, item));
	const operation = parameterOf('operation');
	if (operation !== 'toText') throw new Error(`Convert to File cannot do "${operation}" here`);
	const source = parameterOf('sourceProperty');
	const { [source]: text } = context.getInputData()[item].json;
	if (text === undefined) throw new Error(`The value in "${source}" is not set`);
	const fileName = parameterOf('options.fileName') || 'file.txt';
	const content = Buffer.from(String(text));
	const file = await context.helpers.prepareBinaryData(content, fileName, 'text/plain');
	return { json: {}, binary: { [parameterOf('binaryPropertyName')]: file }, pairedItem: { item } };
}

/** The few of n8n's base nodes that the workflows here use; n8n-nodes-base itself is not installed. */
const baseNodes: Record<string, INodeType> = {
	manualTrigger: {
		description: describe('manualTrigger', 'Manual Trigger', { group: ['trigger'], inputs: [] }),
		async trigger(this: ITriggerFunctions) {
			return { manualTriggerFunction: async () => this.emit([this.helpers.returnJsonArray([{}])]) };
		},
	},
	noOp: {
		description: describe('noOp', 'No Operation, do nothing'),
		async execute() {
			return [this.getInputData()];
		},
	},
	set: {
		description: describe('set', 'Edit Fields (Set)', {
			version: 3.4,
			properties: [
				parameter('mode', 'manual'),
				parameter('jsonOutput', ''),
				parameter('assignments', {}, 'assignmentCollection'),
				parameter('includeOtherFields', false, 'boolean'),
			],
		}),
		async execute() {
			const edited = this.getInputData().map(({ json }, item) => ({
				json: editedFields(this, json, item),
				pairedItem: { item },
			}));
			return [edited];
		},
	},
	splitOut: {
		description: describe('splitOut', 'Split Out', {
			properties: [parameter('fieldToSplitOut', '')],
		}),
		async execute() {
			const entries = this.getInputData().flatMap(({ json }, item) =>
				entriesOf(json, String(this.getNodeParameter('fieldToSplitOut', item))).map((entry) => ({
					json: entry,
					pairedItem: { item },
				})),
			);
			return [entries];
		},
	},
	if: {
		description: describe('if', 'If', {
			version: 2.2,
			outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
			properties: [parameter('conditions', {}, 'filter')],
		}),
		async execute() {
			const holds = (_: unknown, item: number) =>
				this.getNodeParameter('conditions.conditions[0].leftValue', item) === true;
			const items = this.getInputData();
			return [items.filter(holds), items.filter((each, item) => !holds(each, item))];
		},
	},
	convertToFile: {
		description: describe('convertToFile', 'Convert to File', {
			version: 1.1,
			properties: [
				parameter('operation', 'csv'),
				parameter('sourceProperty', ''),
				parameter('binaryPropertyName', 'data'),
				{ ...parameter('options', {}, 'collection'), options: [parameter('fileName', '')] },
			],
		}),
		async execute() {
			return [await Promise.all(this.getInputData().map((_, index) => textFile(this, index)))];
		},
	},
	stickyNote: {
		description: describe('stickyNote', 'Sticky Note', { inputs: [], outputs: [] }),
		async execute() {
			return [];
		},
	},
};

/** n8n's node registry for the loaded package and the base nodes above. */
export class LoadedNodeTypes implements INodeTypes {
	/** `others` are node types of other packages. */
	constructor(
		private readonly loader: PackageDirectoryLoader,
		private readonly others: Record<string, INodeType | IVersionedNodeType> = {},
	) {}

	getByName(type: string) {
		if (Object.hasOwn(this.others, type)) return this.others[type];
		const dot = type.lastIndexOf('.');
		const packageName = type.slice(0, dot);
		const name = type.slice(dot + 1);
		if (packageName === this.loader.packageName) {
			if (Object.hasOwn(this.loader.known.nodes, name)) return this.loader.getNode(name).type;
			// As n8n's server does, the variant for AI Agents is the node itself under a name of its own.
			const node = this.loader.getNode(name.replace(/Tool$/, '')).type;
			const description = { ...node.description, name };
			const variant: typeof node = Object.create(node, { description: { value: description } });
			return variant;
		}
		if (packageName === 'n8n-nodes-base' && name in baseNodes) return baseNodes[name];
		throw new Error(`The node type "${type}" is not available in this engine`);
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(type), version);
	}

	/** Nothing that an execution asks for. */
	getKnownTypes(): IDataObject {
		return {};
	}
}
