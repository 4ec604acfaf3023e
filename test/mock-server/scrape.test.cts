import { startService, type Service } from './service.cjs';
import type { Document } from './scrape/document.cjs';
import { TestClient } from './testClient.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const hour = 3_600_000;
let service: Service;
let client: TestClient;
beforeAll(async () => {
	service = await startService();
	client = new TestClient(service);
});
afterAll(() => service.close());
beforeEach(() => service.reset());

/** The document of a scrape that must succeed. */
const scrape = async (url: string, options: Record<string, unknown> = {}): Promise<Document> => {
	const { status, body } = await client.scrape({ url, ...options });
	if (status !== 200 || !body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
	return body.data;
};

describe('files behind signed links', () => {
	const open = async (url: string | undefined) => fetch(url ?? '');

	test('a screenshot is a PNG of the viewport and dies after 24 hours', async () => {
		service.clock.hold();
		const { screenshot } = await scrape(tides, {
			formats: [{ type: 'screenshot', viewport: { width: 320, height: 200 } }],
		});
		const response = await open(screenshot);
		expect(response.headers.get('content-type')).toBe('image/png');
		const png = Buffer.from(await response.arrayBuffer());
		expect(png.subarray(1, 4).toString()).toBe('PNG');
		expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([320, 200]);
		await service.clock.advance(24 * hour - 1);
		expect((await open(screenshot)).status).toBe(200);
		await service.clock.advance(1);
		expect((await open(screenshot)).status).toBe(403);
	});

	test('audio and video come from pages that declare one, and die after an hour', async () => {
		service.clock.hold();
		const { audio, video, metadata } = await scrape(
			'https://emberroast.example/brewing/temperature',
			{
				formats: ['audio', 'video'],
			},
		);
		expect(metadata.creditsUsed).toBe(9);
		expect((await open(audio)).headers.get('content-type')).toBe('audio/mpeg');
		expect((await open(video)).headers.get('content-type')).toBe('video/mp4');
		await service.clock.advance(hour);
		expect((await open(video)).status).toBe(403);
		const none = await client.scrape({ url: tides, formats: ['audio'] });
		expect([none.status, none.body.code]).toEqual([500, 'SCRAPE_AUDIO_UNSUPPORTED_URL']);
	});
});

describe('the target', () => {
	test('redirects are followed', async () => {
		const { metadata } = await scrape('https://tidewatch.example/tides');
		expect([metadata.sourceURL, metadata.url]).toEqual(['https://tidewatch.example/tides', tides]);
	});

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

test('changeTracking compares with the previous scrape of the same tag', async () => {
	const track = async (tag: string | null) =>
		(
			await scrape(tides, {
				maxAge: 0,
				formats: [
					'markdown',
					{ type: 'changeTracking', modes: ['git-diff', 'json'], prompt: 'a', tag },
				],
			})
		).changeTracking;
	expect(await track(null)).toMatchObject({ changeStatus: 'new', previousScrapeAt: null });
	expect(await track(null)).toMatchObject({ changeStatus: 'same' });
	const markdown = service.site.find(tides)?.markdown ?? '';
	service.site.update(tides, { markdown: `${markdown}\n\nA new last line.` });
	expect(await track('other')).toMatchObject({ changeStatus: 'new' });
	expect(await track(null)).toMatchObject({
		changeStatus: 'changed',
		diff: { text: expect.stringMatching(/^\+A new last line\.$/m) },
	});
});

describe('actions', () => {
	test('leave their results in order', async () => {
		const { actions, metadata } = await scrape(tides, {
			actions: [
				{ type: 'screenshot' },
				{ type: 'scrape' },
				{ type: 'executeJavascript', script: 'document.title' },
				{ type: 'pdf', format: 'A4' },
				{ type: 'executeJavascript', script: '({ n: 1 + 1 })' },
			],
		});
		expect(actions?.scrapes).toMatchObject([{ url: tides, html: expect.stringContaining('<h1>') }]);
		expect(actions?.javascriptReturns).toEqual([
			{ type: 'string', value: metadata.title },
			{ type: 'object', value: { n: 2 } },
		]);
		const file = await fetch(actions?.pdfs[0] ?? '');
		expect(
			Buffer.from(await file.arrayBuffer())
				.subarray(0, 5)
				.toString(),
		).toBe('%PDF-');
		expect((await fetch(actions?.screenshots[0] ?? '')).headers.get('content-type')).toBe(
			'image/png',
		);
	});

	test('a click shows what it reveals, a wait what comes late', async () => {
		const changelog = 'https://docs.relayworks.example/changelog';
		const click = { type: 'click', selector: '#older-releases-button' };
		expect((await scrape(changelog)).markdown).not.toContain('First release of the');
		expect((await scrape(changelog, { actions: [click] })).markdown).toContain(
			'First release of the',
		);
		service.clock.hold();
		const reply = scrape('https://tidewatch.example/stations/live', { waitFor: 1500 });
		await service.clock.untilWaiting(2);
		await service.clock.advance(4500);
		expect((await reply).markdown).toContain('Levels now');
	});

	test.each([
		['a click on nothing', { type: 'click', selector: '#nothing' }],
		['writing without focus', { type: 'write', text: 'a' }],
		['a script with a bare return', { type: 'executeJavascript', script: 'return 1' }],
	])('%s fails the scrape', async (_name, action) => {
		const { status, body } = await client.scrape({ url: tides, actions: [action] });
		expect([status, body.code]).toEqual([500, 'SCRAPE_ACTION_ERROR']);
	});

	test('a click on all of nothing does not fail', async () => {
		await expect(
			scrape(tides, { actions: [{ type: 'click', selector: '#nothing', all: true }] }),
		).resolves.toBeDefined();
	});

	test('writing filters a list', async () => {
		const { markdown } = await scrape('https://docs.relayworks.example/reference', {
			actions: [
				{ type: 'click', selector: '#step-list-input' },
				{ type: 'write', text: 'web' },
			],
		});
		expect(markdown).toContain('search the web');
		expect(markdown).not.toContain('loop: repeat');
	});
});

describe('GET /scrape/{id}', () => {
	const read = (id: string | undefined, key?: string) =>
		new TestClient(service, key).get<Document>(`/v2/scrape/${id}`);

	test('gives the document again, for 24 hours, to its team', async () => {
		service.clock.hold();
		const document = await scrape(tides);
		const id = document.metadata.scrapeId;
		expect((await read(id)).body.data).toEqual(document);
		expect((await read(id, service.keys.free)).status).toBe(403);
		await service.clock.advance(24 * hour);
		const { status, body } = await read(id);
		expect([status, body.error]).toEqual([404, 'Job not found.']);
	});

	test('not under zero data retention', async () => {
		const { metadata } = await scrape(tides, { zeroDataRetention: true });
		expect(metadata.creditsUsed).toBe(2);
		expect((await read(metadata.scrapeId)).status).toBe(400);
	});
});
