import { operationNames } from '../engine/operationNames.cjs';
import { agentName, agentWorkflow, operationText } from './agentWorkflow.cjs';
import { ChatCompletions, type ToolCall } from './chatCompletions.cjs';
import { creatorWords, watchWords } from './creatorWords.cjs';
import { useEditor } from './editor.cjs';
import { chain, manual, manualTrigger, nodeUnderTest, single, useN8n } from './n8n.cjs';

/** The headings of the node's actions in n8n's node creator, by how much they are used. */
const actionHeadings = [
	...['Search', 'Page', 'Crawl', 'Map', 'Batch', 'File', 'Agent', 'Browser Session'],
	...['Monitor', 'Paper', 'Data Tool', 'Account'],
].map((resource) => `${resource} Actions`);

/** The first action under each of the first headings. */
const firstActions = [
	...['Search web', 'Scrape page', 'Crawl website', 'Map website', 'Scrape list of URLs'],
];

describe("n8n's editor", () => {
	const real = useN8n('editor');
	const opened = useEditor(real);

	/** Opens a workflow whose nodes of this package have a credential. */
	const open = async (workflow: ReturnType<typeof chain>) => {
		const { credential } = await real.n8n.account();
		return await opened.editor.workflow(await real.n8n.api.createWorkflow(workflow, credential));
	};

	// Which fields each operation has is asked in test/unit/WebData/editor.
	it('shows a node, executes it, and shows other fields when one is changed', async () => {
		const tab = await open(
			single('agent', {
				resource: 'agent',
				operation: 'run',
				prompt: 'Find pages about ways to store tidal energy',
				schemaType: 'example',
				schemaExample: '{ "pages": [{ "title": "Storing tides", "url": "https://example.com" }] }',
			}),
		);
		const panel = await tab.openNode(nodeUnderTest);
		await panel.shows('schemaExample');
		await panel.hides('schema');

		await panel.execute();
		const { head, rows } = await panel.table();
		expect(head).toContain('pages');
		expect(rows).toBeGreaterThan(0);
		await tab.picture('agent-table');

		await panel.choose('schemaType', 'JSON Schema');
		await panel.shows('schema');
		await panel.hides('schemaExample');
		expect(tab.complaints).toEqual([]);
		await tab.close();
	});

	it('offers the fields of a node that has not run yet to the next one', async () => {
		const tab = await open(
			chain('Preview', [
				manual,
				{
					name: nodeUnderTest,
					parameters: { resource: 'search', operation: 'query', query: 'tides' },
				},
				{ name: 'Next', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} },
			]),
		);
		const panel = await tab.openNode('Next');

		const fields = await panel.offeredFields();

		expect(fields).toEqual(expect.arrayContaining(['title', 'url', 'markdown']));
		expect(tab.complaints).toEqual([]);
		await tab.close();
	});

	it("lists the node's actions by how much they are used", async () => {
		const tab = await open(single('Listed', { resource: 'search' }));

		const groups = await tab.listActions('Web Data');
		expect(groups.map(({ heading }) => heading)).toEqual(actionHeadings);
		expect(groups.slice(0, 5).map(({ actions }) => actions[0])).toEqual(firstActions);
		expect(groups.flatMap(({ actions }) => actions)).toHaveLength(operationNames.length);
		await tab.close();
	});

	it('gives an AI Agent a tool whose description and fields are there at once', async () => {
		const { api, service } = real.n8n;
		const chat = await ChatCompletions.open();
		const calls: ToolCall[] = [];
		const model = chat.model(calls);
		const data = { apiKey: 'sk-of-these-tests', url: chat.url };
		const openAi = await api.createCredential('Model', data, 'openAiApi');
		await real.n8n.account();
		const { nodes, connections, ...workflow } = agentWorkflow(3.1, {}, model, openAi);
		const { [nodeUnderTest]: _, ...others } = connections;
		const id = await api.createWorkflow({
			...workflow,
			nodes: nodes.filter(({ name }) => name !== nodeUnderTest),
			connections: others,
		});
		const tab = await opened.editor.workflow(id);
		await tab.addBelow(agentName, 'ai_tool');
		await tab.search('web data', 'Web Data Tool');
		await tab.page.keyboard.press('Enter');
		const panel = await tab.addedPanel('Search web');
		await panel.says('Defined automatically by the model');
		const types = await api.nodeTypes();
		const described = types.find(({ name }) => name === 'n8n-nodes-web-data.webDataTool');
		const text = panel.field('toolDescription').locator('textarea');
		expect(await text.inputValue()).toBe(operationText(described, 'search', 'query'));
		await panel.close();
		await tab.picture('ai-agent');
		await tab.save();
		const added = (await api.workflow(id)).nodes.find(({ type }) => type.endsWith('.webDataTool'));
		const tool = String(added?.name).replaceAll(' ', '_');
		calls.push({ tool, arguments: { query: 'spring tides' } });

		const execution = (await api.ended(await api.run(id, manualTrigger))).succeeded();
		expect(model.tools.map(({ parameters }) => Object.keys(parameters.properties))).toEqual([
			['query'],
		]);
		expect(JSON.stringify(execution.output(agentName))).toContain('Done.');
		expect(service.log.of('POST', '/v2/search').at(-1)?.body).toMatchObject({
			query: 'spring tides',
		});
		await tab.close();
		await chat.close();
	});

	it('finds the node by the words that people look for', async () => {
		const tab = await open(single('Empty', { resource: 'search' }));

		const found: Array<[words: string, place: number, name: string]> = [];
		for (const words of new Set([...creatorWords, ...watchWords])) {
			const names = await tab.findNodes(words);
			const place = names.findIndex((name) => name.startsWith('Web Data'));
			found.push([words, place + 1, names[place]]);
		}
		expect(found.filter(([, place]) => place < 1 || place > 3)).toEqual([]);
		const watching = found.filter(([words]) => watchWords.includes(words));
		// n8n leaves out the word Trigger.
		expect(watching.filter(([, , name]) => name !== 'Web Data Polling')).toEqual([]);
		expect(tab.complaints).toEqual([]);
		await tab.close();
	}, 400_000);
});
