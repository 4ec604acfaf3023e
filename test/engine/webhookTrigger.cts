import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { HookContext, WebhookContext } from 'n8n-core';
import {
	jsonParse,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IWebhookData,
	type IWorkflowExecuteAdditionalData,
	type WebhookSetupMethodNames,
	type Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { withExpressions } from './earlierN8n.cjs';
import type { Engine, WorkflowFile } from './harness.cjs';
import type { CredentialsByType } from './runCredentials.cjs';
import {
	openEndpoint,
	RefusedCall,
	type Endpoint,
	type ExpressRequest,
	type ExpressResponse,
} from './webhookEndpoint.cjs';

export interface WebhookTriggerOptions {
	workflow: WorkflowFile;
	/** The trigger's name in the workflow. */
	node: string;
	credentials: CredentialsByType;
	/** Where n8n says that it can be called (its WEBHOOK_URL); where it listens when left out. */
	publicUrl?: string;
}

/** A trigger of one workflow as n8n works with it for one purpose: production, or a test by hand. */
interface Use {
	isTest: boolean;
	mode: WorkflowExecuteMode;
	/** What the database, or the cache of tests, holds of the static data: JSON text. */
	staticData: string;
}

/** The trigger made ready for one call of one of its functions. */
interface Ready {
	workflow: Workflow;
	node: INode;
	type: INodeType;
	additionalData: IWorkflowExecuteAdditionalData;
	webhook: IWebhookData;
}

/** What of the n8n server (2.41) a trigger with a webhook needs: activation, `/webhook` and `/webhook-test` on loopback, and a copy of the static data for each call. */
export class WebhookTrigger {
	/** The items of each execution that has been started, in order. */
	readonly started: INodeExecutionData[][] = [];
	private readonly workflowId: string;
	private readonly production: Use = { isTest: false, mode: 'trigger', staticData: '{}' };
	private isActive = false;
	private test?: Use;
	private endpoint?: Endpoint;
	private database: Promise<void> = Promise.resolve();
	private readonly underWay = new Set<Promise<void>>();

	/** `engine` is the process of n8n that takes the calls; the options may change as those of n8n do. */
	constructor(
		public engine: Engine,
		readonly options: WebhookTriggerOptions,
	) {
		this.workflowId = options.workflow.id ?? randomUUID();
	}

	/** Begins to listen, at a free port unless one is given. */
	async open(port = 0): Promise<void> {
		this.endpoint = await openEndpoint(async (request, response) => {
			const work = this.receive(request, response);
			this.underWay.add(work);
			await work.finally(() => this.underWay.delete(work));
		}, port);
	}

	/** Nobody can call any more; calls that are being worked on get no answer. */
	async close(): Promise<void> {
		await this.endpoint?.close();
	}

	/** Where the service is to call the workflow while it is active. */
	get address(): string {
		return `${this.publicUrl}/webhook${this.path}`;
	}

	/** Where the service is to call while the editor listens. */
	get testAddress(): string {
		return `${this.publicUrl}/webhook-test${this.path}`;
	}

	/** What the database holds of the trigger's static data. */
	get stored(): IDataObject {
		const { [`node:${this.options.node}`]: own } = jsonParse<Record<string, IDataObject>>(
			this.production.staticData,
		);
		return own ?? {};
	}

	/** Puts other data there, as the import of a backup does. */
	set stored(staticData: IDataObject) {
		this.production.staticData = JSON.stringify({ [`node:${this.options.node}`]: staticData });
	}

	/** Changes parameters of the trigger, as the user does in the editor. */
	change(parameters: INodeParameters): void {
		const { workflow, node } = this.options;
		for (const each of workflow.nodes) {
			if (each.name === node) each.parameters = { ...each.parameters, ...parameters };
		}
	}

	/** Has the database not answer until the function is called that this returns: nothing is stored, and no execution starts. */
	holdDatabase(): () => void {
		let release = () => {};
		this.database = new Promise((resolve) => (release = resolve));
		return release;
	}

	/** Activates the workflow. @throws what the trigger throws, after n8n has let it clean up */
	async activate(activation: WorkflowActivateMode = 'activate'): Promise<void> {
		await this.register(this.production, activation);
		this.isActive = true;
	}

	/** Deactivates the workflow. @throws what n8n only logs; the workflow is inactive all the same */
	async deactivate(): Promise<void> {
		this.isActive = false;
		await this.clear(this.production);
	}

	/** n8n ends without a word and is started anew. */
	async restart(): Promise<void> {
		this.isActive = false;
		await this.activate('init');
	}

	/** What "Listen for test event" in the editor does. */
	async listen(): Promise<void> {
		this.test = { isTest: true, mode: 'manual', staticData: '{}' };
		try {
			await this.register(this.test, 'manual');
		} catch (error) {
			this.test = undefined;
			throw error;
		}
	}

	/** What the editor does when the test event has come, or the user has stopped to wait for it. */
	async stopListening(): Promise<void> {
		if (!this.test) throw new Error('The editor does not listen');
		await this.clear(this.test);
		this.test = undefined;
	}

	/** Resolves when no call is being worked on, answered or not. */
	async idle(): Promise<void> {
		while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
	}

	private get publicUrl(): string {
		if (this.options.publicUrl !== undefined) return this.options.publicUrl;
		if (!this.endpoint) throw new Error('The endpoint is not open');
		return `http://127.0.0.1:${this.endpoint.port}`;
	}

	private get path(): string {
		const { workflow, node } = this.options;
		const webhookId = workflow.nodes.find(({ name }) => name === node)?.webhookId ?? '';
		return `/${webhookId}/webhook`;
	}

	private async register(use: Use, activation: WorkflowActivateMode): Promise<void> {
		const ready = this.ready(use);
		try {
			const exists = await this.hook('checkExists', ready, use, activation);
			if (!exists) await this.hook('create', ready, use, activation);
		} catch (error) {
			// n8n logs what goes wrong here, and shows the first error.
			await this.clear(use).catch(() => undefined);
			throw error;
		}
		this.store(ready.workflow, use);
	}

	private async clear(use: Use): Promise<void> {
		const ready = this.ready(use);
		await this.hook('delete', ready, { ...use, mode: 'internal' }, 'update');
		this.store(ready.workflow, use);
	}

	private async hook(
		method: WebhookSetupMethodNames,
		{ workflow, node, type, additionalData, webhook }: Ready,
		{ mode }: Use,
		activation: WorkflowActivateMode,
	): Promise<boolean> {
		const run = type.webhookMethods?.default?.[method];
		if (!run) throw new Error(`The node has no ${method}`);
		const context = new HookContext(workflow, node, additionalData, mode, activation, webhook);
		return await withExpressions(workflow, async () => await run.call(context));
	}

	/** What n8n does with a call (`LiveWebhooks`, `TestWebhooks`). */
	private async receive(httpRequest: ExpressRequest, httpResponse: ExpressResponse): Promise<void> {
		const isTest = httpRequest.url === `/webhook-test${this.path}`;
		const isLive = httpRequest.url === `/webhook${this.path}` && this.isActive;
		const use = isTest ? this.test : isLive ? this.production : undefined;
		if (!use || httpRequest.method !== 'POST') throw new RefusedCall(404);
		// A test's static data is not handed to its calls, nor is theirs stored.
		const given: Use = isTest ? { ...use, staticData: '{}' } : { ...use, mode: 'webhook' };
		const { workflow, node, type, additionalData, webhook } = this.ready(given, {
			httpRequest,
			httpResponse,
		});
		await databaseAnswers();
		const { webhook: take } = type;
		if (!take) throw new Error('The node has no webhook');
		const { mode } = given;
		const context = new WebhookContext(workflow, node, additionalData, mode, webhook, [], null);
		const result = await withExpressions(workflow, async () => await take.call(context));
		await databaseAnswers();
		await this.database;
		if (!isTest) this.store(workflow, use);
		const [items] = result.workflowData ?? [];
		if (items) this.started.push(items);
		if (!result.noWebhookResponse) httpResponse.status(200).end();
	}

	/** The workflow as n8n loads it for one purpose, with a copy of what is stored. */
	private ready(use: Use, more: Partial<IWorkflowExecuteAdditionalData> = {}): Ready {
		const { engine, workflowId, publicUrl } = this;
		const { workflow: file, node: name, credentials } = this.options;
		const workflow = engine.workflow({ ...file, id: workflowId }, credentials);
		workflow.overrideStaticData(jsonParse<IDataObject>(use.staticData));
		workflow.staticData.__dataChanged = false;
		const node = workflow.getNode(name);
		if (!node) throw new Error(`There is no node "${name}"`);
		const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		const [webhookDescription] = type.description.webhooks ?? [];
		const additionalData = engine.additionalData(credentials, {
			workflowId,
			webhookBaseUrl: `${publicUrl}/webhook`,
			webhookTestBaseUrl: `${publicUrl}/webhook-test`,
			...more,
		});
		const webhook: IWebhookData = {
			httpMethod: 'POST',
			node: name,
			path: this.path.slice(1),
			webhookDescription,
			workflowId,
			workflowExecuteAdditionalData: additionalData,
			isTest: use.isTest,
		};
		return { workflow, node, type, additionalData, webhook };
	}

	private store({ staticData }: Workflow, use: Use): void {
		if (staticData.__dataChanged === true) use.staticData = JSON.stringify(staticData);
	}
}

/** n8n loads and stores a call's static data in its database: calls that come together overlap meanwhile. */
async function databaseAnswers(): Promise<void> {
	for (let turns = 0; turns < 10; turns++) await turn();
}
