import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jsonParse } from 'n8n-workflow';
import { installPackage, npm } from './communityPackage.cjs';
import { nodeUnderTest, single, useN8n } from './n8n.cjs';
import { pageWatch, watch } from './pageWatch.cjs';
import { surroundings } from './surroundings.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

describe('what outlives the process of n8n', () => {
	const real = useN8n('restart');

	it('an upgraded pack recognises saved workflows, and its active triggers go on', async () => {
		const { api, server, service } = real.n8n;
		const { monitors } = service.context;
		const { team, credential } = await real.n8n.account({ webhookSecret: 'whsec-of-the-team' });
		const workflow = single('Saved before', { resource: 'page', operation: 'scrape', url: tides });
		const id = await api.createWorkflow(workflow, credential);
		const watching = await api.createWorkflow(pageWatch(tides), credential);
		await api.activate(watching);
		const monitor = await until('the monitor', () => monitors.of(team.id)[0]);
		await monitors.toNextCheck();
		await api.executionsOf(watching, 1);
		const before = (await api.nodeTypes()).map(({ name, version }) => [name, version]);

		await server.stop();
		const version = await installUpgrade();
		await server.start();

		const installed = join(server.packages, 'node_modules/n8n-nodes-web-data/package.json');
		expect(jsonParse<{ version: string }>(readFileSync(installed, 'utf8')).version).toBe(version);
		expect((await api.nodeTypes()).map(({ name, version: each }) => [name, each])).toEqual(before);
		const execution = await api.ended(await api.run(id, workflow.nodes[0].name));
		expect(execution.succeeded().output(nodeUnderTest)).toHaveLength(1);

		expect(await api.isActive(watching)).toBe(true);
		expect(monitors.of(team.id)).toEqual([monitor]);
		service.site.update(tides, { markdown: '# Spring tides\n\nAll is different now.' });
		await monitors.toNextCheck();
		const [, fired] = await api.executionsOf(watching, 2);
		expect(fired.succeeded().output(watch)[0].json).toMatchObject({
			url: tides,
			status: 'changed',
		});
		await api.deactivate(watching);
		await until('the monitor to go', () => monitors.of(team.id).length === 0 || undefined);
	});

	/** Puts the pack's next version into n8n: this one with a higher number. Resolves with that number. */
	async function installUpgrade(): Promise<string> {
		const { tarball, work } = surroundings();
		const folder = await mkdtemp(join(work, 'upgrade-'));
		await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder]);
		const manifest = join(folder, 'package', 'package.json');
		const described = jsonParse<{ version: string }>(readFileSync(manifest, 'utf8'));
		const version = described.version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
		writeFileSync(manifest, JSON.stringify({ ...described, version }));
		await npm(['pack', '--ignore-scripts', '--pack-destination', folder], join(folder, 'package'));
		const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
		await installPackage(real.n8n.server, join(folder, packed));
		return version;
	}
});
