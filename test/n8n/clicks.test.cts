import { clickCounts } from './clickCounts.cjs';
import { useEditor, type NodePanel, type WorkflowTab } from './editor.cjs';
import { chain, manual, manualTrigger, useN8n } from './n8n.cjs';

const site = 'https://tidewatch.example';

interface Way {
	/** The action as the node creator lists it. */
	action: string;
	fill(panel: NodePanel): Promise<void>;
}

/** How each task is done by somebody who knows what to type and where to click. */
const ways: Record<(typeof clickCounts)[number]['task'], Way> = {
	'search with markdown': {
		action: 'Search web',
		fill: async (panel) => {
			await panel.type('query', 'tidal energy storage');
			await panel.toggle('scrapeResults');
		},
	},
	'scrape a page': {
		action: 'Scrape page',
		fill: async (panel) => await panel.type('url', `${site}/energy`),
	},
	'scrape a list of URLs': {
		action: 'Scrape list of URLs',
		fill: async (panel) => await panel.type('urls', `${site}/energy, ${site}/guides`),
	},
	'crawl a website': {
		action: 'Crawl website',
		fill: async (panel) => await panel.type('url', `${site}/guides`),
	},
	'JSON by example': {
		action: 'Scrape page',
		fill: async (panel) => {
			await panel.type('url', `${site}/energy`);
			await panel.choose('formats', 'JSON');
			await panel.leave();
			await panel.write('jsonSchemaExample', '{ "title": "Tidal energy", "author": "I. Varga" }');
		},
	},
	'an agent with a shape': {
		action: 'Run agent',
		fill: async (panel) => {
			await panel.type('prompt', 'Find pages about ways to store tidal energy');
			await panel.write('schemaExample', '{ "pages": [{ "title": "", "url": "" }] }');
		},
	},
};

describe('from + to Execute', () => {
	const real = useN8n('clicks');
	const opened = useEditor(real);

	beforeAll(async () => {
		await real.n8n.account();
	});

	/** Adds the node behind the trigger, as somebody does who presses Enter for the node that was found first. */
	const add = async (tab: WorkflowTab, task: string, action: string): Promise<NodePanel> => {
		await tab.addBehind(manualTrigger);
		await tab.search('web data');
		await tab.picture(`clicks/${task}-1-found`);
		await tab.page.keyboard.press('Enter');
		return await tab.chooseAction(action);
	};

	it.each(clickCounts)('$task: $clicks', async ({ task, clicks }) => {
		const { action, fill } = ways[task];
		const id = await real.n8n.api.createWorkflow(chain(task, [manual]));
		const tab = await opened.editor.workflow(id);
		const panel = await add(tab, task, action);
		await fill(panel);
		await tab.picture(`clicks/${task}-2-filled`);
		await panel.execute();
		const counted = await tab.clicks();
		const { rows } = await panel.table();
		await panel.schema();
		await tab.picture(`clicks/${task}-3-results`);

		expect(rows).toBeGreaterThan(0);
		expect(counted).toBe(clicks);
		// Here the editor asks npm about the package, which may be out of reach.
		const unloaded = /^Failed to load resource/;
		expect(tab.complaints.filter((complaint) => !unloaded.test(complaint))).toEqual([]);
		await tab.close();
	});
});
