import { startForeignHost } from './loopback.cjs';
import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { TestClient } from './testClient.cjs';

let service: Service;
let client: TestClient;
useService((started) => {
	service = started;
	client = new TestClient(service);
});

const search = () => client.search({ query: 'tide', limit: 1 });
const raw = (): Promise<Response> =>
	fetch(`${service.url}/v2/search`, {
		method: 'POST',
		redirect: 'manual',
		headers: { 'content-type': 'application/json', authorization: `Bearer ${service.keys.full}` },
		body: JSON.stringify({ query: 'tide', limit: 1 }),
	});
const waitedOut = async (): Promise<void> => {
	while (service.clock.waiting > 0) await new Promise((resolve) => setImmediate(resolve));
};
const charged = (): number => service.ledger.entries.reduce((sum, { credits }) => sum + credits, 0);

test('a sequence of statuses meets the requests in order, then the truth comes', async () => {
	service.faults.add(
		{ kind: 'status', status: 503, count: 2 },
		{ kind: 'status', status: 429, retryAfter: 7, retryAfterSeconds: 8, textHint: 9 },
	);
	const replies = [await search(), await search(), await search(), await search()];
	expect(replies.map(({ status }) => status)).toEqual([503, 503, 429, 200]);
	expect(replies[0].body).toEqual({ success: false, error: 'Service Unavailable' });
	expect(replies[2].headers.get('retry-after')).toBe('7');
	expect(replies[2].body).toEqual({
		success: false,
		error: 'Rate limit exceeded, please retry after 9s',
		retry_after_seconds: 8,
	});
	expect(charged()).toBe(2);
});

test('a fault meets its own method and path, after those it lets pass', async () => {
	service.faults.add({ kind: 'status', status: 500, method: 'POST', path: '/v2/search', skip: 1 });
	expect((await client.get('/v2/team/credit-usage')).status).toBe(200);
	expect((await search()).status).toBe(200);
	expect((await search()).status).toBe(500);
});

test('a path with * is a prefix; unknown paths can be disturbed too', async () => {
	service.faults.add({
		kind: 'status',
		status: 502,
		path: '/v2/agent*',
		code: 'X',
		headers: { 'x-a': 'b' },
	});
	const { status, body, headers } = await client.post('/v2/agent/1', {});
	expect([status, body.code, headers.get('x-a')]).toEqual([502, 'X', 'b']);
});

test.each([
	['before', 0],
	['during', 2],
	['after', 2],
] as const)('a reset %s the work charges %d', async (stage, credits) => {
	service.faults.add({ kind: 'reset', stage });
	await expect(search()).rejects.toThrow('fetch failed');
	await search();
	expect(charged() - 2).toBe(credits);
	expect(service.log.entries[0]).toMatchObject({ delivery: 'reset', fault: 'reset', credits });
});

test.each([
	['before the work: nothing is charged', 'before', 0, 0],
	['after it: what was done is charged', 'after', 0, 2],
	['within the answer', 'after', 20, 2],
] as const)('a stall %s', async (_name, stage, bytes, credits) => {
	service.faults.add({ kind: 'stall', stage, bytes });
	const client = new AbortController();
	const answer = fetch(`${service.url}/v2/search`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: `Bearer ${service.keys.full}` },
		body: JSON.stringify({ query: 'tide', limit: 1 }),
		signal: client.signal,
	});
	const read = answer.then(async (response) => await response.text());
	await service.clock.untilWaiting(1);
	client.abort();

	await expect(read).rejects.toThrow('aborted');
	expect(charged()).toBe(credits);
	expect(service.log.entries[0]).toMatchObject({ delivery: 'stalled', fault: 'stall' });
	await waitedOut();
});

test('a truncated answer promises more than comes, and is charged', async () => {
	service.faults.add({ kind: 'truncate', bytes: 20 });
	const response = await raw();
	expect(Number(response.headers.get('content-length'))).toBeGreaterThan(20);
	await expect(response.text()).rejects.toThrow();
	expect(charged()).toBe(2);
});

test('a lost answer after the work is charged', async () => {
	service.faults.add({ kind: 'status', status: 504, stage: 'after' });
	expect((await search()).status).toBe(504);
	expect(charged()).toBe(2);
});

test('HTML, empty bodies, and 200 with success false', async () => {
	service.faults.add(
		{ kind: 'html', status: 502 },
		{ kind: 'empty', status: 504 },
		{ kind: 'failure', error: 'No such host', code: 'SCRAPE_DNS_RESOLUTION_ERROR' },
	);
	const html = await raw();
	expect([html.status, html.headers.get('content-type')]).toEqual([
		502,
		'text/html; charset=utf-8',
	]);
	expect(await html.text()).toMatch(/^<html>/);
	const empty = await raw();
	expect([empty.status, await empty.text()]).toEqual([504, '']);
	const failure = await search();
	expect([failure.status, failure.body.success, failure.body.error]).toEqual([
		200,
		false,
		'No such host',
	]);
	expect(charged()).toBe(0);
});

test('a delay waits on the clock', async () => {
	service.clock.hold();
	service.faults.add({ kind: 'delay', delayMs: 3_600_000 });
	let answered = false;
	const reply = search().finally(() => {
		answered = true;
	});
	await service.clock.untilWaiting(1);
	expect(answered).toBe(false);
	await service.clock.advance(3_600_000);
	expect((await reply).status).toBe(200);
});

test('a redirect leads to another host, which records what a client brings along', async () => {
	const foreign = await startForeignHost();
	try {
		service.faults.add({ kind: 'redirect', location: foreign.url });
		const response = await raw();
		expect([response.status, response.headers.get('location')]).toEqual([
			307,
			`${foreign.url}/v2/search`,
		]);
		await fetch(response.headers.get('location') ?? '', {
			headers: { authorization: 'Bearer leaked' },
		});
		expect(foreign.requests).toHaveLength(1);
		expect(foreign.requests[0]).toMatchObject({
			path: '/v2/search',
			headers: { authorization: 'Bearer leaked' },
		});
	} finally {
		await foreign.close();
	}
});
