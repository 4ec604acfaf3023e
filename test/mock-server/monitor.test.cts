import {
	example,
	MonitorClient,
	type CheckBody,
	type MonitorBody,
} from './monitor/monitorClient.cjs';
import { startService, type Service } from './service.cjs';

let service: Service;
let monitors: MonitorClient;
beforeAll(async () => {
	service = await startService();
	monitors = new MonitorClient(service);
});
afterAll(() => service.close());
beforeEach(() => {
	service.reset();
	service.clock.hold(Date.parse('2026-11-21T12:10:00Z'));
});

const unknown = '11111111-1111-4111-8111-111111111111';
const searching = { type: 'search', queries: ['tide'] };
const patch = (id: string, body: unknown) => monitors.send<MonitorBody>('PATCH', `/${id}`, body);

describe('create', () => {
	test('answers the monitor, with what was left out filled in', async () => {
		const { status, body } = await monitors.create(example);
		expect(status).toBe(200);
		expect(body).toEqual({
			success: true,
			data: {
				id: expect.any(String) as string,
				name: 'Spring tides',
				status: 'active',
				schedule: { cron: '0 * * * *', timezone: 'UTC' },
				nextRunAt: '2026-11-21T13:00:00.000Z',
				lastRunAt: null,
				currentCheckId: null,
				targets: [{ ...example.targets[0], id: expect.any(String) as string }],
				webhook: null,
				notification: null,
				retentionDays: 30,
				estimatedCreditsPerMonth: 720,
				lastCheckSummary: null,
				goal: null,
				judgeEnabled: false,
				createdAt: '2026-11-21T12:10:00.000Z',
				updatedAt: '2026-11-21T12:10:00.000Z',
			},
		});
	});

	test('everything else that it takes comes back', async () => {
		const full = {
			schedule: { text: 'daily at 9am', timezone: 'Europe/Berlin' },
			targets: [
				{ id: unknown, type: 'scrape', urls: ['tidewatch.example'], scrapeOptions: { waitFor: 5 } },
				{ type: 'crawl', url: 'https://relayworks.example', crawlOptions: { limit: 5 } },
				{ ...searching, searchWindow: '7d', maxResults: 5, includeDomains: ['tidewatch.example'] },
			],
			webhook: {
				url: 'https://hooks.example/in',
				headers: { 'x-flow': '1' },
				metadata: { workflow: 'w' },
				events: ['monitor.page'],
			},
			notification: { email: { enabled: true, recipients: ['a@tidewatch.example'] } },
			retentionDays: 365,
			goal: 'Times of spring tides',
		};
		const made = await monitors.created(full);
		expect(made).toMatchObject({
			schedule: { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
			nextRunAt: '2026-11-22T08:00:00.000Z',
			targets: [
				{ id: unknown, urls: ['http://tidewatch.example/'] },
				{ type: 'crawl', crawlOptions: { limit: 5 } },
				{ type: 'search', searchWindow: '7d', maxResults: 5 },
			],
			webhook: full.webhook,
			notification: { email: { enabled: true, includeDiffs: false } },
			emailRecipientSubscriptions: [{ email: 'a@tidewatch.example', status: 'pending' }],
			retentionDays: 365,
			judgeEnabled: true,
		});
	});

	test.each<[string, Record<string, unknown>, string]>([
		['no name', { name: undefined }, 'name'],
		['an empty name', { name: '' }, 'name'],
		['a name of 257', { name: 'x'.repeat(257) }, 'name'],
		['no schedule', { schedule: undefined }, 'schedule'],
		[
			'a schedule of both forms',
			{ schedule: { cron: '0 * * * *', text: 'hourly' } },
			'schedule.cron',
		],
		['a schedule of neither', { schedule: {} }, 'schedule.cron'],
		['no targets', { targets: [] }, 'targets'],
		['51 targets', { targets: Array(51).fill(example.targets[0]) }, 'targets'],
		['an unknown target', { targets: [{ type: 'map', url: 'a.example' }] }, 'targets.0.type'],
		[
			'a scrape target without address',
			{ targets: [{ type: 'scrape', urls: [] }] },
			'targets.0.urls',
		],
		['an address that is none', { targets: [{ type: 'scrape', urls: ['x'] }] }, 'targets.0.urls.0'],
		[
			'an unknown key in a target',
			{ targets: [{ ...example.targets[0], url: 'a.example' }] },
			'targets.0',
		],
		[
			'an unknown scrape option',
			{ targets: [{ ...example.targets[0], scrapeOptions: { fast: true } }] },
			'targets.0.scrapeOptions',
		],
		[
			'an unknown crawl option',
			{ targets: [{ type: 'crawl', url: 'a.example', crawlOptions: { maxDepth: 2 } }] },
			'targets.0.crawlOptions',
		],
		[
			'a target id that is none',
			{ targets: [{ ...example.targets[0], id: 'first' }] },
			'targets.0.id',
		],
		[
			'two targets of one id',
			{ targets: Array(2).fill({ ...example.targets[0], id: unknown }) },
			'targets',
		],
		[
			'13 queries',
			{ goal: 'x', targets: [{ ...searching, queries: Array(13).fill('a') }] },
			'targets.0.queries',
		],
		[
			'a query of 257',
			{ goal: 'x', targets: [{ ...searching, queries: ['x'.repeat(257)] }] },
			'targets.0.queries.0',
		],
		[
			'an unknown window',
			{ goal: 'x', targets: [{ ...searching, searchWindow: '2h' }] },
			'targets.0.searchWindow',
		],
		[
			'51 results',
			{ goal: 'x', targets: [{ ...searching, maxResults: 51 }] },
			'targets.0.maxResults',
		],
		[
			'both domain lists',
			{
				goal: 'x',
				targets: [{ ...searching, includeDomains: ['a.example'], excludeDomains: ['b.example'] }],
			},
			'targets.0.excludeDomains',
		],
		['a webhook as text', { webhook: 'https://hooks.example' }, 'webhook'],
		[
			'a short event name',
			{ webhook: { url: 'https://hooks.example', events: ['page'] } },
			'webhook.events.0',
		],
		[
			'26 recipients',
			{ notification: { email: { recipients: Array(26).fill('a@b.example') } } },
			'notification.email.recipients',
		],
		[
			'a recipient that is none',
			{ notification: { email: { recipients: ['me'] } } },
			'notification.email.recipients.0',
		],
		['retention 0', { retentionDays: 0 }, 'retentionDays'],
		['retention 366', { retentionDays: 366 }, 'retentionDays'],
		['a goal of 2001', { goal: 'x'.repeat(2001) }, 'goal'],
		['a search target without goal', { targets: [searching] }, 'goal'],
		['a search target with a null goal', { targets: [searching], goal: null }, 'goal'],
		['null for a missing webhook', { webhook: null }, 'webhook'],
		['a status', { status: 'paused' }, ''],
		['an integration', { integration: 'n8n' }, ''],
		['an origin', { origin: 'n8n' }, ''],
	])('refuses %s', async (_name, change, path) => {
		const { status, body } = await monitors.create({ ...example, ...change });
		expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
		expect(body.details?.map((detail) => detail.path.join('.'))).toContain(path);
		expect(service.context.monitors.all).toEqual([]);
	});

	test('an unknown key is named as such', async () => {
		const { body } = await monitors.create({ ...example, origin: 'api' });
		expect(body.error).toBe('Unrecognized key in body');
	});

	test('a search target needs no goal when the judge is off', async () => {
		const made = await monitors.created({ targets: [searching], judgeEnabled: false });
		expect(made).toMatchObject({ goal: null, judgeEnabled: false });
	});

	test('who may not', async () => {
		const { keys } = service;
		const as = (key: string) => new MonitorClient(service, key).create(example);
		expect((await as(keys.zdr)).status).toBe(400);
		expect((await as(keys.searchOnly)).status).toBe(403);
		expect((await as('fc-unknown')).status).toBe(401);
		service.context.webhooks.refusePrivateAddresses = true;
		const webhook = { url: 'http://127.0.0.1:5678/webhook' };
		expect((await monitors.create({ ...example, webhook })).body.details).toMatchObject([
			{ path: ['webhook', 'url'] },
		]);
		const targets = [
			{ ...example.targets[0], scrapeOptions: { threatProtection: { mode: 'off' } } },
		];
		expect(
			(await new MonitorClient(service, keys.plain).create({ ...example, targets })).status,
		).toBe(403);
		const crawl = {
			type: 'crawl',
			url: 'https://tidewatch.example',
			crawlOptions: { ignoreRobotsTxt: true },
		};
		const crawling = { ...example, targets: [crawl] };
		expect((await new MonitorClient(service, keys.plain).create(crawling)).status).toBe(403);
		expect((await monitors.create(crawling)).status).toBe(200);
	});
});

describe('schedules', () => {
	const cronOf = async (text: string) =>
		(await monitors.created({ schedule: { text } })).schedule.cron;

	test.each([
		['every 30 minutes', '*/30 * * * *'],
		['Every 5 minutes', '*/5 * * * *'],
		['every 15 minutes starting at :07', '7,22,37,52 * * * *'],
		['every 60 minutes', '0 * * * *'],
		['hourly', '0 * * * *'],
		['every 2 hours', '0 */2 * * *'],
		['daily', '0 0 * * *'],
		['daily at 9:00', '0 9 * * *'],
		['daily at 9am', '0 9 * * *'],
		['daily at 12am', '0 0 * * *'],
		['daily at 5:30 PM', '30 17 * * *'],
		['weekly', '0 0 * * 1'],
	])('%s is %s', async (text, cron) => {
		expect(await cronOf(text)).toBe(cron);
	});

	test.each([
		{ text: 'now and then' },
		{ text: 'every 7 minutes' },
		{ text: 'every 4 minutes' },
		{ text: 'daily at 25:00' },
		{ text: 'daily at 13pm' },
		{ text: 'x'.repeat(129) },
		{ cron: '*/4 * * * *' },
		{ cron: '0,58 * * * *' },
		{ cron: '* * * * *' },
		{ cron: '0 0 * * * *' },
		{ cron: '@daily' },
		{ cron: '0 25 * * *' },
		{ cron: '0 0 30 2 *' },
		{ cron: '0 9 * * *', timezone: 'Mars/Olympus' },
		{ cron: '0 9 * * *', timezone: '+02:00' },
		{ cron: '0 9 * * *', zone: 'UTC' },
	])('refuses %j', async (schedule) => {
		expect((await monitors.create({ ...example, schedule })).status).toBe(400);
	});

	test.each(['*/5 * * * *', '3-59/5 * * * *', '0 9 * * 1-5', '0 0 29 2 *', '0 12 1 1 *'])(
		'takes %s',
		async (cron) => {
			expect((await monitors.created({ schedule: { cron } })).schedule.cron).toBe(cron);
		},
	);

	test('the time zone decides, over the change of summer time too', async () => {
		service.clock.hold(Date.parse('2027-03-27T12:00:00Z'));
		const schedule = { cron: '0 9 * * *', timezone: 'Europe/Berlin' };
		const made = await monitors.created({
			schedule,
			targets: [{ type: 'scrape', urls: ['https://nowhere.example'] }],
		});
		expect(made.nextRunAt).toBe('2027-03-28T07:00:00.000Z');
	});
});

describe('read, change, delete', () => {
	test('lists newest first, by limit and offset', async () => {
		const names = ['a', 'b', 'c'];
		for (const name of names) await monitors.created({ name });
		const list = async (query = '') =>
			(await monitors.send<MonitorBody[]>('GET', query)).body.data.map(({ name }) => name);
		expect(await list()).toEqual(['c', 'b', 'a']);
		expect(await list('?limit=2')).toEqual(['c', 'b']);
		expect(await list('?limit=2&offset=2')).toEqual(['a']);
		for (const query of ['?limit=0', '?limit=101', '?offset=-1', '?cursor=x']) {
			expect((await monitors.send('GET', query)).status).toBe(400);
		}
		expect(
			(await new MonitorClient(service, service.keys.plain).send('GET', '')).body.data,
		).toEqual([]);
	});

	test('25 to a page unless said otherwise', async () => {
		for (let count = 0; count < 26; count++) await monitors.created({});
		expect((await monitors.send<MonitorBody[]>('GET', '')).body.data).toHaveLength(25);
	});

	test('a change keeps the rest', async () => {
		const before = await monitors.created({
			goal: 'tides',
			webhook: { url: 'https://hooks.example' },
		});
		await service.clock.advance(1000);
		const { body } = await patch(before.id, { name: 'Renamed', schedule: { text: 'daily' } });
		expect(body.data).toEqual({
			...before,
			name: 'Renamed',
			schedule: { cron: '0 0 * * *', timezone: 'UTC' },
			nextRunAt: '2026-11-22T00:00:00.000Z',
			estimatedCreditsPerMonth: 60,
			updatedAt: '2026-11-21T12:10:01.000Z',
		});
		expect(await monitors.get(before.id)).toEqual(body.data);
	});

	test('null clears the goal and {} the notification, nothing the webhook, and a goal turns the judge on', async () => {
		const { id } = await monitors.created({
			webhook: { url: 'https://hooks.example' },
			notification: { email: { enabled: true } },
		});
		expect((await patch(id, { goal: 'tides' })).body.data.judgeEnabled).toBe(true);
		const { body } = await patch(id, { goal: null, notification: {} });
		expect(body.data).toMatchObject({ goal: null, judgeEnabled: false, notification: null });
		for (const name of ['webhook', 'notification']) {
			expect((await patch(id, { [name]: null })).status).toBe(400);
		}
	});

	test('the rule on goals holds for the result', async () => {
		const { id } = await monitors.created({ goal: 'tides', targets: [searching] });
		expect((await patch(id, { goal: null })).status).toBe(400);
		expect((await patch(id, { goal: null, judgeEnabled: false })).status).toBe(200);
		const judged = await monitors.created({ goal: 'tides' });
		const both = { targets: [searching], goal: null };
		expect((await patch(judged.id, both)).status).toBe(400);
		expect((await patch(judged.id, { targets: [searching] })).status).toBe(200);
	});

	test.each<[string, unknown]>([
		['nothing', {}],
		['null for the name', { name: null }],
		['status deleted', { status: 'deleted' }],
		['an unknown key', { paused: true }],
		['an origin', { name: 'x', origin: 'api' }],
		['only the official client’s stamp', { origin: 'js-sdk@4.42.0' }],
	])('refuses to change %s', async (_name, body) => {
		const { id } = await monitors.created({});
		expect((await patch(id, body)).status).toBe(400);
	});

	test('paused it has no next run; active again it has', async () => {
		const { id } = await monitors.created({});
		expect((await patch(id, { status: 'paused' })).body.data.nextRunAt).toBeNull();
		await service.clock.advance(3 * 3_600_000);
		expect(await monitors.checks(id)).toEqual([]);
		expect((await patch(id, { status: 'active' })).body.data.nextRunAt).toBe(
			'2026-11-21T16:00:00.000Z',
		);
	});

	test('deleted it is gone, for ever and with its schedule', async () => {
		const { id } = await monitors.created({});
		expect((await monitors.send('DELETE', `/${id}`)).body).toEqual({ success: true });
		expect((await monitors.send('GET', `/${id}`)).status).toBe(404);
		expect((await monitors.send('DELETE', `/${id}`)).status).toBe(404);
		expect((await monitors.send('GET', '')).body.data).toEqual([]);
		const requests = service.ledger.entries.length;
		await service.clock.advance(3 * 3_600_000);
		expect(service.ledger.entries).toHaveLength(requests);
		expect(service.clock.waiting).toBe(0);
	});

	test.each([
		['GET', ''],
		['PATCH', ''],
		['DELETE', ''],
		['POST', '/run'],
		['GET', '/checks'],
		['GET', `/checks/${unknown}`],
	])('%s %s of somebody else’s, of none, of no id', async (method, path) => {
		const { id } = await new MonitorClient(service, service.keys.plain).created({});
		const body = method === 'PATCH' ? { name: 'x' } : undefined;
		expect((await monitors.send(method, `/${id}${path}`, body)).status).toBe(404);
		expect((await monitors.send(method, `/${unknown}${path}`, body)).status).toBe(404);
		expect((await monitors.send(method, `/abc${path}`, body)).status).toBe(400);
	});
});

describe('run', () => {
	test('answers the queued check at once, with its id at the top too', async () => {
		const { id } = await monitors.created({});
		const { body } = await monitors.send<CheckBody>('POST', `/${id}/run`, {});
		expect(body.data).toMatchObject({ status: 'queued', trigger: 'manual', scheduledFor: null });
		expect(body.id).toBe(body.data.id);
		await service.context.monitors.idle();
		expect(await monitors.check(id, body.id)).toMatchObject({ status: 'completed' });
	});

	test('is 409 while paused, and while a check is running, with its id', async () => {
		const { id } = await monitors.created({});
		service.context.monitors.durationMs = 5000;
		const first = await monitors.send<CheckBody>('POST', `/${id}/run`);
		await service.context.monitors.idle();
		expect((await monitors.get(id)).currentCheckId).toBe(first.body.id);
		const second = await monitors.send('POST', `/${id}/run`);
		expect([second.status, second.body.id]).toEqual([409, first.body.id]);
		expect(await monitors.check(id, first.body.id)).toMatchObject({ status: 'running' });
		await service.clock.advance(5000);
		expect(await monitors.get(id)).toMatchObject({ currentCheckId: null });
		await patch(id, { status: 'paused' });
		expect((await monitors.send('POST', `/${id}/run`)).status).toBe(409);
	});

	test('takes no body but an empty one', async () => {
		const { id } = await monitors.created({});
		expect((await monitors.send('POST', `/${id}/run`, { force: true })).status).toBe(400);
	});
});
