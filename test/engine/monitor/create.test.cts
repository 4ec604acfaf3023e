import type { INodeParameters } from 'n8n-workflow';
import { everyScrapeOption, everyScrapeOptionSent, someActions } from '../everyScrapeOption.cjs';
import { guides, least, leastSent, storms, tides, unknownId, useMonitors } from './monitors.cjs';

interface State {
	/** What the user set in the editor, beside what a monitor needs. */
	set: INodeParameters;
	/** What the API gets, beside or in place of that. */
	sent: object;
}

const schema = { type: 'object', properties: { title: { type: 'string' } } };
const hook = 'https://hooks.example/in';
const also = (additionalFields: INodeParameters, sent: object): State => ({
	set: { additionalFields },
	sent,
});
const schedule = (set: INodeParameters, sent: object = set): State => ({
	set: { schedule: set },
	sent: { schedule: sent },
});
const target = (set: INodeParameters, sent: object): State => ({
	set: { targets: { values: [set] } },
	sent: { targets: [sent] },
});

/** Every field once; what goes over the wire is what was set and nothing else. */
const states: Record<string, State> = {
	'nothing but what a monitor needs': { set: {}, sent: {} },
	'nothing that was left empty': {
		set: {
			goal: '',
			targets: {
				values: [{ type: 'scrape', urls: tides, scrapeOptions: {}, options: { id: '' } }],
			},
			schedule: { cron: '', text: 'hourly', timezone: '' },
			additionalFields: { notification: {}, requestJson: '{}', webhook: {} },
		},
		sent: {},
	},
	'a cron schedule': schedule(
		{ cron: ' 0  9 * * 1-5 ', timezone: 'Europe/Berlin' },
		{ cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
	),
	'a schedule in words': schedule({ text: 'daily at 9am', timezone: 'America/New_York' }),
	'a schedule by expression': schedule(
		{ text: '={{ "every " + 30 + " minutes" }}' },
		{ text: 'every 30 minutes' },
	),
	'a goal': { set: { goal: 'A time changes' }, sent: { goal: 'A time changes' } },
	'a goal that nobody judges by': {
		set: { goal: 'A time changes', additionalFields: { judgeEnabled: false } },
		sent: { goal: 'A time changes', judgeEnabled: false },
	},
	'a judge that is on': {
		set: { goal: 'A time changes', additionalFields: { judgeEnabled: true } },
		sent: { goal: 'A time changes', judgeEnabled: true },
	},
	'the shortest retention': also({ retentionDays: 1 }, { retentionDays: 1 }),
	'the longest retention, from text': also(
		{ retentionDays: '={{ "365" }}' },
		{ retentionDays: 365 },
	),
	'a webhook': also(
		{
			webhook: {
				url: hook,
				headers: [{ name: 'X-Case', value: '7' }],
				metadata: [{ name: 'row', value: '12' }],
				events: ['monitor.page', 'monitor.check.completed'],
			},
		},
		{
			webhook: {
				url: hook,
				headers: { 'X-Case': '7' },
				metadata: { row: '12' },
				events: ['monitor.page', 'monitor.check.completed'],
			},
		},
	),
	'a webhook for all events': also(
		{ webhook: { url: hook, events: [] } },
		{ webhook: { url: hook } },
	),
	'notification by email': also(
		{
			notification: {
				email: {
					enabled: true,
					includeDiffs: true,
					recipients: 'ada@tidewatch.example, bob@tidewatch.example',
				},
			},
		},
		{
			notification: {
				email: {
					enabled: true,
					includeDiffs: true,
					recipients: ['ada@tidewatch.example', 'bob@tidewatch.example'],
				},
			},
		},
	),
	'notification in Slack': also(
		{ notification: { slack: { enabled: true, channelId: 'C024', channelName: 'tides' } } },
		{ notification: { slack: { enabled: true, channelId: 'C024', channelName: 'tides' } } },
	),
	'notification switched off': also(
		{ notification: { email: { enabled: false }, slack: { enabled: false } } },
		{ notification: { email: { enabled: false }, slack: { enabled: false } } },
	),
	"members in the API's own shape": also(
		{ requestJson: '{"goal": "Times", "schedule": {"text": "every 2 hours", "timezone": "UTC"}}' },
		{ goal: 'Times', schedule: { text: 'every 2 hours', timezone: 'UTC' } },
	),
	'pages with every scrape option': target(
		{
			type: 'scrape',
			urls: `${tides}, ${storms}\n${guides}/a,b`,
			formats: ['markdown', 'changeTracking'],
			changeTrackingModes: ['json', 'git-diff'],
			changeTrackingPrompt: 'Times',
			changeTrackingSchemaType: 'schema',
			changeTrackingSchema: JSON.stringify(schema),
			changeTrackingTag: 'a',
			actions: someActions,
			scrapeOptions: everyScrapeOption,
			options: { id: unknownId.toUpperCase() },
		},
		{
			type: 'scrape',
			id: unknownId,
			urls: [tides, storms, `${guides}/a,b`],
			scrapeOptions: {
				formats: [
					{ type: 'markdown' },
					{
						type: 'changeTracking',
						schema,
						prompt: 'Times',
						modes: ['json', 'git-diff'],
						tag: 'a',
					},
				],
				...everyScrapeOptionSent,
			},
		},
	),
	'pages from an expression': target(
		{ type: 'scrape', urls: `={{ ["${tides}", "${storms}"] }}` },
		{ type: 'scrape', urls: [tides, storms] },
	),
	'a site, no larger than usual': target(
		{ type: 'crawl', url: guides },
		{ type: 'crawl', url: guides, crawlOptions: { limit: 100 } },
	),
	'a site with every crawl option': target(
		{
			type: 'crawl',
			url: guides,
			crawlOptions: {
				allowExternalLinks: true,
				allowSubdomains: true,
				crawlEntireDomain: true,
				deduplicateSimilarURLs: false,
				delay: 0.5,
				excludePaths: '/archive/.*\n/a{1,2}',
				ignoreQueryParameters: true,
				ignoreRobotsTxt: true,
				includePaths: '/guides/.*',
				limit: 7,
				maxConcurrency: 2,
				maxDiscoveryDepth: 0,
				prompt: 'Only the guides',
				regexOnFullURL: false,
				robotsUserAgent: 'TideBot',
				sitemap: 'only',
			},
			scrapeOptions: { onlyMainContent: false },
			options: { id: unknownId },
		},
		{
			type: 'crawl',
			id: unknownId,
			url: guides,
			crawlOptions: {
				allowExternalLinks: true,
				allowSubdomains: true,
				crawlEntireDomain: true,
				deduplicateSimilarURLs: false,
				delay: 0.5,
				excludePaths: ['/archive/.*', '/a{1,2}'],
				ignoreQueryParameters: true,
				ignoreRobotsTxt: true,
				includePaths: ['/guides/.*'],
				limit: 7,
				maxConcurrency: 2,
				maxDiscoveryDepth: 0,
				prompt: 'Only the guides',
				regexOnFullURL: false,
				robotsUserAgent: 'TideBot',
				sitemap: 'only',
			},
			scrapeOptions: { onlyMainContent: false },
		},
	),
	'searches without a goal, where nobody judges': {
		set: {
			targets: { values: [{ type: 'search', queries: 'spring tide' }] },
			additionalFields: { judgeEnabled: false },
		},
		sent: { targets: [{ type: 'search', queries: ['spring tide'] }], judgeEnabled: false },
	},
	'searches with every option, and a goal': {
		set: {
			goal: 'Warnings',
			targets: {
				values: [
					{
						type: 'search',
						queries: 'tides, surges\n\n heat pumps ',
						options: {
							id: unknownId,
							includeDomains: 'https://Tidewatch.example/, fernwege.example',
							maxResults: 50,
							searchWindow: '7d',
						},
					},
					{ type: 'search', queries: 'tide', options: { excludeDomains: 'adverts.example' } },
				],
			},
		},
		sent: {
			goal: 'Warnings',
			targets: [
				{
					type: 'search',
					id: unknownId,
					queries: ['tides, surges', 'heat pumps'],
					includeDomains: ['tidewatch.example', 'fernwege.example'],
					maxResults: 50,
					searchWindow: '7d',
				},
				{ type: 'search', queries: ['tide'], excludeDomains: ['adverts.example'] },
			],
		},
	},
};

describe("a new monitor's request", () => {
	const monitors = useMonitors();

	it.each(Object.entries(states))('holds %s', async (_name, { set, sent }) => {
		const account = monitors.testBed.account();

		const run = await monitors.run('create', { ...least, ...set }, { account });

		expect(run.error?.message).toBeUndefined();
		expect(monitors.requests).toEqual([
			{ method: 'POST', path: '/v2/monitor', query: {}, body: { ...leastSent, ...sent } },
		]);
		expect(monitors.of(account)).toHaveLength(1);
	});

	it('holds targets of every type at once, their types by expression too', async () => {
		const type = '={{ $json.type }}';
		const account = monitors.testBed.account();

		const items = await monitors.items(
			'create',
			{
				...least,
				goal: 'Warnings',
				targets: {
					values: [
						{ type, urls: tides },
						{ type: 'crawl', url: guides },
						{ type: 'search', queries: 'surge', options: { searchWindow: '1h' } },
					],
				},
			},
			{ account, input: [{ type: 'scrape' }] },
		);

		expect(monitors.requests.map(({ body }) => body)).toEqual([
			{
				...leastSent,
				goal: 'Warnings',
				targets: [
					{ type: 'scrape', urls: [tides] },
					{ type: 'crawl', url: guides, crawlOptions: { limit: 100 } },
					{ type: 'search', queries: ['surge'], searchWindow: '1h' },
				],
			},
		]);
		expect(items[0].json.targets).toHaveLength(3);
	});

	it.each([
		['scrape', { urls: tides, options: { id: unknownId } }],
		['crawl', { url: guides, crawlOptions: { limit: 5 }, options: { id: unknownId } }],
		['search', { queries: 'tide', options: { searchWindow: '7d', id: unknownId } }],
	])('holds the options of a target whose type is %s by expression', async (type, set) => {
		const run = await monitors.run(
			'create',
			{
				...least,
				goal: 'Tides',
				targets: { values: [{ type: '={{ $json.type }}', ...set }] },
			},
			{ input: [{ type }] },
		);

		expect(run.error?.message).toBeUndefined();
		const [{ body }] = monitors.requests;
		const { options, ...members } = set;
		const lists = {
			...('urls' in set && { urls: [tides] }),
			...('queries' in set && { queries: ['tide'] }),
		};
		expect(body).toMatchObject({ targets: [{ type, ...members, ...options, ...lists }] });
	});

	it('brings out the monitor as the service has it', async () => {
		const account = monitors.testBed.account();

		const items = await monitors.items('create', least, { account });

		const [{ id }] = monitors.of(account);
		expect(items).toEqual([
			{ json: { ...(await monitors.client(account).get(id)) }, pairedItem: { item: 0 } },
		]);
		expect(items[0].json).toMatchObject({
			id,
			status: 'active',
			schedule: { cron: '0 * * * *', timezone: 'UTC' },
			nextRunAt: '2026-11-21T13:00:00.000Z',
			estimatedCreditsPerMonth: expect.any(Number),
		});
	});

	it('makes a monitor for each item, and says which is whose', async () => {
		const account = monitors.testBed.account();

		const items = await monitors.items(
			'create',
			{ ...least, name: '={{ $json.name }}', limits: { requestsInFlight: 1 } },
			{ account, input: ['a', 'b', 'c'].map((name) => ({ name })) },
		);

		expect(monitors.of(account).map(({ settings }) => settings.name)).toEqual(['c', 'b', 'a']);
		expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
			['a', { item: 0 }],
			['b', { item: 1 }],
			['c', { item: 2 }],
		]);
	});

	it('is not sent again when its answer is lost: a second monitor would cost, too', async () => {
		const account = monitors.testBed.account();
		monitors.testBed.service.faults.add({ kind: 'reset', method: 'POST', stage: 'after' });

		const run = await monitors.run('create', least, { account });

		expect(run.status).toBe('error');
		expect(run.error?.description).toMatch(/may have been carried out.*not sent again/);
		expect(monitors.requests).toHaveLength(1);
		expect(monitors.of(account)).toHaveLength(1);
	});
});
