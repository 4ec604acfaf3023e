import type { IDataObject } from 'n8n-workflow';
import { useEditor } from './editor.cjs';
import type { NodePanel } from './nodePanel.cjs';
import { chain, manual, manualTrigger, useN8n } from './n8n.cjs';

const site = 'https://tidewatch.example';

/** What people want first, and presses of the mouse from the + on the canvas to Execute; the node is chosen by Enter. */
const tasks: Array<{
	task: string;
	clicks: number;
	/** The action as the node creator lists it. */
	action: string;
	/** Words by which the node is looked for, and the first that is found. */
	words?: [words: string, found: string];
	/** Items that come in. */
	input?: IDataObject[];
	/** Fills the panel as somebody does who knows what to type and where to click. */
	fill(panel: NodePanel): Promise<void>;
}> = [
	{
		task: 'search with markdown',
		clicks: 5,
		action: 'Search web',
		fill: async (panel) => {
			await panel.type('query', 'tidal energy storage');
			await panel.toggle('scrapeResults');
		},
	},
	{
		task: 'scrape a page',
		clicks: 4,
		action: 'Scrape page',
		fill: async (panel) => await panel.type('url', `${site}/energy`),
	},
	{
		task: 'scrape a list of URLs',
		clicks: 4,
		action: 'Scrape list of URLs',
		fill: async (panel) => await panel.type('urls', `${site}/energy, ${site}/guides`),
	},
	{
		task: 'crawl a website',
		clicks: 4,
		action: 'Crawl website',
		fill: async (panel) => await panel.type('url', `${site}/guides`),
	},
	{
		task: 'JSON by example',
		clicks: 7,
		action: 'Scrape page',
		fill: async (panel) => {
			await panel.type('url', `${site}/energy`);
			await panel.choose('formats', 'JSON');
			await panel.leave();
			await panel.write('jsonSchemaExample', '{ "title": "Tidal energy", "author": "I. Varga" }');
		},
	},
	{
		task: 'a batch with a shape of the URLs of a list',
		clicks: 8,
		action: 'Scrape list of URLs',
		input: [{ url: `${site}/energy` }, { url: `${site}/guides` }],
		fill: async (panel) => {
			await panel.drop('url', 'urls');
			await panel.choose('formats', 'JSON');
			await panel.leave();
			await panel.write('jsonSchemaExample', '{ "title": "Tidal energy", "author": "I. Varga" }');
		},
	},
	{
		task: 'an agent with a shape',
		clicks: 7,
		action: 'Run agent',
		fill: async (panel) => {
			await panel.type('prompt', 'Find pages about ways to store tidal energy');
			await panel.choose('schemaType', 'Example');
			await panel.write('schemaExample', '{ "pages": [{ "title": "", "url": "" }] }');
		},
	},
];

/** The same for triggers, from an empty workflow. */
const watches: typeof tasks = [
	{
		task: 'watch a price',
		clicks: 6,
		action: 'On changed pages or prices',
		fill: async (panel) => {
			await panel.type('urls', 'https://example.com/shop/kettle');
			await panel.choose('compare', 'Product');
		},
	},
	{
		task: 'receive the first event of a monitor',
		clicks: 6,
		action: 'On page new',
		words: ['webhook on change', 'Web Data'],
		fill: async (panel) => {
			await panel.addEntry('Add Target');
			await panel.type('urls', site);
			await panel.type('schedule', 'hourly');
		},
	},
	{
		task: 'watch for new pages of a site',
		clicks: 4,
		action: 'On new pages of a website',
		fill: async (panel) => await panel.type('url', site),
	},
];

describe('from + to Execute', () => {
	const real = useN8n('clicks');
	const opened = useEditor(real);

	beforeAll(async () => {
		await real.n8n.account();
	});

	it.each(tasks)('$task: $clicks', async ({ task, clicks, action, input = [{}], fill }) => {
		const pinData = { [manualTrigger]: input.map((json) => ({ json })) };
		const id = await real.n8n.api.createWorkflow({ ...chain(task, [manual]), pinData });
		const tab = await opened.editor.workflow(id);
		await tab.addBehind(manualTrigger);
		await tab.search('web data');
		await tab.picture(`clicks/${task}-1-found`);
		await tab.page.keyboard.press('Enter');
		const panel = await tab.chooseAction(action);
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

	it.each(watches)(
		'$task: $clicks from an empty workflow',
		async ({ task, clicks, action, words = ['web data polling', 'Web Data Polling'], fill }) => {
			const tab = await opened.editor.workflow(await real.n8n.api.createWorkflow(chain(task, [])));
			await tab.addFirst();
			// n8n leaves out the word Trigger where it lists triggers alone.
			await tab.search(...words);
			await tab.page.keyboard.press('Enter');
			const panel = await tab.addedPanel(action);
			await fill(panel);
			await panel.execute();
			const counted = await tab.clicks();

			expect((await panel.table()).rows).toBeGreaterThan(0);
			expect(counted).toBe(clicks);
			await tab.close();
		},
	);
});
