import Firecrawl from '@mendable/firecrawl-js';

import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';

/** The official client, unchanged, reads pages by scrape, batch, crawl and map. */
let service: Service;
let sdk: Firecrawl;
useService(
	(started) => {
		service = started;
		sdk = new Firecrawl({ apiKey: service.keys.full, apiUrl: service.url });
	},
	{ pages: { pageMs: 20 } },
);
afterEach(() => jest.restoreAllMocks());

const tides = 'https://tidewatch.example/guides/spring-tides';
const storms = 'https://tidewatch.example/guides/storm-surges';
const missing = 'https://tidewatch.example/no-such-page';
const slow = 'https://tidewatch.example/stations/live';
const logbook = 'https://portoffice.example/internal/perpetua-logbook.pdf';

const sources = (documents: ReadonlyArray<{ metadata?: { sourceURL?: string } }>): string[] =>
	documents.map(({ metadata }) => metadata?.sourceURL ?? '').sort();

describe('scrape', () => {
	test('a page and an error page', async () => {
		const page = await sdk.scrape(tides, { formats: ['markdown'], zeroDataRetention: true });
		expect(page.markdown).toContain('# Why spring tides are higher');
		const gone = await sdk.scrape(missing);
		expect(gone.metadata).toMatchObject({ statusCode: 404, error: 'Not Found' });
	});

	test('a name that does not resolve is an error', async () => {
		await expect(sdk.scrape('https://nowhere.example/')).rejects.toThrow(/DNS/);
	});

	test('resumes a large document by itself, and pays once', async () => {
		const wait = setTimeout;
		service.clock.hold();
		// The client's pause, which the service asked for, passes on the service's clock.
		jest.spyOn(global, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
			if (ms !== 90_000) return wait(run, ms);
			void service.clock.advance(ms).then(run);
			return wait(() => undefined, 0);
		}) as typeof setTimeout);
		const before = service.ledger.spent('team-full');
		const document = await sdk.scrape(logbook, { parsers: ['pdf'] });
		expect(document.markdown).toContain('# Lightship Perpetua');
		expect(service.log.of('POST', '/v2/scrape').map(({ status }) => status)).toEqual([408, 200]);
		expect(service.ledger.spent('team-full') - before).toBe(12);
	});
});

describe('batch', () => {
	test('runs to its end', async () => {
		const { status, data, completed, total, creditsUsed } = await sdk.batchScrape(
			[tides, storms, missing],
			{ options: { formats: ['markdown'] }, pollInterval: 1 },
		);
		expect({ status, completed, total, creditsUsed }).toEqual({
			status: 'completed',
			completed: 3,
			total: 3,
			creditsUsed: 3,
		});
		expect(sources(data)).toEqual([tides, missing, storms].sort());
	});

	test('start, status, cancel, errors', async () => {
		service.clock.hold();
		const { id, url, invalidURLs } = await sdk.startBatchScrape([slow, 'not a url'], {
			ignoreInvalidURLs: true,
			maxConcurrency: 1,
		});
		expect(url).toBe(`${service.url}/v2/batch/scrape/${id}`);
		expect(invalidURLs).toEqual(['not a url']);
		const running = await sdk.getBatchScrapeStatus(id, { autoPaginate: false });
		expect(running).toMatchObject({ status: 'scraping', completed: 0, total: 1, data: [] });
		expect(running.next).toContain(`/v2/batch/scrape/${id}?skip=0`);
		expect(await sdk.cancelBatchScrape(id)).toBe(true);
		expect(await sdk.getBatchScrapeStatus(id)).toMatchObject({ status: 'cancelled', next: null });
		expect(await sdk.getBatchScrapeErrors(id)).toEqual({ errors: [], robotsBlocked: [] });
	});

	test('errors name the pages that could not be scraped', async () => {
		const nowhere = 'https://nowhere.example/';
		const { id } = await sdk.startBatchScrape([tides, nowhere]);
		await service.context.pageJobs.ended(id);
		const { errors } = await sdk.getBatchScrapeErrors(id);
		expect(errors).toMatchObject([{ url: nowhere, code: 'SCRAPE_DNS_RESOLUTION_ERROR' }]);
	});

	test('an idempotency key is no protection: a repeat starts another job', async () => {
		const idempotencyKey = '6f1f7e66-8f0b-4c58-9a4c-0e2f6d3a1b11';
		const first = await sdk.startBatchScrape([tides], { idempotencyKey });
		const again = await sdk.startBatchScrape([tides], { idempotencyKey });
		expect(again.id).not.toBe(first.id);
	});
});

describe('crawl', () => {
	test('runs to its end, page after page', async () => {
		const { status, data } = await sdk.crawl('https://tidewatch.example/guides', {
			limit: 10,
			scrapeOptions: { formats: ['markdown', 'links'] },
			pollInterval: 1,
		});
		expect(status).toBe('completed');
		expect(sources(data)).toEqual([
			'https://tidewatch.example/guides',
			'https://tidewatch.example/guides/reading-a-tide-table',
			tides,
			storms,
		]);
	});

	test('start, status, active ones, cancel, errors', async () => {
		service.clock.hold();
		const { id } = await sdk.startCrawl('https://tidewatch.example', { limit: 5, delay: 1 });
		const running = await sdk.getCrawlStatus(id, { autoPaginate: false });
		expect(running).toMatchObject({ status: 'scraping', completed: 0, data: [] });
		const { crawls } = await sdk.getActiveCrawls();
		expect(crawls).toMatchObject([
			{
				id,
				teamId: 'team-full',
				url: 'https://tidewatch.example/',
				options: { limit: 5, delay: 1 },
			},
		]);
		expect(await sdk.cancelCrawl(id)).toBe(true);
		expect((await sdk.getActiveCrawls()).crawls).toEqual([]);
		expect(await sdk.getCrawlErrors(id)).toEqual({
			errors: [],
			robotsBlocked: [],
		});
	});

	test('follows next to the end', async () => {
		const { id } = await sdk.startCrawl('https://relayworks.example', {
			allowSubdomains: true,
			limit: 12,
		});
		await service.context.pageJobs.ended(id);
		service.log.clear();
		const { data } = await sdk.getCrawlStatus(id);
		expect(new Set(sources(data)).size).toBe(12);
	});

	test('previews parameters', async () => {
		const prompt = 'Only the /guides pages, at most 20 pages, 2 seconds apart';
		const preview = await sdk.crawlParamsPreview('https://tidewatch.example', prompt);
		expect(preview).toMatchObject({ includePaths: ['^/guides(/.*)?$'], limit: 20 });
	});
});

test('map', async () => {
	const { links, id } = await sdk.map('https://tidewatch.example', { search: 'spring', limit: 5 });
	expect(id).toEqual(expect.any(String));
	expect(links).toHaveLength(5);
	expect(links[0]).toEqual({
		url: tides,
		title: service.site.find(tides)?.title,
		description: service.site.find(tides)?.description,
	});
});
