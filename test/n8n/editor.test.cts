import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { previewFolder } from '../../tools/docs/previews.cjs';
import { projectRoot } from '../root.cjs';
import { operationNames } from '../engine/operationNames.cjs';
import { agentWorkflow, fromAI, operationText } from './agentWorkflow.cjs';
import { ChatCompletions } from './chatCompletions.cjs';
import { creatorWords } from './creatorWords.cjs';
import { useEditor, type NodePanel } from './editor.cjs';
import { chain, manual, nodeUnderTest, single, useN8n } from './n8n.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

interface Look {
	resource: string;
	operation: string;
	parameters: INodeParameters;
	/** A column of the output's table. */
	column: string;
	/** Changes a field, and says which others that makes appear and vanish. */
	change(panel: NodePanel): Promise<void>;
	appears: string[];
	vanishes: string[];
}

/** A look at an operation, which is then changed to another. */
const look = (
	[resource, operation, column]: [string, string, string],
	parameters: INodeParameters,
	[other, appears, vanishes]: [string, string[], string[]],
): Look => ({
	resource,
	operation,
	parameters,
	column,
	change: async (panel) => await panel.choose('operation', other),
	appears,
	vanishes,
});

/** One of each kind of change; which fields each operation has is asked in test/unit/WebData/editor. */
const looks: Look[] = [
	look(['search', 'query', 'title'], { query: 'tidal energy storage', limit: 5 }, [
		'Passages',
		['alsoAsk'],
		['scrapeResults'],
	]),
	{
		resource: 'agent',
		operation: 'run',
		parameters: {
			prompt: 'Find pages about ways to store tidal energy',
			schemaType: 'example',
			schemaExample: '{ "pages": [{ "title": "Storing tides", "url": "https://example.com" }] }',
		},
		column: 'pages',
		change: async (panel) => await panel.choose('schemaType', 'JSON Schema'),
		appears: ['schema'],
		vanishes: ['schemaExample'],
	},
	{
		resource: 'map',
		operation: 'get',
		parameters: { url: 'https://tidewatch.example', limit: 5 },
		column: 'url',
		change: async (panel) => await panel.toggle('returnAll'),
		appears: [],
		vanishes: ['limit'],
	},
	look(
		['monitor', 'create', 'nextRunAt'],
		{
			name: 'Tides',
			targets: { values: [{ type: 'scrape', urls: tides }] },
			schedule: 'hourly',
		},
		['Get Many', ['returnAll', 'limit'], ['name', 'targets']],
	),
];

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

	it.each(looks)(
		'shows, executes and changes $resource: $operation',
		async ({ column, change, appears, vanishes, ...node }) => {
			const { credential } = await real.n8n.account();
			const { resource, parameters } = node;
			const workflow = single(resource, { resource, operation: node.operation, ...parameters });
			const tab = await opened.editor.workflow(
				await real.n8n.api.createWorkflow(workflow, credential),
			);
			const panel = await tab.openNode(nodeUnderTest);
			for (const parameter of vanishes) await panel.shows(parameter);
			for (const parameter of appears) await panel.hides(parameter);

			await tab.picture(`${resource}-panel`);

			await panel.execute();
			const { head, rows } = await panel.table();
			expect(head).toContain(column);
			expect(rows).toBeGreaterThan(0);
			await tab.picture(`${resource}-table`);
			expect(await panel.json()).toContain(column);
			await tab.picture(`${resource}-json`);

			await change(panel);
			for (const parameter of appears) await panel.shows(parameter);
			for (const parameter of vanishes) await panel.hides(parameter);
			await tab.picture(`${resource}-changed`);
			expect(tab.complaints).toEqual([]);
			await tab.close();
		},
	);

	it('offers the fields of a node that has not run yet to the next one', async () => {
		const workflow = chain('Preview', [
			manual,
			{
				name: nodeUnderTest,
				parameters: { resource: 'search', operation: 'query', query: 'tides' },
			},
			{ name: 'Next', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} },
		]);
		const tab = await opened.editor.workflow(await real.n8n.api.createWorkflow(workflow));
		const panel = await tab.openNode('Next');

		const fields = await panel.offeredFields();
		await tab.picture('preview');

		expect(fields).toEqual(expect.arrayContaining(['title', 'url', 'markdown']));
		expect(tab.complaints).toEqual([]);
		await tab.close();
	});

	it.each(['webData', 'webDataTool'])(
		'finds the preview of every operation of %s',
		async (node) => {
			const { url } = real.n8n.server;
			for (const { resource, operation } of operationNames) {
				const path = `${resource}/${operation}.json`;
				const response = await fetch(`${url}/schemas/n8n-nodes-web-data.${node}/1.0.0/${path}`);
				const file = readFileSync(join(projectRoot, previewFolder, path), 'utf8');
				expect([path, response.status]).toEqual([path, 200]);
				expect(await response.json()).toEqual(JSON.parse(file));
			}
		},
	);

	it('shows what happened and what to do when a node fails', async () => {
		const { credential } = await real.n8n.account({ credits: 0 });
		const workflow = single('Broke', { resource: 'search', operation: 'query', query: 'tides' });
		const tab = await opened.editor.workflow(
			await real.n8n.api.createWorkflow(workflow, credential),
		);
		const panel = await tab.openNode(nodeUnderTest);

		await panel.execute();
		const { message, description } = await panel.error();
		await tab.picture('error');
		expect(message).toMatch(/credits/i);
		expect(description).not.toBe('');
		expect(description).not.toBe(message);
		await tab.close();
	});

	it('fetches a sample for the Web Data Polling Trigger', async () => {
		const { credential } = await real.n8n.account();
		const workflow = chain('Watch', [
			{
				name: 'Watch',
				type: 'n8n-nodes-web-data.webDataPollingTrigger',
				parameters: { query: 'tidal energy', pollTimes: { item: [{ mode: 'everyHour' }] } },
			},
		]);
		const tab = await opened.editor.workflow(
			await real.n8n.api.createWorkflow(workflow, credential),
		);
		const panel = await tab.openNode('Watch');
		await panel.execute();
		expect((await panel.table()).head).toContain('title');
		await tab.picture('polling-trigger');

		await panel.choose('watch', 'Pages');
		await panel.shows('urls');
		await panel.hides('query');
		expect(tab.complaints).toEqual([]);
		await tab.close();
	});

	it('listens for a test event of the Web Data Trigger', async () => {
		const { credential, team } = await real.n8n.account();
		const workflow = chain('Listen', [
			{
				name: 'Listen',
				type: 'n8n-nodes-web-data.webDataTrigger',
				webhookId: randomUUID(),
				parameters: {
					source: 'newMonitor',
					targets: { values: [{ type: 'scrape', urls: tides }] },
					schedule: 'hourly',
				},
			},
		]);
		const tab = await opened.editor.workflow(
			await real.n8n.api.createWorkflow(workflow, credential),
		);
		const panel = await tab.openNode('Listen');
		await panel.execute();
		expect((await panel.table()).head).toContain('url');
		await tab.picture('trigger');
		const { monitors } = real.n8n.service.context;
		await until('the monitor to go', () => monitors.of(team.id).length === 0 || undefined);

		await panel.choose('source', 'Webhook Events');
		await panel.shows('webhookEvents');
		for (const parameter of ['targets', 'events']) await panel.hides(parameter);
		expect(tab.complaints).toEqual([]);
		await tab.close();
	});

	it("lists the node's actions by how much they are used", async () => {
		const id = await real.n8n.api.createWorkflow(single('Listed', { resource: 'search' }));
		const tab = await opened.editor.workflow(id);

		const groups = await tab.listActions('Web Data');
		await tab.picture('actions');
		expect(groups.map(({ heading }) => heading)).toEqual(actionHeadings);
		expect(groups.slice(0, 5).map(({ actions }) => actions[0])).toEqual(firstActions);
		expect(groups.flatMap(({ actions }) => actions)).toHaveLength(operationNames.length);
		// Here the editor asks npm about the package, which may be out of reach.
		const unloaded = /^Failed to load resource/;
		expect(tab.complaints.filter((complaint) => !unloaded.test(complaint))).toEqual([]);
		await tab.close();
	});

	it('shows the tool of an AI Agent on the canvas, and what the model is told of it', async () => {
		const { api } = real.n8n;
		const chat = await ChatCompletions.open();
		const data = { apiKey: 'sk-of-these-tests', url: chat.url };
		const openAi = await api.createCredential('Model', data, 'openAiApi');
		const parameters = { resource: 'page', operation: 'scrape', url: fromAI('url', 'Address') };
		const { credential } = await real.n8n.account();
		const workflow = agentWorkflow(3.1, parameters, chat.model([]), openAi);
		const types = await api.nodeTypes();
		const described = types.find(({ name }) => name === 'n8n-nodes-web-data.webDataTool');
		const tab = await opened.editor.workflow(await api.createWorkflow(workflow, credential));
		await tab.picture('ai-agent');
		const panel = await tab.openNode(nodeUnderTest);
		const text = panel.field('toolDescription').locator('textarea');

		expect(await text.inputValue()).toBe(operationText(described, 'page', 'scrape'));
		await tab.picture('ai-agent-tool');
		expect(tab.complaints).toEqual([]);
		await tab.close();
		await chat.close();
	});

	it('finds the node by the words that people look for', async () => {
		const id = await real.n8n.api.createWorkflow(single('Empty', { resource: 'search' }));
		const tab = await opened.editor.workflow(id);

		const places: Array<[words: string, place: number]> = [];
		for (const words of creatorWords) {
			places.push([words, (await tab.findNodes(words)).indexOf('Web Data') + 1]);
		}
		await tab.picture('found');
		expect(places.filter(([, place]) => place < 1 || place > 3)).toEqual([]);
		expect(tab.complaints).toEqual([]);
		await tab.close();
	}, 400_000);
});
