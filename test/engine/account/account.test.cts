import type { INodeParameters } from 'n8n-workflow';
import { keys } from '../../mock-server/teams.cjs';
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
		[{ byApiKey: true }, { byApiKey: 'true' }, 'key'],
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

	describe('on the recent activity', () => {
		const many = async (count: number) => {
			const account = testBed.account();
			for (let index = 0; index < count; index += 1) {
				testBed.service.context.activity.entries.push({
					id: `job-${index}`,
					teamId: account.team.id,
					endpoint: index % 2 === 0 ? 'search' : 'scrape',
					at: testBed.service.clock.now(),
					target: `query ${index}`,
				});
			}
			return await Promise.resolve(account);
		};
		const newest = (count: number, first = 249) =>
			Array.from({ length: count }, (_, index) => `job-${first - index}`);

		it.each<[string, INodeParameters, number[], string[]]>([
			['as it stands', {}, [50], newest(50)],
			['as many as wanted', { limit: 3 }, [3], newest(3)],
			['more than a page', { limit: 130 }, [100, 100], newest(130)],
			['exactly a page', { limit: 100 }, [100], newest(100)],
			['all', { returnAll: true, limit: 2 }, [100, 100, 100], newest(250)],
		])('returns the newest, %s', async (_name, parameters, sizes, ids) => {
			const account = await many(250);

			const activity = await run('getActivity', parameters, { account });

			expect(activity.output().map(({ json }) => json.id)).toEqual(ids);
			expect(testBed.service.log.entries.map(({ query }) => Number(query.limit))).toEqual(sizes);
			const cursors = testBed.service.log.entries.map(({ query }) => query.cursor);
			expect(cursors[0]).toBeUndefined();
			expect(new Set(cursors).size).toBe(sizes.length);
			expect(activity.output()[0].json).toEqual({
				id: 'job-249',
				endpoint: 'scrape',
				api_version: 'v2',
				created_at: expect.any(String),
				target: 'query 249',
			});
		});

		it('keeps to one kind of request on every page', async () => {
			const account = await many(250);

			const activity = await run(
				'getActivity',
				{ returnAll: true, additionalFields: { endpoint: 'search' } },
				{ account },
			);

			expect(activity.output()).toHaveLength(125);
			expect(new Set(activity.output().map(({ json }) => json.endpoint))).toEqual(
				new Set(['search']),
			);
			expect(testBed.service.log.entries.map(({ query }) => query.endpoint)).toEqual([
				'search',
				'search',
			]);
		});

		it('says that a self-hosted server has none', async () => {
			testBed.service.context.options.authentication = false;

			const activity = await run('getActivity', {});

			expect(activity.error?.message).toMatch(/self-hosted.*501/);
			expect(activity.error?.description).toMatch(/hosted service/);
		});
	});

	const operations = ['getCreditUsage', 'getCreditHistory', 'getQueueStatus', 'getActivity'];

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
