import { agentWorkflow, fromAI, operationText } from './agentWorkflow.cjs';
import { ChatCompletions } from './chatCompletions.cjs';
import { Editor } from './editor.cjs';
import { nodeUnderTest, useN8n } from './n8n.cjs';

describe("n8n's AI Agent in the editor", () => {
	const real = useN8n('agentEditor');

	it('shows the tool on the canvas, and what the model is told of it', async () => {
		const { api } = real.n8n;
		const chat = await ChatCompletions.open();
		const data = { apiKey: 'sk-of-these-tests', url: chat.url };
		const openAi = await api.createCredential('Model', data, 'openAiApi');
		const parameters = { resource: 'page', operation: 'scrape', url: fromAI('url', 'Address') };
		const { credential } = await real.n8n.account();
		const workflow = agentWorkflow(3.1, parameters, chat.model([]), openAi);
		const types = await api.nodeTypes();
		const described = types.find(({ name }) => name === 'n8n-nodes-web-data.webDataTool');
		const editor = await Editor.open(real.n8n);
		const tab = await editor.workflow(await api.createWorkflow(workflow, credential));
		await tab.picture('ai-agent');
		const panel = await tab.openNode(nodeUnderTest);
		const text = panel.field('toolDescription').locator('textarea');

		expect(await text.inputValue()).toBe(operationText(described, 'page', 'scrape'));
		await tab.picture('ai-agent-tool');
		expect(tab.complaints).toEqual([]);
		await editor.close();
		await chat.close();
	});
});
