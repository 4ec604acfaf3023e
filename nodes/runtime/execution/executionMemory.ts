import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isTool } from '../output/limitToolResult';
import type { NodeMemory } from '../operation/operation';

/** The functions of n8n that say where the node keeps data, and whether it may. */
type NodeFunctions = Pick<IExecuteFunctions, 'getMode' | 'getNode' | 'getWorkflowStaticData'>;

type Values = Map<string, IDataObject | undefined>;

/**
 * What the items of an execution keep for the next one. An item's values are accepted once its results are
 * made, and written once those of the whole execution come out: what an error discards is not remembered.
 */
export class ExecutionMemory {
	private readonly values: Values = new Map();

	constructor(private readonly context: NodeFunctions) {}

	/** The memory of one item, and what takes its values over once its results are made. */
	ofItem(): { memory: NodeMemory; accept: () => void } {
		const own: Values = new Map();
		const stored = () => this.context.getWorkflowStaticData('node');
		const memory: NodeMemory = {
			get: (name) => (this.values.has(name) ? this.values.get(name) : stored()[name]),
			names: () => [...new Set([...Object.keys(stored()), ...this.values.keys()])],
			keep: (name, value) => void own.set(name, value),
		};
		return { memory, accept: () => own.forEach((value, name) => this.values.set(name, value)) };
	}

	/** Writes what is kept, unless the node was run by hand or by a model. */
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
