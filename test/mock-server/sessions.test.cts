import type { Document } from './scrape/document.cjs';
import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { keys } from './teams.cjs';
import { type Answered, request } from './testClient.cjs';

let service: Service;
useService((started) => (service = started), { now: Date.now() });

interface SessionBody {
	id: string;
	status: string;
	cdpUrl: string;
	liveViewUrl: string;
	interactiveLiveViewUrl: string;
	expiresAt: string;
	createdAt: string;
	lastActivity: string;
	streamWebView: boolean;
	sessions: SessionBody[];
	sessionDurationMs: number;
	creditsBilled: number;
	sessionId: string;
	stdout: string;
	result: string;
	stderr: string;
	exitCode: number;
	killed: boolean;
	output: string;
	error: string;
}
type Reply = Answered<SessionBody>;

const call = (method: string, path: string, body?: unknown, key?: string): Promise<Reply> =>
	request<SessionBody>(service, method, path, body, key);
const create = (body: Record<string, unknown> = {}, key?: string): Promise<Reply> =>
	call('POST', '/v2/interact', body, key);
const run = (id: string, body: Record<string, unknown>, key?: string): Promise<Reply> =>
	call('POST', `/v2/interact/${id}/execute`, body, key);
const remove = (id: string, key?: string): Promise<Reply> =>
	call('DELETE', `/v2/interact/${id}`, undefined, key);
const opened = async (body: Record<string, unknown> = {}, key?: string): Promise<string> =>
	(await create(body, key)).body.id;
const node = async (code: string, id?: string): Promise<Reply['body']> =>
	(await run(id ?? (await opened()), { code })).body;

const seconds = 1000;
const minute = 60 * seconds;
const cape = 'https://tidewatch.example/stations/cape-morrow';

describe('a session', () => {
	test('is recorded: its tab and the playlist of its video, once it has ended', async () => {
		const id = await opened();
		await node(`await page.goto('${cape}')`, id);
		await service.clock.advance(10 * seconds);
		const path = `/v2/interact/${id}/replay`;
		const early = await call('GET', path);
		expect([early.status, early.body.error]).toEqual([404, 'Replay not found.']);
		await remove(id);

		expect((await call('GET', path)).body).toEqual({
			success: true,
			pages: [
				{
					pageId: '0',
					url: `${path}/0`,
					pageUrl: cape,
					startTimeMs: 0,
					endTimeMs: 10 * seconds,
				},
			],
			pageCount: 1,
		});
		const { status, text } = await call('GET', `${path}/0`);
		expect(status).toBe(200);
		expect(text).toMatch(/^#EXTM3U\n/);
		expect(text).toMatch(/^#EXTINF:10\.000,$/m);
		expect(text).toMatch(/#EXT-X-ENDLIST\n$/);
	});

	test('ends when it is too old, and is charged by its exact time', async () => {
		const id = await opened({ ttl: 90, activityTtl: 3600 });
		await service.clock.advance(90 * seconds - 1);
		expect((await run(id, { code: '1' })).status).toBe(200);
		await service.clock.advance(1);
		expect((await run(id, { code: '1' })).status).toBe(410);
		expect((await remove(id)).status).toBe(410);
		expect(service.ledger.entries).toMatchObject([{ jobId: id, credits: 3 }]);
	});

	test('another team’s, an unknown one', async () => {
		const id = await opened();
		expect((await run(id, { code: '1' }, keys.plain)).status).toBe(403);
		expect((await remove(id, keys.plain)).status).toBe(403);
		expect((await remove('3d8f7f0e-5a65-4f6b-9d3f-7d0f2c8a9b11')).status).toBe(404);
	});

	test('as many as the plan has browsers', async () => {
		service.teams.of(keys.full).concurrency = 2;
		const first = await opened();
		await opened();
		const { status, body } = await create();
		expect([status, body.error]).toEqual([429, expect.stringContaining('maximum number')]);
		await remove(first);
		expect((await create()).status).toBe(200);
	});

	test('no credits, a key of another scope, self-hosted', async () => {
		expect((await create({}, keys.empty)).status).toBe(402);
		expect((await create({}, keys.scrapeOnly)).status).toBe(403);
		service.context.options.authentication = false;
		expect((await create()).status).toBe(501);
	});

	test.each<[string, Record<string, unknown>]>([
		['half seconds', { ttl: 30.5 }],
		['a profile without a name', { profile: {} }],
		['a long name', { profile: { name: 'x'.repeat(129) } }],
		['an unknown key', { timeout: 30 }],
		['null', { ttl: null }],
	])('%s: 400', async (_name, body) => {
		expect((await create(body)).status).toBe(400);
	});
});

describe('on a scraped page', () => {
	const scrape = async (body: Record<string, unknown> = {}, key?: string): Promise<string> => {
		const { body: answer } = await request<{ data: Document }>(
			service,
			'POST',
			'/v2/scrape',
			{ url: cape, ...body },
			key,
		);
		return String(answer.data.metadata.scrapeId);
	};
	const interact = (id: string, body: Record<string, unknown>, key?: string): Promise<Reply> =>
		call('POST', `/v2/scrape/${id}/interact`, body, key);
	const stop = (id: string, key?: string): Promise<Reply> =>
		call('DELETE', `/v2/scrape/${id}/interact`, undefined, key);

	test('code runs where the scrape was, in one session until it is stopped', async () => {
		const id = await scrape();
		const charged = service.ledger.spent('team-full');
		const first = await interact(id, { code: '1' });
		const second = await interact(id, { code: 'console.log(page.url())' });
		expect([second.body.sessionId, second.body.stdout]).toEqual([
			first.body.sessionId,
			`${cape}\n`,
		]);
		await service.clock.advance(2 * minute);
		expect((await stop(id)).body).toEqual({
			success: true,
			sessionDurationMs: 120_000,
			creditsBilled: 4,
		});
		expect(service.ledger.spent('team-full') - charged).toBe(4);
		expect((await interact(id, { code: '1' })).status).toBe(410);
		expect((await stop(id)).status).toBe(404);
	});

	test('a page that cannot be opened again: 409', async () => {
		const kept = await scrape();
		const forgotten = await scrape({ zeroDataRetention: true });
		expect((await interact(forgotten, { code: '1' })).status).toBe(409);
		await service.clock.advance(60 * minute);
		expect((await interact(kept, { code: '1' })).body.error).toContain('rerun the scrape');
	});

	test('bad ids, unknown scrapes, other teams, self-hosted', async () => {
		const id = await scrape();
		const unknown = '3d8f7f0e-5a65-4f6b-9d3f-7d0f2c8a9b11';
		expect((await interact('nothing', { code: '1' })).status).toBe(400);
		expect((await interact(unknown, { code: '1' })).status).toBe(404);
		expect((await stop(unknown)).status).toBe(404);
		expect((await interact(id, { code: '1' }, keys.plain)).status).toBe(403);
		await interact(id, { code: '1' });
		expect((await stop(id, keys.plain)).status).toBe(403);
		service.context.options.authentication = false;
		expect((await interact(id, { code: '1' })).status).toBe(501);
	});
});
