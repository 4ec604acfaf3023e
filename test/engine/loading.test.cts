import './environment.cjs';
import 'reflect-metadata';

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { projectRoot } from '../root.cjs';

/** What a starting n8n does with the pack, in a process that has loaded nothing before. Prints the modules loaded. */
const script = `
for (const path of process.argv.slice(1)) {
	const [Type] = Object.values(require(path));
	new Type();
}
console.log(JSON.stringify(Object.keys(require.cache)));
`;

it('n8n loads what describes the nodes when it starts, and nothing of what they do', () => {
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
	const work =
		/[\\/](resources|fields|documents)[\\/]|runtime[\\/](form|execution|output|jobs)[\\/]/;
	expect(loaded.filter((path) => work.test(path))).toEqual([]);
});

describe('the poll times that n8n adds to the polling trigger', () => {
	/** The fields of the trigger, as the pack is loaded once more. */
	async function loaded(): Promise<INodeProperties[]> {
		const loader = new PackageDirectoryLoader(projectRoot);
		await loader.loadAll();
		const { type } = loader.getNode('webDataPollingTrigger');
		if ('nodeVersions' in type) throw new Error('The trigger has versions of its own');
		return type.description.properties;
	}

	it('are one field, however often the pack is loaded', async () => {
		for (const fields of [await loaded(), await loaded()]) {
			const named = fields.filter(({ name }) => name === 'pollTimes');
			// n8n's own is the setting.
			expect(named.map(({ isNodeSetting = false }) => isNodeSetting)).toEqual([false, true]);
		}
	});

	it('are once a day in a new node, and saved so, that no other default changes them', async () => {
		const fields = await loaded();
		const parametersOf = (stored: INodeParameters, withDefaults: boolean) => {
			const node: INode = {
				id: '1',
				name: 'Watch',
				type: 'webDataPollingTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: stored,
			};
			return NodeHelpers.getNodeParameters(fields, stored, withDefaults, false, node, null) ?? {};
		};
		const daily = { item: [{ mode: 'everyDay', hour: 9, minute: 0 }] };

		const made = parametersOf({}, true);
		const saved = parametersOf(made, false);

		expect(made.pollTimes).toEqual(daily);
		expect(saved.pollTimes).toEqual({ item: [{ hour: 9 }] });
		expect(parametersOf(saved, true).pollTimes).toEqual(daily);
	});
});
