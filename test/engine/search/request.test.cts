import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

interface State {
	/** What the user set in the editor, beside a query of `tide`. */
	set: INodeParameters;
	/** What the API gets, beside that query. */
	sent: object;
}

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const formats = (names: string | string[], fields: INodeParameters = {}): INodeParameters => ({
	readPages: true,
	formats: names,
	...fields,
});
const schema = { type: 'object', properties: { price: { type: 'number' } } };

/** Editor states and the request that each stands for. The limit is always on show, 10 unless changed. */
const states: Record<string, State> = {
	'nothing but a query': { set: {}, sent: { limit: 10 } },
	'Return All': { set: { returnAll: true }, sent: { limit: 100 } },
	'a limit': { set: { limit: 1 }, sent: { limit: 1 } },
	'collections added and left empty': {
		set: {
			sources: {},
			scrapeOptions: {},
			additionalFields: {},
			queryOperators: {},
			outputOptions: {},
			retries: {},
			limits: {},
		},
		sent: { limit: 10 },
	},
	'fields added and left blank': {
		set: {
			additionalFields: {
				country: '',
				location: '',
				includeDomains: '',
				excludeDomains: '',
				tbs: {},
				threatProtection: {},
			},
			readPages: true,
			actions: {},
			scrapeOptions: { profile: {}, includeTags: '' },
		},
		sent: { limit: 10, scrapeOptions: { formats: [{ type: 'markdown' }] } },
	},
	'pages that are not read, whatever was set of them': {
		set: {
			readPages: false,
			formats: ['markdown', 'json'],
			jsonPrompt: 'The price',
			scrapeOptions: { mobile: true },
		},
		sent: { limit: 10 },
	},
	'pages that are read': {
		set: { readPages: true },
		sent: { limit: 10, scrapeOptions: { formats: [{ type: 'markdown' }] } },
	},
	'pages that are read, and no format chosen': {
		set: formats([]),
		sent: { limit: 10, scrapeOptions: { formats: [{ type: 'markdown' }] } },
	},
	'pages that are read where an expression says so': {
		set: { readPages: '={{ 1 < 2 }}', formats: '={{ ["summary", "links"] }}' },
		sent: { limit: 10, scrapeOptions: { formats: [{ type: 'summary' }, { type: 'links' }] } },
	},
	'formats as text of an expression, with what each needs': {
		set: formats('={{ "question, json" }}', { question: 'When?', jsonPrompt: 'The price' }),
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [
					{ type: 'question', question: 'When?' },
					{ type: 'json', prompt: 'The price' },
				],
			},
		},
	},
	'every plain field': {
		set: {
			additionalFields: {
				categories: ['research', 'pdf'],
				country: 'UK',
				domainTools: true,
				highlights: true,
				ignoreInvalidURLs: true,
				includeDomains: 'tidewatch.example, portoffice.example',
				location: 'Munich,Bavaria,Germany',
				safe: true,
				timeout: 30_000,
			},
		},
		sent: {
			limit: 10,
			categories: [{ type: 'research' }, { type: 'pdf' }],
			country: 'UK',
			domainTools: true,
			highlights: true,
			ignoreInvalidURLs: true,
			includeDomains: ['tidewatch.example', 'portoffice.example'],
			location: 'Munich,Bavaria,Germany',
			safe: true,
			timeout: 30_000,
		},
	},
	'switches turned off': {
		set: {
			additionalFields: {
				domainTools: false,
				highlights: false,
				ignoreInvalidURLs: false,
				safe: false,
			},
		},
		sent: {
			limit: 10,
			domainTools: false,
			highlights: false,
			ignoreInvalidURLs: false,
			safe: false,
		},
	},
	'lists left empty': {
		set: { additionalFields: { categories: [], enterprise: [], excludeDomains: '={{ [] }}' } },
		sent: { limit: 10, categories: [], excludeDomains: [] },
	},
	enterprise: {
		set: { additionalFields: { enterprise: ['anon'] } },
		sent: { limit: 10, enterprise: ['anon'] },
	},
	'domains with scheme, case and slash to mend': {
		set: { additionalFields: { excludeDomains: 'https://TideWatch.example/, PORTOFFICE.example' } },
		sent: { limit: 10, excludeDomains: ['tidewatch.example', 'portoffice.example'] },
	},
	'sources without values of their own': {
		set: { sources: values({ type: 'web' }, { type: 'images' }, { type: 'alexandria' }) },
		sent: { limit: 10, sources: ['web', 'images', 'alexandria'] },
	},
	'a source with values of its own': {
		set: {
			sources: values(
				{ type: 'web', options: { tbs: { range: 'qdr:y' }, location: 'Berlin,Germany' } },
				{ type: 'news' },
			),
		},
		sent: {
			limit: 10,
			tbs: 'qdr:y',
			location: 'Berlin,Germany',
			sources: [{ type: 'web', tbs: 'qdr:y', location: 'Berlin,Germany' }, { type: 'news' }],
		},
	},
	'a period': {
		set: { additionalFields: { tbs: { range: 'qdr:m' } } },
		sent: { limit: 10, tbs: 'qdr:m' },
	},
	'a period, newest first': {
		set: { additionalFields: { tbs: { range: 'qdr:w', sortByDate: true } } },
		sent: { limit: 10, tbs: 'sbd:1,qdr:w' },
	},
	'custom dates': {
		set: { additionalFields: { tbs: { from: '2026-01-05T00:00:00', to: '2026-03-31T00:00:00' } } },
		sent: { limit: 10, tbs: 'cdr:1,cd_min:01/05/2026,cd_max:03/31/2026' },
	},
	'a raw time filter': {
		set: { additionalFields: { tbs: { raw: 'sbd:1,qdr:d' } } },
		sent: { limit: 10, tbs: 'sbd:1,qdr:d' },
	},
	'a time filter by expression': {
		set: { additionalFields: { tbs: { raw: '={{ "qdr:h" }}' } } },
		sent: { limit: 10, tbs: 'qdr:h' },
	},
	'threat protection with its zero': {
		set: {
			additionalFields: {
				threatProtection: {
					mode: 'normal',
					riskScoreThreshold: 0,
					blacklist: 'bad.example, *.worse.example',
					whitelist: 'tidewatch.example',
					blockedTlds: '.zip, mov',
					failurePolicy: 'open',
				},
			},
		},
		sent: {
			limit: 10,
			threatProtection: {
				mode: 'normal',
				riskScoreThreshold: 0,
				blacklist: ['bad.example', '*.worse.example'],
				whitelist: ['tidewatch.example'],
				blockedTlds: ['zip', 'mov'],
				failurePolicy: 'open',
			},
		},
	},
	'formats without settings': {
		set: formats([
			'markdown',
			'summary',
			'html',
			'rawHtml',
			'links',
			'images',
			'product',
			'menu',
			'screenshot',
		]),
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [
					{ type: 'markdown' },
					{ type: 'summary' },
					{ type: 'html' },
					{ type: 'rawHtml' },
					{ type: 'links' },
					{ type: 'images' },
					{ type: 'product' },
					{ type: 'menu' },
					{ type: 'screenshot' },
				],
			},
		},
	},
	'formats with settings': {
		set: formats(['markdown', 'question', 'highlights', 'screenshot', 'json'], {
			question: 'When is high water?',
			highlightsQuery: 'spring tide',
			screenshotFullPage: true,
			screenshotOptions: { quality: 1, viewport: { width: 800, height: 600 } },
			jsonPrompt: 'The price',
			jsonSchemaType: 'schema',
			jsonSchema: JSON.stringify(schema),
			jsonCheckPromptInjection: true,
		}),
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [
					{ type: 'markdown' },
					{ type: 'question', question: 'When is high water?' },
					{ type: 'highlights', query: 'spring tide' },
					{
						type: 'screenshot',
						fullPage: true,
						quality: 1,
						viewport: { width: 800, height: 600 },
					},
					{ type: 'json', prompt: 'The price', schema, checkPromptInjection: true },
				],
			},
		},
	},
	'a schema by expression': {
		set: formats(['json'], {
			jsonSchemaType: 'schema',
			jsonSchema: '={{ { type: "object", properties: { price: { type: "number" } } } }}',
		}),
		sent: { limit: 10, scrapeOptions: { formats: [{ type: 'json', schema }] } },
	},
	'a schema made from an example': {
		set: formats(['json'], {
			jsonSchemaExample:
				'{"name": "Mug", "price": 9.5, "tags": ["new"], "stock": {"left": 3, "sold out": false}}',
		}),
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [
					{
						type: 'json',
						schema: {
							type: 'object',
							properties: {
								name: { type: 'string' },
								price: { type: 'number' },
								tags: { type: 'array', items: { type: 'string' } },
								stock: {
									type: 'object',
									properties: { left: { type: 'number' }, 'sold out': { type: 'boolean' } },
								},
							},
						},
					},
				],
			},
		},
	},
	'every action, in order': {
		set: {
			readPages: true,
			actions: values(
				{ type: 'wait', milliseconds: 1 },
				{ type: 'wait', selector: 'body' },
				{ type: 'click', selector: 'a', options: { all: false } },
				{ type: 'click', selector: 'a' },
				{ type: 'write', text: 'tide' },
				{ type: 'write', text: ' ' },
				{ type: 'press', key: 'Enter' },
				{ type: 'scroll', selector: 'main', options: { direction: 'up' } },
				{ type: 'scroll' },
				{ type: 'scrape' },
				{ type: 'executeJavascript', script: '1 + 1' },
				{ type: 'screenshot', options: { quality: 100, fullPage: true } },
				{ type: 'pdf', options: { format: 'A4', landscape: false, scale: 0.5 } },
			),
		},
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [{ type: 'markdown' }],
				actions: [
					{ type: 'wait', milliseconds: 1 },
					{ type: 'wait', selector: 'body' },
					{ type: 'click', selector: 'a', all: false },
					{ type: 'click', selector: 'a' },
					{ type: 'write', text: 'tide' },
					{ type: 'write', text: ' ' },
					{ type: 'press', key: 'Enter' },
					{ type: 'scroll', selector: 'main', direction: 'up' },
					{ type: 'scroll' },
					{ type: 'scrape' },
					{ type: 'executeJavascript', script: '1 + 1' },
					{ type: 'screenshot', quality: 100, fullPage: true },
					{ type: 'pdf', format: 'A4', landscape: false, scale: 0.5 },
				],
			},
		},
	},
	'every other scrape option, those of which the search has its own as JSON': {
		set: {
			readPages: true,
			scrapeOptions: {
				auditMetadata: { username: 'ada' },
				blockAds: false,
				excludeTags: 'nav, .ad',
				headers: [
					{ name: 'Cookie', value: 'a=b' },
					{ name: 'X-Count', value: '0' },
				],
				includeTags: 'article',
				lockdown: false,
				maxAge: 0,
				minAge: 0,
				mobile: false,
				onlyCleanContent: false,
				onlyMainContent: false,
				profile: { name: 'shop', saveChanges: false },
				proxy: 'enhanced',
				redactPII: { enabled: true },
				removeBase64Images: false,
				skipTlsVerification: false,
				storeInCache: false,
				waitFor: 0,
			},
			additionalFields: {
				requestJson: JSON.stringify({
					scrapeOptions: {
						location: { country: 'UK', languages: ['de-DE', 'en'] },
						threatProtection: { mode: 'off' },
						timeout: 1000,
					},
				}),
			},
		},
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [{ type: 'markdown' }],
				auditMetadata: { username: 'ada' },
				blockAds: false,
				excludeTags: ['nav', '.ad'],
				headers: { Cookie: 'a=b', 'X-Count': '0' },
				includeTags: ['article'],
				location: { country: 'GB', languages: ['de-DE', 'en'] },
				lockdown: false,
				maxAge: 0,
				minAge: 0,
				mobile: false,
				onlyCleanContent: false,
				onlyMainContent: false,
				profile: { name: 'shop', saveChanges: false },
				proxy: 'enhanced',
				redactPII: true,
				removeBase64Images: false,
				skipTlsVerification: false,
				storeInCache: false,
				threatProtection: { mode: 'off' },
				timeout: 1000,
				waitFor: 0,
			},
		},
	},
	'parsers with every setting': {
		set: {
			readPages: true,
			scrapeOptions: {
				parsers: [
					{ type: 'pdf', blocks: true, maxPages: 1, mode: 'fast', pageMarkers: false, pages: true },
					{ type: 'image' },
				],
			},
		},
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [{ type: 'markdown' }],
				parsers: [
					{ type: 'pdf', blocks: true, maxPages: 1, mode: 'fast', pageMarkers: false, pages: true },
					{ type: 'image' },
				],
			},
		},
	},
	'no parser': {
		set: { readPages: true, scrapeOptions: { parsers: [{ type: 'none' }] } },
		sent: { limit: 10, scrapeOptions: { formats: [{ type: 'markdown' }], parsers: [] } },
	},
	'redaction in detail': {
		set: {
			readPages: true,
			scrapeOptions: {
				redactPII: { entities: ['EMAIL', 'PHONE'], mode: 'fast', replaceStyle: 'mask' },
			},
		},
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [{ type: 'markdown' }],
				redactPII: { entities: ['EMAIL', 'PHONE'], mode: 'fast', replaceStyle: 'mask' },
			},
		},
	},
	'redaction turned off': {
		set: { readPages: true, scrapeOptions: { redactPII: { enabled: false, mode: 'fast' } } },
		sent: { limit: 10, scrapeOptions: { formats: [{ type: 'markdown' }], redactPII: false } },
	},
	'lists by expression, in the shape of the API': {
		set: {
			readPages: true,
			scrapeOptions: {
				includeTags: '={{ ["main"] }}',
				excludeTags: '={{ ["nav"] }}',
				redactPII: { entities: '={{ ["EMAIL"] }}' },
			},
			additionalFields: {
				categories: '={{ [{ type: "pdf" }] }}',
				includeDomains: '={{ ["tidewatch.example"] }}',
				threatProtection: { blockedTlds: '={{ [] }}' },
			},
		},
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [{ type: 'markdown' }],
				includeTags: ['main'],
				excludeTags: ['nav'],
				redactPII: { entities: ['EMAIL'] },
			},
			categories: [{ type: 'pdf' }],
			includeDomains: ['tidewatch.example'],
			threatProtection: { blockedTlds: [] },
		},
	},
	'expressions that come to nothing': {
		set: {
			additionalFields: {
				country: '={{ $json.absent }}',
				includeDomains: '={{ "" }}',
				timeout: '={{ null }}',
				safe: '={{ undefined }}',
			},
			readPages: true,
			scrapeOptions: { maxAge: '={{ $json.absent }}', includeTags: '={{ null }}' },
		},
		sent: { limit: 10, scrapeOptions: { formats: [{ type: 'markdown' }] } },
	},
	'numbers and switches as text': {
		set: {
			limit: '={{ "7" }}',
			additionalFields: { timeout: '={{ "20000" }}', safe: '={{ "false" }}' },
		},
		sent: { limit: 7, timeout: 20_000, safe: false },
	},
	'the request as JSON text': {
		set: {
			additionalFields: {
				requestJson:
					'{"scrapeOptions": {"formats": ["markdown", "links"], "redactPII": true}, "safe": false}',
			},
		},
		sent: {
			limit: 10,
			safe: false,
			scrapeOptions: { formats: [{ type: 'markdown' }, { type: 'links' }], redactPII: true },
		},
	},
	'the request as an object, by expression': {
		set: {
			additionalFields: {
				requestJson:
					'={{ ({ limit: 3, sources: [{ type: "web", location: "Berlin,Germany" }, { type: "news" }], tbs: "sbd:1,qdr:y", categories: ["pdf"], includeDomains: ["tidewatch.example"] }) }}',
			},
		},
		sent: {
			limit: 3,
			// The time filter and the location stand in both places.
			sources: [{ type: 'web', tbs: 'sbd:1,qdr:y', location: 'Berlin,Germany' }, { type: 'news' }],
			tbs: 'sbd:1,qdr:y',
			location: 'Berlin,Germany',
			categories: [{ type: 'pdf' }],
			includeDomains: ['tidewatch.example'],
		},
	},
	'actions, formats and parsers in the shape of the API, by expression': {
		set: {
			additionalFields: {
				requestJson:
					'={{ ({ scrapeOptions: { formats: [{ type: "json", prompt: "p", schema: { type: "object", properties: { price: { type: "number" } } } }, "summary"], actions: [{ type: "wait", milliseconds: 5 }, { type: "click", selector: "a", all: true }], parsers: [], headers: { Cookie: "a=b" } } }) }}',
			},
		},
		sent: {
			limit: 10,
			scrapeOptions: {
				formats: [{ type: 'json', prompt: 'p', schema }, { type: 'summary' }],
				actions: [
					{ type: 'wait', milliseconds: 5 },
					{ type: 'click', selector: 'a', all: true },
				],
				parsers: [],
				headers: { Cookie: 'a=b' },
			},
		},
	},
	'the request as JSON beside fields, whose place it takes': {
		set: {
			returnAll: true,
			sources: values({ type: 'images' }),
			readPages: true,
			formats: ['html'],
			scrapeOptions: { mobile: true },
			additionalFields: {
				safe: true,
				tbs: { range: 'qdr:h' },
				requestJson:
					'={{ JSON.stringify({ limit: 5, sources: ["web"], tbs: "qdr:y", scrapeOptions: { formats: ["markdown"], onlyMainContent: false } }) }}',
			},
		},
		sent: {
			limit: 5,
			sources: ['web'],
			tbs: 'qdr:y',
			safe: true,
			scrapeOptions: { formats: [{ type: 'markdown' }], mobile: true, onlyMainContent: false },
		},
	},
	'the request as JSON left as it is added': {
		set: { additionalFields: { requestJson: '{}' } },
		sent: { limit: 10 },
	},
	'groups added with their defaults': {
		set: {
			...formats(['json', 'screenshot'], {
				jsonPrompt: 'p',
				jsonSchemaType: 'schema',
				jsonSchema: '{}',
				screenshotOptions: { viewport: { width: 1920, height: 1080 } },
			}),
			scrapeOptions: { redactPII: { enabled: true } },
		},
		sent: {
			limit: 10,
			scrapeOptions: {
				redactPII: true,
				formats: [
					{ type: 'json', prompt: 'p' },
					{ type: 'screenshot', viewport: { width: 1920, height: 1080 } },
				],
			},
		},
	},
	"the node's own settings": {
		set: {
			output: 'response',
			outputOptions: { keepFields: 'title', downloadFiles: false },
			retries: { maxTries: 2 },
			limits: { requestsInFlight: 1 },
		},
		sent: { limit: 10 },
	},
};

describe('the request of a search', () => {
	const testBed = useTestBed();

	it.each(Object.entries(states))('says what the user set: %s', async (_name, { set, sent }) => {
		await testBed.search({ query: 'tide', ...set });

		expect(testBed.sent).toEqual([{ query: 'tide', ...sent }]);
		expect(testBed.service.log.entries[0].query).toEqual({});
	});

	/** A request that the strict service refuses would be no use, however right it looks. */
	it.each(Object.entries(states))('is one that the service takes: %s', async (_name, { sent }) => {
		const { status, body } = await testBed.ask({ query: 'tide', ...sent }, testBed.account());

		expect({ status, ...(status !== 200 && { body }) }).toEqual({ status: 200 });
	});

	it('puts the query operators into the query', async () => {
		await testBed.search({
			query: 'storage',
			queryOperators: {
				exactPhrase: 'tidal energy',
				exclude: 'jobs, price list',
				site: 'tidewatch.example',
				filetype: 'pdf',
				inurl: 'energy',
				intitle: 'lagoon',
				related: 'portoffice.example',
				imagesize: '800x600',
				larger: '400x300',
			},
		});

		const [{ query }] = testBed.sent as Array<{ query: string }>;
		expect(query).toBe(
			'storage "tidal energy" -jobs -"price list" site:tidewatch.example filetype:pdf inurl:energy ' +
				'intitle:lagoon related:portoffice.example imagesize:800x600 larger:400x300',
		);
	});

	it.each([
		[{ allinurl: 'docs install' }, 'tide allinurl:docs install'],
		[{ allintitle: 'annual report' }, 'tide allintitle:annual report'],
		[{ exclude: '', site: '' }, 'tide'],
	])('puts %j into the query', async (queryOperators, query) => {
		await testBed.search({ query: 'tide', queryOperators });

		expect(testBed.sent).toEqual([{ query, limit: 10 }]);
	});

	it('searches by operators alone', async () => {
		await testBed.search({
			query: '={{ "" }}',
			queryOperators: { site: 'tidewatch.example', exactPhrase: 'spring tide' },
		});

		expect(testBed.sent).toEqual([{ query: '"spring tide" site:tidewatch.example', limit: 10 }]);
	});

	it("takes each item's own request as JSON", async () => {
		await testBed.search(
			{
				query: '={{ $json.q }}',
				additionalFields: { requestJson: '={{ $json.request }}' },
				limits: { requestsInFlight: 1 },
			},
			{
				input: [
					{ q: 'tide', request: { limit: 1, scrapeOptions: { formats: ['links'] } } },
					{ q: 'coffee', request: '{"query": "espresso", "limit": 2}' },
					{ q: 'agents' },
				],
			},
		);

		expect(testBed.sent).toEqual([
			{ query: 'tide', limit: 1, scrapeOptions: { formats: [{ type: 'links' }] } },
			{ query: 'espresso', limit: 2 },
			{ query: 'agents', limit: 10 },
		]);
	});

	it("takes each item's own values", async () => {
		await testBed.search(
			{
				query: '={{ $json.q }}',
				limit: '={{ $json.n }}',
				additionalFields: { country: '={{ $json.country }}', safe: true },
				limits: { requestsInFlight: 1 },
			},
			{
				input: [
					{ q: 'tide', n: 1, country: 'DE' },
					{ q: 'coffee', n: 2 },
				],
			},
		);

		expect(testBed.sent).toEqual([
			{ query: 'tide', limit: 1, country: 'DE', safe: true },
			{ query: 'coffee', limit: 2, safe: true },
		]);
	});

	it('loses no time filter where a source has values of its own', async () => {
		const account = testBed.account();
		const filter = { limit: 100, tbs: 'qdr:m' };
		const { body: all } = await testBed.ask({ query: 'tide', limit: 100 }, account);
		const { body: recent } = await testBed.ask({ query: 'tide', ...filter }, account);

		const run = await testBed.search(
			{
				query: 'tide',
				returnAll: true,
				sources: values({ type: 'web', options: { location: 'Berlin,Germany' } }),
				additionalFields: { tbs: { range: 'qdr:m' } },
			},
			{ account },
		);

		expect(recent.data.web.length).toBeLessThan(all.data.web.length);
		expect(run.output()).toHaveLength(recent.data.web.length);
	});

	it('gives the service both ends of a period that has only its start', async () => {
		await testBed.search({
			query: 'tide',
			additionalFields: { tbs: { from: '2026-01-05T00:00:00' } },
		});

		expect(testBed.sent).toEqual([
			{
				query: 'tide',
				limit: 10,
				tbs: expect.stringMatching(/^cdr:1,cd_min:01\/05\/2026,cd_max:\d\d\/\d\d\/\d{4}$/),
			},
		]);
		expect(testBed.service.log.entries[0].status).toBe(200);
	});
});
