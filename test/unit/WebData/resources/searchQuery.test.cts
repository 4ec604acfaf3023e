import { query } from '../../../../nodes/WebData/resources/search';
import { perform } from '../../calls.cjs';
import { searchBody } from '../../schemaAssertions.cjs';

describe('what a search sends', () => {
	it.each<[Record<string, unknown>, Record<string, unknown>]>([
		[{ additionalFields: { sources: ['web'] } }, {}],
		[
			{ scrapeResults: true, scrapeOptions: { location: { country: '' } } },
			{ scrapeOptions: { formats: [{ type: 'markdown' }] } },
		],
		[{ scrapeResults: false, formats: ['links'], scrapeOptions: { onlyMainContent: false } }, {}],
		[
			{ scrapeResults: 'true', formats: 'summary' },
			{ scrapeOptions: { formats: [{ type: 'summary' }] } },
		],
		[{ query: 'x'.repeat(500) }, { query: 'x'.repeat(500) }],
	])('%j', (parameters, sent) => {
		expect(searchBody(parameters)).toEqual({ query: 'tides', ...sent });
	});

	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[
			{ excludeDomains: 'https://A.example, b.example' },
			{ excludeDomains: ['a.example', 'b.example'] },
		],
		[{ includeDomains: '', excludeDomains: 'a.example' }, { excludeDomains: ['a.example'] }],
		[{ tbs: 'qdr:d' }],
		[{ categories: [{ type: 'developer' }] }],
		[{ categories: ['github'] }, { categories: [{ type: 'github' }] }],
		[{ categories: [] }],
		[{ enterprise: [], tbs: { sortByDate: false }, location: '', country: '' }, {}],
	])('additional fields %j', (additionalFields, sent = additionalFields) => {
		expect(searchBody({ additionalFields })).toEqual({ query: 'tides', ...sent });
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
