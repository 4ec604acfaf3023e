import * as fc from 'fast-check';
import { query } from '../../../../../nodes/WebData/resources/search/query';
import { perform } from '../../../calls.cjs';
import { searchBody, searchRefusal } from '../../../schemaAssertions.cjs';

describe('what a search sends', () => {
	it('is the query alone when nothing else is set', () => {
		expect(searchBody({})).toEqual({ query: 'tides' });
		const groups = { sources: {}, scrapeOptions: {}, additionalFields: {}, queryOperators: {} };
		const blank = { returnAll: false, ...groups, output: 'results', options: {} };
		expect(searchBody(blank)).toEqual({ query: 'tides' });
	});

	it.each<[Record<string, unknown>, Record<string, unknown>]>([
		[{ returnAll: false, limit: 25 }, { limit: 25 }],
		[{ limit: '25' }, { limit: 25 }],
		[{ returnAll: true }, { limit: 100 }],
		[{ returnAll: true, limit: 10 }, { limit: 100 }],
		[{ returnAll: 'true', limit: 10 }, { limit: 100 }],
		[
			{ sources: { values: [{ type: 'web', options: {} }, { type: 'news' }] } },
			{ sources: ['web', 'news'] },
		],
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
		[{ domainTools: false }],
		[{ domainTools: true }],
		[{ categories: ['pdf', 'research'] }, { categories: [{ type: 'pdf' }, { type: 'research' }] }],
		[{ categories: [{ type: 'developer' }] }],
		[{ categories: ['gov'] }, { categories: [{ type: 'gov' }] }],
		[{ categories: [] }],
		[
			{ includeDomains: 'https://A.example, b.example' },
			{ includeDomains: ['a.example', 'b.example'] },
		],
		[{ excludeDomains: ['a.example'] }],
		[{ includeDomains: '', excludeDomains: 'a.example' }, { excludeDomains: ['a.example'] }],
		[{ tbs: { range: 'qdr:w', sortByDate: true } }, { tbs: 'sbd:1,qdr:w' }],
		[{ tbs: 'qdr:d' }],
		[{ tbs: { sortByDate: false } }, {}],
		[{ location: 'Munich,Bavaria,Germany' }],
		[{ country: 'UK' }],
		[{ country: 'DE' }],
		[{ safe: false }],
		[{ safe: 'true' }, { safe: true }],
		[{ timeout: 1 }],
		[{ ignoreInvalidURLs: false }],
		[{ highlights: false }],
		[{ objective: 'x'.repeat(5000), clientModel: 'y'.repeat(128) }],
		[{ lang: 'de', filter: '0' }],
		[{ objective: '', clientModel: '', lang: '', filter: '' }, {}],
		[{ enterprise: ['zdr'] }],
		[{ enterprise: ['default'] }],
		[{ enterprise: [] }, {}],
		[{ enterprise: ['anon', 'zdr'] }],
		[{ threatProtection: { mode: 'off', riskScoreThreshold: 0 } }],
		[{ location: '', country: '', threatProtection: {}, tbs: {} }, {}],
	])('additional fields %j', (additionalFields, sent = additionalFields) => {
		expect(searchBody({ additionalFields })).toEqual({ query: 'tides', ...sent });
	});

	it('has its usual retention beside tools', () => {
		const additionalFields = { enterprise: ['default'], domainTools: true };
		expect(searchBody({ additionalFields })).toEqual({ query: 'tides', ...additionalFields });
	});

	it('has the operators in the query', () => {
		expect(searchBody({ queryOperators: { site: 'docs.example.com', exclude: 'jobs' } })).toEqual({
			query: 'tides -jobs site:docs.example.com',
		});
	});

	it('takes a query of 500 characters', () => {
		expect(searchBody({ query: 'x'.repeat(500) })).toEqual({ query: 'x'.repeat(500) });
	});
});

describe("the web source's own time filter and location, of which the service reads none", () => {
	const web = { type: 'web', options: { tbs: { range: 'qdr:w' }, location: 'Berlin,Germany' } };
	const own = { tbs: 'qdr:w', location: 'Berlin,Germany' };
	const sent = async (additionalFields: Record<string, unknown>, ...sources: object[]) => {
		const parameters = { query: 'tides', sources: { values: sources }, additionalFields };
		const { call } = await perform(query, parameters, { success: true, data: {} });
		return call.sent[0].body;
	};

	it('are those of the request, too', async () => {
		expect(await sent({}, web, { type: 'news' })).toEqual({
			query: 'tides',
			...own,
			sources: [{ type: 'web', ...own }, { type: 'news' }],
		});
	});

	it('as are its country, language and filter, which JSON gives', async () => {
		const rest = { country: 'DE', lang: 'de', filter: '0' };
		const requestJson = { sources: [{ type: 'web', ...rest }] };
		const { sources } = requestJson;
		expect(await sent({ requestJson })).toEqual({ query: 'tides', ...rest, sources });
	});

	it("do not replace the request's own", async () => {
		const kept = { tbs: 'qdr:w', location: 'Paris,France' };
		const sources = [{ type: 'web', ...own }];
		expect(await sent({ location: kept.location }, web)).toEqual({
			query: 'tides',
			...kept,
			sources,
		});
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
		[`'Query' is required`, { query: undefined }],
		[
			`'Query' must be at most 500 characters long, not 510`,
			{ query: 'x'.repeat(495), queryOperators: { site: 'a.example' } },
		],
		[`'Limit' must be a whole number from 1 to 100, not 101`, { limit: 101 }],
		[
			`'Include Domains' cannot be used together with 'Exclude Domains'`,
			more({ includeDomains: 'a.example', excludeDomains: 'b.example' }),
		],
		[
			`'Include Domains > entry 1' must be a domain such as example.com without path or port, not a.example/b`,
			more({ includeDomains: 'a.example/b' }),
		],
		[
			`'Time Filter' has a 'To' before its 'From'`,
			more({ tbs: { from: '2026-03-02', to: '2026-03-01' } }),
		],
		[
			`'JSON Schema' is not valid JSON at line 1, column 6: the text ends before the JSON does`,
			{ scrapeResults: true, formats: ['json'], jsonSchemaType: 'schema', jsonSchema: '{"a":' },
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
		[`'Sources > entry 1' has no field 'tbs'`, { sources: [{ type: 'alexandria', tbs: 'qdr:w' }] }],
		[`'Scrape Options' has no field 'onlymaincontent'`, scrape({ onlymaincontent: true })],
		[`The request has no field 'page'`, more({ page: 2 })],
		[
			`'Sources > entry 1 > type' must be one of images, news, alexandria, web, not video`,
			{ sources: ['video'] },
		],
		[
			`'Enterprise > entry 1' must be one of anon, default, zdr, not full`,
			more({ enterprise: ['full'] }),
		],
		[
			`'Domain Tools' cannot be used together with 'Enterprise'`,
			more({ enterprise: ['anon'], domainTools: true }),
		],
		[
			`'Sources' cannot include Tool Catalogue together with 'Enterprise'`,
			{ sources: ['web', 'alexandria'], ...more({ enterprise: ['zdr'] }) },
		],
		[
			`'Formats > entry 1' does not support branding in a search: use Scrape of the resource Page with the URLs of the results`,
			more({ requestJson: '{"scrapeOptions": {"formats": ["branding"]}}' }),
		],
	])('%s', (message, parameters) => {
		expect(searchRefusal(parameters)).toBe(message);
	});

	it.each([[{ a: 1 }], [[{ a: 1 }]]])('a query operator that is %j and no text', (site) => {
		expect(searchRefusal({ queryOperators: { site } })).toMatch(/'Query Operators > Site'|'Query'/);
	});

	it('names every problem at once', () => {
		expect(searchRefusal({ query: '', limit: 0, ...more({ safe: 'perhaps' }) })).toBe(
			`'Query' is required; 'Limit' must be a whole number from 1 to 100, not 0; 'Safe Search' must be true or false, not perhaps`,
		);
	});

	it('keeps its words short, whatever was given', () => {
		for (const parameters of [
			more({ includeDomains: ['x'.repeat(10_000)] }),
			more({ tbs: 'x'.repeat(10_000) }),
			{ limit: 'x'.repeat(10_000) },
		]) {
			expect(searchRefusal(parameters).length).toBeLessThan(400);
		}
	});
});

describe('the request of a search', () => {
	const answer = { success: true, id: 'job-1', creditsUsed: 2, data: { web: [{ url: 'a' }] } };
	const requestOf = async (additionalFields: Record<string, unknown>, rest = {}) =>
		(await perform(query, { query: 'tides', additionalFields, ...rest }, answer)).call.sent[0];

	it.each<[string, unknown, Record<string, unknown>, unknown]>([
		['words stay words', ['web', 'news'], { tbs: 'qdr:w', location: 'Berlin' }, ['web', 'news']],
		[
			'objects inherit what they do not have',
			[{ type: 'web', location: 'Kiel' }, { type: 'news' }],
			{ tbs: 'qdr:w', location: 'Berlin' },
			[{ type: 'web', tbs: 'qdr:w', location: 'Kiel' }, { type: 'news' }],
		],
		[
			'objects keep their own',
			[{ type: 'web', tbs: 'qdr:d' }],
			{ tbs: 'qdr:w' },
			[{ type: 'web', tbs: 'qdr:d' }],
		],
	])('has sources that lose no time filter or place: %s', async (_, sources, fields, sent) => {
		const { body } = await requestOf(fields, { sources });
		expect(body).toEqual({ query: 'tides', ...fields, sources: sent });
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

	it('that finds nothing says what it cost', async () => {
		const nothing = { success: true, id: 'job-1', creditsUsed: 2, data: { web: [] } };
		const { call, results } = await perform(query, { query: 'tides' }, nothing);
		expect(results).toEqual([]);
		expect(call.notices).toEqual([expect.stringMatching(/Item 0 .*job-1.*2 credits/)]);
	});

	it("shows the service's notices, and gives the whole answer to who wants it", async () => {
		const noticed = { ...answer, warning: 'w', warnings: ['v'] };
		const { call, results } = await perform(query, { query: 'tides', output: 'response' }, noticed);
		expect(results).toEqual([{ json: noticed }]);
		expect(call.notices).toEqual(['w', 'v']);
	});
});

describe('any parameters at all', () => {
	const lists = [[], {}, 'web, news', { values: [] }, { values: [{ type: 'markdown' }] }];
	const odd = ['', null, undefined, 0, false, '=', NaN, Infinity, ...lists];
	const value = () => fc.oneof(fc.anything(), fc.constantFrom(...odd), fc.jsonValue());
	const record = (names: string) => {
		const members = names.split(' ').map((name) => [name, value()]);
		return fc.record(Object.fromEntries(members), { requiredKeys: [] });
	};
	const parameters = () =>
		fc.record(
			{
				query: fc.oneof(fc.string({ minLength: 1 }), value()),
				queryOperators: fc.record(
					{ site: fc.string(), exclude: fc.string(), exactPhrase: fc.string() },
					{ requiredKeys: [] },
				),
				returnAll: value(),
				limit: fc.oneof(fc.integer({ min: -1, max: 102 }), value()),
				sources: fc.oneof(fc.array(fc.constantFrom('web', 'news', 'images')), value()),
				scrapeResults: fc.boolean(),
				formats: fc.oneof(fc.subarray(['markdown', 'json', 'screenshot', 'question']), value()),
				jsonPrompt: value(),
				jsonSchemaType: value(),
				jsonSchemaExample: value(),
				question: value(),
				screenshotOptions: value(),
				actions: value(),
				scrapeOptions: record(
					'parsers headers location redactPII profile waitFor timeout includeTags maxAge threatProtection',
				),
				additionalFields: record(
					'categories country includeDomains excludeDomains tbs enterprise safe timeout threatProtection',
				),
			},
			{ requiredKeys: [] },
		);

	it('are accepted or refused, and never break the schema', () => {
		fc.assert(
			fc.property(parameters(), (given) => {
				const result = query.schema.safeParse(query.read(given));
				expect(result.success || result.error.issues.length > 0).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});

	it('never send a member that is undefined, null or blank', () => {
		const holes = (sent: unknown, path: string): string[] => {
			if (sent === undefined || sent === null || sent === '') return [path];
			if (typeof sent !== 'object') return [];
			// A schema is the user's own, and a format that no schema names passes as it is.
			return Object.entries(sent).flatMap(([key, inner]) =>
				key === 'schema' || key === 'formats' || key === 'categories'
					? []
					: holes(inner, `${path}.${key}`),
			);
		};
		fc.assert(
			fc.property(parameters(), (given) => {
				const result = query.schema.safeParse(query.read({ ...given, query: 'tides' }));
				const body: unknown = JSON.parse(JSON.stringify(result.data ?? {}));
				expect(holes(body, '')).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});
});

it('a switch that is added to the request does something: it shows what the service does not do by itself', () => {
	const groups = query.fields.filter(({ name }) => /^(scrapeOptions|additionalFields)$/.test(name));
	const switches = groups
		.flatMap(({ options = [] }) => options)
		.flatMap((entry) =>
			'type' in entry && entry.type === 'boolean' ? [[entry.name, entry.default]] : [],
		);
	expect(Object.fromEntries(switches)).toEqual({
		blockAds: false,
		checkPromptInjection: true,
		lockdown: true,
		mobile: true,
		onlyCleanContent: true,
		onlyMainContent: false,
		removeBase64Images: false,
		skipTlsVerification: false,
		storeInCache: false,
		domainTools: true,
		highlights: false,
		ignoreInvalidURLs: true,
		safe: true,
	});
});
