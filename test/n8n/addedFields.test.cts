import { useEditor, type NodePanel } from './editor.cjs';
import { nodeUnderTest, single, useN8n } from './n8n.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

/** What a person adds from the menus of a node's collections is there at once, is saved, and is there later. */
describe('a field that is added from a menu', () => {
	const real = useN8n('addedFields');
	const opened = useEditor(real, { viewport: { width: 1280, height: 1400 } });

	const open = async (name: string, parameters: Parameters<typeof single>[1]) => {
		const { credential } = await real.n8n.account();
		const id = await real.n8n.api.createWorkflow(single(name, parameters), credential);
		const tab = await opened.editor.workflow(id);
		const saved = async () => await real.n8n.api.parameters(id, nodeUnderTest);
		return { id, tab, saved, panel: await tab.openNode(nodeUnderTest) };
	};
	const scrape = { resource: 'page', operation: 'scrape', url: tides };
	/** Executes the node. Resolves with its request; its output may still show what came before. */
	const sentBy = async (panel: NodePanel) => {
		const { log } = real.n8n.service;
		const sent = log.entries.length;
		await panel.execute();
		const request = await until('a request', () => log.entries.at(sent));
		await panel.table();
		return request;
	};

	it('opens with an entry, is saved with it, and is there when the workflow is opened again', async () => {
		const { id, tab, panel, saved } = await open('added', scrape);

		await panel.add('Add Field', 'Headers');
		await panel.shows('name');
		await panel.shows('value');
		await tab.picture('addedFields/added');
		await panel.close();
		await tab.save();

		expect((await saved()).additionalFields).toEqual({
			headers: [{ name: '', value: '' }],
		});
		expect(tab.complaints).toEqual([]);
		await tab.close();
		const later = await opened.editor.workflow(id);
		const reopened = await later.openNode(nodeUnderTest);
		for (const field of ['name', 'value']) await reopened.shows(field);
		await later.close();
	});

	it('is sent as it was filled in', async () => {
		const { tab, panel, saved } = await open('filled', scrape);

		await panel.addEntry('Add Action');
		await panel.type('milliseconds', '5');
		await panel.add('Add Field', 'Headers');
		await panel.type('name', 'Cookie');
		await panel.type('value', 'a=b');
		await tab.picture('addedFields/filled');
		const sent = await sentBy(panel);

		const actions = [{ type: 'wait', milliseconds: 5 }];
		const headers = { Cookie: 'a=b' };
		expect(sent.body).toEqual({ url: tides, actions, headers });
		await panel.close();
		await tab.save();
		expect(await saved()).toMatchObject({
			actions: { values: [{ milliseconds: 5 }] },
			additionalFields: { headers: [{ name: 'Cookie', value: 'a=b' }] },
		});
		await tab.close();
	});
});
