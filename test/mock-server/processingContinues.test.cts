import { request, type Answered } from './request.cjs';
import type { Document } from './scrape/document.cjs';
import { startService, type Service } from './service.cjs';

/** Large documents on `POST /scrape`. */
let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());
beforeEach(() => {
	service.reset();
	service.clock.hold();
});

const url = 'https://portoffice.example/internal/perpetua-logbook.pdf';

interface Body {
	data: Document;
	details: {
		state: string;
		documentPages: number;
		jobStatus: string;
		estimatedRemainingSeconds: number;
		retryAfterSeconds: number;
	};
}
const scrape = (change: object = {}, key?: string): Promise<Answered<Body>> =>
	request<Body>(service, 'POST', '/v2/scrape', { url, ...change }, key);

/** Lets the clock go once the documents under way wait for nothing but time. */
async function pass(ms: number, documents = 1): Promise<void> {
	await service.clock.untilWaiting(2 * documents);
	await service.clock.advance(ms);
}

const spent = (): number => service.ledger.spent('team-full');

test('a request that cannot wait is told when to ask again', async () => {
	const { status, headers, body } = await scrape();
	expect(status).toBe(408);
	expect(headers.get('retry-after')).toBe('90');
	expect(body).toMatchObject({
		success: false,
		code: 'SCRAPE_TIMEOUT',
		error: expect.any(String),
		details: {
			state: 'processing_continues',
			documentPages: 12,
			jobStatus: 'running',
			estimatedRemainingSeconds: 90,
			retryAfterSeconds: 90,
		},
	});
});

test('the same request later says what is left, and collects the result: paid once', async () => {
	await scrape({ timeout: 10_000 });
	await pass(45_000);
	const again = await scrape({ timeout: 10_000 });
	expect([again.status, again.headers.get('retry-after')]).toEqual([408, '45']);
	expect(spent()).toBe(0);
	await service.clock.advance(45_000);
	const { status, body } = await scrape({ timeout: 10_000 });
	expect(status).toBe(200);
	expect(body.data.metadata).toMatchObject({ statusCode: 200, numPages: 12, creditsUsed: 12 });
	expect(body.data.markdown).toContain('# Lightship Perpetua');
	expect(spent()).toBe(12);
	expect(service.ledger.entries.map(({ jobId }) => jobId)).toEqual([body.data.metadata.scrapeId]);
});

test('a request joins and waits when the rest fits into its timeout', async () => {
	await scrape();
	await pass(40_000);
	const waiting = scrape();
	await pass(50_000);
	expect((await waiting).status).toBe(200);
	expect(spent()).toBe(12);
});

test('the result is collected once; then the document is read anew', async () => {
	await scrape();
	await pass(90_000);
	expect((await scrape()).status).toBe(200);
	expect((await scrape()).status).toBe(408);
	await pass(90_000);
	expect((await scrape()).status).toBe(200);
	expect(spent()).toBe(24);
});

test.each([
	['another option', { onlyMainContent: false }, undefined],
	['another timeout', { timeout: 59_000 }, undefined],
	['another team', {}, 'fc-b1a0000000000000000000000000aa02'],
])('%s starts another scrape', async (_name, change, key) => {
	await scrape();
	await pass(70_000);
	const other = await scrape(change, key);
	expect([other.status, other.body.details.estimatedRemainingSeconds]).toEqual([408, 90]);
	await pass(20_000, 2);
	expect((await scrape()).status).toBe(200);
	expect((await scrape(change, key)).status).toBe(408);
});

test('the document is paid when it is done, also if nobody collects it', async () => {
	await scrape();
	await pass(90_000);
	const [entry] = service.log.of('POST', '/v2/scrape');
	await service.clock.untilWaiting(0);
	expect((await scrape()).status).toBe(200);
	expect(service.ledger.entries.map(({ requestId }) => requestId)).toEqual([entry.id]);
});

test('collecting asks for no credits any more', async () => {
	service.teams.of(service.keys.full).credits = 12;
	await scrape();
	await pass(90_000);
	expect((await scrape()).status).toBe(200);
	expect((await scrape()).status).toBe(402);
});

test('a result that nobody collects is gone after a day', async () => {
	await scrape();
	await pass(90_000);
	await service.clock.advance(86_400_000);
	expect((await scrape()).status).toBe(408);
});

test.each([
	['a timeout that is long enough', { timeout: 120_000 }],
	['pages that are not parsed', { parsers: [] }],
])('%s needs no second request', async (_name, change) => {
	const waiting = scrape(change);
	if ('timeout' in change) await pass(90_000);
	expect((await waiting).status).toBe(200);
	expect(service.log.of('POST', '/v2/scrape')).toHaveLength(1);
});

test('an ordinary page that is too slow is an ordinary timeout', async () => {
	const waiting = scrape({ url: 'https://tidewatch.example/stations/live', timeout: 1000 });
	await service.clock.untilWaiting(2);
	await service.clock.advance(1000);
	const { status, body, headers } = await waiting;
	expect([status, body.code, body.details]).toEqual([408, 'SCRAPE_TIMEOUT', undefined]);
	expect(headers.get('retry-after')).toBeNull();
});

test('so is one for an ordinary page that was held up for longer than it may wait', async () => {
	service.faults.add({ kind: 'delay', delayMs: 70_000, path: '/v2/scrape' });
	const waiting = scrape({ url: 'https://tidewatch.example/guides/spring-tides' });
	await service.clock.untilWaiting(1);
	await service.clock.advance(70_000);
	const { status, body } = await waiting;
	expect([status, body.code, body.details]).toEqual([408, 'SCRAPE_TIMEOUT', undefined]);
	expect(spent()).toBe(0);
});
