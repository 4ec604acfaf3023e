import type { INodeParameters } from 'n8n-workflow';
import { keys } from '../../mock-server/teams.cjs';
import { findTools, rows, useTools } from './tools.cjs';

const more = (set: INodeParameters): INodeParameters => ({ additionalFields: set });

/** The catalogue of data tools: free to look into. */
describe('finding tools', () => {
	const tools = useTools();
	const { testBed } = tools;
	const catalogue = () => testBed.service.context.tools.tools;
	const ids = () => catalogue().map(({ id }) => id);

	it.each<[string, INodeParameters, object]>([
		['as it stands', {}, { level: 'tools', limit: 50 }],
		[
			'among some, in detail',
			more({
				providers: 'tidewatch, port-office',
				capabilities: 'tide-times',
				categories: 'environment',
				groups: 'tidewatch/water',
				urls: 'https://tidewatch.example/stations',
				expand: ['options', 'response', 'examples'],
			}),
			{
				level: 'tools',
				limit: 50,
				providers: ['tidewatch', 'port-office'],
				capabilities: ['tide-times'],
				categories: ['environment'],
				groups: ['tidewatch/water'],
				urls: ['https://tidewatch.example/stations'],
				expand: ['options', 'response', 'examples'],
			},
		],
	])('asks %s', async (_name, parameters, options) => {
		const account = testBed.account();

		const run = await tools.run('find', parameters, { account });

		expect(run.error?.message).toBeUndefined();
		expect(tools.requests).toEqual([findTools(options)]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(0);
	});

	it('returns the tools that fit, ready to be executed', async () => {
		const run = await tools.run('find', more({ providers: 'tidewatch', expand: ['options'] }));

		expect(
			rows(run).map(({ provider, capability }) => `${String(provider)}/${String(capability)}`),
		).toEqual(ids().filter((id) => id.startsWith('tidewatch/')));
		expect(rows(run)[0]).toMatchObject({
			provider: 'tidewatch',
			capability: 'tide-times',
			name: 'Tide times',
			options: [
				{ name: 'harbour', type: 'string', required: true },
				{ name: 'date', type: 'string' },
			],
			position: 1,
			request: { level: 'tools', total: 3, scrape_id: expect.any(String) },
		});
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 0 },
			{ item: 0 },
		]);
	});

	it.each([
		['categories', 'environment'],
		['providers', 'tidewatch'],
		['groups', 'tidewatch/water'],
	])('returns %s with the way into them', async (level, id) => {
		const run = await tools.run('find', { level });

		const found = rows(run).find((row) => row.id === id);
		expect(found).toMatchObject({ id, next: { capability: 'find-tools' } });
		expect(rows(run).every((row) => !('execute' in row) && !('capability' in row))).toBe(true);
	});

	it('reads page after page by the calls that the answers name', async () => {
		const query = { level: 'tools', limit: 100, providers: undefined };
		testBed.service.faults.add(
			...[0, 1].map((page) => ({
				path: '/v2/scrape',
				kind: 'status' as const,
				status: 200,
				body: {
					success: true,
					scrape_id: `page-${page}`,
					data: {
						alexandria: [
							{
								provider: 'firecrawl',
								capability: 'find-tools',
								creditsCost: 0,
								data: {
									level: 'tools',
									items: [{ id: `a/${page}`, provider: 'a', capability: String(page) }],
									total: 3,
									next: {
										provider: 'firecrawl',
										capability: 'find-tools',
										options: {
											cursor: `after ${page}`,
											level: 'tools',
											limit: 1,
											offset: 9 + page,
										},
									},
								},
							},
						],
						creditsCost: 0,
					},
				},
			})),
			{
				path: '/v2/scrape',
				kind: 'status',
				status: 200,
				body: {
					success: true,
					data: { alexandria: [{ data: { level: 'tools', items: [], total: 3, next: null } }] },
				},
			},
		);

		const run = await tools.run('find', { returnAll: true });

		expect(rows(run).map(({ id, position }) => [id, position])).toEqual([
			['a/0', 1],
			['a/1', 2],
		]);
		expect(tools.requests).toEqual([
			findTools({ level: query.level, limit: query.limit }),
			findTools({ cursor: 'after 0', level: 'tools', limit: 1, offset: 9 }),
			findTools({ cursor: 'after 1', level: 'tools', limit: 1, offset: 10 }),
		]);
	});

	it.each<[INodeParameters, number]>([
		[{ returnAll: true, limit: 1 }, 13],
		[{ limit: 2 }, 2],
		[{ limit: 250 }, 13],
	])('returns no more and no less than wanted: %j', async (parameters, count) => {
		const run = await tools.run('find', parameters);

		expect(rows(run)).toHaveLength(Math.min(count, catalogue().length));
		expect(tools.requests).toHaveLength(1);
	});

	it.each<[keyof typeof keys, RegExp, RegExp]>([
		['revoked', /Invalid token.*401/, /API Key/],
		['plain', /HTTP 403/, /no access to data tools.*administrator/],
		['zdr', /HTTP 403/, /keeps no data.*administrator/],
	])('is refused to the key %s', async (name, words, advice) => {
		const account = {
			credentials: { webDataApi: { baseUrl: testBed.service.url, apiKey: keys[name] } },
		};

		const run = await tools.run('find', {}, { account });

		expect(run.error?.message).toMatch(words);
		expect(run.error?.description).toMatch(advice);
		expect(tools.requests).toHaveLength(1);
	});

	it('is repeated without harm when an answer is lost', async () => {
		testBed.service.faults.add(
			{ path: '/v2/scrape', kind: 'reset', stage: 'after' },
			{ path: '/v2/scrape', kind: 'status', status: 502 },
		);

		const run = await tools.run('find', { limit: 1 });

		expect(rows(run)).toHaveLength(1);
		expect(tools.requests).toHaveLength(3);
	});
});
