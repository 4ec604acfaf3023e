import { query } from '../../../../nodes/WebData/resources/search';
import { perform } from '../../calls.cjs';
import { searchBody, searchRefusal } from '../../schemaAssertions.cjs';

describe('what a search sends', () => {
	it('is the query alone when nothing else is set', () => {
		expect(searchBody({})).toEqual({ query: 'tides' });
		const groups = { scrapeOptions: {}, additionalFields: { sources: {} } };
		const blank = { ...groups, options: {} };
		expect(searchBody(blank)).toEqual({ query: 'tides' });
	});

	it.each<[Record<string, unknown>, Record<string, unknown>]>([
		[{ limit: 25 }, { limit: 25 }],
		[{ limit: '25' }, { limit: 25 }],
		[{ additionalFields: { sources: ['web', 'news'] } }, { sources: ['web', 'news'] }],
		[{ additionalFields: { sources: ['web'] } }, {}],
		[
			{ scrapeResults: true, formats: ['links'], scrapeOptions: { onlyMainContent: false } },
			{ scrapeOptions: { formats: [{ type: 'links' }], onlyMainContent: false } },
		],
		[
			{ scrapeResults: true, scrapeOptions: { location: { country: '' } } },
			{ scrapeOptions: { formats: [{ type: 'markdown' }] } },
		],
		[{ scrapeResults: false, formats: ['links'], scrapeOptions: { onlyMainContent: false } }, {}],
		[
			{ scrapeResults: 'true', formats: 'summary' },
			{ scrapeOptions: { formats: [{ type: 'summary' }] } },
		],
	])('%j', (parameters, sent) => {
		expect(searchBody(parameters)).toEqual({ query: 'tides', ...sent });
	});

	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[
			{
				categories: ['pdf', 'research'],
				excludeDomains: 'https://A.example, b.example',
				tbs: { range: 'qdr:w', sortByDate: true },
				country: 'UK',
				highlights: false,
			},
			{
				categories: [{ type: 'pdf' }, { type: 'research' }],
				excludeDomains: ['a.example', 'b.example'],
				tbs: 'sbd:1,qdr:w',
				country: 'UK',
				highlights: false,
			},
		],
		[{ location: 'Munich,Bavaria,Germany', timeout: 1, enterprise: ['anon', 'zdr'] }],
		[{ ignoreInvalidURLs: false, includeDomains: ['a.example'], tbs: 'qdr:d' }],
		[{ categories: [{ type: 'developer' }] }],
		[{ categories: ['github'] }, { categories: [{ type: 'github' }] }],
		[{ categories: [] }],
		[{ enterprise: [], tbs: { sortByDate: false }, location: '', country: '' }, {}],
		[{ includeDomains: '', excludeDomains: 'a.example' }, { excludeDomains: ['a.example'] }],
	])('additional fields %j', (additionalFields, sent = additionalFields) => {
		expect(searchBody({ additionalFields })).toEqual({ query: 'tides', ...sent });
	});

	it('takes a query of 500 characters', () => {
		expect(searchBody({ query: 'x'.repeat(500) })).toEqual({ query: 'x'.repeat(500) });
	});
});

describe('bad input gets a clear error before any request', () => {
	const scrape = (scrapeOptions: Record<string, unknown>) => ({
		scrapeResults: true,
		scrapeOptions,
	});
	const more = (additionalFields: Record<string, unknown>) => ({ additionalFields });
	it.each<[string, Record<string, unknown>]>([
		[`'Query' is required`, { query: '' }],
		[`'Query' must not be blank`, { query: ' \n' }],
		[`'Query' must be at most 500 characters long, not 510`, { query: 'x'.repeat(510) }],
		[`'Limit' must be a whole number from 1 to 100, not 101`, { limit: 101 }],
		[
			`'Include Domains' cannot be used together with 'Exclude Domains'`,
			more({ includeDomains: 'a.example', excludeDomains: 'b.example' }),
		],
		[
			`'Scrape Options > Wait For' must be at most half the timeout of 10000 milliseconds, not 5001`,
			scrape({ waitFor: 5001, timeout: 10_000 }),
		],
		[
			`'Categories' does not allow Developer together with other categories`,
			more({ categories: ['developer', 'pdf'] }),
		],
		[
			`'Categories' does not allow Government together with other categories`,
			more({ categories: ['pdf', 'gov'] }),
		],
		[
			`'Sources > entry 1 > type' must be one of images, news, alexandria, web, not video`,
			more({ sources: ['video'] }),
		],
		[
			`'Enterprise > entry 1' must be one of anon, default, zdr, not full`,
			more({ enterprise: ['full'] }),
		],
		[`'Sources > entry 1 > type' is required`, more({ sources: [{ toString: 1 }] })],
	])('%s', (message, parameters) => {
		expect(searchRefusal(parameters)).toBe(message);
	});

	it('names every problem at once', () => {
		expect(searchRefusal({ query: '', limit: 0, ...more({ highlights: 'perhaps' }) })).toBe(
			`'Query' is required; 'Limit' must be a whole number from 1 to 100, not 0; 'Highlight Descriptions' must be true or false, not perhaps`,
		);
	});
});

describe('the request of a search', () => {
	const answer = { success: true, id: 'job-1', creditsUsed: 2, data: { web: [{ url: 'a' }] } };
	const requestOf = async (additionalFields: Record<string, unknown>, rest = {}) =>
		(await perform(query, { query: 'tides', additionalFields, ...rest }, answer)).call.sent[0];

	it('has sources as words', async () => {
		const sources = [{ type: 'web' }, 'news'];
		expect(await requestOf({ sources })).toMatchObject({ body: { sources: ['web', 'news'] } });
	});

	it('has sources as objects if Request (JSON) gives one of them a field', async () => {
		const sources = [{ type: 'web', location: 'Kiel' }, 'news'];
		expect(await requestOf({ requestJson: { sources } })).toMatchObject({
			body: { sources: [{ type: 'web', location: 'Kiel' }, { type: 'news' }] },
		});
	});

	it.each<[object, object, number]>([
		[{}, {}, 120_000],
		[{ timeout: 200_000 }, {}, 260_000],
		[{ timeout: 1000 }, { scrapeResults: true, scrapeOptions: { timeout: 300_000 } }, 301_000],
	])(
		'is waited for as long as the search and its pages may take: %j %j',
		async (fields, rest, time) => {
			expect(await requestOf({ ...fields }, rest)).toMatchObject({
				method: 'POST',
				path: '/search',
				serviceTimeout: time,
				retrySafety: 'mayChargeTwice',
			});
		},
	);

	it("shows the service's notices, and gives the whole answer to who wants it", async () => {
		const noticed = { ...answer, warning: 'w', warnings: ['v'] };
		const { call, results } = await perform(
			query,
			{ query: 'tides', options: { output: 'raw' } },
			noticed,
		);
		expect(results).toEqual([{ json: noticed }]);
		expect(call.notices).toEqual(['w', 'v']);
	});
});
