import '../../../engine/environment.cjs';
import 'reflect-metadata';

import { getAdditionalKeys, WebhookContext } from 'n8n-core';
import {
	Workflow,
	type IExecuteFunctions,
	type INode,
	type IRunExecutionData,
	type IWebhookData,
	type IWebhookFunctions,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { customDataOf, customDatum } from '../../../../nodes/runtime/host/customData';
import { builtNode } from '../../../builtNode.cjs';
import { emptyRunData } from '../../../engine/earlierN8n.cjs';

const waiting = 'http://127.0.0.1:5678/waiting';
const additionalData = {
	executionId: '7',
	webhookWaitingBaseUrl: waiting,
	formWaitingBaseUrl: waiting,
	variables: {},
} as IWorkflowExecuteAdditionalData;

const keys = (runData: IRunExecutionData) => getAdditionalKeys(additionalData, 'trigger', runData);

/** What expressions see of an execution: n8n's own object. */
const execution = () => keys(emptyRunData()).$execution;

const node: INode = {
	id: 'node',
	name: 'Web Data',
	type: 'n8n-nodes-web-data.webData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** n8n's own context of a call that wakes an execution. */
function webhookContext(runData: IRunExecutionData): IWebhookFunctions {
	const nodeType = builtNode('WebData');
	const nodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const webhook: IWebhookData = {
		httpMethod: 'POST',
		node: node.name,
		path: '',
		webhookDescription: { httpMethod: 'POST', name: 'default', path: '' },
		workflowId: '1',
		workflowExecuteAdditionalData: additionalData,
	};
	return new WebhookContext(workflow, node, additionalData, 'trigger', webhook, [], runData);
}

describe('custom data of an execution', () => {
	it("are the context's own where it has them", () => {
		const customData = execution()?.customData;
		const context = {
			customData,
			getWorkflowDataProxy: () => ({}),
		} as unknown as IExecuteFunctions;

		customDataOf(context)?.set('webDataJob', 'job-7');

		expect(customDataOf(context)?.get('webDataJob')).toBe('job-7');
		expect(customDatum(context as unknown as IWebhookFunctions, 'webDataJob')).toBe('job-7');
	});

	it('are those of expressions where n8n is older', () => {
		const $execution = execution();
		const context = {
			getWorkflowDataProxy: () => ({ $execution }),
		} as unknown as IExecuteFunctions;

		customDataOf(context)?.set('webDataJob', 'job-7');

		expect($execution?.customData?.get('webDataJob')).toBe('job-7');
	});

	it('are those of the run data when a call wakes the execution where n8n is older', () => {
		const runData = emptyRunData();
		keys(runData).$execution?.customData?.set('webDataJob', 'job-7');
		const older = Object.create(webhookContext(runData), { customData: { value: undefined } });

		expect(customDatum(older, 'webDataJob')).toBe('job-7');
		expect(customDatum(older, 'constructor')).toBeUndefined();
	});

	it.each([{}, { $execution: {} }, { $execution: { customData: {} } }])(
		'are missing where n8n keeps none: %j',
		(proxy) => {
			const context = { getWorkflowDataProxy: () => proxy } as unknown as IExecuteFunctions;

			expect(customDataOf(context)).toBeUndefined();
		},
	);
});
