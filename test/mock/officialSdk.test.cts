import Firecrawl from '@mendable/firecrawl-js';

import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { keys } from './teams.cjs';

/** The official client, unchanged, against the mock server: what it understands is what users get. */
let service: Service;
let client: Firecrawl;
useService((started) => (service = started));
const sdk = (apiKey: string = keys.full) => new Firecrawl({ apiKey, apiUrl: service.url });
beforeEach(() => (client = sdk()));
afterEach(() => jest.restoreAllMocks());

const host = 'https://tidewatch.example';
const tides = `${host}/guides/spring-tides`;
const surges = `${host}/guides/storm-surges`;
const cape = `${host}/stations/cape-morrow`;
const nowhere = 'https://nowhere.example/';

const sources = (documents: ReadonlyArray<{ metadata?: { sourceURL?: string } }>): string[] =>
	documents.map(({ metadata }) => metadata?.sourceURL ?? '').sort();
const statuses = (path: string) => service.log.of('POST', path).map(({ status }) => status);

test('search: each source, pages scraped, and a retry of 502', async () => {
	service.faults.add({ kind: 'status', status: 502, path: '/v2/search' });
	const { web, news, images } = await client.search('spring tides', {
		sources: ['web', 'news', 'images'],
		limit: 4,
		scrapeOptions: { formats: ['markdown', { type: 'json', prompt: 'title' }] },
	});
	expect(statuses('/v2/search')).toEqual([502, 200]);
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

test('tools are found and run, once for a request id; one needs its terms accepted', async () => {
	const { tools = [] } = await client.search('workflow templates', { sources: ['alexandria'] });
	const [{ provider, capability }] = tools;
	const call = { provider, capability, options: { query: 'retry' } };
	const request = { alexandria: [call], requestId: 'set-2' };
	const first = await client.scrape(request);
	expect(await client.scrape(request)).toEqual(first);
	expect(service.ledger.spent('team-full')).toBe(1);

	const options = { name: 'x' };
	const filings = { provider: 'filings', capability: 'company-search', options };
	await expect(client.scrape({ alexandria: filings })).rejects.toMatchObject({
		status: 403,
		code: 'THIRD_PARTY_DATA_TERMS_REQUIRED',
		requiresAction: { type: 'accept_terms', url: expect.stringContaining('filings') as string },
	});
});

test('scrape: a page, an error page, and a host that is none', async () => {
	const { markdown, answer, metadata } = await client.scrape(tides, {
		formats: ['markdown', 'links', { type: 'question', question: 'Why?' }],
		parsers: ['pdf'],
		maxAge: 0,
	});
	expect(markdown).toContain('# Why spring tides are higher');
	expect(answer).toEqual(expect.any(String));
	expect(metadata).toMatchObject({ statusCode: 200, sourceURL: tides });
	const gone = await client.scrape(`${host}/no-such-page`);
	expect(gone.metadata).toMatchObject({ statusCode: 404, error: 'Not Found' });
	await expect(client.scrape(nowhere)).rejects.toThrow(/DNS/);
});

test('scrape resumes a large document by itself, and pays once', async () => {
	const wait = setTimeout;
	service.clock.hold();
	// The client's pause, which the service asked for, passes on the service's clock.
	jest.spyOn(global, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
		if (ms !== 90_000) return wait(run, ms);
		void service.clock.advance(ms).then(run);
		return wait(() => undefined, 0);
	}) as typeof setTimeout);
	const logbook = 'https://portoffice.example/internal/perpetua-logbook.pdf';
	const document = await client.scrape(logbook, { parsers: ['pdf'] });
	expect(document.markdown).toContain('# Lightship Perpetua');
	expect(statuses('/v2/scrape')).toEqual([408, 200]);
	expect(service.ledger.spent('team-full')).toBe(12);
});

test('parse: a file, and one of a type that is not read', async () => {
	const data = '<h1>Fees</h1><p>A berth costs 12 euros a night.</p>';
	const { markdown, metadata } = await client.parse({ data, filename: 'fees.html' });
	expect(markdown).toContain('# Fees');
	expect(metadata).toMatchObject({ creditsUsed: 1 });
	const wrong = client.parse({ data: 'x', filename: 'a.exe' });
	await expect(wrong).rejects.toMatchObject({ status: 400, code: 'UNSUPPORTED_FILE_TYPE' });
});

test('a batch runs to its end, and names the pages that could not be scraped', async () => {
	const options = { formats: ['markdown' as const] };
	const job = await client.batchScrape([tides, surges, nowhere], { options, pollInterval: 1 });
	expect(job).toMatchObject({ status: 'completed', completed: 2, creditsUsed: 2 });
	expect(sources(job.data)).toEqual([tides, surges]);
	const { errors } = await client.getBatchScrapeErrors(job.id);
	expect(errors).toMatchObject([{ url: nowhere, code: 'SCRAPE_DNS_RESOLUTION_ERROR' }]);
});

test('a batch is started, read while it runs, and cancelled', async () => {
	service.clock.hold();
	const { id, invalidURLs } = await client.startBatchScrape([cape, 'not a url'], {
		ignoreInvalidURLs: true,
		maxConcurrency: 1,
	});
	expect(invalidURLs).toEqual(['not a url']);
	const running = await client.getBatchScrapeStatus(id, { autoPaginate: false });
	expect(running).toMatchObject({ status: 'scraping', completed: 0, total: 1, data: [] });
	expect(running.next).toContain(`/v2/batch/scrape/${id}?skip=0`);
	expect(await client.cancelBatchScrape(id)).toBe(true);
	expect(await client.getBatchScrapeStatus(id)).toMatchObject({ status: 'cancelled', next: null });
});

test('a crawl runs to its end; another is listed while it runs, and cancelled', async () => {
	const { status, data } = await client.crawl(`${host}/guides`, { limit: 10, pollInterval: 1 });
	expect(status).toBe('completed');
	const guides = [`${host}/guides`, `${host}/guides/reading-a-tide-table`, tides, surges];
	expect(sources(data)).toEqual(guides);

	service.clock.hold();
	const options = { limit: 5, delay: 1 };
	const { id } = await client.startCrawl(host, options);
	const { crawls } = await client.getActiveCrawls();
	expect(crawls).toMatchObject([{ id, teamId: 'team-full', url: `${host}/`, options }]);
	expect(await client.cancelCrawl(id)).toBe(true);
	expect(await client.getCrawlErrors(id)).toEqual({ errors: [], robotsBlocked: [] });
});

test('a crawl’s parameters are previewed, and a site is mapped', async () => {
	const preview = await client.crawlParamsPreview(host, 'Only the /guides pages');
	expect(preview).toMatchObject({ includePaths: ['^/guides(/.*)?$'], limit: 20 });
	const { links } = await client.map(host, { search: 'spring', limit: 5 });
	const { title, description } = service.site.find(tides) ?? {};
	expect(links).toHaveLength(5);
	expect(links[0]).toEqual({ url: tides, title, description });
});

test('browser sessions, of their own and on a scraped page', async () => {
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

	const { metadata } = await client.scrape(cape);
	const scrapeId = String(metadata?.scrapeId);
	const { stdout } = await client.interact(scrapeId, { code: 'console.log(page.url())' });
	expect(stdout).toBe(`${cape}\n`);
	const { output } = await client.interact(scrapeId, { prompt: 'Where is the station?' });
	expect(output).toEqual(expect.any(String));
	expect(await client.stopInteraction(scrapeId)).toMatchObject({ creditsBilled: 7 });
});

test('monitors: created, listed, checked page after page, changed and deleted', async () => {
	const monitor = {
		schedule: { text: 'every 30 minutes', timezone: 'Europe/Berlin' },
		targets: [{ type: 'scrape' as const, urls: [tides, surges] }],
		goal: 'The height of spring tides',
	};
	const { id, ...made } = await client.createMonitor({ name: 'Tides', ...monitor });
	const schedule = { cron: '*/30 * * * *', timezone: 'Europe/Berlin' };
	expect(made).toMatchObject({ status: 'active', schedule, judgeEnabled: true });
	await client.createMonitor({ name: 'Other', ...monitor });
	expect(await client.listMonitors({ limit: 1, offset: 1 })).toMatchObject([{ id }]);

	await client.runMonitor(id);
	await service.context.monitors.idle();
	service.site.update(tides, { markdown: 'The height of spring tides has changed.' });
	const { id: checkId } = await client.runMonitor(id);
	await service.context.monitors.idle();
	const checks = await client.listMonitorChecks(id, { limit: 5 });
	expect(checks.map(({ status }) => status)).toEqual(['completed', 'completed']);
	const { pages } = await client.getMonitorCheck(id, checkId, { limit: 1 });
	expect(pages).toMatchObject([
		{ url: tides, status: 'changed', judgment: { meaningful: true } },
		{ url: surges, status: 'same' },
	]);

	const changed = await client.updateMonitor(id, { status: 'paused', goal: null });
	expect(changed).toMatchObject({ status: 'paused', goal: null, judgeEnabled: false });
	await expect(client.runMonitor(id)).rejects.toMatchObject({ status: 409 });
	expect(await client.getMonitor(id)).toEqual(changed);
	expect(await client.deleteMonitor(id)).toBe(true);
	await expect(client.getMonitor(id)).rejects.toMatchObject({ status: 404 });
});

test('the account: credits, queue and history', async () => {
	service.clock.hold(Date.parse('2026-11-21T12:10:00Z'));
	const before = await client.getCreditUsage();
	await client.scrape(tides);
	const after = await client.getCreditUsage();
	expect(before.remainingCredits - after.remainingCredits).toBe(1);
	const mostRecentSuccess = '2026-11-21T12:10:00.000Z';
	expect(await client.getQueueStatus()).toMatchObject({ maxConcurrency: 1000, mostRecentSuccess });
	const { periods } = await client.getCreditUsageHistorical(true);
	const apiKey = service.teams.key(keys.full)?.label;
	expect(periods).toMatchObject([{ startDate: '2026-11-01T00:00:00.000Z', apiKey }]);
});
