import { demoKey } from '../mock/teams.cjs';
import { exampleFiles, readExample } from './exampleFiles.cjs';
import { chain, manual, nodeUnderTest, RealN8n, single } from './n8n.cjs';
import { nearThree } from './nearThree.cjs';

describe('n8n 2.41 with the settings of n8n 3.0', () => {
	let opened: RealN8n | undefined;
	const real = (): RealN8n => {
		if (!opened) throw new Error('n8n was not opened');
		return opened;
	};
	beforeAll(async () => {
		opened = await RealN8n.open('near-three', nearThree);
	});
	afterAll(async () => await opened?.close());

	it('lists no example and no setting in its Migration Report to 3.0, and lists a workflow that 3.0 cannot run', async () => {
		const { api } = real();
		for (const file of exampleFiles) await api.createWorkflow(readExample(file));
		const removed = { name: 'Old', type: 'n8n-nodes-base.function', parameters: {} };
		// What every instance is told; none is about a setting of it or about a package.
		const instance = [
			'compression-node-limits-v3',
			'ssrf-default-blocked-ranges-v3',
			'workflow-import-url-removed-v3',
		];
		expect(await api.migrationReport()).toEqual({ instance, workflows: [] });

		await api.createWorkflow(chain('Uses a removed node', [manual, removed]));
		const { workflows } = await api.migrationReport();
		expect(workflows).toEqual(['function-removed-v3']);
	});

	it('runs a search, as the Docker image of n8n 3 is asked to', async () => {
		const { server, service } = real();
		const search = single('Smoke test', { query: 'spring tides', limit: 1 });
		const execution = await real().run(search, await real().account());
		const items = execution.succeeded().output(nodeUnderTest);
		expect(items).toMatchObject([{ json: { url: expect.any(String) } }]);
		expect(server.said).not.toMatch(/N8N_UNVERIFIED_PACKAGES_ENABLED/);
		expect(service.log.of('POST', '/v2/search')).toHaveLength(1);
	});
});

describe('n8n with SSRF protection that blocks the base URL', () => {
	it('is named with the setting that allows it, in the test of the credential and in a run', async () => {
		const { N8N_SSRF_ALLOWED_IP_RANGES: _allowed, ...blocking } = nearThree;
		const n8n = await RealN8n.open('ssrf', blocking);
		try {
			const { api, service } = n8n;
			const account = await n8n.account();
			const data = { baseUrl: service.url, apiKey: demoKey };
			const { id } = await api.createCredential('Blocked', data);
			const advice = expect.stringMatching(/N8N_SSRF_ALLOWED_HOSTNAMES/);
			expect(await api.testCredential(id)).toEqual({ status: 'Error', message: advice });

			const { error } = await n8n.run(single('Blocked', { query: 'tides' }), account);
			expect(error?.description).toEqual(advice);
			expect(service.log.entries).toEqual([]);
		} finally {
			await n8n.close();
		}
	});
});
