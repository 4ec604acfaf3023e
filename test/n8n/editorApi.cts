import { randomUUID } from 'node:crypto';
import { parse } from 'flatted';
import type {
	ExecutionError,
	ICredentialDataDecryptedObject,
	INode,
	INodeExecutionData,
	INodeTypeDescription,
	IPinData,
	IRunExecutionData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { z } from 'zod';
import type { WorkflowFile as EngineWorkflow } from '../engine/harness.cjs';
import { until } from './until.cjs';

/** A workflow as it is exported. */
export interface WorkflowFile extends EngineWorkflow {
	/** Items that nodes return in the editor without being run. */
	pinData?: IPinData;
}

/** A person who may log in. */
export const owner = {
	email: 'ada@lovelace.example',
	firstName: 'Ada',
	lastName: 'Lovelace',
	password: 'Analytical-Engine-1',
};

const wrapped = <Shape extends z.ZodTypeAny>(data: Shape) => z.object({ data });
const identified = wrapped(z.object({ id: z.string() }));
const stored = wrapped(z.object({ id: z.string(), versionId: z.string(), active: z.boolean() }));
const executionShape = wrapped(
	z.object({ id: z.string(), status: z.string(), mode: z.string(), data: z.string() }),
);
const listShape = wrapped(z.object({ results: z.array(z.object({ id: z.string() })) }));
const testShape = wrapped(z.object({ status: z.string(), message: z.string().optional() }));
const workflowShape = wrapped(
	z.object({
		nodes: z.array(
			z
				.object({
					name: z.string(),
					type: z.string(),
					position: z.tuple([z.number(), z.number()]),
					parameters: z.record(z.unknown()),
				})
				.passthrough(),
		),
		connections: z.record(z.unknown()),
		pinData: z.record(z.unknown()).nullish(),
	}),
);
const credentialShape = wrapped(z.object({ id: z.string(), name: z.string(), type: z.string() }));

const migrationShape = wrapped(
	z.object({
		report: z.object({
			instanceResults: z.array(z.object({ ruleId: z.string() })),
			workflowResults: z.array(z.object({ ruleId: z.string() })),
		}),
	}),
);

/** What is under way, or has not begun. */
const unfinished = ['new', 'running'];

/** An execution as n8n has stored it. */
export class StoredExecution {
	constructor(
		readonly id: string,
		/** `success`, `error`, `waiting`, `canceled` … */
		readonly status: string,
		/** `manual`, `trigger`, `webhook` … */
		readonly mode: string,
		private readonly data: IRunExecutionData,
	) {}

	/** The error that ended it. */
	get error(): ExecutionError | undefined {
		return this.data.resultData.error;
	}

	/** The items that a node gave when it last ran; none when it did not run. */
	output(node: string, index = 0): INodeExecutionData[] {
		const task = this.data.resultData.runData[node]?.at(-1);
		return task?.data?.[NodeConnectionTypes.Main]?.[index] ?? [];
	}

	/** The items of all nodes that tell of an error, each with its node's name. */
	problems(): string[] {
		return Object.entries(this.data.resultData.runData).flatMap(([name, runs]) =>
			runs
				.flatMap(({ data = {} }) => Object.values(data).flat(2))
				.flatMap((item) =>
					item?.json.error === undefined ? [] : [`${name}: ${JSON.stringify(item.json.error)}`],
				),
		);
	}

	/** Whether what is stored is of its end: n8n 1 stores the status first, and for a moment still what was when it slept. */
	get isWhole(): boolean {
		const { error, lastNodeExecuted, runData } = this.data.resultData;
		if (this.status === 'waiting' || error || lastNodeExecuted === undefined) return true;
		const task = runData[lastNodeExecuted]?.at(-1);
		return task !== undefined && task.executionStatus !== 'waiting';
	}

	/** Throws the error that ended it, if one did. */
	succeeded(): this {
		if (this.status !== 'success') {
			throw new Error(`The execution ended as ${this.status}: ${this.error?.message}`, {
				cause: this.error,
			});
		}
		return this;
	}
}

/** An error that n8n answers. */
class RefusedByN8n extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** On a machine so busy that its database is late, n8n answers 503 for a moment. @throws every other error */
function unlessBusy(error: unknown): undefined {
	if (!(error instanceof RefusedByN8n && error.status === 503)) throw error;
}

/** What the editor asks its n8n: the REST interface behind the login. */
export class EditorApi {
	private readonly browser = randomUUID();
	private cookie = '';

	constructor(private readonly url: string) {}

	/** Makes the owner of a new n8n, and is then logged in. */
	async setUp(): Promise<void> {
		await this.send('POST', '/rest/owner/setup', owner);
	}

	/** Every node that n8n offers, as the editor knows it. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return (await this.send('GET', '/types/nodes.json')) as INodeTypeDescription[];
	}

	/** Stores a credential, and answers how nodes refer to it. */
	async createCredential(
		name: string,
		data: ICredentialDataDecryptedObject,
		type = 'webDataApi',
	): Promise<{ id: string; name: string }> {
		const answer = await this.send('POST', '/rest/credentials', { name, type, data });
		return { id: identified.parse(answer).data.id, name };
	}

	/** What the credential's window shows after a test. */
	async testCredential(id: string): Promise<{ status: string; message?: string }> {
		const saved = await this.send('GET', `/rest/credentials/${id}?includeData=true`);
		const credentials = credentialShape
			.extend({ data: credentialShape.shape.data.extend({ data: z.record(z.unknown()) }) })
			.parse(saved).data;
		return testShape.parse(await this.send('POST', '/rest/credentials/test', { credentials })).data;
	}

	/** Stores a workflow; its nodes of this package use the credential. Answers its id. */
	async createWorkflow(
		{ name = 'Workflow', nodes, connections, settings = {}, pinData = {} }: WorkflowFile,
		credential?: { id: string; name: string },
	): Promise<string> {
		const withCredential = (node: INode): INode =>
			credential && node.type.startsWith('n8n-nodes-web-data.')
				? { ...node, credentials: { webDataApi: credential } }
				: node;
		const workflow = {
			name,
			nodes: nodes.map(withCredential),
			connections,
			pinData,
			settings: { executionOrder: 'v1', ...settings },
			active: false,
		};
		return identified.parse(await this.send('POST', '/rest/workflows', workflow)).data.id;
	}

	/** The rules of n8n's Migration Report to 3.0 that this instance, and its workflows, do not pass. */
	async migrationReport(): Promise<{ instance: string[]; workflows: string[] }> {
		const answer = await this.send('POST', '/rest/breaking-changes/report/refresh?version=v3');
		const { instanceResults, workflowResults } = migrationShape.parse(answer).data.report;
		const idsOf = (results: Array<{ ruleId: string }>) => results.map(({ ruleId }) => ruleId);
		return { instance: idsOf(instanceResults), workflows: idsOf(workflowResults) };
	}

	/** A workflow as the editor has saved it. */
	async workflow(id: string): Promise<z.infer<typeof workflowShape>['data']> {
		return workflowShape.parse(await this.send('GET', `/rest/workflows/${id}`)).data;
	}

	/** The parameters of a node as the editor has saved them. */
	async parameters(workflowId: string, node: string): Promise<Record<string, unknown>> {
		const { nodes } = await this.workflow(workflowId);
		const found = nodes.find(({ name }) => name === node);
		if (!found) throw new Error(`The workflow ${workflowId} has no node ${node}`);
		return found.parameters;
	}

	/** Starts a workflow at its trigger, or as if that had given `items`, as the chat does; returns the ID of the execution. */
	async run(workflowId: string, trigger: string, items?: INodeExecutionData[]): Promise<string> {
		const data = items && {
			startTime: Date.now(),
			executionTime: 0,
			executionIndex: 0,
			executionStatus: 'success',
			source: [],
			data: { [NodeConnectionTypes.Main]: [items] },
		};
		const { data: workflowData } = wrapped(z.unknown()).parse(
			await this.send('GET', `/rest/workflows/${workflowId}`),
		);
		// n8n 1 takes the workflow from the request, later ones from their database.
		const body = { workflowData, triggerToStartFrom: { name: trigger, data } };
		const answer = await this.send('POST', `/rest/workflows/${workflowId}/run`, body);
		return wrapped(z.object({ executionId: z.string() })).parse(answer).data.executionId;
	}

	/** Publishes a workflow: its triggers listen from now on. */
	async activate(id: string): Promise<void> {
		const { versionId } = stored.parse(await this.send('GET', `/rest/workflows/${id}`)).data;
		await this.send('POST', `/rest/workflows/${id}/activate`, {
			versionId,
			name: '',
			description: '',
		});
	}

	async deactivate(id: string): Promise<void> {
		await this.send('POST', `/rest/workflows/${id}/deactivate`, {});
	}

	async isActive(id: string): Promise<boolean> {
		return stored.parse(await this.send('GET', `/rest/workflows/${id}`)).data.active;
	}

	/** An execution as it is now. */
	async execution(id: string): Promise<StoredExecution> {
		const answer = await this.send('GET', `/rest/executions/${id}`);
		const { status, mode, data } = executionShape.parse(answer).data;
		return new StoredExecution(id, status, mode, parse<IRunExecutionData>(data));
	}

	/** What is in an item's file, wherever n8n has stored it. */
	async file({ binary }: INodeExecutionData, field = 'data'): Promise<Buffer> {
		const { id, data } = z
			.object({ id: z.string().optional(), data: z.string() })
			.parse(binary?.[field]);
		if (id === undefined) return Buffer.from(data, 'base64');
		const query = new URLSearchParams({ id, action: 'download' });
		const response = await fetch(`${this.url}/rest/binary-data?${query}`, {
			headers: this.headers,
		});
		if (!response.ok) throw new RefusedByN8n(response.status, `The file ${id} cannot be read`);
		return Buffer.from(await response.arrayBuffer());
	}

	/** Resolves when an execution has ended, or waits. */
	async ended(id: string): Promise<StoredExecution> {
		return await this.leaves(id, unfinished);
	}

	/** Resolves when an execution that waited has ended. */
	async resumed(id: string): Promise<StoredExecution> {
		return await this.leaves(id, [...unfinished, 'waiting']);
	}

	/** Resolves when `count` executions of a workflow have begun, with their ids, oldest first. */
	async executionIds(workflowId: string, count: number): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const found = await until(`${count} executions of workflow ${workflowId}`, async () => {
			const answer = await this.send('GET', `/rest/executions?filter=${filter}&limit=100`).catch(
				unlessBusy,
			);
			if (answer === undefined) return undefined;
			// n8n reads the running and then the ended ones: one that ends in between is listed twice.
			const ids = new Set(listShape.parse(answer).data.results.map(({ id }) => id));
			return ids.size >= count ? [...ids] : undefined;
		});
		return found.sort((one, other) => Number(one) - Number(other));
	}

	/** Resolves when a workflow has been executed `count` times, with the executions, oldest first. */
	async executionsOf(workflowId: string, count: number): Promise<StoredExecution[]> {
		const ids = await this.executionIds(workflowId, count);
		const executions: StoredExecution[] = [];
		// One after the other: n8n has few connections to its database, and takes it for lost when all are busy.
		for (const id of ids) executions.push(await this.ended(id));
		return executions;
	}

	private async leaves(id: string, states: string[]): Promise<StoredExecution> {
		return await until(`execution ${id} to end`, async () => {
			const execution = await this.execution(id);
			return states.includes(execution.status) || !execution.isWhole ? undefined : execution;
		});
	}

	private get headers(): Record<string, string> {
		// A connection that n8n closes while this process is busy must not meet the next request.
		return { 'browser-id': this.browser, connection: 'close', cookie: this.cookie };
	}

	/** @throws RefusedByN8n for every status but 2xx */
	private async send(method: string, path: string, body?: unknown): Promise<unknown> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: { ...this.headers, 'content-type': 'application/json' },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const [cookie] = response.headers.getSetCookie().filter((each) => each.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';')[0];
		const text = await response.text();
		if (response.ok) return text === '' ? undefined : JSON.parse(text);
		throw new RefusedByN8n(response.status, `${method} ${path}: ${response.status} ${text}`);
	}
}
