import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { MonitorClient } from './monitor/monitorClient.cjs';
import { startService, type Service } from './service.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const surges = 'https://tidewatch.example/guides/storm-surges';
let service: Service;
let monitors: MonitorClient;

interface Received {
	headers: IncomingHttpHeaders;
	raw: Buffer;
	body: {
		success: boolean;
		type: string;
		id: string;
		webhookId: string;
		metadata: Record<string, string>;
		error?: string;
		data: Array<Record<string, unknown>>;
	};
}
let received: Received[] = [];
let receiver: Server;
let hook: string;

beforeAll(async () => {
	service = await startService();
	monitors = new MonitorClient(service);
	receiver = createServer((incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const raw = Buffer.concat(chunks);
			const body = JSON.parse(raw.toString()) as Received['body'];
			received.push({ headers: incoming.headers, raw, body });
			response.end('ok');
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
	await service.close();
	receiver.closeAllConnections();
	await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(() => {
	service.reset();
	service.clock.hold(Date.parse('2026-11-21T12:10:00Z'));
	received = [];
});

const pages = (...urls: string[]) => [{ type: 'scrape', urls }];
const append = (url: string, text: string) =>
	service.site.update(url, { markdown: `${service.site.find(url)?.markdown}\n\n${text}` });
const ofType = (type: string) =>
	received.filter(({ body }) => body.type === type).map(({ body }) => body);

/** A manual check whose deliveries have been made. */
async function check(id: string): Promise<string> {
	received = [];
	const { id: checkId } = await monitors.checked(id);
	await service.context.webhooks.idle();
	return checkId;
}

test('one event per page, also for those that are the same, and one for the check', async () => {
	const { id } = await monitors.created({
		goal: 'gauge',
		targets: pages(tides, surges),
		webhook: { url: hook, headers: { 'X-Flow': '7' }, metadata: { workflow: 'w1' } },
	});
	await check(id);
	append(tides, 'A new gauge was added.');
	const checkId = await check(id);
	expect(received).toHaveLength(3);
	for (const { body, headers } of received) {
		expect(body).toMatchObject({ success: true, id: checkId, metadata: { workflow: 'w1' } });
		expect(body.data[0]).toMatchObject({ monitorId: id, checkId });
		expect(headers['x-flow']).toBe('7');
	}
	const events = ofType('monitor.page').flatMap(({ data }) => data);
	expect(events.find(({ url }) => url === tides)).toEqual({
		monitorId: id,
		checkId,
		url: tides,
		status: 'changed',
		previousScrapeId: expect.any(String) as string,
		currentScrapeId: expect.any(String) as string,
		error: null,
		isMeaningful: true,
		judgment: expect.objectContaining({ meaningful: true }) as object,
		diff: expect.objectContaining({
			text: expect.stringContaining('+A new gauge') as string,
		}) as object,
	});
	expect(events.find(({ url }) => url === surges)).toMatchObject({
		status: 'same',
		isMeaningful: null,
		judgment: null,
		diff: null,
	});
	expect(ofType('monitor.check.completed')).toMatchObject([
		{
			data: [{ status: 'completed', summary: { totalPages: 2, same: 1, changed: 1, error: 0 } }],
		},
	]);
});

test('a page that failed is an event without success, and so is its check', async () => {
	const { id } = await monitors.created({
		targets: pages(tides, 'https://no-such-host.example/'),
		webhook: { url: hook },
	});
	await check(id);
	expect(ofType('monitor.page').filter(({ success }) => !success)).toMatchObject([
		{ error: expect.stringContaining('DNS') as string, data: [{ status: 'error' }] },
	]);
	expect(ofType('monitor.check.completed')).toMatchObject([
		{ success: false, data: [{ status: 'partial', summary: { error: 1 } }] },
	]);
});

test('only the events asked for; none once the webhook has another address', async () => {
	const events = ['monitor.check.completed'];
	const { id } = await monitors.created({ webhook: { url: hook, events } });
	await check(id);
	expect(received.map(({ body }) => body.type)).toEqual(events);
	await monitors.send('PATCH', `/${id}`, { webhook: { url: 'https://hooks.example/elsewhere' } });
	await check(id);
	expect(received).toEqual([]);
});

test('signed with the account’s secret over the raw body', async () => {
	const secret = 'whsec_of_the_team';
	service.teams.of(service.keys.full).webhookSecret = secret;
	const { id } = await monitors.created({ webhook: { url: hook } });
	await check(id);
	for (const { headers, raw } of received) {
		const digest = createHmac('sha256', secret).update(raw).digest('hex');
		expect(headers['x-firecrawl-signature']).toBe(`sha256=${digest}`);
	}
	expect(received).toHaveLength(2);
});

test('by the schedule: toNextCheck waits for the deliveries too', async () => {
	await monitors.created({ webhook: { url: hook } });
	await service.context.monitors.toNextCheck();
	expect(ofType('monitor.check.completed')).toMatchObject([{ data: [{ status: 'completed' }] }]);
	expect(service.context.webhooks.deliveries.map(({ state }) => state)).toEqual([
		'delivered',
		'delivered',
	]);
});

test('by the schedule of a clock that runs, though it moves on while the schedule is made', async () => {
	service.clock.release();
	let time = Date.now();
	const running = jest.spyOn(Date, 'now').mockImplementation(() => time++);
	try {
		await monitors.created({ webhook: { url: hook } });
		running.mockImplementation(() => time);
		await service.context.monitors.toNextCheck();
	} finally {
		running.mockRestore();
	}
	expect(ofType('monitor.check.completed')).toHaveLength(1);
});

test('a check that is passed over is told as such', async () => {
	service.context.monitors.durationMs = 90 * 60_000;
	const events = ['monitor.check.completed'];
	await monitors.created({ webhook: { url: hook, events } });
	await service.clock.advance(50 * 60_000);
	await service.context.monitors.idle();
	await service.clock.advance(60 * 60_000);
	await service.context.webhooks.idle();
	expect(received.map(({ body }) => body)).toMatchObject([
		{ success: true, data: [{ status: 'skipped_overlap', summary: { totalPages: 0 } }] },
	]);
});

test('a monitor deleted during its check says nothing more', async () => {
	service.context.monitors.durationMs = 5000;
	const { id } = await monitors.created({
		webhook: { url: hook, events: ['monitor.check.completed'] },
	});
	await monitors.send('POST', `/${id}/run`);
	await service.context.monitors.idle();
	await monitors.send('DELETE', `/${id}`);
	await service.clock.advance(5000);
	await service.context.webhooks.idle();
	expect(service.context.webhooks.deliveries).toEqual([]);
});

describe('the control path', () => {
	const control = async (path: string, body?: unknown) => {
		const response = await fetch(`${service.url}/_control/${path}`, {
			method: body === undefined ? 'GET' : 'POST',
			...(body !== undefined && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		expect(response.status).toBe(200);
		return (await response.json()) as Record<string, unknown>;
	};

	test('changes, adds and removes pages, and brings the next check about', async () => {
		const url = 'https://tidewatch.example/guides/neap-tides';
		const { id } = await monitors.created({ targets: pages(tides, url) });
		await control('site/add', { url, title: 'Neap tides', markdown: 'Weak.' });
		await control('monitors/next-check', {});
		await control('site', { url: tides, change: { markdown: 'All new.' } });
		await control('site/remove', { url });
		const { now } = await control('monitors/next-check', {});
		expect(now).toBe(Date.parse('2026-11-21T14:00:00Z'));
		const [last] = await monitors.checks(id);
		expect(last.summary).toMatchObject({ changed: 1, removed: 1 });
		expect(await control('monitors')).toMatchObject({
			monitors: [{ id, teamId: 'team-full', lastCheckSummary: last.summary }],
		});
	});

	test('a reset leaves no monitor, and every page as it was', async () => {
		const before = service.site.find(tides)?.markdown;
		await monitors.created({});
		append(tides, 'More');
		service.site.remove(surges);
		service.reset();
		expect(await control('monitors')).toEqual({ monitors: [] });
		expect(service.site.find(tides)?.markdown).toBe(before);
		expect(service.site.find(surges)).toBeDefined();
		expect(service.clock.waiting).toBe(0);
	});
});
