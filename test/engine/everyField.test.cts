import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type NodeParameterValueType,
} from 'n8n-workflow';
import { builtNode } from '../builtNode.cjs';
import { MultipartBody } from '../mock/endpoints/parse.cjs';
import { everyScrapeOption, everyScrapeOptionSent } from './everyScrapeOption.cjs';
import { page as fees } from './file/inputFiles.cjs';
import { withoutMark } from './jobKinds.cjs';
import { inWords, operationNames, type OperationName } from './operationNames.cjs';
import { useTestBed } from './testBed.cjs';
import { Fixtures, validParameters } from './validParameters.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
// Nobody listens there: the deliveries fail at once.
const url = 'http://127.0.0.1:9/hook';

/** A field as the editor stores it, and as the API takes it where that differs. */
type Fact = [stored: NodeParameterValueType, sent?: unknown];

/** The additional fields by name; of one resource or operation alone where it has another of the name. */
const facts: Record<string, Fact | undefined> = {
	...Object.fromEntries(
		Object.entries(everyScrapeOption).map(([name, stored]): [string, Fact] => [
			name,
			[stored, Reflect.get(everyScrapeOptionSent, name)],
		]),
	),
	activityTtl: [20],
	allowExternalLinks: [true],
	allowSubdomains: [true],
	anchor: ['doi:10.5555/tide.2024.002'],
	authors: ['Ada, Bob', ['Ada', 'Bob']],
	byApiKey: [true, 'true'],
	categories: [
		['research', 'pdf'],
		[{ type: 'research' }, { type: 'pdf' }],
	],
	country: ['UK', 'GB'],
	crawlEntireDomain: [false],
	delay: [0.5],
	effort: ['low'],
	enterprise: [['anon']],
	excludeDomains: ['a.example', ['a.example']],
	excludePaths: ['={{ ["tides$"] }}', ['tides$']],
	from: ['2024-01-01'],
	goal: ['A time changes'],
	highlights: [false],
	ignoreCache: [true],
	ignoreInvalidURLs: [false],
	ignoreQueryParameters: [false],
	includeDomains: ['https://TideWatch.example/, b.example', ['tidewatch.example', 'b.example']],
	includePaths: ['^/guides.*\n^/a{1,2}$', ['^/guides.*', '^/a{1,2}$']],
	includeSubdomains: [false],
	judgeEnabled: [true],
	language: ['bash'],
	liveView: [true, 'true'],
	maxConcurrency: [1],
	maxCredits: [2500],
	maxDiscoveryDepth: [0],
	name: ['Neap tides'],
	notification: [
		{ enabled: true, recipients: 'ada@tidewatch.example, bob@tidewatch.example' },
		{ email: { enabled: true, recipients: ['ada@tidewatch.example', 'bob@tidewatch.example'] } },
	],
	prompt: ['Only the guides'],
	recordSession: [false],
	regexOnFullURL: [true],
	rerank: [false, 'false'],
	retentionDays: ['={{ "365" }}', 365],
	search: ['storm surge'],
	sitemap: ['only'],
	skip: [1, '1'],
	sources: [['web', 'news']],
	status: ['completed'],
	streamWebView: [false],
	tbs: [{ range: 'qdr:w', sortByDate: true }, 'sbd:1,qdr:w'],
	timeout: [30_000],
	to: ['2024-12-31'],
	ttl: [60],
	urls: [`${tides}, tidewatch.example/guides/`, [tides, 'tidewatch.example/guides/']],
	webhook: [{ url, events: ['completed'] }],
	'agent mode': ['chat'],
	'monitor schedule': [' 0  9 * * 1-5 ', { cron: '0 9 * * 1-5' }],
	'file proxy': ['basic'],
	'monitor: getCheck status': ['changed'],
	'monitor: update status': ['paused'],
	'monitor webhook': [{ url, events: ['monitor.page'] }],
	'paper categories': ['physics'],
	'paper mode': ['citers'],
	'search ignoreInvalidURLs': [true],
	'search location': ['Munich,Bavaria,Germany'],
	'session status': ['destroyed'],
	'session timeout': [90],
};

/** Fields that the node alone acts on, or that need something beside them: their tests are elsewhere. */
const others = new Set([
	...['closeSession', 'maxTokens', 'onFailedCode', 'requestJson'],
	...['appendToId', 'existingSessionId', 'requestId', 'strictConstrainToURLs', 'threadId'],
	'timezone',
]);

const { description } = builtNode('WebData');
const collections = ['additionalFields', 'scrapeOptions'] as const;
/** What is set in any case. */
const always: Record<string, INodeParameters> = {
	'search: query': { scrapeResults: true },
	'monitor: update': { targets: { values: [{ type: 'scrape', urls: tides }] } },
};

/** The fields of a collection of the editor that an operation shows. */
function fieldsIn(collection: string, name: OperationName): INodeProperties[] {
	const shown = description.properties.find(
		(property) =>
			property.name === collection &&
			NodeHelpers.displayParameter(
				{ ...name, ...always[inWords(name)] },
				property,
				{ typeVersion: 1 },
				description,
			),
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
describe('the request', () => {
	const testBed = useTestBed();

	/** The first request of an operation: its query and its body. */
	async function requestOf(name: OperationName, parameters: INodeParameters): Promise<object> {
		const { context, log } = testBed.service;
		testBed.service.reset();
		// What is started is not looked at.
		context.pageJobs.set({ pageMs: 3_600_000 });
		const account = testBed.account();
		const least = await validParameters(name, new Fixtures(testBed.service, account));
		log.clear();
		const { resource, operation } = name;
		const set = { ...least, additionalFields: {}, ...always[inWords(name)], ...parameters };
		const run = await testBed.run(resource, operation, set, { account, input: [fees()] });
		expect(run.error?.message).toBeUndefined();
		const [{ query, body }] = log.entries;
		return { ...query, ...requestIn(body) };
	}

	// Run begins a job as Start does.
	const withFields = operationNames.filter(
		(name) => name.operation !== 'run' && fieldsIn('additionalFields', name).length > 0,
	);

	it.each(withFields)('of $resource: $operation holds each field as it is set', async (name) => {
		const least = await requestOf(name, {});
		for (const collection of collections) {
			for (const { name: field } of fieldsIn(collection, name)) {
				if (others.has(field)) continue;
				const isOption =
					collection === 'scrapeOptions' ||
					(name.resource === 'crawl' && field in everyScrapeOption);
				const keys = isOption ? [] : [`${inWords(name)} ${field}`, `${name.resource} ${field}`];
				const key = keys.find((each) => each in facts) ?? field;
				const fact = facts[key];
				if (!fact)
					throw new Error(
						`No value for the field ${field}: add one to 'facts' in test/engine/everyField.test.cts, of a scrape option to test/engine/everyScrapeOption.cts`,
					);
				const [stored, sent = stored] = fact;
				const own = { [field]: sent };
				const { scrapeOptions } = { scrapeOptions: {}, ...least };
				const expected = isOption ? { scrapeOptions: { ...scrapeOptions, ...own } } : own;

				const request = await requestOf(name, { [collection]: { [field]: stored } });

				expect([field, request]).toEqual([field, { ...least, ...expected }]);
			}
		}
	});

	it.each(withFields)(
		'of $resource: $operation holds nothing that was left empty',
		async (name) => {
			const empty = collections.map((collection) => [
				collection,
				Object.fromEntries(
					fieldsIn(collection, name)
						.filter(({ type }) => type in emptyOf)
						.map((field) => [field.name, emptyOf[field.type]]),
				),
			]);
			const set = { ...Object.fromEntries(empty), actions: {} } as INodeParameters;

			expect(await requestOf(name, set)).toEqual(await requestOf(name, {}));
		},
	);
});
