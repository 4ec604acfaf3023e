import type { INodeProperties } from 'n8n-workflow';
import { create } from '../../../../nodes/WebData/resources/monitor/create';
import { update } from '../../../../nodes/WebData/resources/monitor/update';
import { requestOf } from '../../calls.cjs';

type Entry = NonNullable<INodeProperties['options']>[number];

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;

const inside = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.flatMap((entry) => {
		if ('values' in entry) return entry.values;
		return isProperty(entry) ? [entry] : [];
	});

/** The properties with the editor's own groups opened. */
const opened = (properties: readonly INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) =>
		['additionalFields', 'options'].includes(property.name) ? opened(inside(property)) : [property],
	);

const namesOf = (properties: readonly INodeProperties[]) =>
	opened(properties).map(({ name }) => name);

const member = (properties: readonly INodeProperties[], ...path: string[]): INodeProperties[] =>
	path.reduce<INodeProperties[]>(
		(found, name) => opened(found.flatMap(inside)).filter((property) => property.name === name),
		[{ displayName: '', name: '', type: 'collection', default: {}, options: [...properties] }],
	);

/** The node's own options, which are no part of the request. */
const own = [
	'keepFields',
	'maxBackOff',
	'maxCreditsPerExecution',
	'maxRetryTime',
	'maxTries',
	'repeatUncertain',
	'requestJson',
	'requestsInFlight',
];
const request = [
	'name',
	'targets',
	'schedule',
	'webhook',
	'notification',
	'retentionDays',
	'goal',
	'judgeEnabled',
];
const crawlOptions = [
	'prompt',
	'includePaths',
	'excludePaths',
	'regexOnFullURL',
	'maxDiscoveryDepth',
	'limit',
	'sitemap',
	'crawlEntireDomain',
	'allowExternalLinks',
	'allowSubdomains',
	'ignoreQueryParameters',
	'deduplicateSimilarURLs',
	'ignoreRobotsTxt',
	'robotsUserAgent',
	'delay',
	'maxConcurrency',
];

describe('each member of the spec has one field in the editor, and each field one member', () => {
	const without = (names: string[], ...left: string[]) =>
		names.filter((name) => !left.includes(name)).sort();

	it('of a new monitor', () => {
		expect(without(namesOf(create.fields), ...own)).toEqual([...request].sort());
	});

	it('of its changes', () => {
		expect(without(namesOf(update.fields), ...own)).toEqual(
			[...request, 'monitorId', 'status', 'clearFields'].sort(),
		);
	});

	it.each([create, update])('$name', ({ fields }) => {
		const names = (...path: string[]) =>
			member(fields, ...path).flatMap((found) => namesOf(inside(found)));
		expect(names('schedule').sort()).toEqual(['cron', 'text', 'timezone']);
		expect(names('webhook').sort()).toEqual(['events', 'headers', 'metadata', 'url']);
		expect(names('notification').sort()).toEqual(['email', 'slack']);
		expect(names('notification', 'email').sort()).toEqual([
			'enabled',
			'includeDiffs',
			'recipients',
		]);
		expect(names('notification', 'slack').sort()).toEqual(['channelId', 'channelName', 'enabled']);
		expect(names('targets', 'crawlOptions').sort()).toEqual([...crawlOptions].sort());
	});

	it.each([
		['scrape', ['id', 'scrapeOptions', 'type', 'urls']],
		['crawl', ['crawlOptions', 'id', 'scrapeOptions', 'type', 'url']],
		[
			'search',
			['excludeDomains', 'id', 'includeDomains', 'maxResults', 'queries', 'searchWindow', 'type'],
		],
	])('of a %s target', (type, names) => {
		const [targets] = member(create.fields, 'targets');
		const shown = inside(targets).filter(({ displayOptions }) => {
			const types = displayOptions?.show?.type;
			return types === undefined || types.includes(type);
		});
		expect(namesOf(shown).sort()).toEqual(names);
	});

	it('offers the values of the spec, all of them accepted and sent', () => {
		const valuesOf = (...path: string[]) =>
			member(create.fields, ...path).flatMap(({ options = [] }) =>
				options.flatMap((option) => ('value' in option ? [option.value] : [])),
			);
		const windows = valuesOf('targets', 'searchWindow');
		const events = valuesOf('webhook', 'events');
		expect([...windows].sort()).toEqual(['15m', '1h', '24h', '5m', '6h', '7d']);
		expect([...events].sort()).toEqual(['monitor.check.completed', 'monitor.page']);
		expect([...valuesOf('targets', 'type')].sort()).toEqual(['crawl', 'scrape', 'search']);
		const targets = windows.map((searchWindow) => ({
			type: 'search',
			queries: ['a'],
			searchWindow,
		}));
		const webhook = { url: 'https://a.example', events };
		const parameters = {
			name: 'a',
			goal: 'b',
			schedule: { text: 'hourly' },
			targets: { values: targets },
			additionalFields: { webhook },
		};
		expect(requestOf(create, parameters)).toMatchObject({ targets, webhook });
	});
});
