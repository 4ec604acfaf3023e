import {
	isPdfAt,
	minutesPrice,
	pagePrice,
	pagesPrice,
	resultsPrice,
	scanPrice,
	type IsPdf,
	type PricedOptions,
} from '../../../../nodes/WebData/fields/prices';

const json = { type: 'json', checkPromptInjection: true };

describe('the price of a page', () => {
	it.each<[PricedOptions, number, number]>([
		[{}, 1, 1],
		[{ formats: [{ type: 'markdown' }] }, 1, 1],
		[{ formats: [{ type: 'json' }] }, 5, 5],
		[{ formats: [json] }, 5, 9],
		[{ formats: [json, json] }, 9, 17],
		[{ checkPromptInjection: true }, 1, 5],
		[{ checkPromptInjection: false }, 1, 1],
		[{ formats: [{ type: 'json' }], checkPromptInjection: true }, 5, 9],
		[{ formats: [json], checkPromptInjection: true }, 5, 9],
		[{ lockdown: true, redactPII: true, zeroDataRetention: true }, 10, 10],
		[{ threatProtection: { mode: 'normal' } }, 1, 3],
		[{ threatProtection: { mode: 'zscaler' } }, 1, 3],
		[{ threatProtection: { mode: 'manual-only' } }, 1, 1],
		[{ threatProtection: { mode: 'off' } }, 1, 1],
	])('%j costs %i to %i credits', (options, least, most) => {
		expect(pagePrice(options)).toMatchObject({ least, most, reserved: most });
	});

	it.each<[PricedOptions, IsPdf, object]>([
		[{}, 'no', { most: 1 }],
		[{}, 'perhaps', { most: 1, pdfsCostMore: true }],
		[{}, 'yes', { most: null, reserved: 1 }],
		[{ parsers: [] }, 'yes', { most: 1 }],
		[{ parsers: [{ type: 'image' }] }, 'yes', { most: 1 }],
		[{ parsers: [{ type: 'pdf' }] }, 'yes', { most: null }],
		[{ parsers: [{ type: 'pdf', maxPages: 7 }] }, 'yes', { least: 1, most: 7, reserved: 7 }],
		[{ parsers: [{ type: 'pdf', maxPages: 7 }] }, 'perhaps', { least: 1, most: 7 }],
		[{ parsers: [{ type: 'pdf', maxPages: 7 }] }, 'no', { most: 1 }],
		[{ lockdown: true }, 'yes', { most: 5 }],
	])('%j of what is a PDF: %s', (options, isPdf, bounds) => {
		const { pdfsCostMore = false, ...rest } = pagePrice(options, isPdf);
		expect({ ...rest, pdfsCostMore }).toMatchObject({ pdfsCostMore: false, ...bounds });
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
			'Question +4 per page',
			"'Check Prompt Injection' up to +4 per page",
			"'Redact Personal Data' +4 per page",
			"'Threat Protection' up to 2 credits for each address that is scanned",
			"'Zero Data Retention' +1 per page",
		]);
	});
});

describe('whether an address leads to a PDF', () => {
	it.each<[string, IsPdf]>([
		['https://a.example/fees.pdf', 'yes'],
		['https://a.example/FEES.PDF?page=2', 'yes'],
		['https://a.example/fees.pdf#page=2', 'yes'],
		['https://a.example/fees.pdfs', 'perhaps'],
		['https://a.example/', 'perhaps'],
	])('%s: %s', (address, expected) => {
		expect(isPdfAt(address)).toBe(expected);
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
				'At most 100 pages; one that cannot be read costs nothing',
				'1 credit per page',
				'JSON +4 per page',
			],
		});
	});
});

describe('the price of a list', () => {
	it.each([
		[1, 2, 2],
		[10, 2, 2],
		[11, 2, 4],
		[100, 10, 100],
	])('of %i results at %i per ten is at most %i', (count, perTen, most) => {
		expect(resultsPrice(count, perTen)).toMatchObject({ least: 0, most, reserved: most });
	});

	it('has what scans cost, where addresses are scanned', () => {
		expect(scanPrice()).toEqual([]);
		expect(scanPrice({ mode: 'normal' })).toEqual([expect.objectContaining({ least: 0, most: 2 })]);
	});
});

describe('the price of a browser session', () => {
	it.each<[number | undefined, number | null]>([
		[30, 2],
		[60, 2],
		[61, 4],
		[600, 20],
		[undefined, null],
	])('that lives %s seconds is at most %s, and its first minute is set aside', (seconds, most) => {
		expect(minutesPrice(2, 2, seconds)).toMatchObject({ least: 2, most, reserved: 2 });
	});
});
