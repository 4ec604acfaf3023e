import { resources } from '../../nodes/WebData/resources';
import { Editor } from './editor.cjs';
import { chain, manual, useN8n } from './n8n.cjs';

const widths = [1280, 1000];
const height = 1400;

/** The nodes whose panels are shown, one workflow for each: the editor takes long to load. */
const workflows = [
	...resources.map(({ value: resource, operations }) =>
		chain(resource, [
			manual,
			...operations.map(({ value: operation }) => ({
				name: operation,
				parameters: { resource, operation },
			})),
		]),
	),
	...['webDataTrigger', 'webDataPollingTrigger'].map((trigger) =>
		chain('trigger', [{ name: trigger, type: `n8n-nodes-web-data.${trigger}`, parameters: {} }]),
	),
	chain('tool', [
		manual,
		{ name: 'AI Agent', type: 'n8n-nodes-web-data.webDataTool', parameters: {} },
	]),
];

/** Every panel, in n8n's light and dark look, wide and narrow: to be looked at. `npm run test:n8n -- --pictures` takes them. */
describe.each(['light', 'dark'] as const)('panels in the %s look', (colorScheme) => {
	const real = useN8n(`panels-${colorScheme}`);
	let editor: Editor;

	beforeAll(async () => {
		const viewport = { width: widths[0], height };
		editor = await Editor.open(real.n8n, { colorScheme, viewport });
		await real.n8n.account();
	});
	afterAll(async () => await editor.close());

	it.each(workflows)('of $name', async (workflow) => {
		const tab = await editor.workflow(await real.n8n.api.createWorkflow(workflow));
		for (const { name } of workflow.nodes.filter((node) => node.name !== manual.name)) {
			const panel = await tab.openNode(name);
			for (const width of widths) {
				await tab.page.setViewportSize({ width, height });
				await tab.picture(`panels/${workflow.name}-${name}-${colorScheme}-${width}`);
			}
			await tab.page.setViewportSize({ width: widths[0], height });
			await panel.close();
		}
		expect(tab.complaints).toEqual([]);
		await tab.close();
	});
});
