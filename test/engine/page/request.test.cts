import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const schema = { type: 'object', properties: { price: { type: 'number' } } };

interface State {
	/** What the user set in the editor, beside the URL. */
	set: INodeParameters;
	/** What the API gets, beside the URL. */
	sent: object;
}

/** Editor states and the request that each stands for. */
const states: Record<string, State> = {
	'nothing but a URL': { set: {}, sent: {} },
	'markdown alone, which the service makes anyway': {
		set: { formats: ['markdown'] },
		sent: {},
	},
	'no format': { set: { formats: [] }, sent: {} },
	'formats by expression, so that n8n shows the fields of all formats': {
		set: { formats: '={{ ["links", "markdown"] }}' },
		sent: { formats: [{ type: 'links' }, { type: 'markdown' }] },
	},
	'formats by expression as text, with what is set of one and of another that is not chosen': {
		set: {
			formats: '={{ "links, question" }}',
			question: '={{ "When is " + "high water?" }}',
			jsonPrompt: 'The price',
		},
		sent: { formats: [{ type: 'links' }, { type: 'question', question: 'When is high water?' }] },
	},
	'formats by expression in the shape of the API': {
		set: {
			formats:
				'={{ [{ type: "json", prompt: "a" }, { type: "json", prompt: "b" }, "highlights"] }}',
			highlightsQuery: 'tide',
		},
		sent: {
			formats: [
				{ type: 'json', prompt: 'a' },
				{ type: 'json', prompt: 'b' },
				{ type: 'highlights', query: 'tide' },
			],
		},
	},
	'JSON as it is at first, by the example that stands there': {
		set: { formats: ['json'] },
		sent: {
			formats: [
				{
					type: 'json',
					schema: {
						type: 'object',
						properties: { product: { type: 'string' }, price: { type: 'number' } },
					},
				},
			],
		},
	},
	'JSON by a prompt, beside which the first example counts nothing': {
		set: { formats: ['json'], jsonPrompt: 'The price' },
		sent: { formats: [{ type: 'json', prompt: 'The price' }] },
	},
	'changes of the text': {
		set: { formats: ['markdown', 'changeTracking'] },
		sent: { formats: [{ type: 'markdown' }, { type: 'changeTracking', modes: ['git-diff'] }] },
	},
	'collections added and left empty': {
		set: {
			actions: {},
			scrapeOptions: { location: {}, headers: [], profile: {}, parsers: [] },
			additionalFields: {},
			outputOptions: {},
			retries: {},
			limits: {},
		},
		sent: {},
	},
	'every scrape option, at top level': {
		set: {
			formats: ['markdown', 'links'],
			actions: values(
				{ type: 'wait', milliseconds: 5 },
				{ type: 'click', selector: 'a', options: { all: true } },
				{ type: 'pdf', options: { format: 'A4', landscape: false } },
			),
			scrapeOptions: {
				auditMetadata: { username: 'ada' },
				blockAds: false,
				excludeTags: 'nav, .ad',
				headers: [{ name: 'Cookie', value: 'a=b' }],
				includeTags: 'article',
				location: { country: 'UK', languages: 'de-DE, en' },
				lockdown: false,
				maxAge: 0,
				minAge: 0,
				mobile: true,
				onlyCleanContent: true,
				onlyMainContent: false,
				parsers: [{ type: 'pdf', mode: 'fast', maxPages: 3, pages: true }],
				profile: { name: 'shop', saveChanges: false },
				proxy: 'enhanced',
				redactPII: { entities: ['EMAIL'], mode: 'fast', replaceStyle: 'mask' },
				removeBase64Images: false,
				skipTlsVerification: false,
				storeInCache: false,
				threatProtection: { mode: 'normal', riskScoreThreshold: 100 },
				timeout: 120_000,
				waitFor: 500,
			},
		},
		sent: {
			formats: [{ type: 'markdown' }, { type: 'links' }],
			actions: [
				{ type: 'wait', milliseconds: 5 },
				{ type: 'click', selector: 'a', all: true },
				{ type: 'pdf', format: 'A4', landscape: false },
			],
			auditMetadata: { username: 'ada' },
			blockAds: false,
			excludeTags: ['nav', '.ad'],
			headers: { Cookie: 'a=b' },
			includeTags: ['article'],
			location: { country: 'GB', languages: ['de-DE', 'en'] },
			lockdown: false,
			maxAge: 0,
			minAge: 0,
			mobile: true,
			onlyCleanContent: true,
			onlyMainContent: false,
			parsers: [{ type: 'pdf', mode: 'fast', maxPages: 3, pages: true }],
			profile: { name: 'shop', saveChanges: false },
			proxy: 'enhanced',
			redactPII: { entities: ['EMAIL'], mode: 'fast', replaceStyle: 'mask' },
			removeBase64Images: false,
			skipTlsVerification: false,
			storeInCache: false,
			threatProtection: { mode: 'normal', riskScoreThreshold: 100 },
			timeout: 120_000,
			waitFor: 500,
		},
	},
	'headers of any name': {
		set: {
			scrapeOptions: {
				headers: [
					{ name: '__proto__', value: 'a' },
					{ name: 'constructor', value: 'b' },
				],
			},
		},
		sent: { headers: JSON.parse('{"__proto__":"a","constructor":"b"}') },
	},
	'what only a scrape has': {
		set: { additionalFields: { domainTools: true, toolDetail: 'full', zeroDataRetention: false } },
		sent: { domainTools: true, toolDetail: 'full', zeroDataRetention: false },
	},
	'the node’s own settings, of which nothing is sent': {
		set: {
			outputOptions: {
				downloadFiles: true,
				keepFields: 'markdown',
				maxMarkdownLength: 4,
				onPageError: 'error',
			},
			retries: {
				maxBackOff: 1,
				maxDocumentRepeats: 2,
				maxDocumentTime: 3,
				maxRetryTime: 5,
				maxTries: 6,
			},
			limits: { requestsInFlight: 7 },
		},
		sent: {},
	},
	'formats with settings': {
		set: {
			formats: [
				'markdown',
				'json',
				'screenshot',
				'question',
				'highlights',
				'attributes',
				'changeTracking',
			],
			jsonPrompt: 'The price',
			jsonSchemaType: 'schema',
			jsonSchema: JSON.stringify(schema),
			screenshotFullPage: true,
			screenshotOptions: { viewport: { width: 800, height: 600 } },
			question: 'When?',
			highlightsQuery: 'tide',
			attributesSelectors: values(
				{ selector: 'a', attribute: 'href' },
				{ selector: 'img', attribute: 'alt' },
			),
			changeTrackingModes: ['git-diff', 'json'],
			changeTrackingPrompt: 'What is new',
			changeTrackingSchemaType: 'schema',
			changeTrackingSchema: JSON.stringify(schema),
			changeTrackingTag: 'daily',
		},
		sent: {
			formats: [
				{ type: 'markdown' },
				{ type: 'json', prompt: 'The price', schema },
				{ type: 'screenshot', fullPage: true, viewport: { width: 800, height: 600 } },
				{ type: 'question', question: 'When?' },
				{ type: 'highlights', query: 'tide' },
				{
					type: 'attributes',
					selectors: [
						{ selector: 'a', attribute: 'href' },
						{ selector: 'img', attribute: 'alt' },
					],
				},
				{
					type: 'changeTracking',
					modes: ['git-diff', 'json'],
					schema,
					prompt: 'What is new',
					tag: 'daily',
				},
			],
		},
	},
	'formats that a search cannot make': {
		set: {
			formats: ['branding', 'audio', 'video', 'markdown', 'changeTracking'],
			changeTrackingModes: '={{ ["json"] }}',
			changeTrackingSchemaExample: '{}',
		},
		sent: {
			formats: [
				{ type: 'branding' },
				{ type: 'audio' },
				{ type: 'video' },
				{ type: 'markdown' },
				{ type: 'changeTracking', modes: ['json'] },
			],
		},
	},
	'the file itself as base64': {
		set: { formats: ['rawBase64'] },
		sent: { formats: [{ type: 'rawBase64' }] },
	},
	'the request as JSON beside fields, whose place it takes': {
		set: {
			formats: ['html'],
			scrapeOptions: { mobile: true },
			additionalFields: {
				requestJson: '={{ ({ formats: ["markdown"], actions: [{ type: "scroll" }] }) }}',
			},
		},
		sent: { formats: [{ type: 'markdown' }], actions: [{ type: 'scroll' }], mobile: true },
	},
};

describe('the request of a scrape', () => {
	const testBed = useTestBed();
	const url = 'https://tidewatch.example/guides/spring-tides';

	it.each(Object.entries(states))('is what the editor shows: %s', async (_name, { set, sent }) => {
		const run = await testBed.run('page', 'scrape', { url, ...set });

		// A request that asks the cache alone finds nothing there; every one is well formed.
		expect(run.error?.message ?? '').not.toContain('HTTP 400');
		const [request, ...more] = testBed.service.log.entries.filter(
			({ method }) => method === 'POST',
		);
		expect([request.path, more]).toEqual(['/v2/scrape', []]);
		expect(request.body).toEqual({ url, ...sent });
	});

	it('is one for each item', async () => {
		const paths = ['guides/spring-tides', 'guides/storm-surges', 'energy'];
		const addresses = paths.map((path) => `https://tidewatch.example/${path}`);

		const run = await testBed.run(
			'page',
			'scrape',
			{ url: '={{ $json.address }}' },
			{ input: addresses.map((address) => ({ address })) },
		);

		expect(run.output().map(({ json }) => json.metadata)).toMatchObject(
			addresses.map((sourceURL) => ({ sourceURL })),
		);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});
});
