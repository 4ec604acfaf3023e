import type { INodeParameters } from 'n8n-workflow';
import { keys } from '../../mock/teams.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed, type SearchOptions } from '../testBed.cjs';

/** What the account has spent, has left and is doing. Nothing of it costs anything. */
describe('an account operation', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const run = async (operation: string, parameters: INodeParameters, options?: SearchOptions) =>
		await time.drive(testBed.run('account', operation, parameters, options));
	const requests = () => testBed.requests.filter(({ path }) => path !== '/v2/search');
	const get = (path: string, query: object = {}) => ({
		method: 'GET',
		path: `/v2/team/${path}`,
		query,
		body: undefined,
	});
	/** An account that has searched, so that there is something to tell. */
	const busy = async (...queries: string[]) => {
		const account = testBed.account({ credits: 1000, concurrency: 7 });
		for (const query of queries) await time.drive(testBed.search({ query, limit: 1 }, { account }));
		return account;
	};

	it('tells the credits that are left', async () => {
		const account = await busy('tide', 'coffee');

		const usage = await run('getCreditUsage', {}, { account });

		expect(requests()).toEqual([get('credit-usage')]);
		expect(usage.output()).toEqual([
			{
				json: {
					remainingCredits: 996,
					planCredits: 1000,
					billingPeriodStart: expect.stringMatching(/T00:00:00/),
					billingPeriodEnd: expect.stringMatching(/T00:00:00/),
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(4);
	});

	it.each<[INodeParameters, object, string | null]>([
		[{}, {}, null],
		[{ additionalFields: { byApiKey: true } }, { byApiKey: 'true' }, 'key'],
	])('tells the credits of each period: %j', async (parameters, query, apiKey) => {
		const account = await busy('tide', 'coffee');

		const history = await run('getCreditHistory', parameters, { account });

		expect(requests()).toEqual([get('credit-usage/historical', query)]);
		const [item, ...others] = history.output();
		expect(others).toEqual([]);
		expect(item.json).toMatchObject({
			creditsUsed: 4,
			startDate: expect.any(String),
			endDate: expect.any(String),
			position: 1,
			apiKey: apiKey === null ? null : expect.any(String),
		});
	});

	it('tells what is at work and waits', async () => {
		const account = await busy('tide');

		const status = await run('getQueueStatus', {}, { account });

		expect(requests()).toEqual([get('queue-status')]);
		expect(status.output().map(({ json }) => json)).toEqual([
			{
				jobsInQueue: 0,
				activeJobsInQueue: 0,
				waitingJobsInQueue: 0,
				maxConcurrency: 7,
				mostRecentSuccess: expect.stringMatching(/Z$/),
			},
		]);
	});

	const operations = ['getCreditUsage', 'getCreditHistory', 'getQueueStatus'];

	it.each(operations)(
		'works with a key of few rights, and in spite of trouble: %s',
		async (operation) => {
			const account = {
				credentials: { webDataApi: { baseUrl: testBed.service.url, apiKey: keys.searchOnly } },
			};
			testBed.service.faults.add(
				{ path: '/v2/team/*', kind: 'status', status: 500 },
				{ path: '/v2/team/*', kind: 'reset' },
				{ path: '/v2/team/*', kind: 'status', status: 429, retryAfter: 2 },
			);

			const answered = await run(operation, {}, { account });

			expect(answered.error?.message).toBeUndefined();
			expect(requests()).toHaveLength(4);
		},
	);
});
