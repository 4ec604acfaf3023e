import { operationNames } from '../engine/operationNames.cjs';
import { Editor, type WorkflowTab } from './editor.cjs';
import { chain, manual, nodeUnderTest, single, useN8n } from './n8n.cjs';

const widths = [1280, 1000];
const height = 1400;

/** Every panel, in n8n's light and dark look, wide and narrow: to be looked at. `npm run pictures -- panels` takes them. */
describe.each(['light', 'dark'] as const)('panels in the %s look', (colorScheme) => {
	const real = useN8n(`panels-${colorScheme}`);
	let editor: Editor;

	beforeAll(async () => {
		const viewport = { width: widths[0], height };
		editor = await Editor.open(real.n8n, { colorScheme, viewport });
		await real.n8n.account();
	});
	afterAll(async () => await editor.close());

	const show = async (
		workflow: Parameters<typeof real.n8n.api.createWorkflow>[0],
		node: string,
	) => {
		const tab: WorkflowTab = await editor.workflow(await real.n8n.api.createWorkflow(workflow));
		await tab.openNode(node);
		for (const width of widths) {
			await tab.page.setViewportSize({ width, height });
			await tab.picture(`panels/${workflow.name}-${colorScheme}-${width}`);
		}
		expect(tab.complaints).toEqual([]);
		await tab.close();
	};

	it.each(operationNames)('$resource: $operation', async ({ resource, operation }) => {
		await show(single(`${resource}-${operation}`, { resource, operation }), nodeUnderTest);
	});

	it.each(['webDataTrigger', 'webDataPollingTrigger'])('%s', async (trigger) => {
		const node = { name: trigger, type: `n8n-nodes-web-data.${trigger}`, parameters: {} };
		await show(chain(trigger, [node]), trigger);
	});

	it('the tool of an AI Agent', async () => {
		const tool = { name: 'Tool', type: 'n8n-nodes-web-data.webDataTool', parameters: {} };
		await show(chain('tool', [manual, tool]), 'Tool');
	});
});
