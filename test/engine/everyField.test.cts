import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type NodeParameterValueType,
} from 'n8n-workflow';
import { builtNode } from '../builtNode.cjs';
import { MultipartBody } from '../mock/parse.cjs';
import { everyScrapeOption, everyScrapeOptionSent, someActions } from './everyScrapeOption.cjs';
import { page as fees } from './file/inputFiles.cjs';
import { withoutMark } from './jobKinds.cjs';
import { useTestBed } from './testBed.cjs';
import { Fixtures, validParameters } from './validParameters.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const storms = 'https://tidewatch.example/guides/storm-surges';
const schema = { type: 'object', properties: { price: { type: 'number' } } };
// Nobody listens there: the deliveries fail at once.
const webhook = (...events: string[]) => ({ webhook: { url: 'http://127.0.0.1:9/hook', events } });

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
const { actions, ...optionsSent } = everyScrapeOptionSent;
/** Of the scrape options those that a search's pages have; the search has its own of these names. */
const { location: _, timeout: __, ...optionsOfResults } = everyScrapeOption;
const { location: ___, timeout: ____, ...optionsOfResultsSent } = everyScrapeOptionSent;

interface Panel {
	resource: string;
	operation: string;
	/** What is set in any case. */
	always?: INodeParameters;
	/** Every field beside the collections, as the editor stores it. */
	set?: INodeParameters;
	/** Every additional field. */
	fields: INodeParameters;
	/** What the API gets for `set`, and for fields that are not sent as they are stored. */
	sent: object;
}

const panels: Panel[] = [
	{
		resource: 'search',
		operation: 'query',
		always: { scrapeResults: true },
		set: { ...formats, actions: someActions, scrapeOptions: optionsOfResults },
		fields: {
			categories: ['research', 'pdf'],
			country: 'UK',
			enterprise: ['anon'],
			highlights: false,
			ignoreInvalidURLs: true,
			includeDomains: 'https://TideWatch.example/, portoffice.example',
			location: 'Munich,Bavaria,Germany',
			requestJson: '{"integration": "_e2e"}',
			sources: ['web', 'news'],
			tbs: { range: 'qdr:w', sortByDate: true },
			timeout: 30_000,
		},
		sent: {
			categories: [{ type: 'research' }, { type: 'pdf' }],
			includeDomains: ['tidewatch.example', 'portoffice.example'],
			integration: '_e2e',
			scrapeOptions: { ...optionsOfResultsSent, formats: formatsSent },
			tbs: 'sbd:1,qdr:w',
		},
	},
	{
		resource: 'page',
		operation: 'scrape',
		set: {
			...formats,
			formats: [...formats.formats, 'changeTracking'],
			changeTrackingModes: ['git-diff', 'json'],
			changeTrackingPrompt: 'What is new',
			changeTrackingSchemaType: 'schema',
			changeTrackingSchema: JSON.stringify(schema),
			changeTrackingTag: 'daily',
			actions: someActions,
		},
		fields: { ...everyScrapeOption, requestJson: '{"zeroDataRetention": false}' },
		sent: {
			...everyScrapeOptionSent,
			formats: [
				...formatsSent,
				{
					type: 'changeTracking',
					modes: ['git-diff', 'json'],
					schema,
					prompt: 'What is new',
					tag: 'daily',
				},
			],
			zeroDataRetention: false,
		},
	},
	{
		resource: 'batch',
		operation: 'start',
		set: formats,
		fields: {
			...everyScrapeOption,
			ignoreInvalidURLs: false,
			maxConcurrency: 1,
			requestJson: JSON.stringify({ actions }),
			...webhook('page', 'completed'),
		},
		sent: { ...everyScrapeOptionSent, formats: formatsSent },
	},
	{
		resource: 'crawl',
		operation: 'start',
		set: { ...formats, limit: 7 },
		fields: {
			...everyScrapeOption,
			allowExternalLinks: true,
			allowSubdomains: true,
			crawlEntireDomain: false,
			delay: 0.5,
			excludePaths: '={{ ["tides$"] }}',
			ignoreQueryParameters: true,
			includePaths: '^/guides.*\n^/a{1,2}$',
			maxDiscoveryDepth: 0,
			prompt: 'Only the guides',
			regexOnFullURL: true,
			requestJson: JSON.stringify({ scrapeOptions: { actions } }),
			sitemap: 'only',
			...webhook('completed'),
		},
		sent: {
			...Object.fromEntries(Object.keys(optionsSent).map((name) => [name, undefined])),
			excludePaths: ['tides$'],
			includePaths: ['^/guides.*', '^/a{1,2}$'],
			limit: 7,
			scrapeOptions: { ...everyScrapeOptionSent, formats: formatsSent },
		},
	},
	{
		resource: 'map',
		operation: 'get',
		set: { limit: 7 },
		fields: {
			excludePaths: '/reports/.*\n/energy(/.*)?',
			headers: [{ name: 'Cookie', value: 'a=b' }],
			ignoreCache: true,
			ignoreQueryParameters: false,
			includePaths: '={{ ["/a{1,2}"] }}',
			includeSubdomains: false,
			location: { country: 'UK', languages: 'de' },
			requestJson: '{"filterByPath": false}',
			search: 'storm surge',
			sitemap: 'only',
			timeout: 30_000,
		},
		sent: {
			excludePaths: ['/reports/.*', '/energy(/.*)?'],
			filterByPath: false,
			headers: { Cookie: 'a=b' },
			includePaths: ['/a{1,2}'],
			limit: 7,
			location: { country: 'GB', languages: ['de'] },
		},
	},
	{
		resource: 'agent',
		operation: 'start',
		set: { schemaType: 'schema', schema: '={{ { type: "object" } }}' },
		fields: {
			effort: 'low',
			maxCredits: 2500,
			mode: 'chat',
			requestJson: '{}',
			strictConstrainToURLs: true,
			urls: `${tides}, tidewatch.example/guides/`,
			...webhook('completed', 'failed'),
		},
		sent: { schema: { type: 'object' }, urls: [tides, 'tidewatch.example/guides/'] },
	},
	{
		resource: 'file',
		operation: 'parse',
		set: { formats: ['markdown', 'links', 'question'], question: 'Price?' },
		fields: {
			excludeTags: '.ad, #x',
			includeTags: 'p',
			onlyMainContent: false,
			parsers: { mode: 'fast', maxPages: 2 },
			proxy: 'basic',
			redactPII: true,
			requestJson: '{"blockAds": false}',
			timeout: 20_000,
		},
		sent: {
			blockAds: false,
			excludeTags: ['.ad', '#x'],
			formats: [{ type: 'markdown' }, { type: 'links' }, { type: 'question', question: 'Price?' }],
			includeTags: ['p'],
			parsers: [{ type: 'pdf', mode: 'fast', maxPages: 2 }],
		},
	},
	{
		resource: 'monitor',
		operation: 'create',
		set: {
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
		},
		fields: {
			goal: 'A time changes',
			judgeEnabled: true,
			notification: {
				enabled: true,
				includeDiffs: true,
				recipients: 'ada@tidewatch.example, bob@tidewatch.example',
			},
			requestJson: JSON.stringify({
				notification: { slack: { enabled: false, channelId: 'C024' } },
				webhook: { metadata: { row: '12' } },
			}),
			retentionDays: '={{ "365" }}',
			timezone: 'Europe/Berlin',
			...webhook('monitor.page', 'monitor.check.completed'),
		},
		sent: {
			notification: {
				email: {
					enabled: true,
					includeDiffs: true,
					recipients: ['ada@tidewatch.example', 'bob@tidewatch.example'],
				},
				slack: { enabled: false, channelId: 'C024' },
			},
			retentionDays: 365,
			schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
			targets: [
				{
					type: 'scrape',
					urls: [tides, storms, 'https://tidewatch.example/a,b'],
					scrapeOptions: { formats: ['markdown', 'links'], headers: { Cookie: 'a=1' } },
				},
			],
			timezone: undefined,
			webhook: {
				...webhook('monitor.page', 'monitor.check.completed').webhook,
				metadata: { row: '12' },
			},
		},
	},
	{
		resource: 'session',
		operation: 'create',
		fields: {
			activityTtl: 10,
			closeSession: false,
			profile: { name: 'shop', saveChanges: false },
			recordSession: false,
			streamWebView: false,
			ttl: 30,
		},
		sent: { closeSession: undefined },
	},
];

/** Fields that exclude one that is set, or name something that must exist. */
const alone = new Set(['excludeDomains', 'appendToId', 'threadId']);

const { description } = builtNode('WebData');

/** The fields of a collection of the editor that an operation shows for some parameters. */
function fieldsIn(collection: string, parameters: INodeParameters): INodeProperties[] {
	const shown = description.properties.find(
		(property) =>
			property.name === collection &&
			NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description),
	);
	return (shown?.options ?? []).filter((option): option is INodeProperties => 'type' in option);
}

/** What is stored of fields that were added and left empty. */
const emptyOf: Partial<Record<INodeProperties['type'], NodeParameterValueType>> = {
	string: '',
	json: '{}',
	fixedCollection: {},
};

/** What a body asks for: of a form, its one part of JSON before the file; no part if nothing is set. */
function requestIn(body: unknown): object {
	if (!(body instanceof MultipartBody)) return Object(withoutMark(body));
	const [[, options]] = body.parts;
	return typeof options === 'string' ? JSON.parse(options) : {};
}

/** The API refuses what it does not know, and a default that is sent is a decision taken from the user. */
describe.each(panels)('the request of $resource: $operation', (panel) => {
	const { resource, operation, always, set, fields, sent } = panel;
	const testBed = useTestBed();
	const shownIn = (collection: string) =>
		fieldsIn(collection, { resource, operation, ...always, ...set });

	/** The body of the request that starts the operation. */
	async function requestOf(parameters: INodeParameters): Promise<object> {
		const { context, log } = testBed.service;
		// What is started is not looked at.
		context.agents.script.set({ queueMs: 3_600_000 });
		context.pageJobs.paces.set({ pageMs: 3_600_000 });
		const account = testBed.account();
		const name = { resource, operation };
		const least = await validParameters(name, new Fixtures(testBed.service, account));
		log.clear();
		const own = { ...least, ...always, ...parameters };
		const run = await testBed.run(resource, operation, own, { account, input: [fees()] });
		expect(run.error?.message).toBeUndefined();
		const [{ body }, ...others] = log.entries.filter(({ method }) => method === 'POST');
		expect(others).toEqual([]);
		return requestIn(body);
	}

	it('holds every field', async () => {
		const least = await requestOf({});
		const { requestJson, ...asStored } = fields;

		expect(await requestOf({ ...set, additionalFields: fields })).toEqual({
			...least,
			...asStored,
			...sent,
		});
	});

	it('holds nothing that was left empty', async () => {
		const empty = (collection: string) => ({
			[collection]: Object.fromEntries(
				shownIn(collection)
					.filter(({ type }) => type in emptyOf)
					.map(({ name, type }) => [name, emptyOf[type]]),
			),
		});
		const collections = { ...empty('additionalFields'), ...empty('scrapeOptions') };

		expect(await requestOf({ actions: {}, ...collections })).toEqual(await requestOf({}));
	});

	it('can hold every field that the editor shows', () => {
		for (const [collection, filled] of [
			['additionalFields', fields],
			['scrapeOptions', Object(set?.scrapeOptions)],
		]) {
			const names = shownIn(collection).map(({ name }) => name);
			expect(names.filter((name) => !(name in filled) && !alone.has(name))).toEqual([]);
		}
	});
});
