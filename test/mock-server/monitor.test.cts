import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { unknownKey } from './schemas/body.cjs';
import { example, type MonitorBody, MonitorClient } from './testClient.cjs';

let service: Service;
let monitors: MonitorClient;
useService(
	(started) => {
		service = started;
		monitors = new MonitorClient(service);
	},
	{ now: Date.parse('2026-11-21T12:10:00Z') },
);

const unknown = '11111111-1111-4111-8111-111111111111';
const searching = { type: 'search', queries: ['tide'] };
const patch = (id: string, body: unknown) => monitors.send<MonitorBody>('PATCH', `/${id}`, body);

describe('create', () => {
	test.each<[string, Record<string, unknown>, string]>([
		['no name', { name: undefined }, 'name'],
		['an empty name', { name: '' }, 'name'],
		['no schedule', { schedule: undefined }, 'schedule'],
		[
			'a schedule of both forms',
			{ schedule: { cron: '0 * * * *', text: 'hourly' } },
			'schedule.cron',
		],
		['a schedule of neither', { schedule: {} }, 'schedule.cron'],
		['no targets', { targets: [] }, 'targets'],
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
			'a query of 257',
			{ goal: 'x', targets: [{ ...searching, queries: ['x'.repeat(257)] }] },
			'targets.0.queries.0',
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
			'a recipient that is none',
			{ notification: { email: { recipients: ['me'] } } },
			'notification.email.recipients.0',
		],
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
		expect(body.error).toBe(unknownKey);
	});

	test('a search target needs no goal when the judge is off', async () => {
		const made = await monitors.created({ targets: [searching], judgeEnabled: false });
		expect(made).toMatchObject({ goal: null, judgeEnabled: false });
	});

	test('who may not', async () => {
		const { keys } = service;
		const as = (key: string) => new MonitorClient(service, key).create(example);
		expect((await as(keys.searchOnly)).status).toBe(403);
		expect((await as('fc-unknown')).status).toBe(401);
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
		['hourly', '0 * * * *'],
		['every 2 hours', '0 */2 * * *'],
		['daily at 9am', '0 9 * * *'],
		['daily at 12am', '0 0 * * *'],
		['daily at 5PM', '0 17 * * *'],
	])('%s is %s', async (text, cron) => {
		expect(await cronOf(text)).toBe(cron);
	});

	test.each([
		{ text: 'now and then' },
		{ text: 'every 7 minutes' },
		{ text: 'every 4 minutes' },
		{ text: 'daily at 25:00' },
		{ text: 'daily at 13pm' },
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
});

describe('read, change, delete', () => {
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
	test('takes no body but an empty one', async () => {
		const { id } = await monitors.created({});
		expect((await monitors.send('POST', `/${id}/run`, { force: true })).status).toBe(400);
	});
});
