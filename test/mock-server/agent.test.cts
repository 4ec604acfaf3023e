import { Firecrawl } from '@mendable/firecrawl-js';
import { randomUUID } from 'node:crypto';

import { AgentClient } from './agent/agentClient.cjs';
import { startService, type Service } from './service.cjs';

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

interface FreeForm {
	answer: string;
	sources: Array<{ url: string; title: string }>;
}

describe('the way of a run', () => {
	test('queued and processing are one word; then completed, with what the pages say', async () => {
		const { id } = await agents.start();
		expect(service.context.agents.jobs[0].state).toBe('queued');
		expect((await agents.status(id)).body).toMatchObject({
			success: true,
			status: 'processing',
			model: 'spark-2',
		});
		await service.clock.advance(2999);
		expect(service.context.agents.jobs[0].state).toBe('processing');
		const before = (await agents.status(id)).body;
		expect([before.status, before.data, before.creditsUsed]).toEqual([
			'processing',
			undefined,
			undefined,
		]);
		await service.clock.advance(1);

		const { body } = await agents.status(id);
		expect(body.status).toBe('completed');
		const data = body.data as FreeForm;
		expect(data.sources.length).toBe(3);
		for (const { url } of data.sources) {
			expect(service.site.find(url)?.markdown.toLowerCase()).toMatch(/tid(e|al)|lagoon/);
		}
	});

	test('a schema is filled: one object per page, other fields from the first page that knows', async () => {
		const places = {
			type: 'array',
			items: { type: 'object', properties: { name: { type: 'string' }, url: { type: 'string' } } },
		};
		const schema = { type: 'object', properties: { title: { type: 'string' }, places } };
		const { data } = await agents.run({ schema });
		const filled = data as { title: string; places: Array<{ name: string; url: string }> };
		expect(filled.title).toBe(filled.places[0].name);
		expect(filled.places).toHaveLength(3);
		for (const { name, url } of filled.places)
			expect(service.site.find(url)?.title).toContain(name);
	});

	test('strictConstrainToURLs reads the addresses given and nothing else', async () => {
		const urls = [
			'https://tidewatch.example/guides/spring-tides',
			'https://emberroast.example/brewing/water',
		];
		const { data, id } = await agents.run({ urls, strictConstrainToURLs: true });
		expect((data as FreeForm).sources.map(({ url }) => url)).toEqual(urls);
		const tools = (await agents.events(id)).flatMap((event) =>
			event.type === 'tool_call.started' ? [event.toolName] : [],
		);
		expect(new Set(tools)).toEqual(new Set(['scrape']));
		const open = await agents.run({ urls: urls.slice(1) });
		expect((open.data as FreeForm).sources.map(({ url }) => url)).toEqual(
			expect.arrayContaining([urls[1]]),
		);
		expect((open.data as FreeForm).sources.length).toBeGreaterThan(1);
	});

	test('effort reads more pages', async () => {
		const counts = [];
		for (const effort of ['low', 'medium', 'high']) {
			counts.push(((await agents.run({ effort })).data as FreeForm).sources.length);
		}
		expect(counts).toEqual([2, 3, 5]);
	});

	test('chat answers in words, with suggestions', async () => {
		const { data, message, suggestions } = await agents.run({ mode: 'chat' });
		expect(data).toBeNull();
		expect(message).toContain('](https://');
		expect(suggestions?.length).toBeGreaterThan(0);
	});

	test('a schema that nothing can fill fails the run, free of charge', async () => {
		const { status, error, creditsUsed } = {
			...(await agents.run({ schema: { type: 'object', additionalProperties: true } })),
		} as Record<string, unknown>;
		expect([status, creditsUsed]).toEqual(['failed', 0]);
		expect(error).toMatch(/without properties/);
	});

	test.each([
		['failed', 'failed', 'The agent failed unexpectedly.'],
		['refused', 'failed', 'The agent refused this task.'],
	])('%s by script', async (outcome, word, error) => {
		await agents.control('next', { outcome });
		expect(await agents.run()).toMatchObject({ status: word, error, creditsUsed: 0 });
		expect(await agents.run()).toMatchObject({ status: 'completed' });
	});

	test('how long runs take: for all, for a team, for the next ones', async () => {
		await agents.control('behaviour', { durationMs: 60_000 });
		await agents.control('behaviour', { durationMs: 1000, teamId: 'team-plain' });
		await agents.control('next', { durationMs: 500, count: 2 });
		const plain = new AgentClient(service, service.keys.plain);
		const ids = [await agents.start(), await agents.start(), await agents.start()].map(
			({ id }) => id,
		);
		const other = (await plain.start()).id;
		const words = async (): Promise<string[]> => [
			...(await Promise.all(ids.map(async (id) => (await agents.status(id)).body.status))),
			(await plain.status(other)).body.status,
		];
		await service.clock.advance(500);
		expect(await words()).toEqual(['completed', 'completed', 'processing', 'processing']);
		await service.clock.advance(500);
		expect(await words()).toEqual(['completed', 'completed', 'processing', 'completed']);
		await service.clock.advance(59_000);
		expect(await words()).toEqual(['completed', 'completed', 'completed', 'completed']);
	});
});

test('how long runs take, from the start of the service', async () => {
	const other = await startService({ agent: { durationMs: 50 } });
	try {
		other.clock.hold();
		const client = new AgentClient(other);
		const { id } = await client.start();
		await other.clock.advance(50);
		expect((await client.status(id)).body.status).toBe('completed');
	} finally {
		await other.close();
	}
});

describe('the credit limit', () => {
	const reached = (change = {}) => agents.run({ maxCredits: 30, ...change });

	test('is reached by what the run costs: failed, no data, nothing billed', async () => {
		await agents.control('behaviour', { creditLimit: 'failed' });
		const run = await reached();
		expect(run).toMatchObject({ status: 'failed', creditsUsed: 0 });
		expect((run as { error?: string }).error).toMatch(/credit limit of 30/);
		expect(run).not.toHaveProperty('data');
		expect(run).not.toHaveProperty('stopReason');
		const finished = (await agents.events(run.id)).find(({ type }) => type === 'run.finished');
		expect(finished).toMatchObject({
			outcome: 'credit_limit_reached',
			error: { code: 'credit_limit_reached', source: 'billing' },
		});
	});

	test.each([
		['failed with partial', 'failed', 0, 'partial'],
		['completed with partial', 'completed', 30, 'data'],
	] as const)('%s', async (creditLimit, word, credits, where) => {
		await agents.control('behaviour', { creditLimit });
		await agents.control('settings', { freeRunsPerDay: 0 });
		const schema = {
			type: 'object',
			properties: { title: { type: 'string' } },
			required: ['title'],
		};
		const run = await reached({ schema });
		expect(run).toMatchObject({
			status: word,
			partial: { title: expect.any(String) as string },
			partialSchemaValid: true,
			stopReason: 'credit_limit_reached',
			creditsUsed: credits,
		});
		expect(run[where]).toMatchObject({ title: expect.any(String) as string });
		expect('data' in run).toBe(where === 'data');
		expect(service.ledger.spent('team-full')).toBe(credits);
	});

	test('partialSchemaValid says when required parts are missing', async () => {
		const schema = {
			type: 'object',
			properties: { title: { type: 'string' } },
			required: ['title'],
		};
		expect(await reached({ schema, maxCredits: 1 })).toMatchObject({
			status: 'failed',
			stopReason: 'credit_limit_reached',
			partialSchemaValid: false,
		});
	});

	test('may be told by an error that is an object', async () => {
		await agents.control('behaviour', { errorForm: 'object' });
		expect(await reached()).toMatchObject({
			error: {
				code: 'credit_limit_reached',
				message: expect.stringMatching(/limit of 30/) as string,
			},
		});
	});
});

test('a run may be unknown for a moment after its start, and have a status of its own', async () => {
	await agents.control('behaviour', { unknownMs: 1000, runningStatus: 'initializing' });
	const { id } = await agents.start();
	expect((await agents.status(id)).status).toBe(404);
	await service.clock.advance(1000);
	expect((await agents.status(id)).body.status).toBe('initializing');
	await service.clock.advance(2000);
	expect((await agents.status(id)).body.status).toBe('completed');
});

describe('cancelling', () => {
	test('is cooperative: terminal a little later, as failed; then 409', async () => {
		const { id } = await agents.start();
		await service.clock.advance(1000);
		expect((await agents.cancel(id)).body).toEqual({ success: true });
		expect((await agents.status(id)).body.status).toBe('processing');
		const again = await agents.cancel(id);
		expect([again.status, again.body.error]).toEqual([409, 'Agent is already cancelled']);
		await service.clock.advance(500);
		expect((await agents.status(id)).body).toMatchObject({
			status: 'failed',
			error: 'Agent was cancelled.',
			creditsUsed: 0,
		});
		const later = await agents.cancel(id);
		expect([later.status, later.body.error]).toEqual([409, 'Agent is already cancelled']);
		await service.clock.advance(60_000);
		expect((await agents.status(id)).body.status).toBe('failed');
	});

	test('a finished run: 409, and it stays as it is', async () => {
		const { id } = await agents.run();
		const { status, body } = await agents.cancel(id);
		expect([status, body]).toEqual([409, { success: false, error: 'Agent already finished' }]);
		expect((await agents.status(id)).body.status).toBe('completed');
	});

	test('the word `cancelled` of older documents, on request', async () => {
		await agents.control('behaviour', { cancelledStatus: 'cancelled', cancelMs: 0 });
		const { id } = await agents.start();
		await agents.cancel(id);
		await service.clock.advance(1);
		expect((await agents.status(id)).body.status).toBe('cancelled');
	});
});

test('the official SDK: start, wait, status, list, cancel', async () => {
	service.clock.release();
	await agents.control('behaviour', { durationMs: 200, cancelMs: 10 });
	const sdk = new Firecrawl({ apiKey: service.keys.full, apiUrl: service.url });
	const done = await sdk.agent({
		prompt: 'coffee brewing temperature',
		schema: { type: 'object', properties: { title: { type: 'string' } } },
		pollInterval: 1,
	});
	expect(done).toMatchObject({
		success: true,
		status: 'completed',
		data: { title: expect.stringMatching(/brew|coffee/i) as string },
	});

	await agents.control('next', { durationMs: 60_000 });
	const { id } = await sdk.startAgent({
		prompt: 'tides',
		mode: 'extract',
		effort: 'low',
		maxCredits: 100,
		webhook: { url: 'http://127.0.0.1:9/', events: ['completed'] },
	});
	expect(await sdk.getAgentStatus(id)).toMatchObject({ status: 'processing', effort: 'low' });
	expect(await sdk.cancelAgent(id)).toBe(true);
	await expect(sdk.cancelAgent(id)).rejects.toMatchObject({
		status: 409,
		message: 'Agent is already cancelled',
	});
	const { agents: runs } = await sdk.listAgents({ before: service.clock.now() + 1000 });
	expect(runs?.map((run) => run.id)[0]).toBe(id);
	await expect(sdk.getAgentStatus(randomUUID())).rejects.toMatchObject({
		status: 404,
		message: 'Agent job not found',
	});
});
