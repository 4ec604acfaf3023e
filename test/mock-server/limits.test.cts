import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import type { RetryHint, Team } from './teams.cjs';
import { TestClient, type Reply } from './testClient.cjs';

const key = 'fc-11111111111111111111111111111111';
const start = Date.parse('2026-11-21T12:00:00Z');
let service: Service;
let client: TestClient;
useService(
	(started) => {
		service = started;
		client = new TestClient(service, key);
	},
	{ now: start },
);

const team = (change: Partial<Team>): Team => service.teams.add({ id: 'limited', ...change }, key);
const search = (): Promise<Reply> => client.search({ query: 'tide', limit: 1 });

describe('requests per minute', () => {
	test.each<[RetryHint, (reply: Reply) => void]>([
		['header', ({ headers }) => expect(headers.get('retry-after')).toBe('60')],
		[
			'date',
			({ headers }) => expect(Date.parse(headers.get('retry-after') ?? '')).toBe(start + 60_000),
		],
		[
			'text',
			({ headers, body }) => {
				expect(headers.get('retry-after')).toBeNull();
				expect(body.error).toMatch(/please retry after 60s, resets at/);
			},
		],
		[
			'details',
			({ headers, body }) => {
				expect(headers.get('retry-after')).toBeNull();
				expect(body.details).toEqual({ retryAfterSeconds: 60 });
			},
		],
		[
			'none',
			({ headers, body }) => {
				expect(headers.get('retry-after')).toBeNull();
				expect(body).toEqual({ success: false, error: 'Rate limit exceeded' });
			},
		],
	])('the hint %s', async (retryHint, expectHint) => {
		team({ ratePerMinute: { search: 2 }, retryHint });
		expect([(await search()).status, (await search()).status]).toEqual([200, 200]);
		const refused = await search();
		expect(refused.status).toBe(429);
		expectHint(refused);
		expect(service.log.entries.at(-1)?.credits).toBe(0);
	});

	test('the window ends a minute after its first request', async () => {
		team({ ratePerMinute: { search: 1 } });
		expect((await search()).status).toBe(200);
		await service.clock.advance(59_000);
		const late = await search();
		expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1']);
		await service.clock.advance(1_000);
		expect((await search()).status).toBe(200);
	});

	test('is the team’s, whichever key; other endpoints have their own', async () => {
		team({ ratePerMinute: { search: 1, scrape: 1 } });
		const second = 'fc-22222222222222222222222222222222';
		service.teams.add(service.teams.of(key), second);
		expect((await search()).status).toBe(200);
		const other = new TestClient(service, second);
		expect((await other.search({ query: 'tide' })).status).toBe(429);
		expect((await other.scrape({ url: 'https://tidewatch.example/' })).status).toBe(200);
	});
});

describe('concurrency', () => {
	/** Holds a slot until the clock moves on by `ms`. */
	const occupy = async (ms: number): Promise<Promise<Reply>> => {
		const waiting = service.clock.waiting;
		service.faults.add({ kind: 'delay', stage: 'during', delayMs: ms, path: '/v2/search' });
		const reply = search();
		await service.clock.untilWaiting(waiting + 2);
		return reply;
	};

	test('a full team is refused, a freed slot taken again', async () => {
		team({ concurrency: 1 });
		const held = { reply: occupy(5_000) };
		await service.clock.untilWaiting(2);
		const refused = await search();
		expect([refused.status, refused.body.error]).toEqual([429, 'Concurrency limit reached']);
		expect(refused.headers.get('retry-after')).toBe('1');
		await service.clock.advance(5_000);
		expect((await held.reply).status).toBe(200);
		expect((await search()).status).toBe(200);
	});
});

test('a search past its timeout is 408 and costs nothing', async () => {
	team({});
	service.faults.add({ kind: 'delay', stage: 'during', delayMs: 90_000, path: '/v2/search' });
	const slow = client.search({ query: 'tide', timeout: 10_000 });
	await service.clock.untilWaiting(2);
	await service.clock.advance(10_000);
	const { status, body } = await slow;
	expect([status, body.code]).toEqual([408, 'SCRAPE_TIMEOUT']);
	await service.clock.advance(90_000);
	expect(service.ledger.entries).toEqual([]);
});
