import { reading } from '../../../../nodes/WebData/fields/scrapeOptions';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const read = (given: Record<string, unknown>) => accepted(reading.scrapeOptions.valueSchema, given);

describe('scrape options, as set', () => {
	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[{ onlyMainContent: false }],
		[{ onlyCleanContent: true }],
		[{ includeTags: 'article, .price' }, { includeTags: ['article', '.price'] }],
		[{ excludeTags: ['nav', '#footer'] }],
		[{ maxAge: 0 }],
		[{ minAge: '1' }, { minAge: 1 }],
		[{ headers: [{ name: 'Cookie', value: 'a=1' }] }, { headers: { Cookie: 'a=1' } }],
		[{ headers: { 'User-Agent': 'x' } }],
		[{ waitFor: 0 }],
		[{ waitFor: 30_000 }],
		[{ mobile: false }],
		[{ skipTlsVerification: false }],
		[{ timeout: 1000 }],
		[{ timeout: 300_000, waitFor: 60_000 }],
		[{ removeBase64Images: false }],
		[{ blockAds: 'false' }, { blockAds: false }],
		[{ proxy: 'enhanced' }],
		[{ proxy: 'stealth' }],
		[{ storeInCache: false }],
		[{ lockdown: false }],
		[{ checkPromptInjection: 'true' }, { checkPromptInjection: true }],
		[{ parsers: [{ type: 'pdf', refresh: true }] }],
		[{ formats: [] }],
		[{ auditMetadata: { username: 'ada' } }],
		[{ threatProtection: {} }, {}],
		[
			{
				location: { country: '', languages: '' },
				redactPII: {},
				actions: {},
			},
			{},
		],
	])('%j', (given, sent = given) => {
		expect(read(given)).toEqual(sent);
	});
});

describe('a profile', () => {
	it('has a name of up to 128 bytes', () => {
		expect(read({ profile: { name: 'é'.repeat(64) } })).toEqual({
			profile: { name: 'é'.repeat(64) },
		});
		expect(
			refusals(reading.scrapeOptions.valueSchema, { profile: { name: 'é'.repeat(65) } }),
		).toEqual(['profile name must be at most 128 bytes long, not 130']);
	});

	it('is of no use where no page is visited', () => {
		const profile = { name: 'shop' };
		expect(refusals(reading.scrapeOptions.valueSchema, { profile, lockdown: true })).toEqual([
			`profile cannot be used together with 'Lockdown'`,
		]);
		expect(read({ profile, lockdown: false })).toEqual({ profile, lockdown: false });
	});
});

describe('location', () => {
	it.each([
		['DE', 'DE'],
		['UK', 'GB'],
		['uk', 'GB'],
		['xk', 'XK'],
		['us-generic', 'us-generic'],
		['US-Whitelist', 'us-whitelist'],
	])('country %s is sent as %s', (country, sent) => {
		expect(read({ location: { country } })).toEqual({ location: { country: sent } });
	});

	it('a group that was added but not filled in is refused where it needs a member', () => {
		expect(refusals(reading.scrapeOptions.valueSchema, { profile: { name: '' } })).toEqual([
			'profile name is required',
		]);
	});

	it('takes languages in their order', () => {
		expect(read({ location: { languages: 'de-DE, en' } })).toEqual({
			location: { languages: ['de-DE', 'en'] },
		});
		expect(read({ location: { country: 'FR', languages: ['fr', 'en'] } })).toEqual({
			location: { country: 'FR', languages: ['fr', 'en'] },
		});
	});
});

describe('redactPII', () => {
	it.each<[unknown, unknown]>([
		[true, true],
		[false, false],
		['true', true],
		[{ enabled: true }, true],
		[{ enabled: false }, false],
		[{ enabled: 'false' }, false],
		[{ enabled: 'true' }, true],
		[{ enabled: false, mode: 'fast' }, false],
		[{ enabled: true, mode: 'fast' }, { mode: 'fast' }],
		[
			{ mode: 'accurate', entities: ['EMAIL', 'PHONE'], replaceStyle: 'mask' },
			{ mode: 'accurate', entities: ['EMAIL', 'PHONE'], replaceStyle: 'mask' },
		],
		[{ entities: 'EMAIL, PERSON' }, { entities: ['EMAIL', 'PERSON'] }],
		[{ mode: 'aggressive', entities: [] }, { mode: 'aggressive' }],
		[{ enabled: true, mode: '' }, true],
	])('%j is sent as %j', (redactPII, sent) => {
		expect(read({ redactPII })).toEqual({ redactPII: sent });
	});

	it.each<[unknown, string]>([
		['maybe', 'redactPII must be true or false, not maybe'],
		[
			{ entities: ['NAME'] },
			'redactPII entities 0 must be one of EMAIL, FINANCIAL, LOCATION, PERSON, PHONE, SECRET, not NAME',
		],
	])('%j is refused', (redactPII, words) => {
		expect(refusals(reading.scrapeOptions.valueSchema, { redactPII })).toEqual([words]);
	});

	it('refuses a switch that is neither on nor off', () => {
		expect(
			reading.scrapeOptions.valueSchema.safeParse({ redactPII: { enabled: 'maybe' } }).success,
		).toBe(false);
	});
});

describe('parsers', () => {
	it.each<[unknown, unknown]>([
		[[], []],
		[[{ type: 'none' }], []],
		['pdf', [{ type: 'pdf' }]],
		[
			['pdf', 'image'],
			[{ type: 'pdf' }, { type: 'image' }],
		],
		[
			[
				{
					type: 'pdf',
					mode: 'ocr',
					maxPages: '10000',
					pages: false,
					blocks: true,
					pageMarkers: true,
				},
			],
			[
				{
					type: 'pdf',
					mode: 'ocr',
					maxPages: 10_000,
					pages: false,
					blocks: true,
					pageMarkers: true,
				},
			],
		],
		[[{ type: 'pdf', mode: 'fast', maxPages: 1 }], [{ type: 'pdf', mode: 'fast', maxPages: 1 }]],
	])('%j is sent as %j', (parsers, sent) => {
		expect(read({ parsers })).toEqual({ parsers: sent });
	});

	it.each<[unknown, string]>([
		[['docx'], 'parsers 0 type must be one of image, none, pdf, not docx'],
		[
			[{ type: 'none' }, { type: 'pdf' }],
			'parsers does not allow None together with other parsers',
		],
	])('%j is refused', (parsers, words) => {
		expect(refusals(reading.scrapeOptions.valueSchema, { parsers })).toEqual([words]);
	});
});

describe('threat protection', () => {
	it("takes every rule from the editor and in the API's own shape", () => {
		const sent = {
			mode: 'normal',
			riskScoreThreshold: 0,
			blacklist: ['bad.example', '*.worse.example'],
			whitelist: ['good.example'],
			blockedTlds: ['zip', 'mov'],
			failurePolicy: 'closed',
		};
		expect(read({ threatProtection: sent })).toEqual({ threatProtection: sent });
		expect(
			read({
				threatProtection: {
					...sent,
					riskScoreThreshold: '0',
					blacklist: 'Bad.example, *.worse.example',
					whitelist: 'good.example',
					blockedTlds: '.ZIP, mov',
				},
			}),
		).toEqual({ threatProtection: sent });
	});
});

describe('rules between the options', () => {
	const wait = (milliseconds: number) => ({ type: 'wait', milliseconds });

	it.each<[Record<string, unknown>, string]>([
		[
			{ waitFor: 30_001 },
			'waitFor must be at most half the timeout of 60000 milliseconds, not 30001',
		],
		[
			{ waitFor: 501, timeout: 1000 },
			'waitFor must be at most half the timeout of 1000 milliseconds, not 501',
		],
		[
			{ actions: [wait(60_001)] },
			`actions must wait at most 60 seconds together with 'Wait For', not 60.001`,
		],
		[
			{ waitFor: 30_000, actions: [wait(30_001)] },
			`actions must wait at most 60 seconds together with 'Wait For', not 60.001`,
		],
		[
			{ actions: [wait(59_001), { type: 'wait', selector: 'a' }] },
			`actions must wait at most 60 seconds together with 'Wait For', not 60.001`,
		],
	])('refuse %j', (given, words) => {
		expect(refusals(reading.scrapeOptions.valueSchema, given)).toEqual([words]);
	});

	it.each<[Record<string, unknown>]>([
		[{ waitFor: 500, timeout: 1000 }],
		[{ waitFor: 30_000, actions: [wait(30_000)] }],
		[{ actions: [wait(59_000), { type: 'wait', selector: 'a' }] }],
	])('allow %j', (given) => {
		expect(read(given)).toEqual(given);
	});

	it('go unsaid while a member itself is refused', () => {
		expect(
			refusals(reading.scrapeOptions.valueSchema, {
				waitFor: 'soon',
				actions: [{ type: 'wait', milliseconds: 'x' }],
			}),
		).toEqual([
			'waitFor must be a whole number from 0 to 60,000 milliseconds, not soon',
			'actions 0 milliseconds must be a whole number of at least 1, not x',
		]);
	});
});
