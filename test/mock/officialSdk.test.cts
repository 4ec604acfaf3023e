import Firecrawl from '@mendable/firecrawl-js';

import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { demoKey } from './teams.cjs';

/** The official client, unchanged, against what of the mock server no recorded exchange holds. */
let service: Service;
let client: Firecrawl;
useService((started) => (service = started));
beforeEach(() => (client = new Firecrawl({ apiKey: demoKey, apiUrl: service.url })));

const host = 'https://tidewatch.example';
const tides = `${host}/guides/spring-tides`;
const surges = `${host}/guides/storm-surges`;
const cape = `${host}/stations/cape-morrow`;

test('tools are found and run, once for a request id', async () => {
	const { tools = [] } = await client.search('workflow templates', { sources: ['alexandria'] });
	const [{ provider, capability }] = tools;
	const call = { provider, capability, options: { query: 'retry' } };
	const request = { alexandria: [call], requestId: 'set-2' };
	const first = await client.scrape(request);
	expect(await client.scrape(request)).toEqual(first);
	expect(service.ledger.spent('demo')).toBe(1);
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
		schedule: { text: 'hourly', timezone: 'Europe/Berlin' },
		targets: [{ type: 'scrape' as const, urls: [tides, surges] }],
		goal: 'The height of spring tides',
	};
	const { id, ...made } = await client.createMonitor({ name: 'Tides', ...monitor });
	const schedule = { cron: '0 * * * *', timezone: 'Europe/Berlin' };
	expect(made).toMatchObject({ status: 'active', schedule, judgeEnabled: true });
	await client.createMonitor({ name: 'Other', ...monitor });
	expect(await client.listMonitors({ limit: 1, offset: 1 })).toMatchObject([{ id }]);

	await client.runMonitor(id);
	service.site.update(tides, { markdown: 'The height of spring tides has changed.' });
	const { id: checkId } = await client.runMonitor(id);
	const checks = await client.listMonitorChecks(id, { limit: 5 });
	expect(checks.map(({ status }) => status)).toEqual(['completed', 'completed']);
	const { pages } = await client.getMonitorCheck(id, checkId, { limit: 1 });
	expect(pages).toMatchObject([
		{ url: tides, status: 'changed', judgment: { meaningful: true } },
		{ url: surges, status: 'same' },
	]);

	const changed = await client.updateMonitor(id, { status: 'paused', goal: null });
	expect(changed).toMatchObject({ status: 'paused', goal: null, judgeEnabled: false });
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
	expect(periods).toMatchObject([{ startDate: '2026-11-01T00:00:00.000Z', apiKey: 'demo' }]);
});
