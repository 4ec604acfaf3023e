import './environment.cjs';
import 'reflect-metadata';

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import { projectRoot } from '../root.cjs';

/** What a starting n8n does with the pack, in a process that has loaded nothing before. Prints the modules loaded. */
const script = `
for (const path of process.argv.slice(1)) {
	const [Type] = Object.values(require(path));
	new Type();
}
console.log(JSON.stringify(Object.keys(require.cache)));
`;

describe('n8n, when it starts', () => {
	it('loads what describes the nodes, and nothing of what they do', () => {
		const { n8n }: { n8n: Record<'nodes' | 'credentials', string[]> } = JSON.parse(
			readFileSync(join(projectRoot, 'package.json'), 'utf8'),
		);
		const paths = [...n8n.nodes, ...n8n.credentials].map((path) => `./${path}`);
		const output = execFileSync(process.execPath, ['-e', script, ...paths], {
			cwd: projectRoot,
			encoding: 'utf8',
		});
		const loaded: string[] = JSON.parse(output);

		expect(loaded).toContainEqual(expect.stringMatching(/WebData\.node\.js$/));
		expect(
			loaded.filter((path) =>
				/[\\/](resources|fields|documents)[\\/]|runtime[\\/](form|execution|output|jobs)[\\/]/.test(
					path,
				),
			),
		).toEqual([]);
	});

	it('adds its schedule to the polling trigger once, however often the pack is loaded', async () => {
		const loaders = [1, 2].map(() => new PackageDirectoryLoader(projectRoot));
		for (const loader of loaders) await loader.loadAll();

		for (const { types } of loaders) {
			const trigger = types.nodes.find(({ name }) => name.endsWith('webDataPollingTrigger'));
			const shown = trigger?.properties.filter(({ isNodeSetting }) => isNodeSetting !== true) ?? [];
			expect(shown.filter(({ name }) => name === 'pollTimes')).toHaveLength(1);
		}
	});
});
