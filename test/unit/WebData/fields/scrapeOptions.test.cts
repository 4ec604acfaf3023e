import { nestedScrapeOptions } from '../../../../nodes/WebData/fields/scrapeOptions';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const { valueSchema } = nestedScrapeOptions.scrapeOptions;
const read = (given: Record<string, unknown>) => accepted(valueSchema, given);

describe('scrape options, as set', () => {
	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[{ includeTags: 'article, .price' }, { includeTags: ['article', '.price'] }],
		[{ excludeTags: ['nav', '#footer'] }],
		[{ maxAge: 0 }],
		[{ headers: [{ name: 'Cookie', value: 'a=1' }] }, { headers: { Cookie: 'a=1' } }],
		[{ headers: { 'User-Agent': 'x' } }],
		[{ timeout: 300_000, waitFor: 60_000 }],
		[{ blockAds: 'false' }, { blockAds: false }],
		[{ proxy: 'enhanced' }],
		[{ proxy: 'stealth' }],
		[{ formats: [] }],
		[{ location: { country: '', languages: '' }, actions: {} }, {}],
	])('%j', (given, sent = given) => {
		expect(read(given)).toEqual(sent);
	});
});

describe('a profile', () => {
	it('has a name of up to 128 bytes', () => {
		const profile = { name: 'é'.repeat(64) };
		expect(read({ profile })).toEqual({ profile });
		expect(refusals(valueSchema, { profile: { name: 'é'.repeat(65) } })).toEqual([
			'profile name must be at most 128 bytes long, not 130',
		]);
		expect(refusals(valueSchema, { profile: { name: '' } })).toEqual(['profile name is required']);
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
	const settings = { mode: 'accurate', entities: ['EMAIL'], replaceStyle: 'mask' };

	it.each<[unknown, unknown]>([
		[true, true],
		['false', false],
		[settings, settings],
		[JSON.stringify(settings), settings],
	])('%j is sent as %j', (redactPII, sent) => {
		expect(read({ redactPII })).toEqual({ redactPII: sent });
	});

	it.each([
		['maybe', 'redactPII must be true or false, not maybe'],
		['', 'redactPII has no value: give it one, or remove the field'],
	])('%j is refused', (redactPII, words) => {
		expect(refusals(valueSchema, { redactPII })).toEqual([words]);
	});
});

describe('parsers', () => {
	it.each<[unknown, unknown]>([
		[[], []],
		['pdf', [{ type: 'pdf' }]],
		[
			['pdf', 'image'],
			[{ type: 'pdf' }, { type: 'image' }],
		],
		[{ mode: 'fast', maxPages: '3' }, [{ type: 'pdf', mode: 'fast', maxPages: 3 }]],
		['[{"type": "pdf", "mode": "ocr"}]', [{ type: 'pdf', mode: 'ocr' }]],
	])('%j is sent as %j', (parsers, sent) => {
		expect(read({ parsers })).toEqual({ parsers: sent });
	});

	it.each<[unknown, string]>([
		[{ mode: 'slow' }, 'parsers mode must be one of auto, fast, ocr, not slow'],
		[{ maxPages: '' }, 'parsers maxPages has no value: give it one, or remove the field'],
		[
			[{ type: 'pdf', maxPages: 0 }],
			'parsers 0 maxPages must be a whole number from 1 to 10,000, not 0',
		],
	])('%j is refused', (parsers, words) => {
		expect(refusals(valueSchema, { parsers })).toEqual([words]);
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
			{ waitFor: 30_000, actions: [wait(30_001)] },
			`actions must wait at most 60 seconds together with 'Wait For', not 60.001`,
		],
		[
			{ actions: [wait(59_001), { type: 'wait', selector: 'a' }] },
			`actions must wait at most 60 seconds together with 'Wait For', not 60.001`,
		],
	])('refuse %j', (given, words) => {
		expect(refusals(valueSchema, given)).toEqual([words]);
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
			refusals(valueSchema, {
				waitFor: 'soon',
				actions: [{ type: 'wait', milliseconds: 'x' }],
			}),
		).toEqual([
			'waitFor must be a whole number from 0 to 60,000 milliseconds, not soon',
			'actions 0 milliseconds must be a whole number of at least 1, not x',
		]);
	});
});
