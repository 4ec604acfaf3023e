import type { INodeParameters } from 'n8n-workflow';
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

	it.each<[INodeParameters, number]>([
		[{ returnAll: true, limit: 1 }, 13],
		[{ limit: 2 }, 2],
		[{ limit: 250 }, 13],
	])('returns no more and no less than wanted: %j', async (parameters, count) => {
		const run = await tools.run('find', parameters);

		expect(rows(run)).toHaveLength(Math.min(count, catalogue().length));
		expect(tools.requests).toHaveLength(1);
	});
});
