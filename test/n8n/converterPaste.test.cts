import { pathToFileURL } from 'node:url';
import { NodeHelpers, type INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import { parseWorkflow, type Workflow, type WorkflowNode } from '../../tools/convert/workflow.cjs';
import { builtNode } from '../builtNode.cjs';
import { pagePath } from './pagePath.cjs';
import { samples } from '../unit/convert/samples.cjs';
import { useEditor } from './editor.cjs';
import type { WorkflowFile } from './editorApi.cjs';
import { useN8n } from './n8n.cjs';

const pageUrl = pathToFileURL(pagePath()).href;

/** The sample as n8n stores it. */
const stored = (name: string): WorkflowFile => JSON.parse(JSON.stringify(samples[name].workflow));

const itemsShape = z.array(z.object({ json: z.unknown() }));

const { description } = builtNode('WebData');

/** The parameters with the defaults that the editor stores or leaves out. */
function completed({ type, parameters }: WorkflowNode): object | null {
	if (type === 'n8n-nodes-base.stickyNote') return { height: 160, ...parameters };
	if (type !== 'n8n-nodes-web-data.webData') return parameters;
	return NodeHelpers.getNodeParameters(
		description.properties,
		parameters as INodeParameters,
		true,
		false,
		{ typeVersion: 1 },
		description,
	);
}

/** What the canvas shows of a workflow: the editor gives new IDs, and moves all nodes together to the mouse. */
function onCanvas({ nodes, connections }: Pick<Workflow, 'nodes' | 'connections'>) {
	const [left, top] = [0, 1].map((axis) =>
		Math.min(...nodes.map(({ position }) => position[axis])),
	);
	const placed = nodes.map((node) => {
		const { name, type, position, notes, onError, retryOnFail } = node;
		const [x, y] = position;
		const shown = { type, parameters: completed(node), notes, onError, retryOnFail };
		return [name, { ...shown, position: [x - left, y - top] }];
	});
	return { nodes: Object.fromEntries(placed), connections };
}

/** From an old workflow on the canvas of n8n to the new one: by two clipboards, as a person does. */
describe('The page of the converter beside the editor of n8n', () => {
	const real = useN8n('converter');
	const opened = useEditor(real, { permissions: ['clipboard-read', 'clipboard-write'] });

	it.each([
		'official crawl in a loop with a failure branch',
		'official scrape, pinned, with an error output',
		'official token usage',
	])('takes what the editor copied, and gives what it pastes: %s', async (name) => {
		const { api } = real.n8n;
		const old = await opened.editor.workflow(await api.createWorkflow(stored(name)));
		const copied = await old.copyAll();
		expect(parseWorkflow(copied).nodes).toHaveLength(samples[name].workflow.nodes.length);

		const page = await opened.editor.page(pageUrl);
		await page.getByLabel('Your workflow').focus();
		await page.keyboard.press('ControlOrMeta+V');
		await page.getByRole('button', { name: 'Copy' }).click();
		await page.getByRole('button', { name: 'Copied' }).waitFor();
		const converted = parseWorkflow(await page.getByLabel('The converted workflow').inputValue());
		const fresh = await opened.editor.newWorkflow();
		const id = await fresh.pasteNew(converted.nodes.length);
		await fresh.picture(`converted ${name.replace(',', '')}`);
		const pasted = await api.workflow(id);

		expect(onCanvas(parseWorkflow(JSON.stringify(pasted)))).toEqual(onCanvas(converted));
		// On the clipboard, items are what they have under `json`.
		const pinned = Object.entries(pasted.pinData ?? {}).map(([node, items]) => [
			node,
			itemsShape.parse(items).map(({ json }) => json),
		]);
		expect(Object.fromEntries(pinned)).toEqual(converted.pinData ?? {});
		await Promise.all([old.close(), page.close(), fresh.close()]);
	});
});
