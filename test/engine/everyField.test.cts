import { NodeHelpers, type INodeParameters, type INodePropertyOptions } from 'n8n-workflow';
import { builtNode } from '../builtNode.cjs';
import { MultipartBody } from '../mock/parse/multipart.cjs';
import { everyScrapeOption, everyScrapeOptionSent, someActions } from './everyScrapeOption.cjs';
import { page as fees } from './file/inputFiles.cjs';
import { withoutMark } from './jobKinds.cjs';
import { useTestBed } from './testBed.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const storms = 'https://tidewatch.example/guides/storm-surges';
// Nobody listens there: the deliveries fail at once.
const hook = 'http://127.0.0.1:9/hook';
const schema = { type: 'object', properties: { price: { type: 'number' } } };

/** Of the scrape options those that a search's pages get as JSON alone, for the search has its own of these names. */
const { location, timeout, ...optionsOfResults } = everyScrapeOption;

/** Formats with all that the editor asks for them. */
const formats = {
	formats: ['markdown', 'json', 'screenshot', 'question', 'highlights', 'menu'],
	jsonPrompt: 'The price',
	jsonSchemaType: 'schema',
	jsonSchema: JSON.stringify(schema),
	screenshotFullPage: true,
	question: 'When?',
	highlightsQuery: 'tide',
} satisfies INodeParameters;
const formatsSent = [
	{ type: 'markdown' },
	{ type: 'json', prompt: 'The price', schema },
	{ type: 'screenshot', fullPage: true },
	{ type: 'question', question: 'When?' },
	{ type: 'highlights', query: 'tide' },
	{ type: 'menu' },
];
const changes = {
	changeTrackingModes: ['git-diff', 'json'],
	changeTrackingPrompt: 'What is new',
	changeTrackingSchemaType: 'schema',
	changeTrackingSchema: JSON.stringify(schema),
	changeTrackingTag: 'daily',
};
const changesSent = {
	type: 'changeTracking',
	modes: ['git-diff', 'json'],
	schema,
	prompt: 'What is new',
	tag: 'daily',
};

/** The fields of a search that are sent as they are set. */
const ofSearch = {
	country: 'UK',
	enterprise: ['anon'],
	highlights: false,
	ignoreInvalidURLs: true,
	location: 'Munich,Bavaria,Germany',
	timeout: 30_000,
};
const ofCrawl = {
	allowExternalLinks: true,
	allowSubdomains: true,
	crawlEntireDomain: false,
	delay: 0.5,
	ignoreQueryParameters: true,
	maxDiscoveryDepth: 0,
	prompt: 'Only the guides',
	regexOnFullURL: true,
	sitemap: 'only',
};
const ofMap = {
	search: 'storm surge',
	ignoreCache: true,
	ignoreQueryParameters: false,
	includeSubdomains: false,
	sitemap: 'only',
	timeout: 30_000,
};
const ofAgent = { effort: 'low', maxCredits: 2500, mode: 'chat', strictConstrainToURLs: true };
const ofFile = { onlyMainContent: false, proxy: 'basic', redactPII: true, timeout: 20_000 };
const ofSession = {
	ttl: 30,
	activityTtl: 10,
	streamWebView: false,
	recordSession: false,
	profile: { name: 'shop', saveChanges: false },
};
const webhook = (...events: string[]) => ({ webhook: { url: hook, events } });

interface Panel {
	resource: string;
	operation: string;
	/** What the operation needs, as the editor stores it. */
	least: INodeParameters;
	/** And as the API takes it. */
	sent: object;
	/** Every field of the editor, and what the API gets beside or in place of that. */
	every: [set: INodeParameters, sent: object];
	/** Fields that were added and left empty, and what the API gets for them. */
	empty: [set: INodeParameters, sent?: object];
}

const nothing = { headers: {}, location: {}, profile: {}, parsers: {}, includeTags: '' };

const panels: Panel[] = [
	{
		resource: 'search',
		operation: 'query',
		least: { query: 'tide' },
		sent: { query: 'tide', limit: 10 },
		every: [
			{
				limit: 7,
				scrapeResults: true,
				...formats,
				actions: someActions,
				scrapeOptions: optionsOfResults,
				additionalFields: {
					...ofSearch,
					sources: ['web', 'news'],
					categories: ['research', 'pdf'],
					includeDomains: 'https://TideWatch.example/, portoffice.example',
					tbs: { range: 'qdr:w', sortByDate: true },
					requestJson: JSON.stringify({ scrapeOptions: { location, timeout } }),
				},
				options: { output: 'raw', downloadFiles: false, maxRetryTime: 60 },
			},
			{
				...ofSearch,
				limit: 7,
				sources: ['web', 'news'],
				categories: [{ type: 'research' }, { type: 'pdf' }],
				includeDomains: ['tidewatch.example', 'portoffice.example'],
				tbs: 'sbd:1,qdr:w',
				scrapeOptions: { ...everyScrapeOptionSent, formats: formatsSent },
			},
		],
		empty: [
			{
				scrapeResults: true,
				formats: [],
				actions: {},
				scrapeOptions: nothing,
				additionalFields: {
					country: '',
					includeDomains: '',
					excludeDomains: '',
					location: '',
					requestJson: '{}',
					sources: {},
					tbs: {},
				},
				options: {},
			},
			{ scrapeOptions: { formats: [{ type: 'markdown' }] } },
		],
	},
	{
		resource: 'page',
		operation: 'scrape',
		least: { url: tides },
		sent: { url: tides },
		every: [
			{
				...formats,
				formats: [...formats.formats, 'changeTracking'],
				...changes,
				actions: someActions,
				additionalFields: { ...everyScrapeOption, requestJson: '{"zeroDataRetention": false}' },
				options: { output: 'fields', outputFields: 'markdown', maxCreditsPerExecution: 99 },
			},
			{
				...everyScrapeOptionSent,
				formats: [...formatsSent, changesSent],
				zeroDataRetention: false,
			},
		],
		empty: [{ formats: ['markdown'], actions: {}, additionalFields: nothing, options: {} }],
	},
	{
		resource: 'batch',
		operation: 'start',
		least: { urls: tides },
		sent: { urls: [tides] },
		every: [
			{
				...formats,
				additionalFields: {
					...everyScrapeOption,
					requestJson: JSON.stringify({ actions: someActions.values }),
					ignoreInvalidURLs: false,
					maxConcurrency: 1,
					...webhook('page', 'completed'),
				},
			},
			{
				...everyScrapeOptionSent,
				formats: formatsSent,
				ignoreInvalidURLs: false,
				maxConcurrency: 1,
				...webhook('page', 'completed'),
			},
		],
		empty: [
			{
				formats: ['markdown'],
				additionalFields: { ...nothing, appendToId: '', requestJson: '{}', webhook: {} },
			},
		],
	},
	{
		resource: 'crawl',
		operation: 'start',
		least: { url: tides },
		sent: { url: tides, limit: 100 },
		every: [
			{
				limit: 7,
				...formats,
				additionalFields: {
					...everyScrapeOption,
					requestJson: JSON.stringify({ scrapeOptions: { actions: someActions.values } }),
					...ofCrawl,
					includePaths: '^/guides.*\n^/a{1,2}$',
					excludePaths: '={{ ["tides$"] }}',
					...webhook('completed'),
				},
			},
			{
				limit: 7,
				scrapeOptions: { ...everyScrapeOptionSent, formats: formatsSent },
				...ofCrawl,
				includePaths: ['^/guides.*', '^/a{1,2}$'],
				excludePaths: ['tides$'],
				...webhook('completed'),
			},
		],
		empty: [
			{
				formats: ['markdown'],
				additionalFields: {
					...nothing,
					excludePaths: '',
					includePaths: '',
					prompt: '',
					requestJson: '{}',
					webhook: {},
				},
			},
		],
	},
	{
		resource: 'map',
		operation: 'get',
		least: { url: tides },
		sent: { url: tides, limit: 100 },
		every: [
			{
				limit: 7,
				additionalFields: {
					...ofMap,
					excludePaths: '/reports/.*\n/energy(/.*)?',
					headers: [{ name: 'Cookie', value: 'a=b' }],
					includePaths: '={{ ["/a{1,2}"] }}',
					location: { country: 'UK', languages: 'de' },
					requestJson: '{"filterByPath": false}',
				},
			},
			{
				limit: 7,
				...ofMap,
				excludePaths: ['/reports/.*', '/energy(/.*)?'],
				headers: { Cookie: 'a=b' },
				includePaths: ['/a{1,2}'],
				location: { country: 'GB', languages: ['de'] },
				filterByPath: false,
			},
		],
		empty: [{ additionalFields: { search: '', excludePaths: '', headers: {}, location: {} } }],
	},
	{
		resource: 'agent',
		operation: 'start',
		least: { prompt: 'tidal lagoon' },
		sent: { prompt: 'tidal lagoon' },
		every: [
			{
				schemaType: 'schema',
				schema: '={{ { type: "object" } }}',
				additionalFields: {
					...ofAgent,
					urls: `${tides}, tidewatch.example/guides/`,
					...webhook('completed', 'failed'),
				},
			},
			{
				schema: { type: 'object' },
				...ofAgent,
				urls: [tides, 'tidewatch.example/guides/'],
				...webhook('completed', 'failed'),
			},
		],
		empty: [
			{
				schemaType: 'schema',
				schema: '',
				additionalFields: { urls: '', threadId: '', webhook: {}, requestJson: '{}' },
			},
		],
	},
	{
		resource: 'file',
		operation: 'parse',
		least: { binaryPropertyName: 'data' },
		sent: {},
		every: [
			{
				formats: ['markdown', 'links', 'question'],
				question: 'Price?',
				additionalFields: {
					...ofFile,
					excludeTags: '.ad, #x',
					includeTags: 'p',
					parsers: { mode: 'fast', maxPages: 2 },
					requestJson: '{"blockAds": false}',
				},
			},
			{
				formats: [
					{ type: 'markdown' },
					{ type: 'links' },
					{ type: 'question', question: 'Price?' },
				],
				...ofFile,
				includeTags: ['p'],
				excludeTags: ['.ad', '#x'],
				parsers: [{ type: 'pdf', mode: 'fast', maxPages: 2 }],
				blockAds: false,
			},
		],
		empty: [{ additionalFields: { includeTags: '', excludeTags: '', parsers: {} } }],
	},
	{
		resource: 'monitor',
		operation: 'create',
		least: {
			name: 'Spring tides',
			targets: { values: [{ type: 'scrape', urls: tides }] },
			schedule: 'hourly',
		},
		sent: {
			name: 'Spring tides',
			targets: [{ type: 'scrape', urls: [tides] }],
			schedule: { text: 'hourly' },
		},
		every: [
			{
				targets: {
					values: [
						{
							type: 'scrape',
							urls: `${tides}, ${storms}\nhttps://tidewatch.example/a,b`,
							formats: ['markdown', 'links'],
							optionsJson: '{ "scrapeOptions": { "headers": { "Cookie": "a=1" } } }',
						},
					],
				},
				schedule: ' 0  9 * * 1-5 ',
				additionalFields: {
					goal: 'A time changes',
					timezone: 'Europe/Berlin',
					judgeEnabled: true,
					notification: {
						enabled: true,
						includeDiffs: true,
						recipients: 'ada@tidewatch.example, bob@tidewatch.example',
					},
					retentionDays: '={{ "365" }}',
					...webhook('monitor.page', 'monitor.check.completed'),
					requestJson: JSON.stringify({
						notification: { slack: { enabled: false, channelId: 'C024' } },
						webhook: { metadata: { row: '12' } },
					}),
				},
			},
			{
				targets: [
					{
						type: 'scrape',
						urls: [tides, storms, 'https://tidewatch.example/a,b'],
						scrapeOptions: { formats: ['markdown', 'links'], headers: { Cookie: 'a=1' } },
					},
				],
				schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
				goal: 'A time changes',
				judgeEnabled: true,
				notification: {
					email: {
						enabled: true,
						includeDiffs: true,
						recipients: ['ada@tidewatch.example', 'bob@tidewatch.example'],
					},
					slack: { enabled: false, channelId: 'C024' },
				},
				retentionDays: 365,
				webhook: {
					url: hook,
					metadata: { row: '12' },
					events: ['monitor.page', 'monitor.check.completed'],
				},
			},
		],
		empty: [{ additionalFields: { goal: '', notification: {}, webhook: {}, requestJson: '{}' } }],
	},
	{
		resource: 'session',
		operation: 'create',
		least: {},
		sent: { ttl: 600 },
		every: [{ additionalFields: { closeSession: false, ...ofSession } }, ofSession],
		empty: [{ additionalFields: { profile: {} } }],
	},
];

const testBed = useTestBed();
const { description } = builtNode('WebData');

/** The fields of a collection of the editor that an operation shows for some parameters. */
function fieldsIn(collection: string, parameters: INodeParameters): string[] {
	const shown = description.properties.find(
		(property) =>
			property.name === collection &&
			NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description),
	);
	return ((shown?.options ?? []) as INodePropertyOptions[]).map(({ name }) => name).sort();
}

/** What a body asks for: of a form, its one part of JSON before the file; no part if nothing is set. */
function requestIn(body: unknown): unknown {
	if (!(body instanceof MultipartBody)) return withoutMark(body);
	const [[, options]] = body.parts;
	return typeof options === 'string' ? JSON.parse(options) : {};
}

/** The API refuses what it does not know, and a default that is sent is a decision taken from the user. */
describe.each(panels)('the request of $resource: $operation', (panel) => {
	const { resource, operation, least, sent, every, empty } = panel;

	it.each([
		['every field', every],
		['nothing that was left empty', empty],
	] as const)('holds %s', async (_name, [set, more]) => {
		const { agents, pageJobs } = testBed.service.context;
		// What is started is not looked at.
		agents.script.set({ queueMs: 3_600_000 });
		pageJobs.paces.set({ pageMs: 3_600_000 });

		const run = await testBed.run(resource, operation, { ...least, ...set }, { input: [fees()] });

		expect(run.error?.message).toBeUndefined();
		const [{ body }, ...others] = testBed.service.log.entries.filter(
			({ method }) => method === 'POST',
		);
		expect(requestIn(body)).toEqual({ ...sent, ...more });
		expect(others).toEqual([]);
	});

	it('can hold every field that the editor shows', () => {
		for (const collection of ['additionalFields', 'scrapeOptions']) {
			const shown = fieldsIn(collection, { ...every[0], resource, operation });
			const set = [every, empty].flatMap(([panels]) => Object.keys(panels[collection] ?? {}));
			expect(set).toEqual(expect.arrayContaining(shown));
		}
	});
});
