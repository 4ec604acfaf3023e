import type { INodeParameters } from 'n8n-workflow';
import { inMemory } from './file/inputFiles.cjs';
import { useTestBed } from './testBed.cjs';

/** What is set, and the words of the refusal. */
type Refused = [set: INodeParameters, words: string];

const page = 'https://tidewatch.example/';
const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const absent = '={{ $json.absent }}';
const emptied = (name: string) =>
	`'${name}' has no value: the expression {{ $json.absent }} returned nothing`;

/** One refused input of some operations: their rules are at work. What they are is asked in test/unit/WebData. */
const refused: Array<[resource: string, operation: string, ...Refused]> = [
	['search', 'query', { query: absent }, emptied('Query')],
	[
		'batch',
		'run',
		{ urls: `${page}, nohost` },
		"'URLs > entry 2' must have a host such as example.com, not nohost",
	],
	[
		'crawl',
		'start',
		{ url: page, limit: '={{ "all" }}' },
		"'Limit' must be a whole number of at least 1, not all",
	],
	[
		'file',
		'parse',
		{ binaryPropertyName: 'data', formats: '={{ "screenshot" }}' },
		"'Formats' does not support screenshot for files",
	],
	[
		'session',
		'create',
		{ additionalFields: { ttl: 29 } },
		"'Time to Live' must be a whole number from 30 to 3,600 seconds, not 29",
	],
	[
		'monitor',
		'update',
		{ monitorId: { __rl: true, mode: 'id', value: id } },
		"The request changes nothing: set 'Targets' or at least one of the 'Update Fields'",
	],
	['tool', 'execute', { calls: '[]' }, "'Calls' must be a list from 1 to 10 entries, not 0"],
];

describe('refused input', () => {
	const testBed = useTestBed();
	const requests = () => testBed.service.log.entries;
	const binary = { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') };

	it.each(refused)(
		'of %s: %s is named before any request',
		async (resource, operation, set, words) => {
			const run = await testBed.run(resource, operation, set, { input: [{ json: {}, binary }] });

			expect(run.status).toBe('error');
			expect(run.error?.message).toBe(`${words} [item 0]`);
			expect(run.error?.description).toBe('Nothing was sent and nothing was charged.');
			expect(requests()).toEqual([]);
		},
	);

	it('is reported whole: every problem at once', async () => {
		const run = await testBed.search({
			query: 'x'.repeat(501),
			limit: 0,
			additionalFields: { includeDomains: 'a.example/x' },
		});

		for (const name of ['Query', 'Limit', 'Include Domains']) {
			expect(run.error?.message).toContain(name);
		}
	});

	it('is named by its field when its expression fails', async () => {
		const run = await testBed.search({ query: "={{ $('Nowhere').item.json.q }}" });

		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/^'Query': .*\[item 0\]$/);
		expect(requests()).toEqual([]);
	});

	it('that is nested too deep for JSON names the field', async () => {
		const requestJson = '={{ JSON.parse("[".repeat(600) + "]".repeat(600)) }}';

		const run = await testBed.search({ query: 'tide', additionalFields: { requestJson } });

		expect(run.error?.message).toBe(
			"'Additional Fields' must not be nested deeper than 500 levels [item 0]",
		);
		expect(requests()).toEqual([]);
	});

	const each = '={{ $json.text }}';

	it.each<[resource: string, operation: string, set: INodeParameters]>([
		['search', 'query', { query: each }],
		['batch', 'run', { urls: each }],
		['agent', 'start', { prompt: each }],
	])(
		'in one item of many stops %s: %s before the first is sent',
		async (resource, operation, set) => {
			const input = [page, page, ''].map((text) => ({ text }));

			const run = await testBed.run(resource, operation, set, { input });

			expect(run.error?.message).toMatch(/ \[item 2\]$/);
			expect(requests()).toEqual([]);
		},
	);
});

/** What the service itself checks before it starts anything: the node sends it, and passes the message on. */
describe('input that the service refuses', () => {
	const testBed = useTestBed();
	const watched = { name: 'Tides', targets: { values: [{ type: 'scrape', urls: page }] } };

	it.each<[resource: string, operation: string, set: INodeParameters, words: RegExp]>([
		['page', 'scrape', { url: page, additionalFields: { location: { country: 'zz' } } }, /country/],
		[
			'agent',
			'start',
			{ prompt: 'Tides', schemaType: 'schema', schema: '{"type": "text"}' },
			/schema/i,
		],
		['monitor', 'create', { ...watched, schedule: { cron: '* * * * *' } }, /5 minutes/],
	])('costs nothing and starts nothing: %s: %s %j', async (resource, operation, set, words) => {
		const account = testBed.account();

		const run = await testBed.run(resource, operation, set, { account });

		expect(run.error?.message).toMatch(words);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(0);
	});
});
