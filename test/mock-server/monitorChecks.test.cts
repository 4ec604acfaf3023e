import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { type CheckBody, MonitorClient } from './testClient.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const surges = 'https://tidewatch.example/guides/storm-surges';
let service: Service;
let monitors: MonitorClient;
useService(
	(started) => {
		service = started;
		monitors = new MonitorClient(service);
	},
	{ now: Date.parse('2026-11-21T12:10:00Z') },
);

const pages = (...urls: string[]) => [{ type: 'scrape', urls }];
const statuses = ({ pages: list }: CheckBody) => list.map(({ url, status }) => [url, status]);
const append = (url: string, text: string) =>
	service.site.update(url, { markdown: `${service.site.find(url)?.markdown}\n\n${text}` });
const spent = () => service.ledger.spent('team-full');

describe('pages', () => {
	test('are new at first, then same, then changed with a diff of their text', async () => {
		const { id } = await monitors.created({ targets: pages(tides, surges) });
		const first = await monitors.checked(id);
		expect(first).toMatchObject({ status: 'completed', summary: { totalPages: 2, new: 2 } });
		expect(statuses(first)).toEqual([
			[tides, 'new'],
			[surges, 'new'],
		]);
		expect(statuses(await monitors.checked(id)).map(([, status]) => status)).toEqual([
			'same',
			'same',
		]);
		append(tides, 'A new gauge was added.');
		const third = await monitors.checked(id);
		expect(third.summary).toEqual({
			totalPages: 2,
			same: 1,
			changed: 1,
			new: 0,
			removed: 0,
			error: 0,
		});
		const [page] = third.pages;
		expect(page).toMatchObject({
			status: 'changed',
			statusCode: 200,
			error: null,
			judgment: null,
			snapshot: null,
			diff: {
				text: expect.stringContaining('+A new gauge was added.') as string,
				json: { files: [expect.any(Object) as object] },
			},
		});
		const scrape = async (scrapeId: string | null) =>
			(await (
				await fetch(`${service.url}/v2/scrape/${scrapeId}`, {
					headers: { authorization: `Bearer ${service.keys.full}` },
				})
			).json()) as { data: { markdown: string } };
		expect((await scrape(page.currentScrapeId)).data.markdown).toContain('A new gauge');
		expect((await scrape(page.previousScrapeId)).data.markdown).not.toContain('A new gauge');
		expect(await monitors.get(id)).toMatchObject({
			lastCheckSummary: third.summary,
			lastRunAt: third.startedAt,
		});
	});

	test('are removed when they are gone, errors after that, new when they are back', async () => {
		service.site.add({
			url: 'https://tidewatch.example/offer',
			title: 'Offer',
			markdown: 'Ten gauges for the price of nine.',
			published: '2026-11-20T00:00:00Z',
		});
		const url = 'https://tidewatch.example/offer';
		const { id } = await monitors.created({ targets: pages(url, tides) });
		await monitors.checked(id);
		service.site.remove(url);
		const gone = await monitors.checked(id);
		expect(gone).toMatchObject({ status: 'completed', summary: { removed: 1, same: 1 } });
		expect(gone.pages[0]).toMatchObject({
			status: 'removed',
			statusCode: 404,
			previousScrapeId: expect.any(String) as string,
		});
		expect(await monitors.checked(id)).toMatchObject({
			status: 'partial',
			summary: { error: 1, same: 1 },
		});
		service.site.restore();
		service.site.add({ url, title: 'Offer', markdown: 'Back', published: '2026-11-20T00:00:00Z' });
		expect((await monitors.checked(id)).pages[0].status).toBe('new');
	});

	test('come in pages, by absolute `next`, and by status', async () => {
		const urls = service.site.pages
			.filter(({ kind, delayMs }) => kind === 'page' && !delayMs)
			.slice(0, 7)
			.map(({ url }) => url);
		const { id } = await monitors.created({ targets: pages(...urls) });
		await monitors.checked(id);
		append(urls[2], 'More');
		const { id: checkId } = await monitors.checked(id);
		const base = `${service.url}/v2/monitor`;
		const read = async (address: string) =>
			(await monitors.send<CheckBody>('GET', address.slice(base.length))).body;
		let page = await read(`${base}/${id}/checks/${checkId}?limit=3`);
		const seen = page.data.pages.map(({ url }) => url);
		while (page.next) {
			expect(page.next).toContain(`${base}/`);
			expect(page.data.next).toBe(page.next);
			page = await read(page.next);
			expect(page.data.pages.length).toBeLessThanOrEqual(3);
			seen.push(...page.data.pages.map(({ url }) => url));
		}
		expect(seen).toEqual(urls);
		const changed = await monitors.send<CheckBody>(
			'GET',
			`/${id}/checks/${checkId}?status=changed`,
		);
		expect(changed.body.data.pages.map(({ url }) => url)).toEqual([urls[2]]);
		expect(changed.body).not.toHaveProperty('next');
		for (const query of ['limit=101', 'skip=-1', 'offset=1', 'status=alert']) {
			expect((await monitors.send('GET', `/${id}/checks/${checkId}?${query}`)).status).toBe(400);
		}
	});
});

describe('the schedule', () => {
	const summaries = async (id: string) =>
		(await monitors.checks(id)).map(({ status, trigger, scheduledFor }) => [
			status,
			trigger,
			scheduledFor,
		]);

	test('runs a check at each of its times while the clock moves on', async () => {
		const { id } = await monitors.created({
			schedule: { cron: '*/5 * * * *' },
			targets: pages(tides),
		});
		await service.clock.advance(20 * 60_000);
		await service.context.monitors.idle();
		expect(await summaries(id)).toEqual([
			['completed', 'scheduled', '2026-11-21T12:30:00.000Z'],
			['completed', 'scheduled', '2026-11-21T12:25:00.000Z'],
			['completed', 'scheduled', '2026-11-21T12:20:00.000Z'],
			['completed', 'scheduled', '2026-11-21T12:15:00.000Z'],
		]);
		expect((await monitors.get(id)).nextRunAt).toBe('2026-11-21T12:35:00.000Z');
		expect(spent()).toBe(4);
	});

	test('passes over a time at which the check before is still running', async () => {
		service.context.monitors.durationMs = 7 * 60_000;
		const { id } = await monitors.created({
			schedule: { cron: '*/5 * * * *' },
			targets: pages(tides),
		});
		await service.clock.advance(15 * 60_000);
		await service.context.monitors.idle();
		expect(await summaries(id)).toEqual([
			['running', 'scheduled', '2026-11-21T12:25:00.000Z'],
			['skipped_overlap', 'scheduled', '2026-11-21T12:20:00.000Z'],
			['completed', 'scheduled', '2026-11-21T12:15:00.000Z'],
		]);
	});

	test('a check that the balance does not cover is skipped and costs nothing', async () => {
		const poor = new MonitorClient(service, service.keys.low);
		const { id } = await poor.created({ targets: pages(tides, surges) });
		expect(await poor.checked(id)).toMatchObject({ status: 'completed', actualCredits: 2 });
		await poor.checked(id);
		expect(await poor.checked(id)).toMatchObject({
			status: 'skipped_no_credits',
			billingStatus: 'not_applicable',
			pages: [],
		});
		expect(service.ledger.spent('team-low')).toBe(4);
	});
});
