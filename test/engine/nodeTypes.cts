import type { PackageDirectoryLoader } from 'n8n-core';
import type {
	IDataObject,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	ITriggerFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';

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

/** The few of n8n's base nodes that the workflows here use; n8n-nodes-base itself is not installed. */
const baseNodes: Record<string, INodeType> = {
	manualTrigger: {
		description: describe('manualTrigger', 'Manual Trigger', { group: ['trigger'], inputs: [] }),
		async trigger(this: ITriggerFunctions) {
			return {
				manualTriggerFunction: async () => this.emit([this.helpers.returnJsonArray([{}])]),
			};
		},
	},
	noOp: {
		description: describe('noOp', 'No Operation, do nothing'),
		async execute() {
			return [this.getInputData()];
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
	constructor(private readonly loader: PackageDirectoryLoader) {}

	getByName(type: string) {
		const dot = type.lastIndexOf('.');
		const packageName = type.slice(0, dot);
		const name = type.slice(dot + 1);
		if (packageName === this.loader.packageName) {
			// As n8n's server does, the variant for AI Agents is the node itself under a name of its own.
			const known = Object.hasOwn(this.loader.known.nodes, name);
			return this.loader.getNode(known ? name : name.replace(/Tool$/, '')).type;
		}
		if (packageName === 'n8n-nodes-base' && name in baseNodes) return baseNodes[name];
		throw new Error(`The node type "${type}" is not available in this engine`);
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(type), version);
	}

	getKnownTypes(): IDataObject {
		return Object.fromEntries(
			Object.entries(this.loader.known.nodes).map(([name, details]) => [
				`${this.loader.packageName}.${name}`,
				{ ...details },
			]),
		);
	}
}
