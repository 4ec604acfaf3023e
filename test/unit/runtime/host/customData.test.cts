import '../../../engine/environment.cjs';
import 'reflect-metadata';

import { getAdditionalKeys } from 'n8n-core';
import type {
	IExecuteFunctions,
	IWebhookFunctions,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { customDataOf, customDatum } from '../../../../nodes/runtime/host/customData';
import { emptyRunData } from '../../../engine/earlierN8n.cjs';

/** What expressions see of an execution: n8n's own object. */
const execution = () => {
	const waiting = 'http://127.0.0.1:5678/waiting';
	const additionalData = {
		executionId: '7',
		webhookWaitingBaseUrl: waiting,
		formWaitingBaseUrl: waiting,
		variables: {},
	} as IWorkflowExecuteAdditionalData;
	return getAdditionalKeys(additionalData, 'trigger', emptyRunData()).$execution;
};

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

	it('are read by an expression when a call wakes the execution', () => {
		const asked: string[] = [];
		const context = {
			evaluateExpression: (expression: string) => {
				asked.push(expression);
				return 'job-7';
			},
		} as unknown as IWebhookFunctions;

		expect(customDatum(context, 'webDataJob')).toBe('job-7');
		expect(asked).toEqual(['{{ $execution.customData.get("webDataJob") }}']);
	});

	it.each([{}, { $execution: {} }, { $execution: { customData: {} } }])(
		'are missing where n8n keeps none: %j',
		(proxy) => {
			const context = { getWorkflowDataProxy: () => proxy } as unknown as IExecuteFunctions;

			expect(customDataOf(context)).toBeUndefined();
		},
	);
});
