import { demoKey } from '../mock/teams.cjs';
import { useN8n } from './n8n.cjs';

/** What else it tells, and self-hosted servers, are asked in test/engine/search/credential. */
describe("the test of the credential's window", () => {
	const real = useN8n('credential');

	it('accepts the right key, with the base URL written in any way, and refuses an unknown one', async () => {
		const { api, service } = real.n8n;
		const test = async (baseUrl: string, apiKey: string) => {
			const { id } = await api.createCredential('Tested', { baseUrl, apiKey });
			return await api.testCredential(id);
		};

		expect(await test(`${service.url}/v2/`, ` ${demoKey} `)).toMatchObject({ status: 'OK' });
		expect(await test(service.url, 'fc-0000000000000000000000000000dead')).toEqual({
			status: 'Error',
			message: expect.stringMatching(/Unauthorized.*'API Key'/),
		});
		expect(service.log.entries.map(({ path }) => path)).toEqual(
			Array(2).fill('/v2/team/credit-usage'),
		);
	});
});
