import { HookContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { freshEngine, itemsOf, tides, useTriggers, watch } from './triggers.cjs';

const triggers = useTriggers();
const time = useDrivenTime(() => triggers.testBed.service);
const { testBed } = triggers;

const [text, token] = [
	expect.any(String) as string,
	expect.stringMatching(/^[\w-]{32}$/) as string,
];
const metadata = { registration: 'created by n8n', trigger: text, token };
const made = () => testBed.service.log.of('POST', '/v2/monitor').map(({ body }) => body);
const ids = () => triggers.monitors.map(({ id }) => id);
const log = () => jest.spyOn(HookContext.prototype.logger, 'warn');
beforeEach(() => void log());
afterEach(() => log().mockRestore());
/** The warnings of the triggers in n8n's log. */
const warned = () => log().mock.calls.map(([line]) => line);
/** Where the monitors call. */
const called = () => triggers.monitors.map(({ settings }) => settings.webhook?.url);
const api = 'https://api.service.example';

describe('activation', () => {
	it('registers one monitor, with every field', async () => {
		const trigger = await triggers.active({
			...watch,
			targets: { values: [{ type: 'search', queries: 'spring tide' }] },
			schedule: '0 9 * * 1-5',
			events: ['changed', 'checkCompleted'],
			onlyMeaningful: true,
			additionalFields: {
				goal: 'A time changes',
				timezone: 'Europe/Berlin',
				name: 'Tides of the year',
				judgeEnabled: true,
				retentionDays: 7,
				notification: { enabled: true, recipients: 'ada@tidewatch.example' },
			},
		});

		expect(made()).toEqual([
			{
				name: 'Tides of the year',
				targets: [{ type: 'search', queries: ['spring tide'] }],
				schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
				goal: 'A time changes',
				judgeEnabled: true,
				retentionDays: 7,
				notification: { email: { enabled: true, recipients: ['ada@tidewatch.example'] } },
				webhook: {
					url: trigger.address,
					metadata,
					events: ['monitor.page', 'monitor.check.completed'],
				},
			},
		]);
		const [monitorId, ...others] = ids();
		expect(others).toEqual([]);
		expect(trigger.stored).toMatchObject({ registration: { monitorId } });
	});

	const requestJson = '{"webhook": {"url": "https://a.example"}}';
	it.each<[string, INodeParameters, RegExp]>([
		['no target', { targets: {} }, /'Targets' is required/],
		['no event', { events: [] }, /'Events' requires at least one/],
		['a webhook of its own', { additionalFields: { requestJson } }, /has no field 'webhook'/],
		[
			'changes that nobody judges',
			{ onlyMeaningful: true },
			/'Only Meaningful Changes' requires a goal/,
		],
	])('with %s registers nothing and says why', async (_name, parameters, words) => {
		const trigger = await triggers.trigger({ ...watch, ...parameters });

		await expect(trigger.activate()).rejects.toThrow(words);
		expect(made()).toEqual([]);
	});

	it("ends with the service's words when it refuses, and leaves nothing", async () => {
		const trigger = await triggers.trigger(watch);
		testBed.service.faults.add({ kind: 'status', status: 403, error: 'No', path: '/v2/monitor' });

		await expect(trigger.activate()).rejects.toMatchObject({ message: 'No (HTTP 403)' });
		expect([ids(), trigger.stored]).toEqual([[], {}]);
	});

	it.each([
		['whose answer is lost', { kind: 'reset' }],
		['whose answer does not tell it', { kind: 'status', status: 200, body: { success: true } }],
	] as const)('finds and keeps a new monitor %s', async (_name, fault) => {
		const trigger = await triggers.trigger(watch);
		testBed.service.faults.add({ path: '/v2/monitor', method: 'POST', stage: 'after', ...fault });

		await time.drive(trigger.activate());

		expect(made()).toHaveLength(1);
		const [monitorId, ...others] = ids();
		expect(others).toEqual([]);
		expect(trigger.stored).toMatchObject({ registration: { monitorId } });
	});

	it('is refused with advice if the service cannot reach this n8n', async () => {
		const setting = { publicUrl: 'http://n8n:5678', baseUrl: api };
		const trigger = await triggers.trigger(watch, setting);

		await expect(trigger.activate()).rejects.toMatchObject({
			message: `The server cannot reach this n8n at ${trigger.address}`,
			description: expect.stringContaining('WEBHOOK_URL') as string,
		});
	});

	it('needs no public address where the service runs in the same network', async () => {
		const trigger = await triggers.active(watch, { publicUrl: 'http://n8n:5678' });

		expect(called()).toEqual([trigger.address]);
	});

	it.each<[string, INodeParameters, number]>([
		['not for a new monitor, which has a token', watch, 0],
		['for webhook events', { source: 'webhookEvents', requireSignature: false }, 1],
	])('warns in the log if there is no secret: %s', async (_what, parameters, count) => {
		await triggers.active(parameters, { secret: '' });

		const warning = expect.stringContaining("no 'Webhook Secret'") as string;
		expect(warned()).toEqual(Array(count).fill(warning));
	});
});

describe('a monitor of an active workflow', () => {
	it('is left as it is when n8n is started anew', async () => {
		const trigger = await triggers.active(watch);
		const before = ids();
		testBed.service.log.clear();

		trigger.engine = await freshEngine();
		await trigger.restart();

		expect(triggers.requests).toEqual([['GET', '/v2/monitor']]);
		expect(ids()).toEqual(before);
	});

	it('is made anew when it was deleted by hand', async () => {
		const account = triggers.account();
		const trigger = await triggers.active(watch, { account });
		const [before] = ids();
		await triggers.client(account).send('DELETE', `/${before}`);

		await trigger.restart();

		const [monitorId, ...others] = ids();
		expect([others, monitorId === before]).toEqual([[], false]);
		expect(trigger.stored).toMatchObject({ registration: { monitorId } });
	});

	it('is changed, not doubled, when the parameters are others', async () => {
		const more = { retentionDays: 7, notification: { enabled: true } };
		const judged = { ...more, goal: 'Times', judgeEnabled: true };
		const trigger = await triggers.active({ ...watch, additionalFields: judged });
		const [id] = ids();
		trigger.change({ additionalFields: {}, schedule: '0 9 * * *' });

		await trigger.restart();

		const [monitor, ...others] = triggers.monitors;
		expect(others).toEqual([]);
		expect(monitor).toMatchObject({
			id,
			settings: {
				schedule: { cron: '0 9 * * *' },
				goal: null,
				judgeEnabled: false,
				retentionDays: 30,
				webhook: { url: trigger.address },
			},
		});
		expect(monitor.settings.notification).toBeUndefined();
	});

	it('is not left running at an address that n8n had before', async () => {
		const trigger = await triggers.active(watch);
		const [before] = ids();
		trigger.options.publicUrl = 'http://n8n:5678';

		await trigger.restart();

		expect(called()).toEqual([trigger.address]);
		expect(ids()).not.toEqual([before]);
	});

	it.each<[string, INodeParameters, FaultInput[]]>([
		['is activated', watch, []],
		['cannot be activated', watch, [{ kind: 'status', status: 402, method: 'POST' }]],
		['listens to other events', { source: 'webhookEvents' }, []],
	])('is left alone where a copy with its static data %s', async (_what, parameters, faults) => {
		const account = triggers.account();
		await triggers.active(watch, { account });
		const [id] = ids();
		const copy = await triggers.trigger(parameters, { account });
		copy.stored = { registration: { monitorId: id, requestHash: 'x' } };
		testBed.service.faults.add(...faults);

		await copy.activate().catch(() => undefined);
		await copy.deactivate();

		expect([ids(), copy.stored]).toEqual([[id], {}]);
		expect(warned()).toEqual([expect.stringContaining(id)]);
	});

	it.each(['deactivate', 'restart'] as const)(
		'is named in the log if the account has changed: %s',
		async (change) => {
			const trigger = await triggers.active(watch);
			const [id] = ids();
			Object.assign(trigger.options.credentials.webDataApi, { apiKey: triggers.account().key });

			await trigger[change]();

			expect(ids()).toContain(id);
			expect(warned()).toEqual([expect.stringContaining(id)]);
		},
	);

	it('is known again when n8n has forgotten what it registered', async () => {
		const account = triggers.account();
		const trigger = await triggers.active(watch, { account });
		const { settings } = triggers.monitors[0];
		testBed.service.context.monitors.create(account.team.id, settings);
		const foreign = await triggers.made(account, { webhook: { url: trigger.address } });
		trigger.stored = {};

		await trigger.restart();

		expect(made()).toEqual([]);
		expect(ids()).toEqual([expect.any(String), foreign.id]);
		await trigger.deactivate();
		expect(ids()).toEqual([foreign.id]);
	});
});

describe('deactivation', () => {
	it('removes the monitor and no other', async () => {
		const account = triggers.account();
		const webhook = { url: 'https://hooks.example/in' };
		await triggers.made(account);
		await triggers.made(account, { webhook });
		const trigger = await triggers.active(watch, { account });
		const neighbour = await triggers.active(watch, { account });

		await trigger.deactivate();

		expect(trigger.stored).toEqual({});
		expect(called()).toEqual([undefined, webhook.url, neighbour.address]);
	});

	it('removes the monitor of settings that are no longer valid', async () => {
		const trigger = await triggers.active(watch);
		trigger.change({ events: [], targets: {} });

		await trigger.deactivate();

		expect(ids()).toEqual([]);
	});

	it('is content with a monitor that is gone', async () => {
		const account = triggers.account();
		const trigger = await triggers.active(watch, { account });
		await triggers.client(account).send('DELETE', `/${ids()[0]}`);

		await trigger.deactivate();

		expect(trigger.stored).toEqual({});
	});

	it('is content with a monitor that goes meanwhile', async () => {
		const trigger = await triggers.active(watch);
		testBed.service.faults.add({ kind: 'status', status: 404, method: 'DELETE' });

		await trigger.deactivate();

		expect(trigger.stored).toEqual({});
	});

	it('that failed is made up for when the workflow listens to something else', async () => {
		const trigger = await triggers.active(watch);
		testBed.service.faults.add({ kind: 'status', status: 403, method: 'DELETE' });
		await expect(trigger.deactivate()).rejects.toThrow('HTTP 403');
		expect(ids()).toHaveLength(1);
		trigger.change({ source: 'webhookEvents' });

		await trigger.activate();

		expect([ids(), trigger.stored]).toEqual([[], {}]);
	});
});

describe('"Listen for test event"', () => {
	it('has a monitor of its own, which is checked at once and removed afterwards', async () => {
		const trigger = await triggers.active(watch);
		const [before, { stored }] = [ids(), trigger];

		await trigger.listen();
		expect(called()).toEqual([trigger.address, trigger.testAddress]);
		await triggers.settled();
		await trigger.stopListening();

		expect(itemsOf(trigger)).toMatchObject([
			[{ url: tides, status: 'new', event: { verified: true } }],
		]);
		expect(ids()).toEqual(before);
		expect(trigger.stored).toEqual(stored);
	});

	it.each([[['changed']], [['removed', 'error']], [['checkCompleted']]])(
		'comes whatever events are chosen: %j',
		async (events) => {
			const trigger = await triggers.trigger({ ...watch, events, onlyMeaningful: false });

			await trigger.listen();
			await triggers.settled();
			await trigger.stopListening();

			expect(itemsOf(trigger)).toHaveLength(1);
		},
	);

	it('leaves nothing when it cannot begin', async () => {
		const trigger = await triggers.trigger(watch);
		const run = { kind: 'status', status: 402, method: 'POST', path: '/v2/monitor/*' } as const;
		testBed.service.faults.add(run);

		await expect(trigger.listen()).rejects.toThrow('HTTP 402');
		expect(ids()).toEqual([]);
	});
});
