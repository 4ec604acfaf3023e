import Firecrawl from '@mendable/firecrawl-js';

import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { keys } from './teams.cjs';

/** The official client, unchanged: monitors, tools and account. */
let service: Service;
useService((started) => (service = started), { now: Date.parse('2026-11-21T12:10:00Z') });

const sdk = (apiKey: string = keys.full): Firecrawl =>
	new Firecrawl({ apiKey, apiUrl: service.url });
const tides = 'https://tidewatch.example/guides/spring-tides';
const surges = 'https://tidewatch.example/guides/storm-surges';

describe('monitors', () => {
	const create = (name = 'Tides') =>
		sdk().createMonitor({
			name,
			schedule: { text: 'every 30 minutes', timezone: 'Europe/Berlin' },
			targets: [
				{ type: 'scrape', urls: [tides, surges], scrapeOptions: { formats: ['markdown'] } },
			],
			goal: 'The height of spring tides',
		});

	test('created, listed, read, changed and deleted', async () => {
		const made = await create();
		expect(made).toMatchObject({
			status: 'active',
			schedule: { cron: '*/30 * * * *', timezone: 'Europe/Berlin' },
			judgeEnabled: true,
		});
		await create('Other');
		expect((await sdk().listMonitors({ limit: 1, offset: 1 })).map(({ id }) => id)).toEqual([
			made.id,
		]);
		const changed = await sdk().updateMonitor(made.id, { status: 'paused', goal: null });
		expect(changed).toMatchObject({ status: 'paused', goal: null, judgeEnabled: false });
		expect(await sdk().getMonitor(made.id)).toEqual(changed);
		expect(await sdk().deleteMonitor(made.id)).toBe(true);
		await expect(sdk().getMonitor(made.id)).rejects.toMatchObject({ status: 404 });
	});

	test('its stamp is the one key let through that the service refuses', async () => {
		await create();
		const [entry] = service.log.of('POST', '/v2/monitor');
		expect(entry.body).toMatchObject({ origin: expect.stringMatching(/^js-sdk@/) as string });
		expect(entry.status).toBe(200);
	});

	test('run and checked; pages of a check are collected over `next`', async () => {
		const { id } = await create();
		await sdk().runMonitor(id);
		await service.context.monitors.idle();
		service.site.update(tides, { markdown: 'The height of spring tides has changed.' });
		const { id: checkId, status } = await sdk().runMonitor(id);
		expect(status).toBe('queued');
		await service.context.monitors.idle();
		const checks = await sdk().listMonitorChecks(id, { limit: 5 });
		expect(checks.map(({ status: each }) => each)).toEqual(['completed', 'completed']);
		const check = await sdk().getMonitorCheck(id, checkId, { limit: 1 });
		expect(check.summary).toMatchObject({ changed: 1, same: 1 });
		expect(check.pages.map(({ url, status: each }) => [url, each])).toEqual([
			[tides, 'changed'],
			[surges, 'same'],
		]);
		expect(check.pages[0].judgment).toMatchObject({ meaningful: true });
		const changed = await sdk().getMonitorCheck(id, checkId, { status: 'changed' });
		expect(changed.pages.map(({ url }) => url)).toEqual([tides]);
	});

	test('what is wrong is an error with its details', async () => {
		const wrong = sdk().createMonitor({
			name: 'Tides',
			schedule: { text: 'all the time' },
			targets: [{ type: 'search', queries: ['tide'] }],
		});
		await expect(wrong).rejects.toMatchObject({ status: 400, code: 'BAD_REQUEST' });
		const { id } = await create();
		await sdk().updateMonitor(id, { status: 'paused' });
		await expect(sdk().runMonitor(id)).rejects.toMatchObject({ status: 409 });
	});
});

describe('tools', () => {
	test('a search’s tools run as they are; the same request id is charged once', async () => {
		const { tools = [] } = await sdk().search('workflow templates', { sources: ['alexandria'] });
		const [{ provider, capability }] = tools;
		const request = {
			alexandria: [{ provider, capability, options: { query: 'retry' } }],
			requestId: 'set-2',
		};
		const first = await sdk().scrape(request);
		expect(await sdk().scrape(request)).toEqual(first);
		expect(service.ledger.spent('team-full')).toBe(1);
	});

	test('refusals carry what a person has to do', async () => {
		const refused = sdk().scrape({
			alexandria: { provider: 'filings', capability: 'company-search', options: { name: 'x' } },
		});
		await expect(refused).rejects.toMatchObject({
			status: 403,
			code: 'THIRD_PARTY_DATA_TERMS_REQUIRED',
			requiresAction: { type: 'accept_terms', url: expect.stringContaining('filings') as string },
		});
	});
});

describe('account', () => {
	test('queue, concurrency and history', async () => {
		const client = sdk();
		await client.scrape(tides);
		expect(await client.getQueueStatus()).toMatchObject({
			jobsInQueue: 0,
			maxConcurrency: 1000,
			mostRecentSuccess: '2026-11-21T12:10:00.000Z',
		});
		expect(await client.getConcurrency()).toEqual({ concurrency: 0, maxConcurrency: 1000 });
		const { periods } = await client.getCreditUsageHistorical(true);
		expect(periods).toMatchObject([
			{ startDate: '2026-11-01T00:00:00.000Z', apiKey: service.teams.key(keys.full)?.label },
		]);
	});
});
