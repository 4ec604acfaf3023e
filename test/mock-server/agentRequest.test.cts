import { AgentClient } from './agent/agentClient.cjs';
import { request } from './request.cjs';
import { startService, type Service } from './service.cjs';

const day = 86_400_000;
let service: Service;
let agents: AgentClient;
beforeAll(async () => {
	service = await startService();
	agents = new AgentClient(service);
});
afterAll(() => service.close());
beforeEach(() => {
	service.reset();
	service.clock.hold(Date.parse('2026-11-21T12:00:00Z'));
});

const threadId = '11111111-2222-4333-8444-555555555555';

describe('refused with 400, and no run begins', () => {
	test.each<[string, object, string]>([
		['no prompt', { prompt: undefined }, 'prompt'],
		['an empty prompt', { prompt: '' }, 'prompt'],
		['a prompt over 10 000', { prompt: 'x'.repeat(10_001) }, 'prompt'],
		['an address that is none', { urls: ['ftp://x.example'] }, 'urls.0'],
		['urls as text', { urls: 'https://tidewatch.example' }, 'urls'],
		['a schema as text', { schema: '{}' }, 'schema'],
		['maxCredits 0', { maxCredits: 0 }, 'maxCredits'],
		['an unknown model', { model: 'spark-3' }, 'model'],
		['an unknown effort', { effort: 'huge' }, 'effort'],
		['an unknown mode', { mode: 'talk' }, 'mode'],
		['a threadId that is no UUID', { threadId: 'x' }, 'threadId'],
		['an unknown key', { promt: 'x' }, ''],
		['null in place of nothing', { effort: null }, 'effort'],
		['a webhook that is no address', { webhook: 'nowhere' }, 'webhook'],
		['an unknown event', { webhook: { url: 'https://x.example/', events: ['page'] } }, 'webhook'],
		['audit metadata without username', { auditMetadata: {} }, 'auditMetadata.username'],
		[
			'six toolkits',
			{ exchange: { toolkits: ['a', 'b', 'c', 'd', 'e', 'f'] } },
			'exchange.toolkits',
		],
		['maxCalls 0', { exchange: { maxCalls: 0 } }, 'exchange.maxCalls'],
		['maxCalls 31', { exchange: { maxCalls: 31 } }, 'exchange.maxCalls'],
		['an unknown key of exchange', { exchange: { foo: 1 } }, 'exchange'],
		['requireApproval without chat', { exchange: { requireApproval: true } }, 'mode'],
		['approve without threadId', { exchange: { approve: { approvalId: 'a' } } }, 'threadId'],
		[
			'approve and decline',
			{ threadId, exchange: { approve: { approvalId: 'a' }, decline: { approvalId: 'a' } } },
			'exchange.decline',
		],
	])('%s', async (_name, change, path) => {
		const { status, body } = await agents.post({ prompt: 'tides', ...change });
		expect([status, body.success, body.code]).toEqual([400, false, 'BAD_REQUEST']);
		expect(body.details?.map((detail) => detail.path.join('.'))).toContain(path);
		expect(service.context.agents.jobs).toEqual([]);
	});

	test.each([
		{ type: 'thing' },
		{ type: 'object', properties: [] },
		{ type: 'object', required: 'title' },
		{ $ref: '#/definitions/none' },
		{ type: 'array', items: { type: 5 } },
		{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
		{ type: 'object', properties: { price: { type: 'number', example: 9.5 } } },
		{ type: 'object', properties: { price: { type: 'string', format: 'currency' } } },
		{ type: 'array', prefixItems: [{ type: 'string' }] },
	])('a schema that is no JSON Schema of draft 7: %j', async (schema) => {
		const { status, body } = await agents.post({ prompt: 'tides', schema });
		expect([status, body.error]).toEqual([400, expect.stringMatching(/^Invalid JSON schema: ./)]);
	});

	test.each([
		{
			$schema: 'http://json-schema.org/draft-07/schema#',
			$id: 'x',
			type: 'object',
			definitions: {},
		},
		{ type: ['object', 'null'], properties: { a: { type: 'string', format: 'date' } } },
		{},
	])('a schema that is one: %j', async (schema) => {
		expect((await agents.post({ prompt: 'tides', schema })).status).toBe(200);
		expect((await agents.post({ prompt: 'tides', schema })).status).toBe(200);
	});
});

describe('rights', () => {
	test('none without a key, none with another scope, none under zero data retention', async () => {
		expect((await request(service, 'POST', '/v2/agent', { prompt: 'x' }, null)).status).toBe(401);
		expect(
			(await new AgentClient(service, service.keys.searchOnly).post({ prompt: 'x' })).status,
		).toBe(403);
		const { status, body } = await new AgentClient(service, service.keys.zdr).post({ prompt: 'x' });
		expect([status, body.error]).toEqual([
			400,
			'Your team has zero data retention enabled. This is not supported on extract.',
		]);
	});

	test('threat protection: not enabled, not overridable, a blocked address (its scan is billed)', async () => {
		const body = {
			prompt: 'x',
			threatProtection: { mode: 'normal' },
			urls: ['https://tidewatch.example/', 'https://phish.example/'],
		};
		expect((await new AgentClient(service, service.keys.plain).post(body)).status).toBe(403);
		expect((await new AgentClient(service, service.keys.noOverrides).post(body)).status).toBe(403);
		const blocked = await agents.post(body);
		expect([blocked.status, blocked.body.code]).toEqual([403, 'unsafe_domain_blocked']);
		expect(service.ledger.spent('team-full')).toBe(4);
		expect((await agents.post({ ...body, urls: body.urls.slice(0, 1) })).status).toBe(200);
	});

	test("the team's agent starts per minute: 429, and the next window lets it in", async () => {
		const free = new AgentClient(service, service.keys.free);
		const statuses = [];
		for (let start = 0; start < 3; start++)
			statuses.push((await free.post({ prompt: 'x' })).status);
		expect(statuses).toEqual([200, 200, 429]);
		await service.clock.advance(60_000);
		expect((await free.post({ prompt: 'x' })).status).toBe(200);
	});

	test('an agent service that rejects the job: 500 by a fault, nothing begins', async () => {
		service.faults.add({
			kind: 'status',
			status: 500,
			error: 'Failed to passthrough agent request.',
			path: '/v2/agent',
		});
		const { status, body } = await agents.post({ prompt: 'x' });
		expect([status, body.error]).toEqual([500, 'Failed to passthrough agent request.']);
		expect(service.context.agents.jobs).toEqual([]);
	});
});

describe('the bill', () => {
	const spent = () => service.ledger.spent('team-full');

	test('five runs a day are free, then the steps are paid, and the next day is free again', async () => {
		const credits = [];
		for (let run = 0; run < 6; run++) credits.push((await agents.run()).creditsUsed);
		expect(credits.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
		expect(credits[5]).toBeGreaterThan(0);
		expect(spent()).toBe(credits[5]);
		const low = (await agents.run({ effort: 'low' })).creditsUsed;
		const high = (await agents.run({ effort: 'high' })).creditsUsed;
		expect(low).toBeLessThan(credits[5] ?? 0);
		expect(high).toBeGreaterThan(credits[5] ?? 0);
		await service.clock.advance(day / 2);
		expect((await agents.run()).creditsUsed).toBe(0);
	});

	test('a run that may spend over 2500 is never free', async () => {
		expect((await agents.run({ maxCredits: 2501 })).creditsUsed).toBeGreaterThan(0);
		expect((await agents.run({ maxCredits: 2500 })).creditsUsed).toBe(0);
	});

	test("charged at the end, under the run's id; failed runs cost nothing and use up no free run", async () => {
		await agents.control('next', { outcome: 'failed', count: 7 });
		for (let run = 0; run < 7; run++) await agents.run();
		expect(spent()).toBe(0);
		expect((await agents.run()).creditsUsed).toBe(0);
		const { id } = await agents.start({ maxCredits: 3000 });
		expect(spent()).toBe(0);
		await service.clock.advance(3000);
		expect(service.ledger.entries.at(-1)).toMatchObject({
			jobId: id,
			endpoint: '/v2/agent',
			credits: spent(),
		});
	});

	test('while a run goes on its trace estimates what it will cost', async () => {
		const { id } = await agents.start({ maxCredits: 3000 });
		const estimates = [];
		for (let step = 0; step < 3; step++) {
			await service.clock.advance(1000);
			estimates.push((await agents.get<{ creditsUsed: number }>(`/${id}/trace`)).body.creditsUsed);
		}
		expect(estimates[0]).toBeLessThan(estimates[1]);
		expect(estimates[1]).toBeLessThan(estimates[2]);
		expect(estimates[2]).toBe(spent());
	});

	test('a price by script; above maxCredits it is the credit limit', async () => {
		await agents.control('next', { credits: 777, count: 2 });
		expect((await agents.run({ maxCredits: 3000 })).creditsUsed).toBe(777);
		expect(await agents.run({ maxCredits: 700 })).toMatchObject({
			status: 'failed',
			creditsUsed: 0,
		});
	});

	test('under 20 credits: free runs go on, paid ones are 402', async () => {
		const low = new AgentClient(service, service.keys.low);
		expect((await low.post({ prompt: 'x', maxCredits: 2501 })).status).toBe(402);
		for (let run = 0; run < 5; run++) expect((await low.post({ prompt: 'x' })).status).toBe(200);
		const { status, body } = await low.post({ prompt: 'x' });
		expect([status, body.error]).toEqual([402, 'Payment Required: Insufficient credits']);
	});
});
