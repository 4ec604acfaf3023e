import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../root.cjs';
import { ChatCompletions, type ToolCall } from './chatCompletions.cjs';
import { agentName, agentWorkflow } from './agentWorkflow.cjs';
import { useEditor, type WorkflowTab } from './editor.cjs';
import { chain, manual, manualTrigger, nodeUnderTest, useN8n } from './n8n.cjs';

/** What somebody builds first, in the editor, by what the panels show. */
describe('a newcomer', () => {
	const real = useN8n('newcomer');
	const opened = useEditor(real);

	beforeAll(async () => {
		await real.n8n.account();
	});

	/** Adds the node behind another by what it is looked for, and an action of it. */
	const add = async (tab: WorkflowTab, behind: string, words: string, action: string) => {
		await tab.addBehind(behind);
		await tab.search(words);
		await tab.page.keyboard.press('Enter');
		return await tab.chooseAction(action);
	};

	it('finds leads and puts them into a CSV file', async () => {
		const { api } = real.n8n;
		const id = await api.createWorkflow(chain('Leads', [manual]));
		const tab = await opened.editor.workflow(id);
		const search = await add(tab, manualTrigger, 'leads', 'Search web');
		await search.type('query', 'contact e-mail of a shop or office');
		await search.toggle('scrapeResults');
		await search.switch('formats', 'Markdown', 'JSON');
		await search.write('jsonSchemaExample', '{ "company": "Ansel Works", "email": "a@b.example" }');
		await search.close();
		await tab.addBehind('Search web');
		await tab.search('convert to file', 'Convert to File');
		await tab.page.keyboard.press('Enter');
		const file = await tab.chooseAction('Convert to CSV');
		await file.execute();
		const [run] = await api.executionIds(id, 1);
		const execution = (await api.ended(run)).succeeded();
		await tab.picture('newcomer/leads');
		expect(await tab.clicks()).toBeLessThanOrEqual(12);

		const [csv] = execution.output('Convert to File');
		const [head, ...rows] = (await api.file(csv)).toString().trim().split('\n');
		expect(head.split(',').slice(0, 2)).toEqual(['company', 'email']);
		expect(rows.length).toBe(execution.output('Search web').length);
		expect(rows.join('\n')).toMatch(/@\w+\.example/);
		await tab.close();
	});

	it('puts all pages of a website into a vector store', async () => {
		const { api } = real.n8n;
		const models = await ChatCompletions.open();
		const key = { apiKey: 'key-of-nobody', url: models.url };
		await api.createCredential('Embeddings', key, 'openAiApi');
		const id = await api.createWorkflow(chain('Knowledge', [manual]));
		const tab = await opened.editor.workflow(id);
		const crawl = await add(tab, manualTrigger, 'crawl website', 'Crawl website');
		await crawl.type('url', 'https://tidewatch.example/guides');
		await tab.page.keyboard.press('Escape');
		await tab.addBehind('Crawl website');
		await tab.search('simple vector store', 'Simple Vector Store');
		await tab.page.keyboard.press('Enter');
		const store = await tab.chooseAction('Add documents to vector store');
		await tab.picture('newcomer/store');
		await store.close();
		const [name] = (await tab.nodeNames()).filter((each) => /vector store/i.test(each));
		await tab.addBelow(name, 'ai_embedding');
		await tab.search('embeddings openai', 'Embeddings OpenAI');
		await tab.page.keyboard.press('Enter');
		await tab.openedPanel();
		await tab.page.keyboard.press('Escape');
		await tab.addBelow(name, 'ai_document');
		await tab.page.getByText('Default Data Loader').click();
		const loader = await tab.openedPanel();
		await loader.choose('jsonMode', 'Load Specific Data');
		await loader.type('jsonData', '{{ $json.markdown }}');
		await tab.picture('newcomer/loader');
		await loader.close();
		await tab.execute();
		const [run] = await api.executionIds(id, 1);
		const execution = (await api.ended(run)).succeeded();
		const clicks = await tab.clicks();
		await tab.picture('newcomer/knowledge');
		expect(clicks).toBeLessThanOrEqual(14);
		expect(execution.output('Crawl website').length).toBeGreaterThan(1);
		expect(execution.output(name).length).toBeGreaterThan(1);
		await tab.close();
		await models.close();
	});

	it("finds the fields of n8n's data loader by the names in the documentation", async () => {
		const types = await real.n8n.api.nodeTypes();
		const loader = types.find(({ name }) => name.endsWith('.documentDefaultDataLoader'));
		const labels = loader?.properties.flatMap(({ displayName, options = [] }) => [
			displayName,
			...options.map((option) => ('value' in option ? option.name : '')),
		]);
		const page = readFileSync(join(projectRoot, 'docs/items.md'), 'utf8');
		const [, rest] = page.split('## Pages into a vector store');
		for (const name of ['Mode', 'Load Specific Data', 'Data']) {
			expect(rest).toContain(`*${name}*`);
			expect(labels).toContain(name);
		}
	});

	it('gives an AI Agent a tool whose fields the model fills in', async () => {
		const { api, service } = real.n8n;
		const models = await ChatCompletions.open();
		const calls: ToolCall[] = [];
		const model = models.model(calls);
		const key = { apiKey: 'key-of-nobody', url: models.url };
		const openAi = await api.createCredential('Model', key, 'openAiApi');
		const given = agentWorkflow(3.1, {}, model, openAi);
		const workflow = {
			...given,
			nodes: given.nodes.filter(({ name }) => name !== nodeUnderTest),
			connections: Object.fromEntries(
				Object.entries(given.connections).filter(([name]) => name !== nodeUnderTest),
			),
		};
		const id = await api.createWorkflow(workflow);
		const tab = await opened.editor.workflow(id);
		const known = await tab.nodeNames();
		await tab.addBelow(agentName, 'ai_tool');
		await tab.search('web data', 'Web Data Tool');
		await tab.page.keyboard.press('Enter');
		const panel = await tab.addedPanel('Search web');
		await tab.picture('newcomer/tool');
		await panel.says('Defined automatically by the model');
		await panel.close();
		await tab.save();
		expect(await tab.clicks()).toBeLessThanOrEqual(8);
		const [added] = (await tab.nodeNames()).filter((name) => !known.includes(name));
		calls.push({ tool: added.replaceAll(' ', '_'), arguments: { query: 'spring tides' } });

		const execution = (await api.ended(await api.run(id, manualTrigger))).succeeded();
		expect(model.tools.map(({ parameters }) => Object.keys(parameters.properties))).toEqual([
			['query'],
		]);
		expect(JSON.stringify(execution.output(agentName))).toContain('Done.');
		expect(service.log.of('POST', '/v2/search').at(-1)?.body).toMatchObject({
			query: 'spring tides',
		});
		await tab.close();
		await models.close();
	});
});
