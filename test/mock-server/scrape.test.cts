import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import type { Document } from './scrape/document.cjs';
import { TestClient } from './testClient.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const hour = 3_600_000;
let service: Service;
let client: TestClient;
useService((started) => {
	service = started;
	client = new TestClient(service);
});

/** The document of a scrape that must succeed. */
const scrape = async (url: string, options: Record<string, unknown> = {}): Promise<Document> => {
	const { status, body } = await client.scrape({ url, ...options });
	if (status !== 200 || !body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
	return body.data;
};

describe('the target', () => {
	test.each([
		['https://tidewatch.example/nothing', 404],
		['https://tidewatch.example/control-room', 403],
	])('%s answers %d: success, billed, the status in the metadata', async (url, statusCode) => {
		const { metadata } = await scrape(url);
		expect(metadata).toMatchObject({ statusCode, creditsUsed: 1, error: expect.any(String) });
	});

	test('a name that does not resolve: 200 without success, not billed', async () => {
		const { status, body } = await client.scrape({ url: 'nowhere-at-all.example/page' });
		expect([status, body.success, body.code]).toEqual([200, false, 'SCRAPE_DNS_RESOLUTION_ERROR']);
		expect(service.ledger.entries).toEqual([]);
	});

	test('a slow page over the timeout: 408, not billed', async () => {
		service.clock.hold();
		const reply = client.scrape({ url: 'https://tidewatch.example/stations/live', timeout: 2_000 });
		await service.clock.untilWaiting(2);
		await service.clock.advance(2_000);
		const { status, body } = await reply;
		expect([status, body.code]).toEqual([408, 'SCRAPE_TIMEOUT']);
		await service.clock.advance(hour);
		expect(service.ledger.entries).toEqual([]);
	});

	test('a dangerous one: 403, the scan is billed', async () => {
		service.context.threats.scores.set('tidewatch.example', 80);
		const { status, body } = await client.scrape({
			url: tides,
			threatProtection: { mode: 'normal' },
		});
		expect([status, body.code]).toEqual([403, 'unsafe_domain_blocked']);
		expect(service.log.entries.at(-1)?.credits).toBe(2);
		const bold = await scrape(tides, {
			threatProtection: { mode: 'normal', riskScoreThreshold: 90 },
		});
		expect(bold.metadata.creditsUsed).toBe(3);
	});
});

describe('the cache, on the clock', () => {
	const day = 24 * hour;
	const state = async (options: Record<string, unknown> = {}) =>
		(await scrape(tides, options)).metadata.cacheState;

	test('serves for two days, or as maxAge says', async () => {
		service.clock.hold();
		expect(await state()).toBe('miss');
		await service.clock.advance(2 * day);
		expect(await state()).toBe('hit');
		expect(await state({ maxAge: 0 })).toBe('miss');
		await service.clock.advance(2 * day + 1);
		expect(await state({ maxAge: 3 * day })).toBe('hit');
		expect(await state()).toBe('miss');
	});

	test('storeInCache false, headers and actions keep out of it', async () => {
		expect(await state({ storeInCache: false })).toBe('miss');
		expect(await state({ headers: { cookie: 'a=b' } })).toBe('miss');
		expect(await state({ actions: [{ type: 'scrape' }] })).toBe('miss');
		expect(await state()).toBe('miss');
		expect(await state({ headers: { cookie: 'a=b' } })).toBe('miss');
		expect(await state()).toBe('hit');
	});

	test('minAge asks only the cache', async () => {
		service.clock.hold();
		const none = await client.scrape({ url: tides, minAge: 1 });
		expect([none.status, none.body.code]).toEqual([404, 'SCRAPE_NO_CACHED_DATA']);
		await scrape(tides);
		expect(await state({ minAge: 1 })).toBe('hit');
		expect((await client.scrape({ url: tides, minAge: hour })).status).toBe(404);
		await service.clock.advance(hour);
		expect(await state({ minAge: hour })).toBe('hit');
	});

	test('lockdown: 5 credits on a hit, 1 on a miss', async () => {
		const miss = await client.scrape({ url: tides, lockdown: true });
		expect([miss.status, miss.body.code]).toEqual([404, 'SCRAPE_LOCKDOWN_CACHE_MISS']);
		expect(service.log.entries.at(-1)?.credits).toBe(1);
		await scrape(tides);
		expect((await scrape(tides, { lockdown: true })).metadata.creditsUsed).toBe(5);
	});
});

describe('the cache does not serve', () => {
	it.each([
		['change tracking', { formats: ['markdown', 'changeTracking'] }],
		['branding', { formats: ['markdown', 'branding'] }],
		['a screenshot of its own size', { formats: [{ type: 'screenshot', quality: 50 }] }],
		['a file by pages', { parsers: [{ type: 'pdf', pages: true }] }],
	])('%s: the page is visited, whatever its age may be', async (_name, options) => {
		await scrape(tides);
		const { metadata } = await scrape(tides, { ...options, maxAge: hour });
		expect(metadata.cacheState).toBe('miss');
	});

	it('but a screenshot as it is', async () => {
		await scrape(tides);
		const { metadata } = await scrape(tides, { formats: ['screenshot'], maxAge: hour });
		expect(metadata.cacheState).toBe('hit');
	});
});

describe('GET /scrape/{id}', () => {
	const read = (id: string | undefined, key?: string) =>
		new TestClient(service, key).get<Document>(`/v2/scrape/${id}`);

	test('not under zero data retention', async () => {
		const { metadata } = await scrape(tides, { zeroDataRetention: true });
		expect(metadata.creditsUsed).toBe(2);
		expect((await read(metadata.scrapeId)).status).toBe(400);
	});
});
