import {
	matters,
	monitorId,
	notification,
	schedule,
	targets,
} from '../../../../nodes/WebData/fields/monitor';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

describe('the monitor of an operation', () => {
	it.each<[unknown]>([
		[{ __rl: true, mode: 'list', value: id, cachedResultName: 'Prices' }],
		[{ __rl: true, mode: 'id', value: ` ${id.toUpperCase()} ` }],
		[id],
	])('is accepted: %j', (given) => {
		expect(accepted(monitorId.schema, given)).toBe(id);
	});

	it.each<[unknown, string]>([
		[undefined, 'is required'],
		[{ __rl: true, mode: 'list', value: '' }, 'is required'],
		[{ mode: 'list' }, 'is required'],
		[{ __rl: true, mode: 'id', value: '../team' }, `must be an ID such as ${id}, not ../team`],
		[7, `must be an ID such as ${id}, not 7`],
	])('is rejected: %j', (given, message) => {
		expect(refusals(monitorId.schema, given)).toEqual([message]);
	});
});

describe('the targets of a monitor', () => {
	const sent = (...values: object[]) => accepted(targets.valueSchema, { values });

	it('are sent as the editor has them, without defaults', () => {
		expect(
			sent(
				{ type: 'scrape', urls: 'https://a.example, b.example/c\nhttps://a.example/d,e' },
				{ type: 'scrape', urls: 'a.example', formats: ['markdown'], optionsJson: '{}' },
				{ type: 'crawl', url: 'a.example', formats: ['markdown', 'links'], limit: 5 },
				{ type: 'crawl', url: 'a.example' },
				{ type: 'search', queries: 'tides, Brest\n\n heat pumps ', maxResults: '50' },
			),
		).toEqual([
			{ type: 'scrape', urls: ['https://a.example', 'b.example/c', 'https://a.example/d,e'] },
			{ type: 'scrape', urls: ['a.example'] },
			{
				type: 'crawl',
				url: 'a.example',
				scrapeOptions: { formats: ['markdown', 'links'] },
				crawlOptions: { limit: 5 },
			},
			{ type: 'crawl', url: 'a.example', crawlOptions: { limit: 100 } },
			{ type: 'search', queries: ['tides, Brest', 'heat pumps'], maxResults: 50 },
		]);
	});

	it('have further fields by JSON, which override the others', () => {
		const formats = ['markdown', { type: 'changeTracking', modes: ['json'] }];
		const more = (fields: object) => ({ optionsJson: JSON.stringify(fields) });
		expect(
			sent(
				{
					type: 'scrape',
					urls: 'a.example',
					formats: ['links'],
					...more({ id, type: 'crawl', scrapeOptions: { formats, mobile: true } }),
				},
				{
					type: 'crawl',
					url: 'a.example',
					limit: 5,
					...more({ crawlOptions: { includePaths: ['/a'], limit: 7 } }),
				},
				{ type: 'search', queries: 'a', optionsJson: { searchWindow: '7d', tomorrow: 1 } },
			),
		).toEqual([
			{ type: 'scrape', id, urls: ['a.example'], scrapeOptions: { formats, mobile: true } },
			{ type: 'crawl', url: 'a.example', crawlOptions: { includePaths: ['/a'], limit: 7 } },
			{ type: 'search', queries: ['a'], searchWindow: '7d', tomorrow: 1 },
		]);
	});

	it("are accepted in the API's form", () => {
		const given = [
			{ type: 'scrape', urls: ['https://a.example'], id, scrapeOptions: { maxAge: 0 } },
			{ type: 'crawl', url: 'https://a.example', crawlOptions: { maxDiscoveryDepth: 0, limit: 5 } },
			{
				type: 'search',
				queries: ['a, b'],
				searchWindow: '5m',
				maxResults: 1,
				excludeDomains: ['a.example'],
			},
		];
		expect(accepted(targets.valueSchema, given)).toEqual(given);
		expect(accepted(targets.valueSchema, JSON.stringify(given))).toEqual(given);
		expect(
			accepted(targets.valueSchema, [{ type: 'scrape', urls: [{ url: 'a.example' }] }]),
		).toEqual([{ type: 'scrape', urls: ['a.example'] }]);
	});

	it.each<[unknown, string]>([
		[undefined, 'is required'],
		[{ values: [] }, 'must be a list from 1 to 50 entries, not 0'],
		[[{ urls: ['https://a.example'] }], '0 type is required'],
		[[{ type: 'watch' }], '0 type must be one of crawl, scrape, search, not watch'],
		[['https://a.example'], '0 type must be one of crawl, scrape, search, not https://a.example'],
		[[{ type: 'scrape' }], '0 urls is required'],
		[
			[{ type: 'scrape', urls: 'mailto:a@b.example' }],
			'0 urls 0 must start with http:// or https://, not mailto:',
		],
		[[{ type: 'crawl' }], '0 url is required'],
		[
			[{ type: 'crawl', url: 'a.example', limit: 0 }],
			'0 limit must be a whole number of at least 1, not 0',
		],
		[[{ type: 'search' }], '0 queries is required'],
		[[{ type: 'search', queries: ' \n ' }], '0 queries must be a list from 1 to 12 entries, not 0'],
		[
			[{ type: 'search', queries: ['x'.repeat(257)] }],
			'0 queries 0 must be at most 256 characters long, not 257',
		],
		[
			[{ type: 'scrape', urls: 'a.example', optionsJson: '{"a":' }],
			'0 optionsJson is not valid JSON: Unexpected end of JSON input',
		],
	])('are rejected: %j', (given, message) => {
		expect(refusals(targets.valueSchema, given)).toEqual([message]);
	});
});

describe('the notification of a monitor', () => {
	it.each<[unknown, unknown]>([
		[{ enabled: true }, { email: { enabled: true } }],
		[
			{ enabled: true, recipients: 'ada@a.example, bob@b.example', includeDiffs: 'true' },
			{
				email: {
					enabled: true,
					recipients: ['ada@a.example', 'bob@b.example'],
					includeDiffs: true,
				},
			},
		],
		[{ email: { enabled: false } }, { email: { enabled: false } }],
		[
			'{"slack": {"enabled": true, "channelId": "C1"}}',
			{ slack: { enabled: true, channelId: 'C1' } },
		],
		[{}, undefined],
	])('%j is sent as %j', (given, expected) => {
		expect(accepted(notification.valueSchema, given)).toEqual(expected);
	});

	it.each<[unknown, string]>([
		[{ enabled: 'perhaps' }, 'enabled must be true or false, not perhaps'],
		['ada@a.example', 'must be an object'],
	])('is rejected: %j', (given, message) => {
		expect(refusals(notification.valueSchema, given)).toEqual([message]);
	});
});

describe('the schedule of a monitor', () => {
	it.each<[unknown, unknown?]>([
		[' hourly ', { text: 'hourly' }],
		['9 times a day', { text: '9 times a day' }],
		['*/30 * * * *', { cron: '*/30 * * * *' }],
		['  0   9 * *\t1 ', { cron: '0 9 * * 1' }],
		['0 9 * * MON-FRI', { cron: '0 9 * * MON-FRI' }],
		[{ cron: '0 9 * * 1', timezone: 'Europe/Berlin' }],
		['{"text": "hourly"}', { text: 'hourly' }],
	])('is accepted: %j', (given, expected = given) => {
		expect(accepted(schedule.valueSchema, given)).toEqual(expected);
	});

	it.each<[unknown, string]>([
		[{ timezone: 'UTC' }, "requires either 'cron' or 'text'"],
		[{ cron: '0 9 * * 1', text: 'hourly' }, "requires either 'cron' or 'text'"],
		['x'.repeat(129), 'text must be at most 128 characters long, not 129'],
		[7, 'must be an object'],
	])('is rejected: %j', (given, message) => {
		expect(refusals(schedule.valueSchema, given)).toEqual([message]);
	});
});

it.each<[string, object, boolean]>([
	['changed', { isMeaningful: true }, true],
	['changed', { judgment: { meaningful: true } }, true],
	['changed', { isMeaningful: false }, false],
	['changed', { isMeaningful: null, judgment: null }, false],
	['new', {}, true],
	['new', { isMeaningful: false }, false],
	['removed', { judgment: { meaningful: false } }, false],
	['error', { isMeaningful: false }, true],
])('a page that is %s with %j matters: %s', (event, entry, expected) => {
	expect(matters(event, { ...entry })).toBe(expected);
});
