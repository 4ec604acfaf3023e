import {
	CredentialTestContext,
	ExecuteContext,
	RoutingNode,
	type PackageDirectoryLoader,
} from 'n8n-core';
import {
	NodeApiError,
	Workflow,
	type ICredentialTestFunction,
	type INode,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { emptyRunData } from './earlierN8n.cjs';

/** What the editor shows after "Test" in the credential's window. */
export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

/** The function of a node by which a credential type is tested, of the first that names one, as n8n looks for it. */
function testingFunction(
	loader: PackageDirectoryLoader,
	type: string,
): ICredentialTestFunction | undefined {
	for (const name of loader.known.credentials[type]?.supportedNodes ?? []) {
		const node = loader.getNode(name.split('.').pop() ?? name).type;
		if ('nodeVersions' in node) continue;
		const { testedBy } = node.description.credentials?.find((one) => one.name === type) ?? {};
		if (typeof testedBy === 'string') return node.methods?.credentialTest?.[testedBy];
	}
	return undefined;
}

/**
 * Tests a credential as n8n does: by its type's own test request, sent as the request of a declarative node
 * that has nothing else, with the credential that `additionalData` holds and the test's rules; or, where the
 * type has none, by the function of a node.
 */
export async function testCredential(
	loader: PackageDirectoryLoader,
	additionalData: IWorkflowExecuteAdditionalData,
	type: string,
): Promise<CredentialTestResult> {
	const reference = { id: 'temp', name: type };
	const data = await additionalData.credentialsHelper.getDecrypted(
		additionalData,
		reference,
		type,
		'internal',
	);
	const { test } = loader.getCredential(type).type;
	if (!test) {
		const tested = testingFunction(loader, type);
		if (!tested) throw new Error(`The credential type "${type}" has no test`);
		return await tested.call(new CredentialTestContext(additionalData), {
			...reference,
			type,
			data,
		});
	}

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
		emptyRunData(),
		0,
		[],
		input,
		{ node, data: input, source: null },
		[],
	);
	try {
		const credential = { ...reference, type, data };
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
