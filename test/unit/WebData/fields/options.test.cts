import { tryToParseDateTime } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import type { Field } from '../../../../nodes/runtime/form/field';
import { form, propertiesOf } from '../../../../nodes/runtime/form/form';
import { actions, waitingTime } from '../../../../nodes/WebData/fields/actions';
import {
	crawlOptionGroup,
	crawlOptionRules,
	noticePatterns,
} from '../../../../nodes/WebData/fields/crawlOptions';
import { targets } from '../../../../nodes/WebData/fields/monitor';
import { crawlReading } from '../../../../nodes/WebData/fields/scrapeOptions';
import { isoDay, tbs } from '../../../../nodes/WebData/fields/time';
import { accepted, reads, type Accepted, type Refused } from '../../schemaAssertions.cjs';

/** An action as the editor stores it, which is sent as the API has it. */
const stored = (action: object, sent = action): Accepted => [{ values: [action] }, [sent]];
const wait = (milliseconds: unknown) => ({ type: 'wait', milliseconds });
const click = { type: 'click', selector: '#more' };
const ofApi = [wait(500), { ...click, all: false }, { type: 'pdf' }];

reads(
	'actions',
	actions.valueSchema,
	[
		stored({ ...wait('500'), selector: '' }, wait(500)),
		stored({ ...wait(''), selector: '#a' }, { type: 'wait', selector: '#a' }),
		stored({ ...wait(''), selector: '' }, wait(1_000)),
		stored({ ...click, options: {} }, click),
		stored({ ...click, options: { all: false } }, { ...click, all: false }),
		stored({ type: 'write', text: ' ' }),
		stored({ type: 'press', key: 'Enter' }),
		stored({ type: 'scroll', selector: '', options: {} }, { type: 'scroll' }),
		stored({ type: 'scroll', options: { direction: 'up' } }, { type: 'scroll', direction: 'up' }),
		stored({ type: 'scrape', selector: '#of-another-type' }, { type: 'scrape' }),
		stored({ type: 'executeJavascript', script: 'document.title' }),
		stored(
			{ type: 'screenshot', options: { fullPage: false } },
			{ type: 'screenshot', fullPage: false },
		),
		[ofApi],
	],
	[
		[
			[{ type: 'wait', milliseconds: null }],
			`0 milliseconds has no value: give it one, or remove the field`,
		],
		[[{ ...wait(5), selector: 'a' }], `0 takes either 'Milliseconds' or 'Selector', not both`],
		[[{ type: 'click', selector: '' }], '0 selector is required'],
		[[{ type: 'write' }], '0 text is required'],
		[[{ type: 'press' }], '0 key is required'],
		[[{ type: 'executeJavascript', script: '' }], '0 script is required'],
		[
			[{ type: 'hover' }],
			'0 type must be one of click, pdf, press, executeJavascript, scrape, screenshot, scroll, wait, write, not hover',
		],
	],
);

it('the time that actions wait counts a wait for an element as a second, and nothing else', () => {
	const given = [wait(2500), { type: 'wait', selector: '#a' }, click, { type: 'scrape' }];
	expect([waitingTime(accepted(actions.valueSchema, given) ?? []), waitingTime([])]).toEqual([
		3500, 0,
	]);
});

reads(
	'crawl options',
	form(crawlOptionGroup, crawlOptionRules).schema,
	[
		[{ maxDiscoveryDepth: 0, sitemap: 'only', prompt: 'x'.repeat(10_000) }],
		[
			{ delay: '60', allowSubdomains: 'false' },
			{ delay: 60, allowSubdomains: false },
		],
		[{ includePaths: '/a,/b\n/c' }, { includePaths: ['/a,/b', '/c'] }],
		[{ excludePaths: ['^/x$', '(?i)y'] }],
		[{ excludePaths: [] }],
		[{ includePaths: '', prompt: '' }, {}],
	],
	[
		[{ maxDiscoveryDepth: 1.5 }, 'maxDiscoveryDepth must be a whole number of at least 0, not 1.5'],
		[{ delay: 0 }, 'delay must be more than 0 seconds'],
		[{ delay: 60.5 }, 'delay must be a number from 0 to 60 seconds, not 60.5'],
		[{ excludePaths: 7 }, 'excludePaths must be a list'],
		[
			{ includePaths: ['a'.repeat(2_001)] },
			'includePaths 0 must be at most 2,000 characters long, not 2,001',
		],
	],
);

describe('a pattern for paths', () => {
	const advice = `Enable 'Regex on Full URL'.`;
	const noticeOf = (patterns: object) => {
		const notices: string[] = [];
		noticePatterns({ ...patterns }, advice, { notice: (text) => void notices.push(text) });
		return notices.at(0);
	};

	it.each([
		'.*add-to-cart=.*',
		'.*\\?sort.*',
		'https://a.example/x/.*',
		'^https?://a.example',
		'www.a.example/x',
	])('that is meant for more of a URL is noticed: %s', (pattern) => {
		for (const [name, label] of [
			['excludePaths', `'Exclude Paths'`],
			['includePaths', `'Include Paths'`],
		]) {
			const patterns = { [name]: ['/x', pattern] };
			for (const part of [label, pattern, advice]) expect(noticeOf(patterns)).toContain(part);
			expect(noticeOf({ ...patterns, regexOnFullURL: true })).toBeUndefined();
		}
	});

	it.each(['/blog/.*', '^/a?/b$', '/(?=x)y', '/http-status/.*', '.*\\.pdf'])(
		'that a path can match is not: %s',
		(pattern) => expect(noticeOf({ excludePaths: [pattern] })).toBeUndefined(),
	);
});

const country = (given: string, sent = given): Accepted => [
	{ location: { country: given } },
	{ location: { country: sent } },
];
const parsed = (given: unknown, ...parsers: object[]): Accepted => [
	{ parsers: given },
	{ parsers },
];
const redaction = { mode: 'accurate', entities: ['EMAIL'], replaceStyle: 'mask' };
const redacted = (given: unknown, redactPII = given): Accepted => [
	{ redactPII: given },
	{ redactPII },
];
const noValue = 'has no value: give it one, or remove the field';
const tooLong = `actions must wait at most 60 seconds together with 'Wait For', not 60.001`;
const half = (timeout: number, waitFor: number) =>
	`waitFor must be at most half the timeout of ${timeout} milliseconds, not ${waitFor}`;
const untilThere = { type: 'wait', selector: 'a' };

reads(
	'scrape options',
	crawlReading.valueSchema,
	[
		[{ includeTags: 'article, .price' }, { includeTags: ['article', '.price'] }],
		[{ excludeTags: ['nav', '#footer'], maxAge: 0, timeout: 300_000, waitFor: 60_000 }],
		[{ headers: [{ name: 'Cookie', value: 'a=1' }] }, { headers: { Cookie: 'a=1' } }],
		[{ headers: { 'User-Agent': 'x' }, profile: { name: 'é'.repeat(64) } }],
		[{ blockAds: 'false' }, { blockAds: false }],
		[{ proxy: 'enhanced' }],
		[{ proxy: 'stealth' }],
		[{ formats: [] }],
		[{ location: { country: '', languages: '' }, actions: {} }, {}],
		country('DE'),
		country('UK', 'GB'),
		country('uk', 'GB'),
		country('xk', 'XK'),
		country('us-generic'),
		country('US-Whitelist', 'us-whitelist'),
		country(' de ', 'DE'),
		[{ location: { languages: 'de-DE, en' } }, { location: { languages: ['de-DE', 'en'] } }],
		[{ location: { country: 'FR', languages: ['fr', 'en'] } }],
		redacted(true),
		redacted('false', false),
		redacted(redaction),
		redacted({ strength: 3 }),
		[{ redactPII: JSON.parse('{"__proto__": {"polluted": true}}') }, {}],
		redacted(JSON.stringify(redaction), redaction),
		parsed([]),
		parsed('pdf', { type: 'pdf' }),
		parsed(['pdf', 'image'], { type: 'pdf' }, { type: 'image' }),
		parsed({ mode: 'fast', maxPages: '3' }, { type: 'pdf', mode: 'fast', maxPages: 3 }),
		parsed('[{"type": "pdf", "mode": "ocr"}]', { type: 'pdf', mode: 'ocr' }),
		[{ waitFor: 500, timeout: 1000 }],
		[{ waitFor: 30_000, actions: [wait(30_000)] }],
		[{ actions: [wait(59_000), untilThere] }],
	],
	[
		[{ profile: { name: 'é'.repeat(65) } }, 'profile name must be at most 128 bytes long, not 130'],
		[{ profile: { name: '' } }, 'profile name is required'],
		[{ redactPII: 'maybe' }, 'redactPII must be true or false, not maybe'],
		[
			{ redactPII: { mode: 'slow' } },
			'redactPII mode must be one of accurate, aggressive, fast, not slow',
		],
		...['Germany/DE', 'deutschland/DE', 'DEU/DE', 'usa/US', 'AUT/AT', 'aus/AU', 'FRA/FR'].map(
			(pair): [unknown, string] => {
				const [given, code] = pair.split('/');
				const words = `must be a code of two letters, probably ${code}, not ${given}`;
				return [{ location: { country: given } }, `location country ${words}`];
			},
		),
		[
			{ location: { country: 'Atlantis' } },
			'location country must be a code of two letters, such as DE, not Atlantis',
		],
		[{ redactPII: '' }, `redactPII ${noValue}`],
		[{ parsers: { mode: 'slow' } }, 'parsers mode must be one of auto, fast, ocr, not slow'],
		[{ parsers: { maxPages: '' } }, `parsers maxPages ${noValue}`],
		[
			{ parsers: [{ type: 'pdf', maxPages: 0 }] },
			'parsers 0 maxPages must be a whole number from 1 to 10,000, not 0',
		],
		[{ waitFor: 30_001 }, half(60_000, 30_001)],
		[{ waitFor: 501, timeout: 1000 }, half(1000, 501)],
		[{ waitFor: 30_000, actions: [wait(30_001)] }, tooLong],
		[{ actions: [wait(59_001), untilThere] }, tooLong],
		// The rules between options go unsaid while one of them is refused.
		[
			{ waitFor: 'soon', actions: [wait('x')] },
			'waitFor must be a whole number from 0 to 60,000 milliseconds, not soon',
			'actions 0 milliseconds must be a whole number of at least 1, not x',
		],
	],
);

/** A date as n8n's expressions have it. */
const inAuckland = (time: string) => tryToParseDateTime(time, 'Pacific/Auckland');

reads(
	'a day',
	isoDay(),
	[
		['2026-01-31'],
		...[
			' 2026-01-31 ',
			'2026-01-31T00:00:00',
			'2026-01-31T23:30:00.000-05:00',
			'1/31/2026',
			new Date('2026-01-31T23:59:59Z'),
			inAuckland('2026-01-31T01:00:00'),
		].map((given): Accepted => [given, '2026-01-31']),
		['2028-02-29'],
	],
	[
		...['2026-02-29', '2026-00-10', '2026-13-01', '13/01/2026', '31.01.2026', '2026-1-1'],
		...['2026-01-315', 'yesterday', 20260131, true, new Date('x'), { year: 2026 }, ['2026-01-01']],
		inAuckland('2026-01-31').setZone('nowhere'),
	].map((given): Refused => [given, 'must be a date such as 2026-11-21']),
);

describe('today', () => {
	beforeEach(() => {
		// Noon where the test runs, so that the day is the same everywhere.
		jest.useFakeTimers({ now: new Date(2026, 10, 21, 12) });
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	reads(
		'and a time filter',
		tbs.valueSchema,
		[
			[{ range: 'qdr:h' }, 'qdr:h'],
			[{ sortByDate: 'true', range: 'qdr:w' }, 'sbd:1,qdr:w'],
			[{ sortByDate: false }, undefined],
			[{ from: '2026-03-01', to: '2026-03-31' }, 'cdr:1,cd_min:03/01/2026,cd_max:03/31/2026'],
			[{ from: '2026-03-01', range: '', to: '' }, 'cdr:1,cd_min:03/01/2026,cd_max:11/21/2026'],
			[{ from: '2026-11-25' }, 'cdr:1,cd_min:11/25/2026,cd_max:11/25/2026'],
			[
				{ sortByDate: true, from: '2026-03-01', to: '2026-03-01' },
				'sbd:1,cdr:1,cd_min:03/01/2026,cd_max:03/01/2026',
			],
			[' sbd:1,qdr:h6 ', 'sbd:1,qdr:h6'],
			['{"range": "qdr:m"}', 'qdr:m'],
		],
		[
			[{ from: '2026-03-02', to: '2026-03-01' }, `to must not be before 'From'`],
			[{ from: '2026-02-30' }, 'from must be a date such as 2026-11-21'],
			[{ to: '2026-03-31' }, `requires 'From' if 'To' is set`],
			[{ range: 'qdr:w', from: '2026-03-01' }, `allows either 'Period' or 'From' and 'To'`],
			[{ range: 'qdr:x' }, 'range must be one of qdr:d, qdr:h, qdr:m, qdr:w, qdr:y, not qdr:x'],
			[7, 'must be an object'],
			[' ', 'must not be blank'],
		],
	);

	it('is taken as it is written where the user is, though the day has not begun here', () => {
		jest.setSystemTime(new Date('2026-11-21T12:00:00Z'));
		const from = tryToParseDateTime(new Date().toISOString()).setZone('Pacific/Auckland');
		expect(accepted(tbs.valueSchema, { from })).toBe('cdr:1,cd_min:11/22/2026,cd_max:11/22/2026');
	});
});

type Schema = ZodType<unknown, ZodTypeDef, unknown>;

/** Every field of a group's entry with its default, as n8n stores an entry whose type is an expression. */
function untouched(field: Record<string, Field<unknown>>): Record<string, unknown> {
	const [{ options: [option] = [] }] = propertiesOf(field);
	if (!('values' in option)) throw new Error('no fixed collection');
	return Object.fromEntries(option.values.map(({ name, default: value }) => [name, value]));
}

it.each<[Schema, Record<string, unknown>, object[]]>([
	[
		actions.valueSchema,
		untouched({ actions }),
		[
			...[wait(5), click, { type: 'write', text: 'tide' }, { type: 'press', key: 'Enter' }],
			...['scroll', 'scrape', 'screenshot', 'pdf'].map((type) => ({ type })),
			{ type: 'executeJavascript', script: '1' },
		],
	],
	[
		targets.valueSchema,
		untouched({ targets }),
		[
			{ type: 'scrape', urls: 'https://a.example' },
			{ type: 'crawl', url: 'https://a.example' },
			{ type: 'search', queries: 'tides' },
		],
	],
])(
	'an entry whose type is an expression is sent without the fields of other types: %#',
	(schema, initial, entries) => {
		for (const entry of entries) {
			const sent = accepted(schema, { values: [{ ...initial, ...entry }] });
			expect(sent).toEqual(accepted(schema, { values: [entry] }));
		}
	},
);
