import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { request } from './testClient.cjs';

const day = 86_400_000;
const tides = 'https://tidewatch.example/guides/spring-tides';
let service: Service;
useService((started) => (service = started), { now: Date.parse('2026-11-21T12:00:00Z') });

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
	test('refuses what it does not know', async () => {
		expect((await get('/team/credit-usage/historical?byApiKey=yes')).status).toBe(400);
		expect((await get('/team/credit-usage/historical?from=2026')).status).toBe(400);
	});
});

describe('activity', () => {
	test('failed requests and jobs of the day before are not in it', async () => {
		await scrape();
		await service.clock.advance(day);
		await request(service, 'POST', '/v2/scrape', { url: 'nowhere' });
		await scrape('https://no-such-host.example/');
		expect((await activity()).body.data).toEqual([]);
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
