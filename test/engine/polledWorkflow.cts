import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { pollOf, stagesPolls, withExpressions, type Poll } from './earlierN8n.cjs';
import type { Engine, WorkflowFile } from './harness.cjs';
import type { CredentialsByType } from './runCredentials.cjs';

/** How n8n keeps what a trigger remembers: in memory, with every execution, or a copy for each poll that is stored in turn (n8n 2.41). */
export type Keeping = 'in memory' | 'staged';

export interface PolledOptions {
	parameters: INodeParameters;
	credentials: CredentialsByType;
	/** This n8n's own way when left out. */
	keeping?: Keeping;
	/** What n8n gives a poll, in milliseconds; its own default when left out. */
	budget?: number;
	/** What an earlier version has stored. */
	stored?: IDataObject;
}

const nodeName = 'Trigger';

const storedIn = (database: string): IDataObject =>
	jsonParse<Record<string, IDataObject>>(database)[`node:${nodeName}`] ?? {};

/** The part of the n8n server (2.41) that the polling trigger needs, around n8n's own executor and context. */
export class PolledWorkflow {
	/** The items of every execution that was started, in order. */
	readonly executions: INodeExecutionData[][] = [];
	/** n8n's database as it was when each execution began, in order. */
	private readonly databases: string[] = [];
	/** What polls threw: n8n logs it as a failed execution and hands it to the error workflow. */
	readonly errors: Error[] = [];
	/** How many executions may still begin before n8n is killed: nothing of the poll is stored from then on. */
	untilKill = Infinity;
	private readonly id = randomUUID();
	/** The workflow's static data in n8n's database. */
	private database = '{}';
	private readonly scope = new AsyncLocalStorage<{ staged: IDataObject }>();
	private parameters: INodeParameters;
	private active?: Poll;

	/** `engine` is the process of n8n that polls; the options may change as those of n8n do. */
	constructor(
		public engine: Engine,
		readonly options: PolledOptions,
	) {
		this.parameters = options.parameters;
	}

	/** What the database holds for the node. */
	get stored(): IDataObject {
		return this.database === '{}' ? (this.options.stored ?? {}) : storedIn(this.database);
	}

	/** What the database held for the node when each execution began, in order. */
	get storedAtStart(): IDataObject[] {
		return this.databases.map(storedIn);
	}

	/** The JSON of every item that an execution was started with, in order. */
	get fired(): IDataObject[] {
		return this.executions.flat().map(({ json }) => json);
	}

	/** Publishes the workflow, which polls once. @throws what that poll threw, and the workflow stays inactive */
	async activate(reason: WorkflowActivateMode = 'activate'): Promise<void> {
		const { staged } = this;
		const workflow = this.engine.workflow(this.file, this.options.credentials);
		const node = workflow.getNode(nodeName);
		if (!node) throw new Error('The workflow has no trigger');
		const own = workflow.getStaticData('node', node);
		Object.assign(own, this.stored);
		const save = () => this.save(staged ? (this.scope.getStore()?.staged ?? {}) : own);
		const emit = ([items]: INodeExecutionData[][]): void => {
			if (this.untilKill === 0) throw new Error('n8n was killed');
			this.untilKill -= 1;
			save();
			this.databases.push(this.database);
			// An execution has its data as it was handed over.
			this.executions.push(structuredClone(items));
		};
		const context = new PollContext(
			workflow,
			node,
			this.engine.additionalData(this.options.credentials),
			'trigger',
			reason,
			emit,
			(error) => this.errors.push(error),
			async () => (staged ? save() : undefined),
			async (poll) => (staged ? await this.scope.run({ staged: this.stored }, poll) : await poll()),
			staged ? () => this.scope.getStore()?.staged ?? {} : undefined,
			this.options.budget === undefined ? undefined : () => this.options.budget ?? 0,
		);
		const poll = pollOf(workflow, node, context, () => this.active === poll);
		await withExpressions(workflow, async () => await poll(true));
		if (!staged) save();
		this.active = poll;
	}

	/** What n8n does when the schedule says so. */
	async poll(): Promise<void> {
		if (!this.active) throw new Error('The workflow is not active');
		await this.active();
	}

	/** Unpublishes the workflow. A poll that is under way goes on, but n8n lets nothing come of it. */
	deactivate(): void {
		this.active = undefined;
	}

	/** Ends n8n and starts it again: what it had in memory is gone. */
	async restart(): Promise<void> {
		this.active = undefined;
		this.untilKill = Infinity;
		await this.activate('init');
	}

	/** Saves the workflow with other parameters, and publishes it. */
	async change(parameters: INodeParameters): Promise<void> {
		this.active = undefined;
		this.parameters = parameters;
		await this.activate('update');
	}

	/** What the editor's "Fetch Test Event" shows. @throws Error with the message that it shows */
	async fetchTestEvent(): Promise<IDataObject[]> {
		const { credentials } = this.options;
		const run = await this.engine.run({ workflow: this.file, credentials });
		if (run.error) throw new Error(run.error.message);
		return run.output(nodeName).map(({ json }) => json);
	}

	private get staged(): boolean {
		const { keeping = stagesPolls ? 'staged' : 'in memory' } = this.options;
		return keeping === 'staged';
	}

	private get file(): WorkflowFile {
		const node: INode = {
			id: 'trigger',
			name: nodeName,
			type: this.engine.typeName('webDataPollingTrigger'),
			typeVersion: 1,
			position: [0, 0],
			parameters: this.parameters,
		};
		return { id: this.id, name: 'Watch', nodes: [node], connections: {} };
	}

	private save(data: IDataObject): void {
		this.database = JSON.stringify({ [`node:${nodeName}`]: data });
	}
}
