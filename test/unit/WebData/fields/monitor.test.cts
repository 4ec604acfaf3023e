import {
	matters,
	monitorId,
	notification,
	schedule,
	targets,
} from '../../../../nodes/WebData/fields/monitor';
import { reads } from '../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
const noId = (given: string) => `must be an ID such as ${id}, not ${given}`;

reads(
	'the monitor of an operation',
	monitorId.schema,
	[
		[{ ...locator('list', id), cachedResultName: 'Prices' }, id],
		[locator('id', ` ${id.toUpperCase()} `), id],
		[id],
	],
	[
		[undefined, 'is required'],
		[locator('list', ''), 'is required'],
		[{ mode: 'list' }, 'is required'],
		[locator('id', '../team'), noId('../team')],
		[7, noId('7')],
	],
);

const page = { type: 'scrape', urls: 'a.example' };
const site = { type: 'crawl', url: 'a.example' };
const queries = { type: 'search', queries: 'tides, Brest\n\n heat pumps ' };
const formats = ['markdown', { type: 'changeTracking', modes: ['json'] }];
const more = (fields: object) => ({ optionsJson: JSON.stringify(fields) });
const own = [
	{ type: 'scrape', urls: ['https://a.example'], id, scrapeOptions: { maxAge: 0 } },
	{ type: 'crawl', url: 'https://a.example', crawlOptions: { maxDiscoveryDepth: 0, limit: 5 } },
	{ type: 'search', queries: ['a, b'], searchWindow: '5m', excludeDomains: ['a.example'] },
];
const noJson = 'is not valid JSON: Unexpected end of JSON input';

reads(
	'the targets of a monitor',
	targets.valueSchema,
	[
		// As the editor has them, without defaults.
		[
			{
				values: [
					{ ...page, urls: 'https://a.example, b.example/c\nhttps://a.example/d,e' },
					{ ...page, formats: ['markdown'], optionsJson: '{}' },
					{ ...site, formats: ['markdown', 'links'], limit: 5 },
					site,
					{ ...queries, maxResults: '50' },
				],
			},
			[
				{ type: 'scrape', urls: ['https://a.example', 'b.example/c', 'https://a.example/d,e'] },
				{ type: 'scrape', urls: ['a.example'] },
				{ ...site, scrapeOptions: { formats: ['markdown', 'links'] }, crawlOptions: { limit: 5 } },
				{ ...site, crawlOptions: { limit: 100 } },
				{ type: 'search', queries: ['tides, Brest', 'heat pumps'], maxResults: 50 },
			],
		],
		// Further fields by JSON override the others.
		[
			{
				values: [
					{
						...page,
						formats: ['links'],
						...more({ id, type: 'crawl', scrapeOptions: { formats, mobile: true } }),
					},
					{ ...site, limit: 5, ...more({ crawlOptions: { includePaths: ['/a'], limit: 7 } }) },
					{ ...queries, queries: 'a', optionsJson: { searchWindow: '7d', tomorrow: 1 } },
				],
			},
			[
				{ type: 'scrape', id, urls: ['a.example'], scrapeOptions: { formats, mobile: true } },
				{ ...site, crawlOptions: { includePaths: ['/a'], limit: 7 } },
				{ type: 'search', queries: ['a'], searchWindow: '7d', tomorrow: 1 },
			],
		],
		[own],
		[JSON.stringify(own), own],
		[[{ type: 'scrape', urls: [{ url: 'a.example' }] }], [{ type: 'scrape', urls: ['a.example'] }]],
	],
	[
		[undefined, 'is required'],
		[{ values: [] }, 'must not be empty'],
		[[{ urls: ['https://a.example'] }], '0 type is required'],
		[[{ type: 'watch' }], '0 type must be one of crawl, scrape, search, not watch'],
		[['https://a.example'], '0 type must be one of crawl, scrape, search, not https://a.example'],
		[[{ type: 'scrape' }], '0 urls is required'],
		[
			[{ ...page, urls: 'mailto:a@b.example' }],
			'0 urls 0 must start with http:// or https://, not mailto:',
		],
		[[{ type: 'crawl' }], '0 url is required'],
		[[{ ...site, limit: 0 }], '0 limit must be a whole number of at least 1, not 0'],
		[[{ type: 'search' }], '0 queries is required'],
		[[{ ...queries, queries: ' \n ' }], '0 queries must not be empty'],
		[
			[{ ...queries, queries: ['x'.repeat(257)] }],
			'0 queries 0 must be at most 256 characters long, not 257',
		],
		[[{ ...page, optionsJson: '{"a":' }], `0 optionsJson ${noJson}`],
	],
);

const enabled = { enabled: true };
const slack = { slack: { enabled: true, channelId: 'C1' } };

reads(
	'the notification of a monitor',
	notification.valueSchema,
	[
		[enabled, { email: enabled }],
		[
			{ ...enabled, recipients: 'ada@a.example, bob@b.example', includeDiffs: 'true' },
			{ email: { ...enabled, recipients: ['ada@a.example', 'bob@b.example'], includeDiffs: true } },
		],
		[{ email: { enabled: false } }],
		[JSON.stringify(slack), slack],
		[{}, undefined],
	],
	[
		[{ enabled: 'perhaps' }, 'enabled must be true or false, not perhaps'],
		['ada@a.example', 'must be an object'],
		[
			{ ...enabled, recipients: 'ada@a.example, 2026-02-30' },
			'recipients 1 must be an email address, such as ada@example.com',
		],
	],
);

reads(
	'the schedule of a monitor',
	schedule.valueSchema,
	[
		[' hourly ', { text: 'hourly' }],
		['9 times a day', { text: '9 times a day' }],
		['*/30 * * * *', { cron: '*/30 * * * *' }],
		['  0   9 * *\t1 ', { cron: '0 9 * * 1' }],
		['0 9 * * MON-FRI', { cron: '0 9 * * MON-FRI' }],
		[{ cron: '0 9 * * 1', timezone: 'Europe/Berlin' }],
		['{"text": "hourly"}', { text: 'hourly' }],
	],
	[
		[
			{ text: 'hourly', timezone: 'Berlin' },
			'timezone must be an IANA time zone, such as Europe/Berlin',
		],
		[{ cron: ' 7 ' }, 'cron must have five parts, such as 0 9 * * 1-5'],
		[{ timezone: 'UTC' }, "requires either 'cron' or 'text'"],
		[{ cron: '0 9 * * 1', text: 'hourly' }, "requires either 'cron' or 'text'"],
		['x'.repeat(129), 'text must be at most 128 characters long, not 129'],
		[7, 'must be an object'],
	],
);

it.each<[string, object, boolean]>([
	['changed', { isMeaningful: true }, true],
	['changed', { judgment: { meaningful: true } }, true],
	['changed', { isMeaningful: false }, false],
	['changed', { isMeaningful: null, judgment: null }, false],
	['new', {}, true],
	['new', { isMeaningful: null, judgment: null }, true],
	['new', { isMeaningful: false }, false],
	['removed', { judgment: { meaningful: false } }, false],
	['error', { isMeaningful: false }, true],
	['same', { isMeaningful: null }, true],
])('a page that is %s with %j matters: %s', (event, entry, expected) => {
	expect(matters(event, { ...entry })).toBe(expected);
});
