import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isTool } from '../output/limitToolResult';
import type { NodeMemory } from '../operation/operation';

/** What tells of n8n's execution: where data is kept, and whether it is to be. */
type NodeFunctions = Pick<IExecuteFunctions, 'getMode' | 'getNode' | 'getWorkflowStaticData'>;

type Values = Map<string, IDataObject | undefined>;

/**
 * What the items of an execution keep for the next one. An item's values count when its results come out,
 * and are written when those of the whole execution do: what is thrown away with an error is not known.
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
