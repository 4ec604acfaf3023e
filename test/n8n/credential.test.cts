import { startService, type Service } from '../service/service.cjs';
import { keys } from '../service/teams.cjs';
import { useN8n } from './n8n.cjs';

describe("the test of the credential's window", () => {
	const real = useN8n('credential');
	let selfHosted: Service;

	beforeAll(async () => {
		selfHosted = await startService({ authentication: false });
	});
	afterAll(async () => await selfHosted.close());

	const test = async (baseUrl: string, apiKey: string) => {
		const { id } = await real.n8n.api.createCredential('Tested', { baseUrl, apiKey });
		return await real.n8n.api.testCredential(id);
	};

	it('accepts the right key, with the base URL written in any way', async () => {
		const { url, log } = real.n8n.service;

		expect(await test(url, keys.full)).toMatchObject({ status: 'OK' });
		expect(await test(`${url}/v2/`, ` ${keys.full} `)).toMatchObject({ status: 'OK' });
		expect(log.entries.map(({ path, key, status }) => ({ path, key, status }))).toEqual(
			Array(2).fill({ path: '/v2/team/credit-usage', key: keys.full, status: 200 }),
		);
	});

	it('accepts a self-hosted server without a key, and sends none', async () => {
		expect(await test(selfHosted.url, '')).toMatchObject({ status: 'OK' });
		expect(selfHosted.log.entries).toHaveLength(1);
		expect(selfHosted.log.entries[0].authorization).toBe(false);
	});

	it.each([
		['unknown', 'fc-0000000000000000000000000000dead', 'Unauthorized'],
		['revoked', keys.revoked, 'Unauthorized'],
		['suspended', keys.suspended, 'Forbidden'],
		['missing', '', 'Unauthorized'],
	])('refuses a key that is %s', async (_kind, key, message) => {
		expect(await test(real.n8n.service.url, key)).toEqual({ status: 'Error', message });
	});

	it('refuses a host where something else answers', async () => {
		const { log } = real.n8n.service;
		const before = log.entries.length;
		const answer = await test(real.n8n.server.url, keys.full);

		expect(answer).toEqual({ status: 'Error', message: expect.stringMatching(/not the API/) });
		expect(log.entries).toHaveLength(before);
	});

	it('refuses a host where nobody listens', async () => {
		expect(await test('http://127.0.0.1:9', 'fc-any')).toMatchObject({ status: 'Error' });
	});
});
