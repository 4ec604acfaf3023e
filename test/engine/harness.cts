import './environment.cjs';
import 'reflect-metadata';

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Container } from '@n8n/di';
import {
	BinaryDataService,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	PackageDirectoryLoader,
	WorkflowExecute,
} from 'n8n-core';
import type {
	ExecutionError,
	ExecutionStatus,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
	ITaskData,
	IVersionedNodeType,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { NodeConnectionTypes, Workflow } from 'n8n-workflow';
import { projectRoot } from '../root.cjs';
import { begin, emptyRunData } from './earlierN8n.cjs';
import { testCredential, type CredentialTestResult } from './credentialTest.cjs';
import { LoadedNodeTypes } from './nodeTypes.cjs';
import { RunCredentials, credentialReference, type CredentialsByType } from './runCredentials.cjs';

/** A workflow as the editor exports it; what an execution does not need may be left out. */
export interface WorkflowFile {
	id?: string;
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

export interface RunOptions {
	workflow: WorkflowFile;
	/** Given to every node whose type knows the credential type, whatever reference the workflow holds. */
	credentials?: CredentialsByType;
	/** The node to start from and the items it receives; the workflow's trigger when left out. */
	startWith?: { node: string; items: INodeExecutionData[] };
	/** `manual` when left out, as the editor's "Execute workflow". */
	mode?: WorkflowExecuteMode;
	onNodeStart?: (nodeName: string) => void;
	onNodeDone?: (nodeName: string, task: ITaskData) => void;
}

/** Types of other packages that a workflow uses beside this one, by their names in workflows. */
export interface OtherTypes {
	nodes?: Record<string, INodeType | IVersionedNodeType>;
	credentials?: Record<string, ICredentialType>;
}

export interface NodeRunOptions extends Omit<RunOptions, 'workflow' | 'startWith'> {
	parameters: INodeParameters;
	/** The incoming items: plain objects, or whole items where binary data or pairing matters. One empty item when left out. */
	input?: IDataObject[] | INodeExecutionData[];
	onError?: INode['onError'];
	/** Everything else of the node: its type, version, credentials, retryOnFail … */
	node?: Partial<INode>;
}

/** An execution under way. */
export interface Execution {
	/** Resolves when it has ended, in whatever state; rejects only when it could not start. */
	readonly done: Promise<EngineRun>;
	/** What "Stop execution" does: n8n records `canceled` unless the node then ends with an error without that word. */
	cancel(): void;
}

/** The name that `runNode` gives to the node under test. */
export const NODE_UNDER_TEST = 'Web Data';

/** A finished execution, with n8n's own record of it in `data`. */
export class EngineRun {
	constructor(readonly data: IRun) {}

	/** `success`, `error`, `canceled`, `waiting` … */
	get status(): ExecutionStatus {
		const { status } = this.data;
		// n8n's engine leaves it to the server to name a failure, before 2.0.
		return status === 'running' && this.error ? 'error' : status;
	}

	/** The error that ended the execution. */
	get error(): ExecutionError | undefined {
		return this.data.data.resultData.error;
	}

	/** What the last run of a node recorded; throws when it did not run. */
	task(nodeName = NODE_UNDER_TEST): ITaskData {
		const task = this.data.data.resultData.runData[nodeName]?.at(-1);
		if (!task) throw new Error(`The node "${nodeName}" did not run (status ${this.status})`);
		return task;
	}

	/** The items on one of a node's outputs; with On Error = "error output" those stand on output 1. */
	output(nodeName = NODE_UNDER_TEST, index = 0): INodeExecutionData[] {
		return this.task(nodeName).data?.[NodeConnectionTypes.Main]?.[index] ?? [];
	}

	/** The hints that the editor shows under the node's output. */
	hints(nodeName = NODE_UNDER_TEST): NodeExecutionHint[] {
		return this.task(nodeName).hints ?? [];
	}
}

/** n8n's execution engine with this package loaded. Get one from `createEngine`. */
export class Engine {
	private readonly ownListeners = process.listeners('exit');

	constructor(
		readonly loader: PackageDirectoryLoader,
		private readonly folder: string,
		private readonly others: OtherTypes = {},
	) {}

	/** The package's own type name in workflows, for example `n8n-nodes-web-data.webData`. */
	typeName(node: string): string {
		return `${this.loader.packageName}.${node}`;
	}

	/** Starts a workflow. Throws n8n's WorkflowHasIssuesError when a required parameter is missing. */
	start(options: RunOptions): Execution {
		const { startWith, mode = 'manual', credentials = {} } = options;
		const id = randomUUID();
		const workflow = this.workflow(options.workflow, credentials);
		const additionalData = this.additionalData(credentials, {
			executionId: id,
			workflowId: workflow.id,
			hooks: progressHooks(id, workflow, { ...options, mode }),
		});
		const execution = begin(new WorkflowExecute(additionalData, mode, emptyRunData()), {
			workflow,
			...(startWith && {
				startNode: workflow.getNode(startWith.node) ?? undefined,
				triggerToStartFrom: {
					name: startWith.node,
					data: {
						startTime: Date.now(),
						executionTime: 0,
						executionIndex: 0,
						source: [],
						data: { [NodeConnectionTypes.Main]: [startWith.items] },
					},
				},
			}),
		});
		return { done: execution.then((run) => new EngineRun(run)), cancel: () => execution.cancel() };
	}

	/** Runs a workflow to its end. */
	async run(options: RunOptions): Promise<EngineRun> {
		return await this.start(options).done;
	}

	/** Starts a workflow of two nodes: one that hands over the given items, and the node under test. */
	startNode(given: NodeRunOptions): Execution {
		const { parameters, input = [{}], onError, node, ...options } = given;
		const type = this.typeName('webData');
		const own = { name: NODE_UNDER_TEST, type, parameters, onError, ...node };
		return this.start({ ...options, ...behindItems(input, [own]) });
	}

	/** Runs one node on the given items to the end. */
	async runNode(options: NodeRunOptions): Promise<EngineRun> {
		return await this.startNode(options).done;
	}

	/** Tests a credential as the "Test" of its window does. */
	async testCredential(
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<CredentialTestResult> {
		return await testCredential(this.loader, this.additionalData({ [type]: data }), type);
	}

	/** The bytes of an item's binary field, from wherever n8n stored them. */
	async binary(item: INodeExecutionData, field = 'data'): Promise<Buffer> {
		const stored = item.binary?.[field];
		if (!stored) throw new Error(`The item has no binary field "${field}"`);
		return await Container.get(BinaryDataService).getAsBuffer(stored);
	}

	/** Removes what n8n wrote, and its listeners, which each of its containers adds anew. */
	close(): void {
		for (const listener of process.listeners('exit')) {
			if (!this.ownListeners.includes(listener)) process.off('exit', listener);
		}
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** A workflow as the engine runs it, its nodes with references to the given credentials. */
	workflow({ nodes, ...file }: WorkflowFile, credentials: CredentialsByType): Workflow {
		const nodeTypes = new LoadedNodeTypes(this.loader, this.others.nodes);
		const withCredentials = (node: INode): INode => {
			const { description } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
			const given = (description.credentials ?? []).filter(({ name }) => name in credentials);
			const references = given.map(({ name }) => [
				name,
				credentialReference(name, credentials[name]),
			]);
			return given.length === 0
				? node
				: { ...node, credentials: { ...node.credentials, ...Object.fromEntries(references) } };
		};
		return new Workflow({
			id: file.id ?? randomUUID(),
			name: file.name,
			// The engine changes the nodes it runs; the caller's stay as they are.
			nodes: structuredClone(nodes).map(withCredentials),
			connections: file.connections,
			settings: { executionOrder: 'v1', ...file.settings },
			active: false,
			nodeTypes,
		});
	}

	/** What the n8n server tells the engine about an execution. No server listens on these addresses. */
	additionalData(
		credentials: CredentialsByType,
		more: Partial<IWorkflowExecuteAdditionalData> = {},
	): IWorkflowExecuteAdditionalData {
		const instance = 'http://127.0.0.1:5678';
		const unavailable = async (): Promise<never> => {
			throw new Error('Not available outside the n8n server');
		};
		return {
			credentialsHelper: new RunCredentials(this.loader, credentials, this.others.credentials),
			externalSecretsProxy: Container.get(ExternalSecretsProxy),
			currentNodeExecutionIndex: 0,
			variables: {},
			instanceBaseUrl: `${instance}/`,
			restApiUrl: `${instance}/rest`,
			formBaseUrl: `${instance}/form`,
			formWaitingBaseUrl: `${instance}/form-waiting`,
			formTestBaseUrl: `${instance}/form-test`,
			webhookBaseUrl: `${instance}/webhook`,
			webhookWaitingBaseUrl: `${instance}/webhook-waiting`,
			webhookTestBaseUrl: `${instance}/webhook-test`,
			mcpBaseUrl: `${instance}/mcp`,
			mcpTestBaseUrl: `${instance}/mcp-test`,
			logAiEvent: () => {},
			executeWorkflow: unavailable,
			getRunExecutionData: unavailable,
			getRuntimeCredential: unavailable,
			startRunnerTask: unavailable,
			...more,
		};
	}
}

/** Reports the nodes of an execution as they start and end. */
function progressHooks(
	executionId: string,
	workflow: Workflow,
	{ mode = 'manual', onNodeStart, onNodeDone }: Omit<RunOptions, 'workflow'>,
): ExecutionLifecycleHooks {
	const hooks = new ExecutionLifecycleHooks(mode, executionId, {
		id: workflow.id,
		name: workflow.name ?? '',
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
	});
	if (onNodeStart) hooks.addHandler('nodeExecuteBefore', (name) => onNodeStart(name));
	if (onNodeDone) hooks.addHandler('nodeExecuteAfter', (name, task) => onNodeDone(name, task));
	return hooks;
}

/** The start and the workflow of an execution in which a node `Items` hands over items to others, one behind the other unless `links` say otherwise. */
export function behindItems(
	items: IDataObject[] | INodeExecutionData[],
	nodes: Array<Pick<INode, 'name' | 'type'> & Partial<INode>>,
	links?: Record<string, string[]>,
): { startWith: NonNullable<RunOptions['startWith']>; workflow: WorkflowFile } {
	const first = { name: 'Items', type: 'n8n-nodes-base.noOp' };
	const all = [first, ...nodes];
	const chain = nodes.map(({ name }, index): [string, string[]] => [all[index].name, [name]]);
	const to = (names: string[]) =>
		names.map((node) => ({ node, type: NodeConnectionTypes.Main, index: 0 }));
	return {
		startWith: {
			node: first.name,
			items: items.map((item) => (isItem(item) ? item : { json: item })),
		},
		workflow: {
			// Of nodes behind the same one, what lies higher runs first.
			nodes: all.map((node, index) => ({
				id: node.name,
				typeVersion: 1,
				position: [0, index * 100],
				parameters: {},
				...node,
			})),
			connections: Object.fromEntries(
				Object.entries(links ?? Object.fromEntries(chain)).map(([name, names]) => [
					name,
					{ [NodeConnectionTypes.Main]: [to(names)] },
				]),
			),
		},
	};
}

function isItem(item: IDataObject | INodeExecutionData): item is INodeExecutionData {
	return 'json' in item && typeof item.json === 'object' && item.json !== null;
}

/** Loads a built package (this one, unless another folder is given) with n8n's own loader. There is one engine at a time. @throws when it is not built */
export async function createEngine(
	packageFolder = projectRoot,
	others: OtherTypes = {},
): Promise<Engine> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
	process.env.N8N_USER_FOLDER = folder;
	Container.reset();
	await Container.get(BinaryDataService).init();
	const loader = new PackageDirectoryLoader(packageFolder);
	await loader.loadAll();
	return new Engine(loader, folder, others);
}
