import type { INodeParameters } from 'n8n-workflow';
import { keys } from '../../mock/teams.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed } from '../testBed.cjs';

/** What each operation sends and returns is in test/cases. */
describe('an account operation', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	it.each<[INodeParameters, object, unknown]>([
		[{}, {}, null],
		[{ additionalFields: { byApiKey: true } }, { byApiKey: 'true' }, expect.any(String)],
	])('returns the credits of each period: %j', async (parameters, query, apiKey) => {
		const account = testBed.account({ credits: 1000 });
		await time.drive(testBed.search({ query: 'tide', limit: 1 }, { account }));

		const run = await time.drive(
			testBed.run('account', 'getCreditHistory', parameters, { account }),
		);

		const [, ...sent] = testBed.requests;
		expect(sent).toMatchObject([{ path: '/v2/team/credit-usage/historical', query }]);
		expect(run.output()).toMatchObject([{ json: { creditsUsed: 2, position: 1, apiKey } }]);
	});

	it('works with a key of few rights, and in spite of trouble', async () => {
		const account = {
			credentials: { webDataApi: { baseUrl: testBed.service.url, apiKey: keys.scrapeOnly } },
		};
		testBed.service.faults.add(
			{ path: '/v2/team/*', kind: 'status', status: 500 },
			{ path: '/v2/team/*', kind: 'reset' },
			{ path: '/v2/team/*', kind: 'status', status: 429, retryAfter: 2 },
		);

		const run = await time.drive(testBed.run('account', 'getCreditUsage', {}, { account }));

		expect(run.error?.message).toBeUndefined();
		expect(testBed.requests).toHaveLength(4);
	});
});
