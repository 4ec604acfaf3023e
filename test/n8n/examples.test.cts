import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';
import { examples, loadWorkflow } from '../demo/examples.cjs';
import { projectRoot } from '../root.cjs';
import type { WorkflowFile } from './editorApi.cjs';
import { useN8n } from './n8n.cjs';

const folder = join(projectRoot, 'examples');
const files = readdirSync(folder);
const workflow = (file: string) =>
	jsonParse<WorkflowFile>(readFileSync(join(folder, file), 'utf8'));
const triggerOf = ({ nodes }: WorkflowFile) =>
	nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger')?.name;

describe('the example workflows', () => {
	const real = useN8n('examples');

	it('are made of nodes that this n8n has', async () => {
		const known = new Set((await real.n8n.api.nodeTypes()).map(({ name }) => name));
		const used = files.flatMap((file) => workflow(file).nodes.map(({ type }) => type));

		expect(used.filter((type) => !known.has(type))).toEqual([]);
	});

	it.each(files.filter((file) => triggerOf(workflow(file))))('%s runs', async (file) => {
		const example = Object.values(examples).find((each) => each.file === file);
		if (!example) throw new Error(`npm start does not know the example ${file}`);
		const { api } = real.n8n;
		const { credential } = await real.n8n.account();
		const asked = loadWorkflow(example, example.standInQuery);
		const id = await api.createWorkflow(asked, credential);
		const execution = await api.ended(await api.run(id, triggerOf(asked) ?? ''));

		const items = execution.succeeded().output(example.outcome ?? example.node);
		expect(items.length).toBeGreaterThan(1);
	});

	it.each(files.filter((file) => !triggerOf(workflow(file))))(
		'%s is activated and deactivated',
		async (file) => {
			const { api } = real.n8n;
			const { credential } = await real.n8n.account();
			const id = await api.createWorkflow(workflow(file), credential);

			await api.activate(id);
			expect(await api.isActive(id)).toBe(true);
			await api.deactivate(id);
			expect(await api.isActive(id)).toBe(false);
		},
	);
});
