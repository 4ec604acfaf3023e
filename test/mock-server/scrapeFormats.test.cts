import { startService, type Service } from './service.cjs';
import type { Document } from './scrape/document.cjs';
import { TestClient } from './testClient.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const pdf = 'https://tidewatch.example/reports/annual-report.pdf';
let service: Service;
let client: TestClient;
beforeAll(async () => {
	service = await startService();
	client = new TestClient(service);
});
afterAll(() => service.close());
beforeEach(() => service.reset());

/** The document of a scrape that must succeed. */
const scrape = async (url: string, options: Record<string, unknown> = {}): Promise<Document> => {
	const { status, body } = await client.scrape({ url, ...options });
	if (status !== 200 || !body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
	return body.data;
};
const textOf = (markdown: string | null | undefined): string =>
	(markdown ?? '').replace(/[^\p{L}\p{N}]+/gu, ' ');

describe('content', () => {
	test('markdown by default: the article whole, the frame gone', async () => {
		const { markdown, html, metadata } = await scrape(tides);
		const source = service.site.find(tides)?.markdown ?? '';
		for (const line of source.split('\n').filter((each) => /^[A-Z][^|[\]*]+$/.test(each))) {
			expect(textOf(markdown)).toContain(textOf(line).trim());
		}
		expect(markdown).not.toMatch(/cookies|Rain jackets|Mole Road/);
		expect(html).toBeUndefined();
		expect(metadata).toMatchObject({
			title: expect.stringContaining('Why spring tides are higher'),
			description: service.site.find(tides)?.description,
			sourceURL: tides,
			url: tides,
			statusCode: 200,
			language: 'en',
			contentType: 'text/html; charset=utf-8',
			cacheState: 'miss',
			creditsUsed: 1,
		});
	});

	test('every page of the small web can be scraped', async () => {
		for (const { url, kind, delayMs, processingMs, title } of service.site.pages) {
			if (delayMs || processingMs) continue;
			const { markdown, metadata } = await scrape(url);
			expect([url, metadata.statusCode, metadata.error]).toEqual([url, 200, undefined]);
			if (kind !== 'pdf') expect(markdown).toContain(`# ${title.split(/[_*[]/)[0]}`);
		}
	}, 60_000);

	test('onlyMainContent false keeps the frame; blockAds false the advertisement', async () => {
		const { markdown } = await scrape(tides, { onlyMainContent: false });
		expect(markdown).toMatch(/Mole Road/);
		expect(markdown).not.toMatch(/cookies|Rain jackets/);
		expect((await scrape(tides, { onlyMainContent: false, blockAds: false })).markdown).toMatch(
			/Rain jackets/,
		);
	});

	test('includeTags and excludeTags', async () => {
		const headings = (await scrape(tides, { includeTags: ['h1'] })).markdown;
		expect(headings).toBe('# Why spring tides are higher');
		expect((await scrape(tides, { excludeTags: ['h1'] })).markdown).not.toContain(
			'# Why spring tides are higher',
		);
	});

	test('html, rawHtml, rawBase64, links and images', async () => {
		const { html, rawHtml, links, images } = await scrape(tides, {
			formats: ['html', 'rawHtml', 'links', 'images'],
		});
		expect(rawHtml).toContain('cookie-banner');
		expect(html).not.toContain('cookie-banner');
		expect(links?.every((link) => link.startsWith('https://'))).toBe(true);
		expect(images).toEqual(service.site.find(tides)?.images.map(({ url }) => url));
		const { rawBase64 } = await scrape(tides, { formats: ['rawBase64'] });
		expect(Buffer.from(rawBase64 ?? '', 'base64').toString()).toContain('<!doctype html>');
	});

	test('attributes', async () => {
		const { attributes } = await scrape(tides, {
			formats: [{ type: 'attributes', selectors: [{ selector: 'main img', attribute: 'alt' }] }],
		});
		expect(attributes).toEqual([
			{
				selector: 'main img',
				attribute: 'alt',
				values: service.site.find(tides)?.images.map(({ title }) => title),
			},
		]);
	});

	test('summary, question and highlights are sentences of the page', async () => {
		const { summary, answer, highlights, markdown, metadata } = await scrape(tides, {
			formats: [
				'markdown',
				'summary',
				{ type: 'question', question: 'What floods quays?' },
				{ type: 'highlights', query: 'storm' },
			],
		});
		for (const text of [summary, answer, highlights]) {
			for (const sentence of (text ?? '').split(/(?<=\.)\s/)) {
				expect(textOf(markdown)).toContain(textOf(sentence).trim());
			}
		}
		expect(answer).toMatch(/flood/);
		expect(highlights).toMatch(/storm/);
		expect(metadata.creditsUsed).toBe(9);
	});

	test('json follows the schema', async () => {
		const { json } = await scrape('https://emberroast.example/shop/harbour-blend', {
			formats: [
				{
					type: 'json',
					schema: {
						type: 'object',
						properties: {
							title: { type: 'string' },
							price: { type: 'number' },
							currency: { type: 'string' },
							images: { type: 'array', items: { type: 'string' } },
							sections: {
								type: 'array',
								items: { type: 'object', properties: { title: { type: 'string' } } },
							},
						},
					},
				},
			],
		});
		expect(json).toEqual({
			title: 'Harbour Blend',
			price: 8.5,
			currency: 'GBP',
			images: ['https://emberroast.example/media/harbour-blend-bag-800x1000.png'],
			sections: expect.arrayContaining([{ title: 'How to brew it' }]),
		});
	});

	test('json with a prompt alone gives the outline', async () => {
		const { json } = await scrape(tides, {
			formats: [{ type: 'json', prompt: 'Which headings are there?' }],
		});
		expect(json).toMatchObject({
			headings: expect.arrayContaining(['Why spring tides are higher']),
		});
	});

	test('product, menu and branding', async () => {
		const { product } = await scrape('https://emberroast.example/shop/harbour-blend', {
			formats: ['product'],
		});
		expect(product).toMatchObject({
			title: 'Harbour Blend',
			brand: 'Ember Roast',
			variants: [
				{ sku: 'HB-250', price: { amount: 8.5, currency: 'GBP' }, availability: { inStock: true } },
				{ sku: 'HB-500' },
				{ sku: 'HB-1000', sale: { originalPrice: { amount: 31 } } },
			],
		});
		const { menu, branding } = await scrape('https://emberroast.example/cafe/menu', {
			formats: ['menu', 'branding'],
		});
		expect(menu).toMatchObject({ isMenu: true, currency: 'GBP' });
		expect((await scrape(tides, { formats: ['menu'] })).menu).toMatchObject({
			isMenu: false,
			sections: [],
		});
		expect(branding).toMatchObject({ brandName: 'Ember Roast', fonts: [{ family: 'Georgia' }] });
	});

	test('redactPII replaces what it is told to', async () => {
		const contact = 'https://relayworks.example/contact';
		const { markdown, metadata } = await scrape(contact, { redactPII: true });
		expect(markdown).not.toMatch(/@relayworks\.example|\+1 555 0142|\+1-555-0199/);
		expect(markdown).toMatch(/<EMAIL>/);
		expect(markdown).toMatch(/<PHONE>/);
		expect(metadata.creditsUsed).toBe(5);
		const masked = await scrape(contact, {
			redactPII: { entities: ['EMAIL'], replaceStyle: 'mask' },
		});
		expect(masked.markdown).toMatch(/\*{10,}/);
		expect(masked.markdown).toContain('+1 555 0142');
	});

	test('an injection stops an extraction that looks for one', async () => {
		const url = 'https://agentnotes.example/notes/prompt-injection-in-the-wild';
		const formats = [{ type: 'json', prompt: 'Rate it', checkPromptInjection: true }];
		const { status, body } = await client.scrape({ url, formats });
		expect([status, body.code]).toEqual([403, 'SCRAPE_PROMPT_INJECTION_DETECTED']);
		expect(service.log.entries.at(-1)?.credits).toBe(0);
		expect((await scrape(tides, { formats })).metadata.creditsUsed).toBe(9);
	});

	test('an injection stops whatever looks for one, and one look is charged', async () => {
		const url = 'https://agentnotes.example/notes/prompt-injection-in-the-wild';
		const looking = { checkPromptInjection: true };
		const { status, body } = await client.scrape({ url, ...looking });
		expect([status, body.code]).toEqual([403, 'SCRAPE_PROMPT_INJECTION_DETECTED']);
		expect((await scrape(tides, looking)).metadata.creditsUsed).toBe(5);
		const formats = [{ type: 'json', prompt: 'Rate it', checkPromptInjection: true }];
		expect((await scrape(tides, { ...looking, formats })).metadata.creditsUsed).toBe(9);
		const base64 = await scrape(url, { ...looking, formats: ['rawBase64'] });
		expect(base64.metadata.creditsUsed).toBe(1);
	});
});

describe('PDF', () => {
	test('is read page by page and billed so', async () => {
		const { markdown, pages, metadata } = await scrape(pdf, {
			parsers: [{ type: 'pdf', pages: true, pageMarkers: true }],
		});
		expect(metadata.totalPages).toBe(metadata.numPages);
		expect(metadata.creditsUsed).toBe(metadata.numPages);
		expect(pages?.map(({ pageNumber }) => pageNumber)).toEqual([1, 2, 3]);
		expect(markdown).toContain('---\n\n<!-- page 2 -->');
		expect(markdown).not.toContain('<!-- page 1 -->');
		expect(markdown?.startsWith(`# ${service.site.find(pdf)?.title}`)).toBe(true);
	});

	test('maxPages cuts it, blocks describe it', async () => {
		const { blocks, metadata } = await scrape(pdf, {
			parsers: [{ type: 'pdf', maxPages: 1, blocks: true }],
		});
		expect([metadata.numPages, metadata.totalPages, metadata.creditsUsed]).toEqual([1, 3, 1]);
		expect(blocks).toMatchObject([{ pageNumber: 1, status: 'ok' }]);
	});

	test('without a parser it is base64, for 1 credit', async () => {
		const { markdown, metadata } = await scrape(pdf, { parsers: [] });
		expect(
			Buffer.from(markdown ?? '', 'base64')
				.subarray(0, 5)
				.toString(),
		).toBe('%PDF-');
		expect(metadata.creditsUsed).toBe(1);
	});
});
