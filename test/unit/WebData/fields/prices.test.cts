import {
	mapPrice,
	monitorPrice,
	pageKind,
	pagePrice,
	pagesPrice,
	resultsPrice,
	scanPrice,
	sessionPrice,
	urlsPrice,
	type PageKind,
	type PricedMonitor,
	type PricedOptions,
} from '../../../../nodes/WebData/fields/prices';

const json = { type: 'json', checkPromptInjection: true };
const tracking = { type: 'changeTracking', modes: ['json'] };
const of = (...types: string[]) => ({ formats: types.map((type) => ({ type })) });

/** Row by row as the service bills (`apps/api/src/lib/scrape-billing.ts`). */
describe('the price of a page', () => {
	it.each<[PricedOptions, number, number]>([
		[{}, 1, 1],
		[of('markdown', 'summary', 'branding', 'product', 'menu'), 1, 1],
		[{ lockdown: true }, 5, 5],
		[of('json'), 5, 5],
		[{ formats: [tracking] }, 5, 5],
		[{ formats: [{ type: 'changeTracking', modes: ['git-diff'] }] }, 1, 1],
		[{ formats: [tracking, { type: 'json' }] }, 5, 5],
		[of('json', 'json'), 5, 5],
		// Older servers forgot Lockdown over JSON.
		[{ ...of('json'), lockdown: true }, 5, 9],
		[{ formats: [json] }, 5, 9],
		[{ formats: [json, json] }, 5, 9],
		[{ formats: [json], checkPromptInjection: true }, 5, 9],
		[{ checkPromptInjection: true }, 1, 5],
		[{ checkPromptInjection: false }, 1, 1],
		[of('deterministicJson'), 3, 10],
		[{ ...of('deterministicJson'), lockdown: true, checkPromptInjection: true }, 3, 10],
		[of('deterministicJson', 'question'), 7, 14],
		[of('question'), 5, 5],
		[of('question', 'query'), 5, 5],
		[of('highlights', 'audio', 'video'), 13, 13],
		[{ zeroDataRetention: true }, 2, 2],
		[{ lockdown: true, redactPII: true, zeroDataRetention: true }, 9, 9],
		[{ redactPII: true }, 5, 5],
		[{ threatProtection: { mode: 'normal' } }, 1, 5],
		[{ threatProtection: {} }, 1, 5],
		[{ threatProtection: { mode: 'zscaler' } }, 1, 1],
		[{ threatProtection: { mode: 'manual-only' } }, 1, 1],
		[{ threatProtection: { mode: 'off' } }, 1, 1],
		[{ proxy: 'auto' }, 1, 1],
		[{ proxy: 'enhanced' }, 1, 5],
	])('%j costs %i to %i credits', (options, least, most) => {
		expect(pagePrice(options)).toMatchObject({ least, most, reserved: most });
	});

	it.each<[PricedOptions, PageKind, object]>([
		[{}, 'file', { most: 1 }],
		[{}, 'page', { most: 1, pdfsCostMore: true }],
		[{}, 'PDF', { most: null, reserved: 1 }],
		[{ parsers: [] }, 'PDF', { most: 1 }],
		[{ parsers: [{ type: 'image' }] }, 'PDF', { most: 1 }],
		[{ parsers: [{ type: 'pdf' }] }, 'PDF', { most: null }],
		[{ parsers: [{ type: 'pdf', maxPages: 7 }] }, 'PDF', { least: 1, most: 7, reserved: 7 }],
		[{ parsers: [{ type: 'pdf', maxPages: 7 }] }, 'page', { least: 1, most: 7 }],
		[{ parsers: [{ type: 'pdf', maxPages: 7 }] }, 'file', { most: 1 }],
		[{ parsers: [{ type: 'pdf', maxPages: 7 }], redactPII: true }, 'PDF', { least: 5, most: 35 }],
		[{ ...of('deterministicJson'), parsers: [{ type: 'pdf', maxPages: 2 }] }, 'PDF', { most: 11 }],
		[{ lockdown: true }, 'PDF', { least: 5, most: null }],
		[{}, 'X post', { least: 30, most: 30 }],
		[of('json'), 'X post', { least: 34, most: 34 }],
		[{}, 'X page', { least: 1, most: 30 }],
		[{}, 'profile', { least: 0, most: null, reserved: 1, runsAlone: true }],
	])('%j of a %s', (options, kind, bounds) => {
		const { pdfsCostMore = false, ...rest } = pagePrice(options, kind);
		expect({ ...rest, pdfsCostMore }).toMatchObject({ pdfsCostMore: false, ...bounds });
	});

	it.each<[string, PricedOptions, number]>([
		['SCRAPE_TIMEOUT', {}, 0],
		['SCRAPE_TIMEOUT', { threatProtection: { mode: 'normal' } }, 4],
		['SCRAPE_AUDIO_UNSUPPORTED_URL', { checkPromptInjection: true }, 5],
		['SCRAPE_PROMPT_INJECTION_DETECTED', { formats: [json] }, 5],
		['SCRAPE_LOCKDOWN_CACHE_MISS', { lockdown: true }, 1],
		['SCRAPE_LOCKDOWN_CACHE_MISS', { lockdown: true, checkPromptInjection: true }, 1],
		['unsafe_domain_blocked', { threatProtection: { mode: 'normal' } }, 4],
		['BAD_REQUEST', { checkPromptInjection: true, threatProtection: { mode: 'normal' } }, 0],
	])('%s with %j costs %i', (code, options, cost) => {
		expect(pagePrice(options).costOfError?.(code)).toBe(cost);
	});

	it('has a reason for each part', () => {
		const { reasons } = pagePrice({
			formats: [json, { type: 'question' }],
			parsers: [],
			redactPII: true,
			threatProtection: { mode: 'normal' },
			zeroDataRetention: true,
		});
		expect(reasons).toEqual([
			'1 credit per page',
			'JSON +4 per page',
			"'Check Prompt Injection' up to +4 per page",
			'Question +4 per page',
			"'Zero Data Retention' +1 per page",
			"'Redact Personal Data' +4 per page",
			"'Threat Protection' up to 2 credits for each scanned URL, including redirects",
		]);
	});
});

describe('what a URL tells of the price', () => {
	it.each<[string, PageKind]>([
		['https://a.example/fees.pdf', 'PDF'],
		['https://a.example/FEES.PDF?page=2', 'PDF'],
		['https://a.example/fees.pdf#page=2', 'PDF'],
		['fees.pdf', 'PDF'],
		['https://a.example/fees.pdfs', 'page'],
		['https://a.example/', 'page'],
		['https://x.com/anselkites', 'X post'],
		['x.com/anselkites', 'X post'],
		['https://www.twitter.com/anselkites/', 'X post'],
		['https://mobile.twitter.com/anselkites/status/1800000000000000001', 'X post'],
		['https://x.com/i/web/status/1800000000000000001?s=20', 'X post'],
		['https://x.com/', 'X page'],
		['https://x.com/explore', 'X page'],
		['https://x.com/anselkites/followers', 'X page'],
		['https://ax.com/anselkites', 'page'],
		['https://x.com.example/anselkites', 'page'],
		['https://de.linkedin.com/in/ansel', 'profile'],
		['https://www.linkedin.com/company/kites', 'profile'],
		['https://www.linkedin.com/jobs', 'page'],
	])('%s: %s', (address, expected) => {
		expect(pageKind(address)).toBe(expected);
	});
});

describe('the price of a job', () => {
	it('is that of its pages, and nothing where none can be read', () => {
		const price = pagesPrice(100, pagePrice({ formats: [{ type: 'json' }], parsers: [] }));
		expect(price).toEqual({
			least: 0,
			most: 500,
			reserved: 500,
			reasons: [
				'At most 100 pages; most failures are free',
				'1 credit per page',
				'JSON +4 per page',
			],
		});
	});

	it('is that of each of its URLs', () => {
		const urls = ['https://a.example/', 'https://b.example/', 'https://x.com/anselkites'];
		expect(urlsPrice(urls, { parsers: [] })).toMatchObject({ least: 0, most: 32 });
		expect(urlsPrice(['https://linkedin.com/in/ansel'], { parsers: [] })).toMatchObject({
			most: 1,
		});
	});
});

describe('the price of a list', () => {
	it.each([
		[1, 'tenResults', 2],
		[10, 'tenResults', 2],
		[11, 'tenResults', 4],
		[100, 'tenResultsZdr', 100],
	] as const)('of %i results by %s is at most %i', (count, name, most) => {
		expect(resultsPrice(count, name)).toMatchObject({ least: 0, most, reserved: most });
	});

	it('has what scans cost, where URLs are scanned', () => {
		expect(scanPrice(undefined, 3)).toEqual([]);
		expect(scanPrice({ mode: 'normal' }, 3)).toEqual([expect.objectContaining({ most: 6 })]);
	});
});

describe('the price of a map', () => {
	it('is fixed but for its scan, which it costs when it is refused', () => {
		expect(mapPrice()).toMatchObject({ least: 1, most: 1 });
		const scanned = mapPrice({ mode: 'normal' });
		expect(scanned).toMatchObject({ least: 1, most: 5 });
		expect(scanned.costOfError?.('unsafe_domain_blocked')).toBe(4);
	});
});

describe('the price of a browser session', () => {
	it.each([
		['codeMinute', 30, 2],
		['codeMinute', 60, 2],
		['codeMinute', 61, 3],
		['codeMinute', 90, 3],
		['codeMinute', 600, 20],
		['promptMinute', 30, 7],
		['promptMinute', 90, 11],
		['promptMinute', undefined, null],
	] as const)('%s of %s seconds is at most %s', (name, seconds, most) => {
		const reserved = name === 'codeMinute' ? 2 : 7;
		expect(sessionPrice(name, 2, seconds)).toMatchObject({ least: 2, most, reserved });
	});
});

describe('the price of a monitor', () => {
	const urls = ['https://a.example/', 'https://b.example/'];
	const search = { type: 'search', queries: ['a', 'b', 'c'], maxResults: 7 };
	it.each<[PricedMonitor, number | null]>([
		[{ targets: [{ type: 'scrape', urls }] }, 2],
		[{ targets: [{ type: 'scrape', urls }], goal: 'Prices' }, 4],
		[{ targets: [{ type: 'scrape', urls }], goal: 'Prices', judgeEnabled: false }, 2],
		[{ targets: [{ type: 'scrape', urls, scrapeOptions: { formats: [tracking] } }] }, 10],
		[{ targets: [{ type: 'crawl', url: urls[0], crawlOptions: { limit: 30 } }] }, 30],
		[{ targets: [{ type: 'crawl', url: urls[0] }] }, 100],
		[{ targets: [search], goal: 'News' }, 6 + 7],
		[{ targets: [search], judgeEnabled: false }, 6],
		[
			{
				targets: [
					{ type: 'search', queries: ['a'] },
					{ type: 'scrape', urls },
				],
			},
			2 + 2,
		],
		[{ targets: [{ type: 'scrape', urls: ['https://a.example/a.pdf'] }] }, null],
	])('%j has checks of at most %s', (monitor, most) => {
		const { reasons, ...bounds } = monitorPrice(monitor);
		expect(bounds).toEqual({ least: 0, most: null, reserved: 0 });
		const credits = most === null ? '' : `: at most ${most} credits`;
		expect(reasons[0]).toBe(
			`Each check costs what its targets cost${credits}, until the monitor is paused or deleted`,
		);
	});
});
