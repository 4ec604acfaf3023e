import type { CataloguePage } from './toolCalls/browse.cjs';
import { startService, type Service } from './service.cjs';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());
beforeEach(() => {
	service.reset();
	service.clock.hold(Date.parse('2026-11-21T12:00:00Z'));
});

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

async function browse(options: Record<string, unknown> = {}): Promise<CataloguePage> {
	const { body } = await run(call('firecrawl', 'find-tools', options));
	const [{ data, error }] = body.data.alexandria;
	if (!data) throw new Error(error?.message);
	return data as unknown as CataloguePage;
}
const ids = ({ items }: CataloguePage) => items.map(({ id }) => id);

describe('execution', () => {
	test('one call, its answer read from the provider’s own pages', async () => {
		const { status, body } = await run(offers());
		expect(status).toBe(200);
		const [{ data, records, creditsCost }] = body.data.alexandria;
		const found = data?.offers as Array<Record<string, string>>;
		expect(found.map(({ url }) => new URL(url).hostname)).toEqual(
			found.map(() => 'emberroast.example'),
		);
		expect(found.map(({ url }) => url)).toContain('https://emberroast.example/shop/harbour-blend');
		expect(records).toBe(found.length);
		expect(creditsCost).toBe(found.length);
		expect(body.data.creditsCost).toBe(found.length);
		expect(body.scrape_id).toEqual(expect.any(String));
		expect(spent()).toBe(found.length);
	});

	test('a page that changes is a different answer', async () => {
		const url = 'https://emberroast.example/shop/harbour-blend';
		const titleOf = async () => {
			const { body } = await run(offers({ product: 'harbour blend' }));
			const list = body.data.alexandria[0].data?.offers as Array<Record<string, string>>;
			return list.find((offer) => offer.url === url)?.title;
		};
		const before = await titleOf();
		service.site.update(url, { title: 'Harbour Blend, new harvest' });
		expect(before).toBe('Harbour Blend');
		expect(await titleOf()).toBe('Harbour Blend, new harvest');
	});

	test('records are limited by the tool’s own option; none cost nothing', async () => {
		const ships = await run(call('port-office', 'ship-arrivals', { limit: 2 }));
		expect(ships.body.data.alexandria[0]).toMatchObject({ records: 2, creditsCost: 2 });
		const none = await run(call('fernwege', 'train-connections', { from: 'zzqq', to: 'qqzz' }));
		expect(none.body.data).toMatchObject({
			creditsCost: 0,
			alexandria: [{ records: 0, data: { connections: [] } }],
		});
	});

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

	test('a tool in trouble; one that took its price first says so by a charge id', async () => {
		const { trouble } = service.context.tools;
		trouble.set('relayworks/template-search', { code: 'upstream_error', message: 'Down' });
		trouble.set('tidewatch/storm-warnings', {
			code: 'upstream_timeout',
			message: 'No answer',
			status: 504,
			charged: true,
		});
		const { body } = await run([
			templates(),
			call('tidewatch', 'storm-warnings', { coast: 'north' }),
		]);
		const [free, paid] = body.data.alexandria;
		expect(free.error).toEqual({ code: 'upstream_error', message: 'Down' });
		expect(paid.error).toMatchObject({ status: 504, chargeId: expect.any(String) as string });
		expect(body.data.creditsCost).toBe(0);
		expect(spent()).toBe(2);
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
		service.context.options.keyless = { requestsPerDay: 50, creditsPerDay: 100 };
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

	test('terms have to be accepted by a person; then the same request id goes through', async () => {
		const companies = call('filings', 'company-search', { name: 'tide' });
		const first = await run([templates(), companies], 'terms-1');
		expect(first.status).toBe(403);
		expect(first.body).toMatchObject({
			code: 'THIRD_PARTY_DATA_TERMS_REQUIRED',
			requiresAction: { type: 'accept_terms', terms: 'filings', version: '2026-01' },
		});
		expect(String(first.body.requiresAction.url)).toContain('filings');
		expect(spent()).toBe(0);
		service.context.agents.terms.accept('team-full', 'filings');
		const second = await run([templates(), companies], 'terms-1');
		expect(second.status).toBe(200);
		expect(second.body.data.creditsCost).toBe(spent());
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
	test('walks down by ready-made calls, from categories to a tool that runs', async () => {
		let page = await browse({ level: 'categories' });
		expect(ids(page)).toContain('software');
		const levels = [page.level];
		for (const wanted of ['software', 'relayworks', 'relayworks/templates']) {
			const next = page.items.find(({ id }) => id === wanted)?.next;
			const { body } = await run(next);
			page = body.data.alexandria[0].data as unknown as CataloguePage;
			levels.push(page.level);
		}
		expect(levels).toEqual(['categories', 'providers', 'groups', 'tools']);
		expect(page.items).toHaveLength(1);
		expect(page.items[0]).toMatchObject({
			id: 'relayworks/template-search',
			execute: { provider: 'relayworks', capability: 'template-search' },
		});
		expect(page.items[0]).not.toHaveProperty('options');
		const { body } = await run(page.items[0].next);
		const contract = body.data.alexandria[0].data as unknown as CataloguePage;
		expect(contract.items[0]).toMatchObject({
			options: [{ name: 'query', type: 'string', required: true }, { name: 'limit' }],
			response: { key: 'templates' },
		});
		const { execute } = contract.items[0];
		expect((await run({ ...execute, options: { query: 'retry' } })).status).toBe(200);
		expect(spent()).toBe(1);
	});

	test('by query, address, provider, category and capability', async () => {
		const byQuery = await browse({ query: 'train connections' });
		expect([byQuery.level, ids(byQuery)[0]]).toEqual(['tools', 'fernwege/train-connections']);
		const byUrl = await browse({ urls: ['https://tidewatch.example/guides/spring-tides'] });
		expect(new Set(byUrl.items.map(({ provider }) => provider))).toEqual(new Set(['tidewatch']));
		expect(ids(await browse({ categories: ['transport'] })).sort()).toEqual([
			'fernwege',
			'port-office',
		]);
		expect(ids(await browse({ providers: ['filings'], capabilities: ['company-search'] }))).toEqual(
			['filings/company-search'],
		);
		const expanded = await browse({ query: 'tide times', expand: ['examples'] });
		expect(expanded.items[0]).toHaveProperty('examples');
		expect(expanded.items[0]).not.toHaveProperty('response');
	});

	test('pages follow each other by `next` until it is null', async () => {
		const all = ids(await browse({ level: 'tools', limit: 100 }));
		let page = await browse({ level: 'tools', limit: 5 });
		const seen = [...ids(page)];
		while (page.next) {
			const { body } = await run(page.next);
			page = body.data.alexandria[0].data as unknown as CataloguePage;
			seen.push(...ids(page));
		}
		expect(seen).toEqual(all);
		expect(page.total).toBe(all.length);
	});

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

	test('costs nothing, also beside paid calls', async () => {
		const { body } = await run([call('firecrawl', 'find-tools'), templates()]);
		expect(body.data.alexandria.map(({ creditsCost }) => creditsCost)).toEqual([0, 1]);
		await run(call('firecrawl', 'find-tools'), undefined, service.keys.empty);
		expect(spent()).toBe(1);
	});
});
