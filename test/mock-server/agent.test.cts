import Firecrawl from '@mendable/firecrawl-js';

import type { TraceEvent } from './agent/job.cjs';
import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { request } from './testClient.cjs';

const day = 86_400_000;
let service: Service;
useService((started) => (service = started), { now: Date.parse('2026-11-21T12:00:00Z') });

interface Run {
	id: string;
	threadId: string;
	threadTurn: number;
	status: string;
	creditsUsed: number;
	data: { sources: unknown[] };
	partial?: unknown;
	stopReason?: string;
	message?: string;
}

const post = (body: object, key?: string | null) =>
	request<Run>(service, 'POST', '/v2/agent', body, key);
const get = <T = Run,>(path: string) => request<T>(service, 'GET', `/v2/agent${path}`);

/** Starts a run that must be accepted, and lets the clock go to its end. */
async function ended(body: object = {}): Promise<Run> {
	const started = await post({ prompt: 'tidal lagoon energy storage', ...body });
	expect(started.status).toBe(200);
	await service.clock.advance(3000);
	return { ...started.body, ...(await get(`/${started.body.id}`)).body };
}

const threadId = '11111111-2222-4333-8444-555555555555';
const approvalId = threadId;

describe('refused with 400, and no run begins', () => {
	test.each<[string, object, string]>([
		['no prompt', { prompt: undefined }, 'prompt'],
		['an empty prompt', { prompt: '' }, 'prompt'],
		['an address that is none', { urls: ['ftp://x.example'] }, 'urls.0'],
		['urls as text', { urls: 'https://tidewatch.example' }, 'urls'],
		['a schema as text', { schema: '{}' }, 'schema'],
		['an unknown model', { model: 'spark-3' }, 'model'],
		['a threadId that is no UUID', { threadId: 'x' }, 'threadId'],
		['an unknown key', { promt: 'x' }, ''],
		['null in place of nothing', { effort: null }, 'effort'],
		['a webhook that is no address', { webhook: 'nowhere' }, 'webhook.url'],
		[
			'an unknown event',
			{ webhook: { url: 'https://x.example/', events: ['page'] } },
			'webhook.events.0',
		],
		['audit metadata without username', { auditMetadata: {} }, 'auditMetadata.username'],
		['an unknown key of exchange', { exchange: { foo: 1 } }, 'exchange'],
		['requireApproval without chat', { exchange: { requireApproval: true } }, 'mode'],
		['approve without threadId', { exchange: { approve: { approvalId } } }, 'threadId'],
		[
			'approve and decline',
			{ threadId, exchange: { approve: { approvalId }, decline: { approvalId } } },
			'exchange.decline',
		],
	])('%s', async (_name, change, path) => {
		const { status, body } = await post({ prompt: 'tides', ...change });
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
		const { status, body } = await post({ prompt: 'tides', schema });
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
		expect((await post({ prompt: 'tides', schema })).status).toBe(200);
		expect((await post({ prompt: 'tides', schema })).status).toBe(200);
	});
});

describe('rights', () => {
	test('none without a key, none with another scope, none under zero data retention', async () => {
		expect((await request(service, 'POST', '/v2/agent', { prompt: 'x' }, null)).status).toBe(401);
		expect((await post({ prompt: 'x' }, service.keys.searchOnly)).status).toBe(403);
		expect((await post({ prompt: 'x' }, service.keys.zdr)).status).toBe(400);
	});

	test('threat protection: not enabled, not overridable, a blocked address (its scan is billed)', async () => {
		const body = {
			prompt: 'x',
			threatProtection: { mode: 'normal' },
			urls: ['https://tidewatch.example/', 'https://phish.example/'],
		};
		expect((await post(body, service.keys.plain)).status).toBe(403);
		expect((await post(body, service.keys.noOverrides)).status).toBe(403);
		const blocked = await post(body);
		expect([blocked.status, blocked.body.code]).toEqual([403, 'unsafe_domain_blocked']);
		expect(service.ledger.spent('team-full')).toBe(4);
		expect((await post({ ...body, urls: body.urls.slice(0, 1) })).status).toBe(200);
	});

	test("the team's agent starts per minute: 429, and the next window lets it in", async () => {
		const free = () => post({ prompt: 'x' }, service.keys.free);
		const statuses = [];
		for (let start = 0; start < 3; start++) statuses.push((await free()).status);
		expect(statuses).toEqual([200, 200, 429]);
		await service.clock.advance(60_000);
		expect((await free()).status).toBe(200);
	});
});

describe('the bill', () => {
	const spent = () => service.ledger.spent('team-full');

	test('five runs a day are free, then the steps are paid, and the next day is free again', async () => {
		const credits = [];
		for (let run = 0; run < 6; run++) credits.push((await ended()).creditsUsed);
		expect(credits.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
		expect(credits[5]).toBeGreaterThan(0);
		expect(spent()).toBe(credits[5]);
		const low = (await ended({ effort: 'low' })).creditsUsed;
		const high = (await ended({ effort: 'high' })).creditsUsed;
		expect(low).toBeLessThan(credits[5] ?? 0);
		expect(high).toBeGreaterThan(credits[5] ?? 0);
		await service.clock.advance(day / 2);
		expect((await ended()).creditsUsed).toBe(0);
	});

	test('a run that may spend over 2500 is never free', async () => {
		expect((await ended({ maxCredits: 2501 })).creditsUsed).toBeGreaterThan(0);
		expect((await ended({ maxCredits: 2500 })).creditsUsed).toBe(0);
	});

	test("charged at the end, under the run's id; failed runs cost nothing and use up no free run", async () => {
		service.context.agents.script.add({ outcome: 'failed', count: 7 });
		for (let run = 0; run < 7; run++) await ended();
		expect(spent()).toBe(0);
		expect((await ended()).creditsUsed).toBe(0);
		const { id } = (await post({ prompt: 'tides', maxCredits: 3000 })).body;
		expect(spent()).toBe(0);
		await service.clock.advance(3000);
		expect(service.ledger.entries.at(-1)).toMatchObject({
			jobId: id,
			endpoint: '/v2/agent',
			credits: spent(),
		});
	});

	test('under 20 credits: free runs go on, paid ones are 402', async () => {
		const low = (more: object = {}) => post({ prompt: 'x', ...more }, service.keys.low);
		expect((await low({ maxCredits: 2501 })).status).toBe(402);
		for (let run = 0; run < 5; run++) expect((await low()).status).toBe(200);
		const { status, body } = await low();
		expect([status, body.error]).toEqual([402, 'Payment Required: Insufficient credits']);
	});
});

describe('the way of a run', () => {
	test('processing, then completed, and gone after a day', async () => {
		const { body: started } = await post({ prompt: 'tides' });
		expect((await get(`/${started.id}`)).body).toMatchObject({ status: 'processing' });
		await service.clock.advance(3000);
		expect((await get(`/${started.id}`)).body).toMatchObject({
			status: 'completed',
			data: { sources: expect.any(Array) as unknown[] },
		});
		await service.clock.advance(day);
		expect((await get(`/${started.id}`)).status).toBe(404);
	});

	test('strictConstrainToURLs reads the addresses given and nothing else', async () => {
		const url = 'https://portoffice.example/documents/harbour-fees.pdf';
		const { data } = await ended({ urls: [url], strictConstrainToURLs: true });
		expect(data.sources).toMatchObject([{ url }]);
	});

	test('cancelling is cooperative: terminal a little later, as failed; then 409', async () => {
		const { id } = (await post({ prompt: 'tides' })).body;
		const cancel = () => request(service, 'DELETE', `/v2/agent/${id}`);
		expect((await cancel()).status).toBe(200);
		expect((await get(`/${id}`)).body.status).toBe('processing');
		expect((await cancel()).body.error).toBe('Agent is already cancelled');
		await service.clock.advance(500);
		expect((await get(`/${id}`)).body).toMatchObject({ status: 'failed', creditsUsed: 0 });
	});

	test.each([
		['failed', { status: 'failed', creditsUsed: 0 }, 0],
		['failed with partial', { status: 'failed', stopReason: 'credit_limit_reached' }, 0],
		['completed with partial', { status: 'completed', stopReason: 'credit_limit_reached' }, 21],
	] as const)('at the credit limit: %s', async (creditLimit, expected, spent) => {
		service.context.agents.script.set({ creditLimit });
		await Promise.all(Array.from({ length: 5 }, () => ended()));
		expect(await ended({ maxCredits: 21 })).toMatchObject(expected);
		expect(service.ledger.spent('team-full')).toBe(spent);
	});

	test('its trace is ordered by number inside an agent, not by place; snapshots are text', async () => {
		const { id } = await ended();
		const { events } = (await get<{ events: TraceEvent[] }>(`/${id}/trace`)).body;
		const ofRun = events.filter(({ agent }) => agent.role === 'orchestrator');
		const numbers = ofRun.map(({ producerSequence }) => producerSequence);
		expect(new Set(numbers).size).toBe(ofRun.length);
		expect(Math.max(...numbers)).toBe(ofRun.length);
		const [update] = events.flatMap((each) => (each.type === 'artifact.updated' ? [each] : []));
		const { snapshotId } = update.artifact;
		const read = await get<{ snapshot: string }>(`/${id}/snapshots/${snapshotId}`);
		expect(read.body.snapshot).toEqual(expect.any(String));
		expect((await get(`/${id}/snapshots/x`)).body).toEqual({ error: 'Invalid snapshot ID' });
	});
});

describe('threads', () => {
	test('a follow-up is the next turn and takes over what it leaves out', async () => {
		const first = await ended({ mode: 'chat' });
		const next = await ended({ threadId: first.threadId });
		expect(next).toMatchObject({ threadTurn: 2, message: expect.any(String) as string });
	});

	test('a second run at the same time: 409 with the id of the first; a dead one: 410', async () => {
		const { id, threadId } = (await post({ prompt: 'tides' })).body;
		const again = () => post({ prompt: 'tides', threadId });
		expect((await again()).body).toMatchObject({ code: 'thread_busy', runId: id });
		await service.clock.advance(3000 + day);
		expect((await again()).status).toBe(410);
	});
});

test('the list: pages of 20, newest first, by an absolute `next`, none lost or twice', async () => {
	for (let run = 0; run < 41; run++) await post({ prompt: `run ${run}` });
	const ids: string[] = [];
	let path: string | undefined = '';
	while (path !== undefined) {
		const { body }: { body: { agents: Array<{ id: string }>; next?: string } } = await get(path);
		ids.push(...body.agents.map(({ id }) => id));
		expect(body.agents.length).toBeLessThanOrEqual(20);
		path = body.next?.replace(`${service.url}/v2/agent`, '');
	}
	expect(ids).toEqual(service.context.agents.jobs.map(({ id }) => id).reverse());
});

test('the official SDK: start, wait, status, list, trace, snapshot, thread, cancel', async () => {
	service.clock.release();
	service.context.agents.script.set({ durationMs: 200 });
	const sdk = new Firecrawl({ apiKey: service.keys.full, apiUrl: service.url });
	const done = await sdk.agent({ prompt: 'tidal lagoon', pollInterval: 1 });
	expect(done).toMatchObject({ status: 'completed', data: expect.any(Object) as object });
	const { id = '' } = await sdk.startAgent({ prompt: 'tides' });
	expect(await sdk.getAgentStatus(id)).toMatchObject({ success: true });
	expect(await sdk.cancelAgent(id)).toBe(true);
});

it('is accepted at once also where the search finds a document that takes long to read', async () => {
	const { status } = await post({ prompt: "Lightship Perpetua, watchkeepers' logbook" });

	expect(status).toBe(200);
});
