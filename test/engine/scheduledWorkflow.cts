import type { IDataObject, INode, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import {
	NODE_UNDER_TEST,
	behindItems,
	type Engine,
	type EngineRun,
	type Execution,
} from './harness.cjs';
import type { CredentialsByType } from './runCredentials.cjs';

/**
 * A workflow with the node under test that is executed again and again. As n8n's server does, it stores
 * the static data when an execution by a trigger has ended, well or not; not by hand, nor when stopped.
 */
export class ScheduledWorkflow {
	/** The workflow's static data in n8n's database. */
	private database = '{}';

	constructor(
		private readonly engine: Engine,
		private readonly credentials: CredentialsByType,
	) {}

	/** What the database holds for the node. */
	get stored(): IDataObject {
		const all = jsonParse<Record<string, IDataObject>>(this.database);
		return all[`node:${NODE_UNDER_TEST}`] ?? {};
	}

	/** Replaces what the database holds of each website that the node remembers. */
	replaceSites(change: (site: IDataObject) => IDataObject): void {
		const all = jsonParse<Record<string, IDataObject>>(this.database);
		const node = all[`node:${NODE_UNDER_TEST}`] ?? {};
		const kept = Object.entries(node).map(([name, value]) => [
			name,
			name.startsWith('site ') ? change(value as IDataObject) : value,
		]);
		all[`node:${NODE_UNDER_TEST}`] = Object.fromEntries(kept);
		this.database = JSON.stringify(all);
	}

	/** Begins an execution; its static data is stored when `done` has resolved. */
	begin(
		parameters: INodeParameters,
		{
			mode = 'trigger',
			input = [{}],
			node = {},
		}: { mode?: WorkflowExecuteMode; input?: IDataObject[]; node?: Partial<INode> } = {},
	): Execution {
		const type = this.engine.typeName('webData');
		const file = behindItems(input, [{ name: NODE_UNDER_TEST, type, parameters, ...node }]);
		const staticData = jsonParse<IDataObject>(this.database);
		const execution = this.engine.start({
			mode,
			credentials: this.credentials,
			...file,
			workflow: { ...file.workflow, staticData },
		});
		const { workflow } = execution;
		const save = (run: EngineRun): EngineRun => {
			const { staticData } = workflow;
			const isStored = mode !== 'manual' && run.status !== 'canceled';
			if (isStored && Reflect.get(staticData, '__dataChanged') === true) {
				this.database = JSON.stringify(staticData);
			}
			return run;
		};
		return { ...execution, done: execution.done.then(save) };
	}
}
