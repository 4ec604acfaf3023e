import Firecrawl from '@mendable/firecrawl-js';

import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { keys } from './teams.cjs';

/** The official client, unchanged, against the mock server: what it understands is what users get. */
let service: Service;
useService((started) => (service = started), { pages: { pageMs: 20 } });
afterEach(() => jest.restoreAllMocks());

const sdk = (apiKey: string = keys.full): Firecrawl =>
	new Firecrawl({ apiKey, apiUrl: service.url });
const host = 'https://tidewatch.example';
const tides = `${host}/guides/spring-tides`;
const surges = `${host}/guides/storm-surges`;
const cape = `${host}/stations/cape-morrow`;
const nowhere = 'https://nowhere.example/';

const sources = (documents: ReadonlyArray<{ metadata?: { sourceURL?: string } }>): string[] =>
	documents.map(({ metadata }) => metadata?.sourceURL ?? '').sort();

describe('search', () => {
	test('each source, and pages scraped', async () => {
		const { web, news, images } = await sdk().search('spring tides', {
			sources: ['web', 'news', 'images'],
			limit: 4,
			scrapeOptions: { formats: ['markdown', { type: 'json', prompt: 'title' }] },
		});
		expect(web?.find((page) => 'markdown' in page)).toMatchObject({
			markdown: expect.stringContaining('# '),
			json: { title: expect.any(String) },
		});
		expect([web, news, images].map((list) => list?.length)).not.toContain(0);
	});

	test.each([
		['an unknown key', 'fc-00000000000000000000000000000000', 401],
		['no credits', keys.empty, 402],
		['a missing scope', keys.scrapeOnly, 403],
	])('%s is an error that it understands', async (_name, key, status) => {
		await expect(sdk(key).search('tide')).rejects.toMatchObject({ status });
	});

	test('its retry of 502 finds the answer', async () => {
		service.faults.add({ kind: 'status', status: 502, path: '/v2/search' });
		expect((await sdk().search('tide')).web?.length).toBeGreaterThan(0);
		expect(service.log.of('POST', '/v2/search').map(({ status }) => status)).toEqual([502, 200]);
	});

	test('tools are found and run; the same request id is charged once', async () => {
		const { tools = [] } = await sdk().search('workflow templates', { sources: ['alexandria'] });
		const [{ provider, capability }] = tools;
		const call = { provider, capability, options: { query: 'retry' } };
		const request = { alexandria: [call], requestId: 'set-2' };
		const first = await sdk().scrape(request);
		expect(await sdk().scrape(request)).toEqual(first);
		expect(service.ledger.spent('team-full')).toBe(1);
	});

	test('a tool whose terms are not accepted says what a person has to do', async () => {
		const options = { name: 'x' };
		const call = { provider: 'filings', capability: 'company-search', options };
		await expect(sdk().scrape({ alexandria: call })).rejects.toMatchObject({
			status: 403,
			code: 'THIRD_PARTY_DATA_TERMS_REQUIRED',
			requiresAction: { type: 'accept_terms', url: expect.stringContaining('filings') as string },
		});
	});
});

describe('scrape', () => {
	test('a page and an error page', async () => {
		const { markdown, answer, metadata } = await sdk().scrape(tides, {
			formats: ['markdown', 'links', { type: 'question', question: 'Why?' }],
			parsers: ['pdf'],
			maxAge: 0,
		});
		expect(markdown).toContain('# Why spring tides are higher');
		expect(answer).toEqual(expect.any(String));
		expect(metadata).toMatchObject({ statusCode: 200, sourceURL: tides });
		const gone = await sdk().scrape(`${host}/no-such-page`);
		expect(gone.metadata).toMatchObject({ statusCode: 404, error: 'Not Found' });
		await expect(sdk().scrape(nowhere)).rejects.toThrow(/DNS/);
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
		const logbook = 'https://portoffice.example/internal/perpetua-logbook.pdf';
		const document = await sdk().scrape(logbook, { parsers: ['pdf'] });
		expect(document.markdown).toContain('# Lightship Perpetua');
		expect(service.log.of('POST', '/v2/scrape').map(({ status }) => status)).toEqual([408, 200]);
		expect(service.ledger.spent('team-full')).toBe(12);
	});

	test('a file, and one of a type that is not read', async () => {
		const data = '<h1>Fees</h1><p>A berth costs 12 euros a night.</p>';
		const { markdown, metadata } = await sdk().parse({ data, filename: 'fees.html' });
		expect(markdown).toContain('# Fees');
		expect(metadata).toMatchObject({ creditsUsed: 1 });
		const wrong = sdk().parse({ data: 'x', filename: 'a.exe' });
		await expect(wrong).rejects.toMatchObject({ status: 400, code: 'UNSUPPORTED_FILE_TYPE' });
	});
});

describe('jobs', () => {
	test('a batch runs to its end, and names the pages that could not be scraped', async () => {
		const options = { formats: ['markdown' as const] };
		const job = await sdk().batchScrape([tides, surges, nowhere], { options, pollInterval: 1 });
		expect(job).toMatchObject({ status: 'completed', completed: 2, creditsUsed: 2 });
		expect(sources(job.data)).toEqual([tides, surges]);
		const { errors } = await sdk().getBatchScrapeErrors(job.id);
		expect(errors).toMatchObject([{ url: nowhere, code: 'SCRAPE_DNS_RESOLUTION_ERROR' }]);
	});

	test('a batch is started, read while it runs, and cancelled', async () => {
		service.clock.hold();
		const { id, invalidURLs } = await sdk().startBatchScrape([cape, 'not a url'], {
			ignoreInvalidURLs: true,
			maxConcurrency: 1,
		});
		expect(invalidURLs).toEqual(['not a url']);
		const running = await sdk().getBatchScrapeStatus(id, { autoPaginate: false });
		expect(running).toMatchObject({ status: 'scraping', completed: 0, total: 1, data: [] });
		expect(running.next).toContain(`/v2/batch/scrape/${id}?skip=0`);
		expect(await sdk().cancelBatchScrape(id)).toBe(true);
		expect(await sdk().getBatchScrapeStatus(id)).toMatchObject({ status: 'cancelled', next: null });
	});

	test('a crawl runs to its end, page after page', async () => {
		const { status, data } = await sdk().crawl(`${host}/guides`, { limit: 10, pollInterval: 1 });
		expect(status).toBe('completed');
		const guides = [`${host}/guides`, `${host}/guides/reading-a-tide-table`, tides, surges];
		expect(sources(data)).toEqual(guides);
	});

	test('a crawl is started, listed while it runs, and cancelled', async () => {
		service.clock.hold();
		const { id } = await sdk().startCrawl(host, { limit: 5, delay: 1 });
		const options = { limit: 5, delay: 1 };
		const { crawls } = await sdk().getActiveCrawls();
		expect(crawls).toMatchObject([{ id, teamId: 'team-full', url: `${host}/`, options }]);
		expect(await sdk().cancelCrawl(id)).toBe(true);
		expect(await sdk().getCrawlErrors(id)).toEqual({ errors: [], robotsBlocked: [] });
	});

	test('a crawl’s parameters are previewed, and a site is mapped', async () => {
		const preview = await sdk().crawlParamsPreview(host, 'Only the /guides pages');
		expect(preview).toMatchObject({ includePaths: ['^/guides(/.*)?$'], limit: 20 });
		const { links } = await sdk().map(host, { search: 'spring', limit: 5 });
		const { title, description } = service.site.find(tides) ?? {};
		expect(links).toHaveLength(5);
		expect(links[0]).toEqual({ url: tides, title, description });
	});
});

describe('browser sessions', () => {
	test('of their own', async () => {
		const client = sdk();
		const { id } = await client.browser({ ttl: 120, activityTtl: 60 });
		if (!id) throw new Error('No session');
		const code = `await page.goto('${cape}'); console.log(page.url())`;
		const page = await client.browserExecute(id, { code, language: 'node', timeout: 10 });
		expect(page).toMatchObject({ success: true, stdout: `${cape}\n`, exitCode: 0, killed: false });
		const { sessions } = await client.listBrowsers({ status: 'active' });
		expect(sessions).toMatchObject([{ id, status: 'active' }]);
		expect(await client.deleteBrowser(id)).toMatchObject({ success: true, creditsBilled: 2 });
		const later = client.browserExecute(id, { code: 'echo' });
		await expect(later).rejects.toMatchObject({ status: 410 });
	});

	test('on a scraped page', async () => {
		const client = sdk();
		const { metadata } = await client.scrape(cape);
		const scrapeId = String(metadata?.scrapeId);
		const { stdout } = await client.interact(scrapeId, { code: 'console.log(page.url())' });
		expect(stdout).toBe(`${cape}\n`);
		const { output } = await client.interact(scrapeId, { prompt: 'Where is the station?' });
		expect(output).toEqual(expect.any(String));
		expect(await client.stopInteraction(scrapeId)).toMatchObject({ creditsBilled: 7 });
	});
});

describe('monitors', () => {
	const create = (name = 'Tides') =>
		sdk().createMonitor({
			name,
			schedule: { text: 'every 30 minutes', timezone: 'Europe/Berlin' },
			targets: [{ type: 'scrape', urls: [tides, surges] }],
			goal: 'The height of spring tides',
		});

	test('created, listed, read, changed and deleted', async () => {
		const made = await create();
		const schedule = { cron: '*/30 * * * *', timezone: 'Europe/Berlin' };
		expect(made).toMatchObject({ status: 'active', schedule, judgeEnabled: true });
		await create('Other');
		const [second] = await sdk().listMonitors({ limit: 1, offset: 1 });
		expect(second.id).toBe(made.id);
		const changed = await sdk().updateMonitor(made.id, { status: 'paused', goal: null });
		expect(changed).toMatchObject({ status: 'paused', goal: null, judgeEnabled: false });
		await expect(sdk().runMonitor(made.id)).rejects.toMatchObject({ status: 409 });
		expect(await sdk().getMonitor(made.id)).toEqual(changed);
		expect(await sdk().deleteMonitor(made.id)).toBe(true);
		await expect(sdk().getMonitor(made.id)).rejects.toMatchObject({ status: 404 });
	});

	test('run and checked; pages of a check are collected over `next`', async () => {
		const { id } = await create();
		await sdk().runMonitor(id);
		await service.context.monitors.idle();
		service.site.update(tides, { markdown: 'The height of spring tides has changed.' });
		const { id: checkId } = await sdk().runMonitor(id);
		await service.context.monitors.idle();
		const checks = await sdk().listMonitorChecks(id, { limit: 5 });
		expect(checks.map(({ status }) => status)).toEqual(['completed', 'completed']);
		const { pages } = await sdk().getMonitorCheck(id, checkId, { limit: 1 });
		expect(pages.map(({ url, status }) => [url, status])).toEqual([
			[tides, 'changed'],
			[surges, 'same'],
		]);
		expect(pages[0].judgment).toMatchObject({ meaningful: true });
	});
});

test('the account: credits, queue, concurrency and history', async () => {
	service.clock.hold(Date.parse('2026-11-21T12:10:00Z'));
	const client = sdk();
	const before = await client.getCreditUsage();
	await client.scrape(tides);
	const after = await client.getCreditUsage();
	expect(before.remainingCredits - after.remainingCredits).toBe(1);
	const mostRecentSuccess = '2026-11-21T12:10:00.000Z';
	expect(await client.getQueueStatus()).toMatchObject({ maxConcurrency: 1000, mostRecentSuccess });
	expect(await client.getConcurrency()).toEqual({ concurrency: 0, maxConcurrency: 1000 });
	const { periods } = await client.getCreditUsageHistorical(true);
	const apiKey = service.teams.key(keys.full)?.label;
	expect(periods).toMatchObject([{ startDate: '2026-11-01T00:00:00.000Z', apiKey }]);
});
