import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isTool } from '../host/tool';
import type { NodeMemory } from '../operation/operation';

/** The functions of n8n that give access to static data. */
type NodeFunctions = Pick<IExecuteFunctions, 'getMode' | 'getNode' | 'getWorkflowStaticData'>;

type Values = Map<string, IDataObject | undefined>;

/**
 * Values that the items of an execution store for the next one. An item's values are accepted with
 * its results and written with the output of the execution, so that an error discards both.
 */
export class ExecutionMemory {
	private readonly values: Values = new Map();

	constructor(private readonly context: NodeFunctions) {}

	/** Creates the memory of one item; `accept` takes over its values once its results exist. */
	ofItem(): { memory: NodeMemory; accept: () => void } {
		const own: Values = new Map();
		const stored = () => this.context.getWorkflowStaticData('node');
		const memory: NodeMemory = {
			get: (name) => (this.values.has(name) ? this.values.get(name) : stored()[name]),
			names: () => [...new Set([...Object.keys(stored()), ...this.values.keys()])],
			set: (name, value) => void own.set(name, value),
		};
		return { memory, accept: () => own.forEach((value, name) => this.values.set(name, value)) };
	}

	/** Writes the accepted values, unless a user or a model runs the node. */
	write(): void {
		if (this.values.size === 0) return;
		if (this.context.getMode() === 'manual' || isTool(this.context.getNode())) return;
		const stored = this.context.getWorkflowStaticData('node');
		for (const [name, value] of this.values) {
			if (value === undefined) delete stored[name];
			else stored[name] = value;
		}
	}
}
