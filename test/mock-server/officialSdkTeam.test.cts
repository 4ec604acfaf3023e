import Firecrawl from '@mendable/firecrawl-js';

import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { keys } from './teams.cjs';

/** The official client, unchanged: monitors, tools, account and feedback. */
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
	test('found and executed', async () => {
		const { items } = await sdk().findTools({ providers: ['relayworks'], level: 'groups' });
		expect(items.map(({ id }) => id)).toContain('relayworks/templates');
		const page = await sdk().findTools({
			capabilities: ['template-search'],
			expand: ['options', 'response'],
		});
		const { provider = '', capability = '' } = page.items[0].execute ?? {};
		const answer = await sdk().scrape({
			alexandria: { provider, capability, options: { query: 'retry' } },
			requestId: 'set-1',
		});
		expect(answer).toMatchObject({
			requestId: 'set-1',
			creditsCost: 1,
			alexandria: [{ provider, capability, data: { templates: expect.any(Object) as object } }],
		});
		expect(answer.scrapeId).not.toBe('');
	});

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

describe('feedback', () => {
	const searchId = async (): Promise<string> => {
		await sdk().search('tide');
		return service.context.activity.entries.at(-1)?.id ?? '';
	};

	test('on a search gives a credit back', async () => {
		const id = await searchId();
		const good = { rating: 'good' as const, valuableSources: [{ url: tides }] };
		expect(await sdk().searchFeedback(id, good)).toMatchObject({ creditsRefunded: 1 });
		expect(await sdk().feedback({ ...good, endpoint: 'search', jobId: id })).toMatchObject({
			alreadySubmitted: true,
			creditsRefunded: 0,
		});
	});

	test('on a scrape is taken by its id', async () => {
		const { metadata } = await sdk().scrape(tides);
		const jobId = metadata?.scrapeId ?? '';
		const taken = await sdk().feedback({
			endpoint: 'scrape',
			jobId,
			rating: 'partial',
			issues: ['missing_table'],
			note: 'The table of heights is missing.',
		});
		expect(taken).toMatchObject({ success: true, creditsRefunded: 0 });
	});

	test('too late is an error', async () => {
		const id = await searchId();
		await service.clock.advance(121_000);
		const bad = { rating: 'bad' as const, querySuggestions: 'neap tides' };
		await expect(sdk().searchFeedback(id, bad)).rejects.toMatchObject({ status: 409 });
	});
});
