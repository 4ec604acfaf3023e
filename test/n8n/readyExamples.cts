import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, IPinData } from 'n8n-workflow';
import { ChatCompletions } from './chatCompletions.cjs';
import type { WorkflowFile } from './editorApi.cjs';
import { exampleFiles, readExample } from './exampleFiles.cjs';
import type { Account, RealN8n } from './n8n.cjs';
import { ToolCallingModel } from './toolCallingModel.cjs';

/** The model that the examples ask OpenAI for. */
const modelName = 'gpt-5-mini';

/** Invoices of the small web, for the form that takes PDFs. */
const invoices = [
	'https://emberroast.example/account/invoice-2041.pdf',
	'https://relayworks.example/admin/invoice-0093.pdf',
];

/** What starts an example whose event comes at some time of its own. */
const pinned: Record<string, IPinData> = {
	'watch-a-page.json': {
		'Page changes': [
			{
				json: {
					url: 'https://example.com/pricing',
					status: 'changed',
					judgment: { meaningful: true, reason: 'The price of the plan Medium has changed.' },
					diff: { text: '-| Medium | 29 USD | 5 |\n+| Medium | 35 USD | 5 |' },
				},
			},
		],
	},
};

/** The examples in an n8n, each with all that it needs beside the mock server. */
export class ReadyExamples {
	private constructor(
		/** Whose credential the examples have. */
		readonly account: Account,
		/** What clients enter to use the MCP server. */
		readonly token: string,
		/** PDFs to give to the example that takes invoices. */
		readonly invoices: string[],
		/** The workflows by the names of their files. */
		readonly ids: ReadonlyMap<string, string>,
		private readonly models: ChatCompletions,
	) {}

	/** Stores every example, with credentials for the mock server and for a model. */
	static async store(n8n: RealN8n): Promise<ReadyExamples> {
		const { api, server, service } = n8n;
		const models = await ChatCompletions.open();
		models.add(new ToolCallingModel(modelName));
		const account = await n8n.account({ webhookSecret: 'whsec-of-the-examples' });
		const token = 'token-of-the-examples';
		const credentials = await nodeCredentials(n8n, models.url, token);

		const ids = new Map<string, string>();
		for (const file of exampleFiles) {
			const example = withCredentials(readExample(file), credentials);
			const ready = { ...example, pinData: pinned[file] };
			ids.set(file, await api.createWorkflow(ready, account.credential));
		}

		const folder = join(server.folder, 'invoices');
		mkdirSync(folder);
		const files = await Promise.all(
			invoices.map(async (url) => {
				const path = join(folder, url.split('/').at(-1) ?? '');
				writeFileSync(path, (await service.site.render(url)).body);
				return path;
			}),
		);
		return new ReadyExamples(account, token, files, ids, models);
	}

	async close(): Promise<void> {
		await this.models.close();
	}
}

type Credentials = Record<string, INode['credentials']>;

/** The credentials of n8n's own nodes in the examples, by the types of the nodes. */
export async function nodeCredentials(
	{ api }: RealN8n,
	url: string,
	token: string,
): Promise<Credentials> {
	const key = { apiKey: 'key-of-nobody', url };
	const openAiApi = await api.createCredential('Model', key, 'openAiApi');
	const httpBearerAuth = await api.createCredential('Token', { token }, 'httpBearerAuth');
	return {
		'@n8n/n8n-nodes-langchain.lmChatOpenAi': { openAiApi },
		'@n8n/n8n-nodes-langchain.embeddingsOpenAi': { openAiApi },
		'@n8n/n8n-nodes-langchain.mcpTrigger': { httpBearerAuth },
	};
}

/** A workflow whose nodes have the credentials of their types. */
export const withCredentials = (
	workflow: WorkflowFile,
	credentials: Credentials,
): WorkflowFile => ({
	...workflow,
	nodes: workflow.nodes.map((node) => ({
		...node,
		credentials: credentials[node.type] ?? node.credentials,
	})),
});
