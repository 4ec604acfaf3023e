import type { Service } from '../mock/service.cjs';
import { demoKey } from '../mock/teams.cjs';
import { useService } from '../useService.cjs';
import { useN8n } from './n8n.cjs';

/** What else it tells is asked in test/engine/search/credential. */
describe("the test of the credential's window", () => {
	const real = useN8n('credential');
	let selfHosted: Service;
	useService((started) => (selfHosted = started), { authentication: false });

	const test = async (baseUrl: string, apiKey: string) => {
		const { id } = await real.n8n.api.createCredential('Tested', { baseUrl, apiKey });
		return await real.n8n.api.testCredential(id);
	};

	it('accepts the right key, with the base URL written in any way', async () => {
		const { url, log } = real.n8n.service;

		expect(await test(url, demoKey)).toMatchObject({ status: 'OK' });
		expect(await test(`${url}/v2/`, ` ${demoKey} `)).toMatchObject({ status: 'OK' });
		expect(log.entries.map(({ path, key, status }) => ({ path, key, status }))).toEqual(
			Array(2).fill({ path: '/v2/team/credit-usage', key: demoKey, status: 200 }),
		);
	});

	it('accepts a self-hosted server without a key, and sends none', async () => {
		expect(await test(selfHosted.url, '')).toMatchObject({ status: 'OK' });
		expect(selfHosted.log.entries).toHaveLength(1);
		expect(selfHosted.log.entries[0].authorization).toBe(false);
	});

	it('refuses a key that is unknown', async () => {
		expect(await test(real.n8n.service.url, 'fc-0000000000000000000000000000dead')).toEqual({
			status: 'Error',
			message: expect.stringMatching(/Unauthorized.*'API Key'/),
		});
	});
});
