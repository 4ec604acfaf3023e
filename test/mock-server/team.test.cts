import { request } from './request.cjs';
import { startService, type Service } from './service.cjs';

const day = 86_400_000;
const tides = 'https://tidewatch.example/guides/spring-tides';
let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());
beforeEach(() => {
	service.reset();
	service.clock.hold(Date.parse('2026-11-21T12:00:00Z'));
});

interface Activity {
	data: Array<{ id: string; endpoint: string; created_at: string; target: string | null }>;
	cursor: string | null;
	has_more: boolean;
}
const get = <T,>(path: string, key?: string | null) =>
	request<T>(service, 'GET', `/v2${path}`, undefined, key);
const scrape = (url = tides, key?: string) =>
	request<{ data: { metadata: { scrapeId: string } } }>(
		service,
		'POST',
		'/v2/scrape',
		{ url },
		key,
	);
const search = (query: string, key?: string) =>
	request<{ id: string }>(service, 'POST', '/v2/search', { query, limit: 10 }, key);
const activity = (query = '') => get<Activity>(`/team/activity${query}`);

describe('credit history', () => {
	interface History {
		periods: Array<{ startDate: string; endDate: string; apiKey: string | null }>;
	}

	test('one period per calendar month with spending, summed from the ledger', async () => {
		await scrape();
		await search('tide');
		await service.clock.advance(15 * day);
		await scrape();
		const { body } = await get<History>('/team/credit-usage/historical');
		expect(body).toEqual({
			success: true,
			periods: [
				{
					startDate: '2026-11-01T00:00:00.000Z',
					endDate: '2026-12-01T00:00:00.000Z',
					apiKey: null,
					totalCredits: 3,
				},
				{
					startDate: '2026-12-01T00:00:00.000Z',
					endDate: '2027-01-01T00:00:00.000Z',
					apiKey: null,
					totalCredits: 1,
				},
			],
		});
	});

	test('by key, one period for each key of the team that spent something', async () => {
		await scrape();
		await search('tide', service.keys.searchOnly);
		await scrape(tides, service.keys.plain);
		const { body } = await get<History>('/team/credit-usage/historical?byApiKey=true');
		const label = (key: string) => service.teams.key(key)?.label;
		expect(body.periods).toMatchObject([
			{ apiKey: label(service.keys.full), totalCredits: 1 },
			{ apiKey: label(service.keys.searchOnly), totalCredits: 2 },
		]);
	});

	test('refuses what it does not know', async () => {
		expect((await get('/team/credit-usage/historical?byApiKey=yes')).status).toBe(400);
		expect((await get('/team/credit-usage/historical?from=2026')).status).toBe(400);
	});
});

describe('queue status', () => {
	const status = () => get<Record<string, unknown>>('/team/queue-status');

	test('counts what is at work and what waits, and knows the last success', async () => {
		Object.assign(service.teams.of(service.keys.full), { concurrency: 1, whenFull: 'queue' });
		expect((await status()).body).toEqual({
			success: true,
			jobsInQueue: 0,
			activeJobsInQueue: 0,
			waitingJobsInQueue: 0,
			maxConcurrency: 1,
			mostRecentSuccess: null,
		});
		service.faults.add({ kind: 'delay', delayMs: 5000, stage: 'during', path: '/v2/scrape' });
		const both = [scrape(), scrape()];
		// Both deadlines, the injected delay, and the second one's wait for the slot.
		await service.clock.untilWaiting(3);
		expect((await status()).body).toMatchObject({
			jobsInQueue: 2,
			activeJobsInQueue: 1,
			waitingJobsInQueue: 1,
		});
		const { body } = await get('/concurrency-check');
		expect(body).toEqual({ success: true, concurrency: 1, maxConcurrency: 1 });
		await service.clock.advance(5000);
		await Promise.all(both);
		expect((await status()).body).toMatchObject({
			jobsInQueue: 0,
			mostRecentSuccess: '2026-11-21T12:00:05.000Z',
		});
	});
});

describe('activity', () => {
	test("the team's jobs of a day, newest first, by the id that each can be asked for", async () => {
		const { body: found } = await search('spring tides');
		await service.clock.advance(1000);
		const { body: scraped } = await scrape();
		await scrape(tides, service.keys.plain);
		const { body } = await activity();
		expect(body.data).toEqual([
			{
				id: scraped.data.metadata.scrapeId,
				endpoint: 'scrape',
				api_version: 'v2',
				created_at: '2026-11-21T12:00:01.000Z',
				target: tides,
			},
			{
				id: found.id,
				endpoint: 'search',
				api_version: 'v2',
				created_at: '2026-11-21T12:00:00.000Z',
				target: 'spring tides',
			},
		]);
		expect(body).toMatchObject({ cursor: null, has_more: false });
		expect((await get(`/scrape/${body.data[0].id}`)).status).toBe(200);
	});

	test('failed requests and jobs of the day before are not in it', async () => {
		await scrape();
		await service.clock.advance(day);
		await request(service, 'POST', '/v2/scrape', { url: 'nowhere' });
		await scrape('https://no-such-host.example/');
		expect((await activity()).body.data).toEqual([]);
	});

	test('filtered by endpoint', async () => {
		await search('tide');
		await scrape();
		const { body } = await activity('?endpoint=search');
		expect(body.data.map(({ endpoint }) => endpoint)).toEqual(['search']);
		expect((await activity('?endpoint=parse')).status).toBe(400);
	});

	test('calls of data tools are of a kind of their own', async () => {
		const call = { provider: 'relayworks', capability: 'template-search', options: { query: 'a' } };
		await scrape();
		const { body } = await request<{ scrape_id: string }>(service, 'POST', '/v2/scrape', {
			alexandria: call,
		});
		const { data } = (await activity('?endpoint=alexandria')).body;
		expect(data).toMatchObject([{ id: body.scrape_id, endpoint: 'alexandria', target: null }]);
	});

	test('paged by cursor: new jobs neither repeat nor hide one', async () => {
		const ids: string[] = [];
		for (const query of ['a tide', 'b tide', 'c tide', 'd tide', 'e tide']) {
			ids.unshift((await search(query)).body.id);
		}
		const seen: string[] = [];
		let cursor: string | null = '';
		while (cursor !== null) {
			const { body }: { body: Activity } = await activity(
				`?limit=2${cursor && `&cursor=${cursor}`}`,
			);
			seen.push(...body.data.map(({ id }) => id));
			expect(body.has_more).toBe(body.cursor !== null);
			cursor = body.cursor;
			await search('another tide');
		}
		expect(seen).toEqual(ids);
	});

	test.each(['?limit=0', '?limit=101', '?limit=x', '?cursor=bm90LWhlcmU', '?page=2'])(
		'%s is 400',
		async (query) => {
			expect((await activity(query)).status).toBe(400);
		},
	);

	test('is 501 on a server of one’s own', async () => {
		service.context.options.authentication = false;
		expect((await activity()).status).toBe(501);
	});
});

test.each(['/team/queue-status', '/team/activity', '/concurrency-check'])(
	'%s needs a key, whatever its scopes',
	async (path) => {
		expect((await get(path, null)).status).toBe(401);
		expect((await get(path, service.keys.searchOnly)).status).toBe(200);
	},
);
