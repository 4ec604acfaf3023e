import { targets } from '../../../../../nodes/WebData/fields/monitor/targets';
import { accepted, refusals } from '../../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const search = (members: Record<string, unknown>) => [
	{ type: 'search', queries: ['a'], ...members },
];

describe('the targets of a monitor', () => {
	it('name pages by objects, too, as the API lets them', () => {
		const urls = [{ url: 'https://a.example' }, 'https://b.example'];
		expect(accepted(targets.valueSchema, [{ type: 'scrape', urls }])).toEqual([
			{ type: 'scrape', urls: ['https://a.example', 'https://b.example'] },
		]);
		expect(
			refusals(targets.valueSchema, [{ type: 'scrape', urls: [{ url: 'a b', x: 1 }] }]),
		).toEqual([expect.stringMatching(/^0 urls 0 /)]);
	});

	it('are read from the editor', () => {
		expect(
			accepted(targets.valueSchema, {
				values: [
					{
						type: 'scrape',
						urls: 'https://a.example, b.example/c\nhttps://a.example/d,e',
						formats: ['markdown', 'json'],
						jsonPrompt: 'prices',
						scrapeOptions: { onlyMainContent: false },
						options: { id: id.toUpperCase() },
					},
					{
						type: 'crawl',
						url: 'https://a.example/docs',
						crawlOptions: { includePaths: '/a/.*\n/b{1,2}' },
						scrapeOptions: {},
						options: {},
					},
					{
						type: 'search',
						queries: 'tides, Brest\n\n heat pumps ',
						options: {
							searchWindow: '7d',
							maxResults: '50',
							includeDomains: 'https://A.example/',
							id: '',
						},
					},
				],
			}),
		).toEqual([
			{
				type: 'scrape',
				id,
				urls: ['https://a.example', 'b.example/c', 'https://a.example/d,e'],
				scrapeOptions: {
					formats: [{ type: 'markdown' }, { type: 'json', prompt: 'prices' }],
					onlyMainContent: false,
				},
			},
			{
				type: 'crawl',
				url: 'https://a.example/docs',
				crawlOptions: { limit: 100, includePaths: ['/a/.*', '/b{1,2}'] },
			},
			{
				type: 'search',
				queries: ['tides, Brest', 'heat pumps'],
				searchWindow: '7d',
				maxResults: 50,
				includeDomains: ['a.example'],
			},
		]);
	});

	it("and in the API's own shape", () => {
		const given = [
			{ type: 'scrape', urls: ['https://a.example'], id, scrapeOptions: { maxAge: 0 } },
			{ type: 'crawl', url: 'https://a.example', crawlOptions: { maxDiscoveryDepth: 0, limit: 5 } },
			{
				type: 'search',
				queries: ['a, b'],
				searchWindow: '5m',
				maxResults: 1,
				excludeDomains: ['a.example'],
			},
		];
		expect(accepted(targets.valueSchema, given)).toEqual(given);
		expect(accepted(targets.valueSchema, JSON.stringify(given))).toEqual(given);
	});

	// With an expression as type, n8n cannot tell which fields are shown, and keeps the defaults of all.
	it('are not spoiled by what the editor keeps of other types', () => {
		const kept = {
			urls: '',
			url: '',
			queries: '',
			formats: ['markdown'],
			jsonPrompt: '',
			crawlOptions: {},
			scrapeOptions: {},
			options: {},
		};
		expect(
			accepted(targets.valueSchema, {
				values: [
					{ type: 'scrape', ...kept, urls: 'https://a.example' },
					{ type: 'search', ...kept, queries: 'a' },
					{ type: 'crawl', ...kept, url: 'https://a.example' },
				],
			}),
		).toEqual([
			{ type: 'scrape', urls: ['https://a.example'] },
			{ type: 'search', queries: ['a'] },
			{ type: 'crawl', url: 'https://a.example', crawlOptions: { limit: 100 } },
		]);
	});

	it.each<[unknown, string]>([
		[undefined, 'is required'],
		[{ values: [] }, 'must be a list from 1 to 50 entries, not 0'],
		[[{ urls: ['https://a.example'] }], '0 type is required'],
		[[{ type: 'watch' }], '0 type must be one of crawl, scrape, search, not watch'],
		[['https://a.example'], '0 type must be one of crawl, scrape, search, not https://a.example'],
		[[{ type: 'scrape' }], '0 urls is required'],
		[[{ type: 'scrape', urls: [] }], '0 urls must be a list of at least 1 entries, not 0'],
		[
			[{ type: 'scrape', urls: 'mailto:a@b.example' }],
			'0 urls 0 must start with http:// or https://, not mailto:',
		],
		[[{ type: 'crawl' }], '0 url is required'],
		[
			[{ type: 'crawl', url: 'a.example', crawlOptions: { delay: 61 } }],
			'0 crawlOptions delay must be a number from 0 to 60 seconds, not 61',
		],
		[
			[{ type: 'crawl', url: 'a.example', scrapeOptions: { waitFor: 40_000 } }],
			'0 scrapeOptions waitFor must be at most half the timeout of 60000 milliseconds, not 40000',
		],
		[
			[{ type: 'scrape', urls: 'a.example', formats: ['question'] }],
			'0 scrapeOptions formats question is required',
		],
		[[{ type: 'search' }], '0 queries is required'],
		[search({ queries: ' \n ' }), '0 queries must be a list from 1 to 12 entries, not 0'],
		[
			search({ queries: ['x'.repeat(257)] }),
			'0 queries 0 must be at most 256 characters long, not 257',
		],
		[
			search({ includeDomains: 'a.example', excludeDomains: 'b.example' }),
			`0 includeDomains cannot be used together with 'Exclude Domains'`,
		],
		[search({ id: '7' }), `0 id must be an ID such as ${id}, not 7`],
	])('%j is refused', (given, words) => {
		expect(refusals(targets.valueSchema, given)).toEqual([words]);
	});

	it.each<[object, string]>([
		[
			{ type: 'scrape', urls: 'a.example', crawlOptions: { limit: 5 } },
			'0 crawlOptions is a field of crawl, not of scrape',
		],
		[
			{ type: 'scrape', urls: 'a.example', url: 'b.example' },
			'0 url is a field of crawl, not of scrape',
		],
		[
			{ type: 'search', queries: 'a', formats: ['links'] },
			'0 formats is a field of scrape and crawl, not of search',
		],
		[
			{ type: 'search', queries: 'a', scrapeOptions: { mobile: true } },
			'0 scrapeOptions is a field of scrape and crawl, not of search',
		],
	])('%j has a field of another type', (entry, words) => {
		expect(refusals(targets.valueSchema, [entry])).toEqual([words]);
	});

	it('has no field that is none of any type', () => {
		const entry = { type: 'crawl', url: 'a.example', maxDepth: 2 };
		expect(targets.valueSchema.safeParse([entry]).error?.issues).toMatchObject([
			{ code: 'unrecognized_keys', keys: ['maxDepth'], path: [0] },
		]);
	});
});
