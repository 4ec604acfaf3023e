import { MonitorClient, type CheckBody } from './monitor/monitorClient.cjs';
import { startService, type Service } from './service.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const surges = 'https://tidewatch.example/guides/storm-surges';
const hour = 3_600_000;
let service: Service;
let monitors: MonitorClient;
beforeAll(async () => {
	service = await startService();
	monitors = new MonitorClient(service);
});
afterAll(() => service.close());
beforeEach(() => {
	service.reset();
	service.clock.hold(Date.parse('2026-11-21T12:10:00Z'));
});

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

	test('that cannot be read are errors; what was known of them stays', async () => {
		const { id } = await monitors.created({ targets: pages('https://no-such-host.example/') });
		const failed = await monitors.checked(id);
		expect(failed).toMatchObject({
			status: 'failed',
			summary: { error: 1 },
			billingStatus: 'released',
		});
		expect(failed.pages[0].error).toContain('DNS');

		const other = await monitors.created({ targets: pages(tides) });
		await monitors.checked(other.id);
		service.context.unsupportedHosts.add('tidewatch.example');
		expect((await monitors.checked(other.id)).pages[0]).toMatchObject({
			status: 'error',
			statusCode: 403,
		});
		service.context.unsupportedHosts.clear();
		expect((await monitors.checked(other.id)).pages[0].status).toBe('same');
	});

	test('extractions are compared field by field', async () => {
		const properties = { title: { type: 'string' }, updated: { type: 'string' } };
		const schema = { type: 'object', properties };
		const formats = ['markdown', { type: 'changeTracking', modes: ['json'], schema }];
		const targets = [{ ...pages(tides)[0], scrapeOptions: { formats } }];
		const { id } = await monitors.created({ targets });
		const first = await monitors.checked(id);
		expect(first.pages[0].snapshot).toMatchObject({
			json: { title: service.site.find(tides)?.title },
		});
		append(tides, 'A line that no field reads.');
		expect((await monitors.checked(id)).pages[0]).toMatchObject({ status: 'same', diff: null });
		const previous = service.site.find(tides)?.title;
		service.site.update(tides, { title: 'Spring tides, revised' });
		expect((await monitors.checked(id)).pages[0]).toMatchObject({
			status: 'changed',
			diff: { json: { title: { previous, current: 'Spring tides, revised' } } },
			snapshot: { json: { title: 'Spring tides, revised' } },
		});
	});

	test('text and fields both, where both are asked for', async () => {
		const schema = {
			type: 'object',
			properties: { headings: { type: 'array', items: { type: 'string' } } },
		};
		const formats = ['markdown', { type: 'changeTracking', modes: ['json', 'git-diff'], schema }];
		const targets = [{ ...pages(tides)[0], scrapeOptions: { formats } }];
		const { id } = await monitors.created({ targets });
		await monitors.checked(id);
		append(tides, '## Addendum');
		const [{ diff }] = (await monitors.checked(id)).pages;
		expect(diff?.text).toContain('+## Addendum');
		expect(Object.values(diff?.json ?? {})).toEqual([{ current: 'Addendum' }]);
	});

	test('of targets that keep their id are compared over a change of the monitor', async () => {
		const { id, targets } = await monitors.created({ targets: pages(tides) });
		await monitors.checked(id);
		await monitors.send('PATCH', `/${id}`, { targets: [...targets, ...pages(surges)] });
		expect((await monitors.checked(id)).pages.map(({ status }) => status)).toEqual(['same', 'new']);
		await monitors.send('PATCH', `/${id}`, { targets: pages(tides) });
		expect((await monitors.checked(id)).pages.map(({ status }) => status)).toEqual(['new']);
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

describe('the judge', () => {
	const goal = 'Tell me when the price of the grinder changes';
	const url = 'https://emberroast.example/shop/hand-grinder';

	test('finds changes meaningful that are about the goal, and says which', async () => {
		const { id } = await monitors.created({ goal, targets: pages(url) });
		await monitors.checked(id);
		append(url, 'Our opening hours are longer now.');
		expect((await monitors.checked(id)).pages[0].judgment).toMatchObject({
			meaningful: false,
			meaningfulChanges: [],
		});
		append(url, 'The price of the grinder is now 59 pounds.');
		expect((await monitors.checked(id)).pages[0].judgment).toMatchObject({
			meaningful: true,
			confidence: 'high',
			reason: expect.stringContaining('price') as string,
			meaningfulChanges: [
				{ type: 'added', before: null, after: expect.stringContaining('59 pounds') as string },
			],
		});
	});

	test('is asked for changed pages alone, and paid for each', async () => {
		const { id } = await monitors.created({ goal, targets: pages(url, tides) });
		expect(await monitors.checked(id)).toMatchObject({ actualCredits: 2, estimatedCredits: 4 });
		append(url, 'More');
		const check = await monitors.checked(id);
		expect(check).toMatchObject({ actualCredits: 3, billingStatus: 'confirmed' });
		expect(check.pages.map(({ judgment }) => judgment !== null)).toEqual([true, false]);
		expect(spent()).toBe(5);
	});

	test('stays silent when it is off, or out of reach', async () => {
		const off = await monitors.created({ goal, judgeEnabled: false, targets: pages(url) });
		const on = await monitors.created({ goal, targets: pages(url) });
		await monitors.checked(off.id);
		await monitors.checked(on.id);
		append(url, 'The price is lower.');
		service.context.monitors.judgeReachable = false;
		for (const { id } of [off, on]) {
			expect((await monitors.checked(id)).pages[0]).toMatchObject({
				status: 'changed',
				judgment: null,
			});
		}
	});
});

describe('crawl targets', () => {
	const guides = 'https://tidewatch.example/guides';
	const target = { type: 'crawl', url: guides };

	test('report every page of the site, new ones and those that are gone', async () => {
		const { id } = await monitors.created({
			targets: [{ ...target, crawlOptions: { limit: 50 } }],
		});
		const first = await monitors.checked(id);
		const urls = first.pages.map(({ url }) => url);
		expect(urls).toEqual(expect.arrayContaining([guides, tides, surges]));
		expect(first.summary.new).toBe(urls.length);

		const url = 'https://tidewatch.example/guides/neap-tides';
		service.site.add({
			url,
			title: 'Neap tides',
			markdown: 'Weak.',
			published: '2026-11-21T00:00:00Z',
		});
		append(guides, 'Soon more.');
		expect(statuses(await monitors.checked(id))).toEqual(
			expect.arrayContaining([
				[url, 'new'],
				[guides, 'changed'],
			]),
		);
		service.site.remove(url);
		const gone = await monitors.checked(id);
		expect(gone.pages.at(-1)).toMatchObject({
			url,
			status: 'removed',
			previousScrapeId: expect.any(String) as string,
			currentScrapeId: null,
		});
		expect(statuses(await monitors.checked(id)).map(([each]) => each)).not.toContain(url);
	});

	test('keep to what a prompt says, where their options say nothing else', async () => {
		const visited = async (crawlOptions: object) => {
			const { id } = await monitors.created({ targets: [{ ...target, crawlOptions }] });
			return (await monitors.checked(id)).pages.length;
		};
		expect(await visited({ prompt: 'Only 2 pages' })).toBe(2);
		expect(await visited({ prompt: 'Only 2 pages', limit: 3 })).toBe(3);
	});

	test('keep to their options; what a limit cuts off is not removed', async () => {
		const { id } = await monitors.created({ targets: [{ ...target, crawlOptions: { limit: 3 } }] });
		expect((await monitors.checked(id)).pages).toHaveLength(3);
		await monitors.send('PATCH', `/${id}`, {
			targets: [{ ...(await monitors.get(id)).targets[0], crawlOptions: { limit: 2 } }],
		});
		expect((await monitors.checked(id)).summary).toMatchObject({ totalPages: 2, removed: 0 });
	});
});

describe('search targets', () => {
	const target = { type: 'search', queries: ['surge warning', 'storm surge'], searchWindow: '24h' };
	const found = ({ pages: list }: CheckBody) =>
		list.map(({ url, status, metadata }) => [url, status, metadata?.searchStatus]);

	test('without judge: everything of the window once, then already seen', async () => {
		const { id } = await monitors.created({ targets: [target], judgeEnabled: false });
		const first = await monitors.checked(id);
		const urls = first.pages.map(({ url }) => url);
		expect(urls.length).toBeGreaterThan(0);
		expect(new Set(urls).size).toBe(urls.length);
		for (const url of urls) {
			const age = service.clock.now() - Date.parse(service.site.find(url)?.published ?? '');
			expect(age).toBeLessThanOrEqual(24 * hour);
		}
		expect(found(first)).toEqual(urls.map((url) => [url, 'new', 'alert']));
		expect(first.targetResults).toMatchObject([
			{
				type: 'search',
				searchCompleted: true,
				resultCount: urls.length,
				matches: urls.length,
				judgeCredits: 0,
			},
		]);
		expect(found(await monitors.checked(id))).toEqual(
			urls.map((url) => [url, 'same', 'already_seen']),
		);
	});

	test('with a goal: alert, watching and ignored; only an alert is new', async () => {
		const add = (path: string, title: string, markdown: string) =>
			service.site.add({
				url: `https://harbourgazette.example/sea/${path}`,
				title,
				markdown,
				kind: 'news',
				published: new Date(service.clock.now()).toISOString(),
			});
		add('a', 'Zeppelin over Port Ansel', 'A zeppelin brought a flood warning.');
		add('b', 'Zeppelin museum', 'It had no other visitors and a warning sign.');
		add('c', 'Zeppelin songs', 'Five of them.');
		const { id } = await monitors.created({
			goal: 'flood warning Ansel evacuation',
			targets: [{ type: 'search', queries: ['zeppelin'], searchWindow: '5m' }],
		});
		const check = await monitors.checked(id);
		const byUrl = Object.fromEntries(check.pages.map((page) => [page.url.slice(-1), page]));
		expect(byUrl.a).toMatchObject({
			status: 'new',
			metadata: { searchStatus: 'alert' },
			judgment: { meaningful: true },
		});
		expect(byUrl.b).toMatchObject({
			status: 'same',
			metadata: { searchStatus: 'watching' },
			judgment: { meaningful: false },
		});
		expect(byUrl.c).toMatchObject({ status: 'same', metadata: { searchStatus: 'ignored' } });
		expect(check).toMatchObject({
			actualCredits: 2 + 3,
			targetResults: [{ searchCredits: 2, judgeCredits: 3, resultsJudged: 3, matches: 1 }],
		});
		append('https://harbourgazette.example/sea/b', 'Evacuation of Port Ansel: flood.');
		const second = await monitors.checked(id);
		const again = Object.fromEntries(
			second.pages.map(({ url, metadata }) => [url.slice(-1), metadata?.searchStatus]),
		);
		expect(again).toEqual({ a: 'already_seen', b: 'alert', c: 'already_seen' });
		await service.clock.advance(5 * 60_000 + 1);
		expect((await monitors.checked(id)).pages).toEqual([]);
	});

	test('without the judge’s word a result is skipped, and judged the next time', async () => {
		const { id } = await monitors.created({
			goal: 'surge',
			targets: [{ ...target, maxResults: 1, searchWindow: '7d' }],
		});
		service.context.monitors.judgeReachable = false;
		const check = await monitors.checked(id);
		expect(found(check)).toEqual([[expect.any(String), 'error', 'skipped']]);
		expect(check.targetResults).toMatchObject([{ judgeDegraded: true }]);
		service.context.monitors.judgeReachable = true;
		expect(found(await monitors.checked(id))[0][2]).toBe('alert');
	});

	test('keep to their domains and number of results', async () => {
		const { id } = await monitors.created({
			judgeEnabled: false,
			targets: [
				{ ...target, searchWindow: '7d', maxResults: 2 },
				{
					type: 'search',
					queries: ['tide'],
					searchWindow: '7d',
					excludeDomains: ['tidewatch.example'],
				},
			],
		});
		const check = await monitors.checked(id);
		const [first, second] = (await monitors.get(id)).targets;
		expect(check.pages.filter(({ targetId }) => targetId === first.id)).toHaveLength(2);
		const others = check.pages.filter(({ targetId }) => targetId === second.id);
		expect(others.length).toBeGreaterThan(0);
		expect(others.filter(({ url }) => url.includes('tidewatch.example'))).toEqual([]);
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

	test('toNextCheck goes to exactly the next one', async () => {
		const { id } = await monitors.created({ targets: pages(tides) });
		await service.context.monitors.toNextCheck();
		expect(service.clock.now()).toBe(Date.parse('2026-11-21T13:00:00Z'));
		expect(await summaries(id)).toHaveLength(1);
		await monitors.send('DELETE', `/${id}`);
		await expect(service.context.monitors.toNextCheck()).rejects.toThrow('No check is scheduled');
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

	test('checks are listed by status and page, and kept as long as the monitor says', async () => {
		const { id } = await monitors.created({
			schedule: { text: 'daily' },
			retentionDays: 2,
			targets: pages(tides),
		});
		await monitors.checked(id);
		await service.clock.advance(48 * hour);
		await service.context.monitors.idle();
		const all = await monitors.checks(id);
		expect(all.map(({ trigger }) => trigger)).toEqual(['scheduled', 'scheduled']);
		const list = async (query: string) =>
			(await monitors.send<CheckBody[]>('GET', `/${id}/checks${query}`)).body.data?.map(
				(each) => each.id,
			);
		expect(await list('?limit=1&offset=1')).toEqual([all[1].id]);
		expect(await list('?status=failed')).toEqual([]);
		expect(await list('?status=completed')).toHaveLength(2);
		for (const query of ['?status=new', '?skip=1', '?limit=101']) {
			expect((await monitors.send('GET', `/${id}/checks${query}`)).status).toBe(400);
		}
	});
});
