import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { useService } from '../useService.cjs';
import { startService, type Service } from './service.cjs';
import { request } from './testClient.cjs';

const minute = 60_000;
const secret = 'whsec_of_the_team';
let service: Service;
useService((started) => (service = started), { now: Date.parse('2026-11-21T12:00:00Z') });

/** A receiver on loopback: what it got, and what it answers next (200 when nothing is said). */
const received: Array<{
	headers: IncomingHttpHeaders;
	raw: Buffer;
	body: Record<string, unknown>;
}> = [];
let answers: Array<number | 'never'> = [];
let receiver: Server;
let hook: string;

beforeAll(async () => {
	receiver = createServer((incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const raw = Buffer.concat(chunks);
			received.push({
				headers: incoming.headers,
				raw,
				body: JSON.parse(raw.toString()) as Record<string, unknown>,
			});
			const status = answers.shift() ?? 200;
			if (status === 'never') return;
			response
				.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {})
				.end('ok');
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
	receiver.closeAllConnections();
	await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(() => {
	received.length = 0;
	answers = [];
});

const idle = () => service.context.webhooks.idle();
const types = () => received.map(({ body }) => body.type);
const only = (event: string) => ({ url: hook, events: [event] });

/** Starts a run that must be accepted. */
async function start(webhook: unknown, at = service): Promise<string> {
	const body = { prompt: 'tidal lagoon energy storage', webhook };
	const answer = await request<{ id: string }>(at, 'POST', '/v2/agent', body);
	expect(answer.status).toBe(200);
	return answer.body.id;
}

const statusOf = async (id: string) =>
	(await request<{ status: string; data: unknown }>(service, 'GET', `/v2/agent/${id}`)).body;

/** A run whose deliveries have been made. */
async function run(webhook: unknown): Promise<string> {
	const id = await start(webhook);
	await service.clock.advance(3000);
	await idle();
	return id;
}

describe('what is delivered', () => {
	test("started, actions and completed, each with the run's id and an id of its own", async () => {
		const id = await run(hook);
		expect(
			types()
				.filter((type) => type !== 'agent.action')
				.sort(),
		).toEqual(['agent.completed', 'agent.started']);
		expect(types().filter((type) => type === 'agent.action').length).toBeGreaterThan(2);
		for (const { body, headers } of received) {
			expect(body).toMatchObject({ success: true, id, metadata: {} });
			expect(headers['content-type']).toContain('application/json');
		}
		expect(new Set(received.map(({ body }) => body.webhookId)).size).toBe(received.length);
		const { data } = await statusOf(id);
		expect(received.find(({ body }) => body.type === 'agent.completed')?.body.data).toEqual([
			{ creditsUsed: 0, data },
		]);
		expect(received.find(({ body }) => body.type === 'agent.started')?.body.data).toEqual([]);
		expect(received.find(({ body }) => body.type === 'agent.action')?.body.data).toEqual([
			{
				creditsUsed: expect.any(Number) as number,
				action: expect.any(String) as string,
				input: expect.any(Object) as object,
			},
		]);
	});

	test('only the events asked for, with the configured headers and metadata', async () => {
		await run({ ...only('completed'), headers: { 'X-Flow': '7' }, metadata: { workflow: 'w1' } });
		expect(types()).toEqual(['agent.completed']);
		expect(received[0].headers['x-flow']).toBe('7');
		expect(received[0].body.metadata).toEqual({ workflow: 'w1' });
	});

	test('failed carries the error; cancelled comes when the run has stopped', async () => {
		service.context.agents.script.add({ outcome: 'failed', error: 'It broke.' });
		const id = await run(only('failed'));
		expect(received.map(({ body }) => body)).toMatchObject([
			{ type: 'agent.failed', success: false, id, error: 'It broke.', data: [{ creditsUsed: 0 }] },
		]);
		received.length = 0;
		const started = await start({ url: hook, events: ['completed', 'failed', 'cancelled'] });
		await request(service, 'DELETE', `/v2/agent/${started}`);
		await idle();
		expect(received).toEqual([]);
		await service.clock.advance(500);
		await idle();
		expect(received.map(({ body }) => [body.type, body.success])).toEqual([
			['agent.cancelled', false],
		]);
	});
});

describe('the signature', () => {
	const fits = ({ headers, raw }: (typeof received)[number]): boolean => {
		const expected = Buffer.from(
			`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`,
		);
		const given = Buffer.from(String(headers['x-firecrawl-signature']));
		return given.length === expected.length && timingSafeEqual(given, expected);
	};

	test('is the HMAC of the raw body', async () => {
		service.teams.of(service.keys.full).webhookSecret = secret;
		await run(only('completed'));
		expect(fits(received[0])).toBe(true);
	});

	test('is missing without a secret', async () => {
		await run(only('completed'));
		expect(received[0].headers).not.toHaveProperty('x-firecrawl-signature');
	});

	test('delivered again true, unsigned and wrong, under the same webhookId', async () => {
		service.teams.of(service.keys.full).webhookSecret = secret;
		await run(only('completed'));
		const { webhooks } = service.context;
		const [{ webhookId }] = webhooks.deliveries;
		for (const signature of ['valid', 'missing', 'wrong'] as const) {
			expect(await webhooks.again(webhookId, signature)).toMatchObject({ status: 200, signature });
		}
		expect(received.map(fits)).toEqual([true, true, false, false]);
		expect(received[2].headers).not.toHaveProperty('x-firecrawl-signature');
		expect(received[3].headers).toHaveProperty('x-firecrawl-signature');
		expect(new Set(received.map((each) => each.body.webhookId))).toEqual(new Set([webhookId]));
	});
});

describe('held events', () => {
	const hold = (held: boolean) => Object.assign(service.context.webhooks, { held });
	const release = (...webhookIds: string[]) => service.context.webhooks.release(webhookIds);
	const ids = () => service.context.webhooks.deliveries.map(({ webhookId }) => webhookId);

	test('come when they are released, in whatever order', async () => {
		hold(true);
		await run(hook);
		expect(received).toEqual([]);
		const backwards = ids().reverse();
		expect(backwards.length).toBeGreaterThan(3);
		await release(...backwards);
		expect(received.map(({ body }) => body.webhookId)).toEqual(backwards);
		expect(service.context.webhooks.deliveries.map(({ state }) => state)).toEqual(
			backwards.map(() => 'delivered'),
		);
	});
});

describe('repeats', () => {
	const attempts = () => service.context.webhooks.deliveries[0].attempts;
	const after = async (ms: number): Promise<number> => {
		await service.clock.advance(ms);
		await idle();
		return received.length;
	};

	test('after 1, 5 and 15 minutes, then it is given up; the id stays', async () => {
		answers = [500, 302, 404, 503];
		await run(only('completed'));
		expect(received).toHaveLength(1);
		expect([await after(minute - 1), await after(1)]).toEqual([1, 2]);
		expect([await after(5 * minute - 1), await after(1)]).toEqual([2, 3]);
		expect([await after(15 * minute - 1), await after(1)]).toEqual([3, 4]);
		expect(await after(60 * minute)).toBe(4);
		expect(service.context.webhooks.deliveries[0].state).toBe('given up');
		expect(attempts().map(({ status }) => status)).toEqual([500, 302, 404, 503]);
		expect(new Set(received.map(({ raw }) => raw.toString())).size).toBe(1);
	});

	test('an answer that takes longer than 10 s is none', async () => {
		answers = ['never', 200];
		const id = await start(only('completed'));
		await service.clock.advance(3000);
		while (received.length < 1) await new Promise((resolve) => setImmediate(resolve));
		expect([attempts()[0].status, attempts()[0].error]).toEqual([undefined, undefined]);
		expect(await after(10_000)).toBe(1);
		expect(attempts()[0].error).toMatch(/10 s/);
		expect(await after(minute)).toBe(2);
		expect((await statusOf(id)).status).toBe('completed');
	});

	test('closing the service ends an open attempt and every repeat', async () => {
		const other = await startService();
		other.clock.hold();
		answers = ['never'];
		await start(only('started'), other);
		await other.clock.advance(3000);
		while (received.length < 1) await new Promise((resolve) => setImmediate(resolve));
		await other.close();
		await other.context.webhooks.idle();
		expect(other.clock.waiting).toBe(0);
		expect(received).toHaveLength(1);
	});
});
