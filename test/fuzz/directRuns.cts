import { ExecuteContext } from 'n8n-core';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';
import { execute } from '../../nodes/runtime/execution/execute';
import { documentFormat } from '../../nodes/WebData/documents/document';
import { resources } from '../../nodes/WebData/resources';
import { inMemory } from '../engine/file/inputFiles.cjs';
import { inWords, operationNames, type OperationName } from '../engine/operationNames.cjs';
import type { Account, TestBed } from '../engine/testBed.cjs';
import { Fixtures, validParameters } from '../engine/validParameters.cjs';
import type { Service } from '../mock/service.cjs';
import { taggedItems } from './chaosFindings.cjs';
import { canaries, only } from './fuzzRun.cjs';

/** Those that the fuzz run is about: all, or the one that `only` names as "agent: run". */
export const chosenOperations = operationNames.filter(
	(name) => only === undefined || only === inWords(name),
);

/** The fields that an operation has. */
export const fieldsOf = ({ resource, operation }: OperationName) =>
	resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation)?.fields ?? [];

/** An input item with a small page as its file. */
export const itemWithFile = (): INodeExecutionData => ({
	json: {},
	binary: { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') },
});

/** Parameters of an operation that the service accepts, as values. */
export async function soundParameters(
	name: OperationName,
	service: Service,
	account: Account,
): Promise<Record<string, unknown>> {
	const [{ tag }] = taggedItems(1);
	const stored = JSON.stringify(await validParameters(name, new Fixtures(service, account)));
	return JSON.parse(stored.replaceAll('"=', '"').replaceAll('{{ $json.tag }}', tag));
}

/** What the user entered as the credential. */
type Credential = Record<'baseUrl' | 'apiKey' | 'webhookSecret', string>;

/** The node with n8n's own context, credentials and HTTP, but with parameters as they are given, which the engine would make of expressions. */
export class DirectRuns {
	constructor(private readonly testBed: Pick<TestBed, 'engine' | 'service'>) {}

	/** Runs an operation on one item, to the items that come out; a failure is an item with its error. */
	async run(
		name: OperationName,
		parameters: Readonly<Record<string, unknown>>,
		credential: Partial<Credential> = {},
	): Promise<INodeExecutionData[]> {
		const { engine, service } = this.testBed;
		const { key: apiKey, webhookSecret } = canaries;
		const usual: Credential = { baseUrl: service.url, apiKey, webhookSecret };
		const credentials = { webDataApi: { ...usual, ...credential } };
		const node: INode = {
			id: 'node',
			name: 'Web Data',
			type: engine.typeName('webData'),
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			onError: 'continueRegularOutput',
		};
		const workflow = engine.workflow({ nodes: [node], connections: {} }, credentials);
		const given: Readonly<Record<string, unknown>> = { ...parameters, ...name };
		// No expression is resolved: an odd text stays what it is.
		const known = Object.fromEntries(Object.keys(given).map((each) => [each, '={{ given }}']));
		const stored: INode = { ...node, ...workflow.getNode(node.name), parameters: known };
		const input = [itemWithFile()];
		const data = { [NodeConnectionTypes.Main]: [input] };
		const context = new ExecuteContext(
			workflow,
			stored,
			engine.additionalData(credentials, { executionId: 'execution' }),
			'manual',
			createRunExecutionData(),
			0,
			input,
			data,
			{ data, node: stored, source: null },
			[],
			new AbortController().signal,
		);
		Reflect.set(context, 'getNodeParameter', (parameter: string) => given[parameter] ?? null);
		const resourceOf = async (name: unknown) =>
			await Promise.resolve(resources.find(({ value }) => value === name));
		const [items] = await execute(context, resourceOf, documentFormat);
		return items;
	}
}
