import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	jsonParse,
	type IConnections,
	type INode,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { ScriptedModel } from './chatCompletions.cjs';
import type { WorkflowFile } from './editorApi.cjs';
import { manual, nodeUnderTest } from './n8n.cjs';
import { surroundings } from './surroundings.cjs';

/** The name by which the model calls the tool: the node's, as n8n writes it for models. */
export const toolName = nodeUnderTest.replaceAll(' ', '_');

/** The name of the AI Agent on the canvas. */
export const agentName = 'AI Agent';

const modelName = 'OpenAI Chat Model';

/** An expression by which the model fills a parameter. */
export const fromAI = (
	key: string,
	description: string,
	type: 'string' | 'number' | 'boolean' | 'json' = 'string',
) => `={{ $fromAI('${key}', '${description}', '${type}') }}`;

/** The versions of n8n's AI Agent that are tried: of those that call tools in ways of their own, what this n8n has. */
export function agentVersions(): number[] {
	const types = join(
		surroundings().n8n,
		'node_modules/@n8n/n8n-nodes-langchain/dist/types/nodes.json',
	);
	const agents = jsonParse<INodeTypeDescription[]>(readFileSync(types, 'utf8'))
		.filter(({ name }) => name === 'agent')
		.flatMap(({ version }) => version);
	return [2.2, 3.1].filter((version) => agents.includes(version));
}

/** What the tool's editor has as the description of an operation, until somebody changes it. */
export const operationText = (
	described: INodeTypeDescription | undefined,
	resource: string,
	operation: string,
): unknown =>
	described?.properties.find(
		({ name, displayOptions: { show } = {} }) =>
			name === 'toolDescription' &&
			show?.resource?.includes(resource) &&
			show.operation?.includes(operation),
	)?.default;

/** A workflow whose AI Agent has a scripted model and this package's node as its only tool. */
export function agentWorkflow(
	typeVersion: number,
	parameters: INodeParameters,
	model: ScriptedModel,
	openAiApi: { id: string; name: string },
): WorkflowFile {
	const node = (
		rest: Pick<INode, 'name' | 'type' | 'typeVersion' | 'position'> & Partial<INode>,
	) => ({ id: rest.name, parameters: {}, ...rest });
	const into = (type: 'main' | 'ai_languageModel' | 'ai_tool') => ({
		[type]: [[{ node: agentName, type, index: 0 }]],
	});
	const connections: IConnections = {
		[manual.name]: into('main'),
		[modelName]: into('ai_languageModel'),
		[nodeUnderTest]: into('ai_tool'),
	};
	return {
		name: `Agent ${typeVersion}`,
		nodes: [
			manual,
			node({
				name: agentName,
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion,
				position: [240, 0],
				parameters: { promptType: 'define', text: 'Find out about tides' },
			}),
			node({
				name: modelName,
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.3,
				position: [160, 240],
				parameters: {
					model: { __rl: true, mode: 'id', value: model.name },
					responsesApiEnabled: false,
					options: { maxRetries: 0 },
				},
				credentials: { openAiApi },
			}),
			node({
				name: nodeUnderTest,
				type: 'n8n-nodes-web-data.webDataTool',
				typeVersion: 1,
				position: [400, 240],
				parameters,
			}),
		],
		connections,
	};
}
