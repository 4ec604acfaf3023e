import { HookContext, PollContext } from 'n8n-core';
import type { INode, INodeExecutionData, IWebhookData, Workflow } from 'n8n-workflow';
import { poll } from '../../nodes/WebDataPollingTrigger/poll';
import { activate } from '../../nodes/WebDataTrigger/registration';
import { builtNode } from '../builtNode.cjs';
import type { TestBed } from '../engine/testBed.cjs';
import { canaries } from './fuzzRun.cjs';

type Parameters = Readonly<Record<string, unknown>>;

const address = 'http://127.0.0.1:5678/webhook';

/** The triggers with n8n's own contexts, credentials and HTTP, but with parameters as they are given. */
export class DirectTriggers {
	constructor(private readonly testBed: TestBed) {}

	/** One check of the Web Data Polling Trigger, by the schedule or by hand. @throws what it throws */
	async poll(
		parameters: Parameters,
		mode: 'trigger' | 'manual',
	): Promise<INodeExecutionData[][] | null> {
		const { workflow, node, additionalData } = this.ready('webDataPollingTrigger');
		const context = new PollContext(workflow, node, additionalData, mode, 'activate', () => {});
		return await poll(given(context, parameters));
	}

	/** An activation of the Web Data Trigger. @throws what it throws */
	async activate(parameters: Parameters): Promise<void> {
		const { workflow, node, additionalData } = this.ready('webDataTrigger');
		const [webhookDescription] = builtNode('WebDataTrigger').description.webhooks ?? [];
		const webhook: IWebhookData = {
			httpMethod: 'POST',
			node: node.name,
			path: 'webhook',
			webhookDescription,
			workflowId: workflow.id,
			workflowExecuteAdditionalData: additionalData,
			isTest: false,
		};
		await activate(
			given(
				new HookContext(workflow, node, additionalData, 'trigger', 'activate', webhook),
				parameters,
			),
		);
	}

	private ready(type: string) {
		const { engine, service } = this.testBed;
		const { key: apiKey, webhookSecret } = canaries;
		const credentials = { webDataApi: { baseUrl: service.url, apiKey, webhookSecret } };
		const trigger: INode = {
			id: 'trigger',
			name: 'Trigger',
			type: engine.typeName(type),
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			webhookId: 'webhook',
		};
		const file = { nodes: [trigger], connections: {} };
		const workflow: Workflow = engine.workflow(file, credentials);
		const node = workflow.getNode(trigger.name) ?? trigger;
		return {
			workflow,
			node,
			additionalData: engine.additionalData(credentials, { webhookBaseUrl: address }),
		};
	}
}

/** The same context, with these parameters as they are: no expression is resolved. */
function given<Context extends object>(context: Context, parameters: Parameters): Context {
	Reflect.set(context, 'getNodeParameter', (name: string) => parameters[name] ?? null);
	return context;
}
