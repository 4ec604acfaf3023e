import { Firecrawl } from '@mendable/firecrawl-js';
import { randomUUID } from 'node:crypto';

import { AgentClient, type Started, type Status } from './agent/agentClient.cjs';
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

interface ThreadBody {
	thread: {
		id: string;
		status: string;
		updatedAt: string;
		runs: Array<{
			id: string;
			turn: number;
			status: string;
			mode: string;
			schema?: unknown;
			urls?: string[];
			message: string | null;
			data?: unknown;
		}>;
	};
}
const thread = (id: string, query = '') => agents.get<ThreadBody>(`/threads/${id}${query}`);

describe('threads', () => {
	test('a follow-up is the next turn and takes over what it leaves out', async () => {
		const schema = { type: 'object', properties: { title: { type: 'string' } } };
		const urls = ['https://tidewatch.example/guides/spring-tides'];
		const first = await agents.run({ schema, urls, strictConstrainToURLs: true });
		const second = await agents.run({ prompt: 'the same again', threadId: first.threadId });
		expect([first.threadTurn, second.threadTurn, second.threadId]).toEqual([1, 2, first.threadId]);
		expect(second.data).toEqual(first.data);
		const third = await agents.run({
			threadId: first.threadId,
			mode: 'chat',
			schema: undefined,
			urls: ['https://emberroast.example/brewing/water'],
		});
		expect(third.message).toMatch(/emberroast/);

		const { body } = await thread(first.threadId);
		expect(body.thread).toMatchObject({ id: first.threadId, status: 'idle' });
		expect(body.thread.runs.map(({ turn, status, mode }) => [turn, status, mode])).toEqual([
			[1, 'succeeded', 'extract'],
			[2, 'succeeded', 'extract'],
			[3, 'succeeded', 'chat'],
		]);
		expect(body.thread.runs[1]).toMatchObject({ schema, urls });
		expect(body.thread.runs[0]).not.toHaveProperty('data');
		expect((await thread(first.threadId, '?includeData=true')).body.thread.runs[0].data).toEqual(
			first.data,
		);
	});

	test('has its own words for how runs ended', async () => {
		const { threadId } = await agents.run();
		await agents.control('next', [
			{ outcome: 'refused' },
			{ outcome: 'failed' },
			{ outcome: 'credit_limit_reached' },
		]);
		for (let run = 0; run < 3; run++) await agents.run({ threadId });
		const { id } = await agents.start({ threadId });
		expect((await thread(threadId)).body.thread).toMatchObject({ status: 'running' });
		await agents.cancel(id);
		await service.clock.advance(500);
		const { runs } = (await thread(threadId, '?includeData=true')).body.thread;
		expect(runs.map(({ status }) => status)).toEqual([
			'succeeded',
			'refused',
			'failed',
			'credit_limit_reached',
			'cancelled',
		]);
		expect(runs.filter((run) => 'data' in run)).toHaveLength(1);
		expect(runs[3]).toMatchObject({
			partial: expect.any(Object) as object,
			stopReason: 'credit_limit_reached',
		});
	});

	test('a second run at the same time: 409 with the id of the first', async () => {
		const { id, threadId } = await agents.start();
		const { status, body } = await agents.post({ prompt: 'more', threadId });
		expect([status, body.code, body.runId]).toEqual([409, 'thread_busy', id]);
	});

	test('unknown, foreign, expired and disabled ones', async () => {
		const foreign = await new AgentClient(service, service.keys.plain).start();
		for (const threadId of [randomUUID(), foreign.threadId]) {
			const { status, body } = await agents.post({ prompt: 'more', threadId });
			expect([status, body.code]).toEqual([404, 'thread_not_found']);
			expect((await thread(threadId)).body.code).toBe('thread_not_found');
		}
		const { threadId } = await agents.run();
		await service.clock.advance(day);
		const late = await agents.post({ prompt: 'more', threadId });
		expect([late.status, late.body.code]).toEqual([410, 'thread_expired']);
		expect((await thread(threadId)).status).toBe(410);
		await agents.control('settings', { threads: false });
		const disabled = await agents.post({ prompt: 'more', threadId });
		expect([disabled.status, disabled.body.code]).toEqual([503, 'threads_disabled']);
		expect((await agents.start()).threadId).toBeUndefined();
	});

	test('the official SDK reads them', async () => {
		const sdk = new Firecrawl({ apiKey: service.keys.full, apiUrl: service.url });
		const { threadId, data } = await agents.run();
		const { thread: read } = await sdk.getAgentThread(threadId, { includeData: true });
		expect(read?.runs[0]).toMatchObject({ status: 'succeeded', data });
	});
});

describe('exchange: paid calls', () => {
	const prompt = 'tide times and gauge history';
	const toolkits = ['tidewatch'];
	const ask = (change = {}) =>
		agents.run({ prompt, mode: 'chat', exchange: { toolkits, requireApproval: true }, ...change });
	const follow = (before: Started & Status, exchange: object) =>
		agents.run({ prompt: 'go on', threadId: before.threadId, mode: 'chat', exchange });

	test('without approval they are made and paid, and the summary says so', async () => {
		const run = await agents.run({ prompt, exchange: { toolkits } });
		expect(run.exchange).toMatchObject({ enabled: true, toolkits, onTermsRequired: 'skip' });
		expect(run.exchange?.paidCalls).toBeGreaterThan(1);
		expect(run.creditsUsed).toBe(run.exchange?.creditsUsed);
		expect(
			(run.data as { tools: Array<{ provider: string }> }).tools.map(({ provider }) => provider),
		).toContain('tidewatch');
		const off = await agents.run({ prompt, exchange: { enabled: false } });
		expect(off.exchange).toMatchObject({ enabled: false, paidCalls: 0 });
		const one = await agents.run({ prompt, exchange: { toolkits, maxCalls: 1 } });
		expect(one.exchange?.paidCalls).toBe(1);
	});

	test('with requireApproval the turn ends before any of them', async () => {
		const { pendingApproval, exchange, status } = await ask();
		expect(status).toBe('completed');
		expect(pendingApproval).toMatchObject({ kind: 'calls', resolution: null });
		expect(pendingApproval?.calls[0]).toMatchObject({
			provider: 'tidewatch',
			capability: expect.any(String) as string,
			input: expect.any(Object) as object,
		});
		expect(exchange).toMatchObject({ requireApproval: true, paidCalls: 0, creditsUsed: 0 });
	});

	test('approve makes the calls named, and settles the approval', async () => {
		const asked = await ask();
		const calls = asked.pendingApproval?.calls ?? [];
		expect(calls.length).toBeGreaterThan(1);
		const approvalId = asked.pendingApproval?.id ?? '';
		const next = await follow(asked, { approve: { approvalId, callIds: [calls[0].id] } });
		expect([next.exchange?.paidCalls, next.pendingApproval]).toEqual([1, undefined]);
		expect((await agents.status(asked.id)).body.pendingApproval?.resolution).toEqual({
			approved: true,
			callIds: [calls[0].id],
			always: false,
			byRunId: next.id,
		});
		const twice = await agents.post({
			prompt: 'x',
			threadId: asked.threadId,
			mode: 'chat',
			exchange: { approve: { approvalId } },
		});
		expect(twice.status).toBe(400);
		const again = await agents.run({ prompt, threadId: asked.threadId, mode: 'chat' });
		expect(again.pendingApproval).toMatchObject({ kind: 'calls' });
	});

	test('always stops the asking; decline makes no call', async () => {
		const asked = await ask();
		const always = await follow(asked, {
			approve: { approvalId: asked.pendingApproval?.id, always: true },
		});
		expect(always.exchange?.paidCalls).toBe(asked.pendingApproval?.calls.length);
		const later = await agents.run({ prompt, threadId: asked.threadId, mode: 'chat' });
		expect([later.pendingApproval, later.exchange?.paidCalls]).toEqual([
			undefined,
			asked.pendingApproval?.calls.length,
		]);

		const other = await ask();
		const declined = await follow(other, { decline: { approvalId: other.pendingApproval?.id } });
		expect([declined.exchange?.paidCalls, declined.pendingApproval]).toEqual([0, undefined]);
		expect((await agents.status(other.id)).body.pendingApproval?.resolution).toMatchObject({
			approved: false,
			callIds: [],
		});
	});

	test('an approval of another thread: 400', async () => {
		const asked = await ask();
		const other = await ask();
		const exchange = { approve: { approvalId: other.pendingApproval?.id } };
		expect(
			(await agents.post({ prompt: 'x', threadId: asked.threadId, mode: 'chat', exchange })).status,
		).toBe(400);
	});

	test('a team without the feature: 403 exchange_not_enabled', async () => {
		const plain = new AgentClient(service, service.keys.plain);
		const { status, body } = await plain.post({ prompt, exchange: {} });
		expect([status, body.code]).toEqual([403, 'exchange_not_enabled']);
		expect((await plain.post({ prompt, exchange: { enabled: false } })).status).toBe(200);
	});
});

describe('exchange: terms of providers', () => {
	const prompt = 'annual report of a registered company';
	const exchange = { toolkits: ['filings'], onTermsRequired: 'ask' };

	test('skip names the providers left out, and ends there', async () => {
		const run = await agents.run({ prompt, exchange: { toolkits: ['filings'] } });
		expect(run.exchange?.skippedProviders?.[0]).toMatchObject({
			provider: 'filings',
			reason: 'terms_required',
			version: '2026-01',
			termsUrl: expect.stringMatching(/^https:/) as string,
		});
		expect([run.exchange?.paidCalls, run.pendingApproval, run.exchange?.requiresAction]).toEqual([
			0,
			undefined,
			undefined,
		]);
	});

	test('ask shows a person where to accept; approving alone accepts nothing', async () => {
		const run = await agents.run({ prompt, exchange });
		expect(run.pendingApproval).toMatchObject({
			kind: 'terms',
			calls: [],
			terms: [{ provider: 'filings' }, { provider: 'filings' }],
		});
		expect(run.exchange?.requiresAction).toMatchObject({
			type: 'accept_terms',
			approvalId: run.pendingApproval?.id,
		});
		const approve = { approve: { approvalId: run.pendingApproval?.id } };
		const early = await agents.run({ prompt: 'go on', threadId: run.threadId, exchange: approve });
		expect(early.exchange?.paidCalls).toBe(0);
		expect(early.pendingApproval).toMatchObject({ kind: 'terms' });

		await agents.control('terms', { provider: 'filings', teamId: 'team-full' });
		const after = await agents.run({
			prompt: 'go on',
			threadId: run.threadId,
			exchange: { approve: { approvalId: early.pendingApproval?.id } },
		});
		expect([after.exchange?.paidCalls, after.pendingApproval]).toEqual([2, undefined]);
		await agents.control('terms', { provider: 'filings', version: '2027-01' });
		expect((await agents.run({ prompt, exchange })).pendingApproval).toMatchObject({
			kind: 'terms',
		});
	});

	test('declined providers are barred for the thread', async () => {
		const run = await agents.run({ prompt, exchange });
		await agents.run({
			prompt: 'no',
			threadId: run.threadId,
			exchange: { decline: { approvalId: run.pendingApproval?.id } },
		});
		const later = await agents.run({ prompt, threadId: run.threadId });
		expect([later.pendingApproval, later.exchange?.skippedProviders]).toEqual([
			undefined,
			undefined,
		]);
	});
});
