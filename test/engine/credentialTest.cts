import { ExecuteContext, RoutingNode, type PackageDirectoryLoader } from 'n8n-core';
import {
	NodeApiError,
	Workflow,
	createRunExecutionData,
	type INode,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** What the editor shows after "Test" in the credential's window. */
export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

/**
 * Sends a credential type's own test request as n8n does: as the request of a declarative node that has
 * nothing else, with the credential that `additionalData` holds, and applies the test's rules to the answer.
 */
export async function testCredential(
	loader: PackageDirectoryLoader,
	additionalData: IWorkflowExecuteAdditionalData,
	type: string,
): Promise<CredentialTestResult> {
	const { test } = loader.getCredential(type).type;
	if (!test) throw new Error(`The credential type "${type}" has no test`);

	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: 'temp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [type]: { id: 'temp', name: type } },
	};
	const nodeType: INodeType = {
		description: {
			name: 'temp',
			displayName: 'Temp',
			group: ['input'],
			version: 1,
			description: 'Sends the test request',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: type, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					default: '',
					routing: { request: test.request },
				},
			],
		},
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		},
	});
	const input = { main: [[{ json: {} }]] };
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData,
		'internal',
		createRunExecutionData(),
		0,
		[],
		input,
		{ node, data: input, source: null },
		[],
	);
	try {
		const reference = { id: 'temp', name: type };
		const complete = await additionalData.credentialsHelper.getDecrypted(
			additionalData,
			reference,
			type,
			'internal',
		);
		const credential = { ...reference, type, data: complete };
		const output = await new RoutingNode(context, nodeType, credential).runNode();
		const answer = output?.[0]?.[0]?.json ?? {};
		const broken = test.rules?.find(
			({ type: kind, properties }) =>
				kind === 'responseSuccessBody' && answer[properties.key] === properties.value,
		);
		return broken
			? { status: 'Error', message: broken.properties.message }
			: { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const code = error instanceof NodeApiError ? Number(error.httpCode) : undefined;
		const rule = test.rules?.find(
			({ type: kind, properties }) => kind === 'responseCode' && properties.value === code,
		);
		const message = error instanceof Error ? error.message : String(error);
		return { status: 'Error', message: rule?.properties.message ?? message };
	}
}
