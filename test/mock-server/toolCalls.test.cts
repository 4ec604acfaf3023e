import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';

let service: Service;
useService((started) => (service = started), { now: Date.parse('2026-11-21T12:00:00Z') });

interface Result {
	provider: string;
	capability: string;
	creditsCost?: number;
	records?: number;
	data?: Record<string, unknown>;
	error?: { code: string; message: string; status?: number; chargeId?: string };
}
interface Answer {
	success: boolean;
	scrape_id: string;
	error: string;
	code: string;
	requiresAction: Record<string, unknown>;
	data: { alexandria: Result[]; creditsCost: number };
}

async function post(
	body: unknown,
	requestId?: string,
	key: string | null = service.keys.full,
): Promise<{ status: number; body: Answer }> {
	const response = await fetch(`${service.url}/v2/scrape`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			...(key !== null && { authorization: `Bearer ${key}` }),
			...(requestId !== undefined && { 'x-request-id': requestId }),
		},
		body: JSON.stringify(body),
	});
	return { status: response.status, body: (await response.json()) as Answer };
}
const run = (calls: unknown, requestId?: string, key?: string | null) =>
	post({ alexandria: calls }, requestId, key);
const call = (provider: string, capability: string, options?: unknown) => ({
	provider,
	capability,
	...(options !== undefined && { options }),
});
const templates = (query = 'retry') => call('relayworks', 'template-search', { query });
const offers = (options: unknown = { product: 'blend' }) =>
	call('emberroast', 'coffee-offers', options);
const spent = () => service.ledger.spent('team-full');

describe('execution', () => {
	test('errors of single calls are inside the 200, and free', async () => {
		const { status, body } = await run([
			templates(),
			call('relayworks', 'no-such-thing'),
			call('relayworks', 'template-search'),
			call('relayworks', 'template-search', { query: 5 }),
			call('relayworks', 'template-search', { query: 'x', colour: 'red' }),
		]);
		expect(status).toBe(200);
		expect(body.success).toBe(true);
		expect(body.data.alexandria.map(({ error }) => error?.code)).toEqual([
			undefined,
			'unknown_capability',
			'invalid_options',
			'invalid_options',
			'invalid_options',
		]);
		expect(body.data.creditsCost).toBe(1);
		expect(spent()).toBe(1);
	});

	test.each<[string, unknown]>([
		['no call', { alexandria: [] }],
		['11 calls', { alexandria: Array(11).fill(templates()) }],
		['a url beside', { alexandria: templates(), url: 'https://tidewatch.example' }],
		['a scrape option beside', { alexandria: templates(), formats: ['markdown'] }],
		['an unknown key in a call', { alexandria: { ...templates(), id: 'x' } }],
		['a blank capability', { alexandria: call('relayworks', ' ') }],
		['a provider of 201', { alexandria: call('x'.repeat(201), 'y') }],
		['options that are a list', { alexandria: call('relayworks', 'service-status', []) }],
		['options above 256 KB', { alexandria: templates('x'.repeat(256 * 1024)) }],
		['timeout 50001', { alexandria: templates(), timeout: 50_001 }],
		['timeout 0', { alexandria: templates(), timeout: 0 }],
	])('refuses %s', async (_name, body) => {
		expect(await post(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
		expect(spent()).toBe(0);
	});

	test('who may not', async () => {
		service.context.options.keyless = true;
		expect(await run(templates(), undefined, null)).toMatchObject({
			status: 403,
			body: { error: 'An API key is required for provider tools.' },
		});
		for (const key of [service.keys.zdr, service.keys.plain]) {
			expect((await run(templates(), undefined, key)).status).toBe(403);
		}
		expect(await run(templates(), undefined, service.keys.empty)).toMatchObject({
			status: 402,
			body: { code: 'insufficient_credits' },
		});
	});

	test('unknown and disabled providers refuse the whole request', async () => {
		expect(await run([templates(), call('nobody', 'x')])).toMatchObject({
			status: 404,
			body: { code: 'unknown_provider' },
		});
		service.context.tools.disabled.add('relayworks');
		expect(await run(templates())).toMatchObject({
			status: 403,
			body: { error: 'Access to Relayworks is disabled for this organization.' },
		});
		expect(spent()).toBe(0);
	});
});

describe('x-request-id', () => {
	test('a repetition replays the answer for 7 days and costs nothing', async () => {
		const first = await run(offers(), 'set-1');
		const once = spent();
		await service.clock.advance(7 * 86_400_000 - 1);
		expect(await run(offers(), 'set-1')).toEqual(first);
		expect(spent()).toBe(once);
		await service.clock.advance(1);
		const later = await run(offers(), 'set-1');
		expect(later.body.scrape_id).not.toBe(first.body.scrape_id);
		expect(spent()).toBe(2 * once);
	});

	test('another body under the same id is 409; another team’s id is its own', async () => {
		await run(templates(), 'set-1');
		expect(await run(templates('queue'), 'set-1')).toMatchObject({
			status: 409,
			body: { code: 'duplicate_request' },
		});
		service.teams.add({ id: 'second' }, 'fc-second');
		expect((await run(templates('queue'), 'set-1', 'fc-second')).status).toBe(200);
	});

	test('while it is under way a repetition is 409', async () => {
		service.faults.add({ kind: 'delay', delayMs: 1000, stage: 'during', path: '/v2/scrape' });
		const first = run(templates(), 'set-1');
		await service.clock.untilWaiting(2);
		expect(await run(templates(), 'set-1')).toMatchObject({
			status: 409,
			body: { code: 'request_in_flight' },
		});
		await service.clock.advance(1000);
		expect(await run(templates(), 'set-1')).toEqual(await first);
		expect(spent()).toBe(1);
	});

	test.each([
		[
			'an answer replaced by 503 request_unresolved',
			{ kind: 'status', status: 503, code: 'request_unresolved', stage: 'after' },
		],
		['a lost answer', { kind: 'reset', stage: 'after' }],
		['a cut answer', { kind: 'truncate' }],
	] as const)('%s is there for the repetition, charged once', async (_name, fault) => {
		service.faults.add({ ...fault, path: '/v2/scrape' });
		await run(templates(), 'set-1').then(
			({ status, body }) => expect([status, body.code]).toEqual([503, 'request_unresolved']),
			(error: unknown) => expect(error).toMatchObject({ name: 'TypeError' }),
		);
		expect(spent()).toBe(1);
		expect((await run(templates(), 'set-1')).status).toBe(200);
		expect(spent()).toBe(1);
	});

	test('too late is 408, costs nothing, and the id stays free', async () => {
		service.faults.add({ kind: 'delay', delayMs: 5000, stage: 'during', path: '/v2/scrape' });
		const late = post({ alexandria: templates(), timeout: 4000 }, 'set-1');
		await service.clock.untilWaiting(2);
		await service.clock.advance(4000);
		expect((await late).status).toBe(408);
		await service.clock.advance(1000);
		expect(spent()).toBe(0);
		const again = await post({ alexandria: templates(), timeout: 4000 }, 'set-1');
		expect(again.status).toBe(200);
	});

	test.each(['', 'a b', 'a/b', 'x'.repeat(129)])('%j is 400', async (id) => {
		expect((await run(templates(), id)).status).toBe(400);
	});
});

describe('find-tools', () => {
	test.each<[string, Record<string, unknown>]>([
		['an unknown option', { search: 'x' }],
		['an unknown level', { level: 'all' }],
		['limit 101', { limit: 101 }],
		['offset -1', { offset: -1 }],
		['51 providers', { providers: Array(51).fill('x') }],
		['an empty list', { groups: [] }],
	])('refuses %s in the call’s own error', async (_name, options) => {
		const { status, body } = await run(call('firecrawl', 'find-tools', options));
		expect(status).toBe(200);
		expect(body.data.alexandria[0].error).toMatchObject({ code: 'invalid_options', status: 400 });
	});
});
