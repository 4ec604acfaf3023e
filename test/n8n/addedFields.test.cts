import { useEditor } from './editor.cjs';
import { nodeUnderTest, single, useN8n } from './n8n.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

describe('a field that is added from a menu', () => {
	const real = useN8n('addedFields');
	const opened = useEditor(real, { viewport: { width: 1280, height: 1400 } });

	it('opens with an entry or is on, is sent as it was filled in, and is there when the workflow is opened again', async () => {
		const { api, service } = real.n8n;
		const { credential } = await real.n8n.account();
		const scrape = { resource: 'page', operation: 'scrape', url: tides };
		const id = await api.createWorkflow(single('added', scrape), credential);
		const tab = await opened.editor.workflow(id);
		const panel = await tab.openNode(nodeUnderTest);

		await panel.addEntry('Add Action');
		await panel.type('milliseconds', '5');
		await panel.add('Add Field', 'Headers');
		await panel.type('name', 'Cookie');
		await panel.type('value', 'a=b');
		await panel.add('Add Field', 'Mobile');
		await panel.execute();
		const sent = await until('a request', () => service.log.of('POST', '/v2/scrape')[0]);

		const actions = [{ type: 'wait', milliseconds: 5 }];
		expect(sent.body).toEqual({ url: tides, actions, headers: { Cookie: 'a=b' }, mobile: true });
		await panel.close();
		await tab.save();
		expect(await api.parameters(id, nodeUnderTest)).toMatchObject({
			actions: { values: [{ milliseconds: 5 }] },
			additionalFields: { headers: [{ name: 'Cookie', value: 'a=b' }], mobile: true },
		});
		expect(tab.complaints).toEqual([]);
		await tab.close();
		const later = await opened.editor.workflow(id);
		const reopened = await later.openNode(nodeUnderTest);
		for (const field of ['name', 'value']) await reopened.shows(field);
		await later.close();
	});
});
