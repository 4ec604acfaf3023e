import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { freshEngine, storms, tides, useTriggers, watch } from './triggers.cjs';

const triggers = useTriggers();
const time = useDrivenTime(() => triggers.testBed.service);
const { testBed } = triggers;

const watchSent = {
	name: 'Tides: Watch',
	targets: [{ type: 'scrape', urls: [tides] }],
	schedule: { text: 'hourly' },
};
const metadata = { registration: 'created by n8n', trigger: expect.any(String) as string };
const made = () => testBed.service.log.of('POST', '/v2/monitor').map(({ body }) => body);

describe('activation', () => {
	it.each<[string, INodeParameters, object]>([
		['what a monitor needs', {}, { ...watchSent, webhook: { events: ['monitor.page'] } }],
		[
			'every field',
			{
				targets: {
					values: [
						{ type: 'scrape', urls: `${tides}\n${storms}` },
						{ type: 'crawl', url: 'https://relayworks.example', limit: 5 },
						{ type: 'search', queries: 'spring tide', optionsJson: '{"searchWindow": "7d"}' },
					],
				},
				schedule: '0 9 * * 1-5',
				events: ['changed', 'checkCompleted'],
				onlyMeaningful: true,
				includePages: true,
				additionalFields: {
					goal: 'A time changes',
					timezone: 'Europe/Berlin',
					name: 'Tides of the year',
					judgeEnabled: true,
					retentionDays: 7,
					notification: { enabled: true, recipients: 'ada@tidewatch.example' },
				},
			},
			{
				name: 'Tides of the year',
				targets: [
					{ type: 'scrape', urls: [tides, storms] },
					{ type: 'crawl', url: 'https://relayworks.example', crawlOptions: { limit: 5 } },
					{ type: 'search', queries: ['spring tide'], searchWindow: '7d' },
				],
				schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
				goal: 'A time changes',
				judgeEnabled: true,
				retentionDays: 7,
				notification: { email: { enabled: true, recipients: ['ada@tidewatch.example'] } },
				webhook: { events: ['monitor.page', 'monitor.check.completed'] },
			},
		],
	])('registers one monitor with %s', async (_name, parameters, sent) => {
		const trigger = await triggers.active({ ...watch, ...parameters });

		const webhook = 'webhook' in sent ? sent.webhook : undefined;
		const expected = { ...sent, webhook: { ...Object(webhook), url: trigger.address, metadata } };
		expect(made()).toEqual([expected]);
		expect(triggers.monitors.map(({ settings }) => settings.webhook?.url)).toEqual([
			trigger.address,
		]);
		expect(trigger.stored).toMatchObject({
			registration: { monitorId: triggers.monitors[0].id },
		});
	});

	it.each<[string, INodeParameters, RegExp]>([
		['no target', { targets: {} }, /'Targets' is required/],
		['no event', { events: [] }, /'Events' requires at least one/],
		[
			'a webhook of its own',
			{ additionalFields: { requestJson: '{"webhook": {"url": "https://a.example"}}' } },
			/has no field 'webhook'/,
		],
		[
			'changes that nobody judges',
			{ onlyMeaningful: true },
			/'Only Meaningful Changes' requires a goal/,
		],
		[
			'changes that nobody is to judge',
			{ onlyMeaningful: true, additionalFields: { goal: 'Times', judgeEnabled: false } },
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
		expect(triggers.monitors).toEqual([]);
		expect(trigger.stored).toEqual({});
	});
});

describe('a monitor of an active workflow', () => {
	it('is left as it is when n8n is started anew', async () => {
		const trigger = await triggers.active(watch);
		const { id } = triggers.monitors[0];
		testBed.service.log.clear();

		await trigger.restart(await freshEngine());

		expect(triggers.requests).toEqual([['GET', '/v2/monitor']]);
		expect(triggers.monitors.map((monitor) => monitor.id)).toEqual([id]);
	});

	it('is made anew when it was deleted by hand', async () => {
		const account = triggers.account();
		const trigger = await triggers.active(watch, { account });
		const [{ id }] = triggers.monitors;
		await triggers.client(account).send('DELETE', `/${id}`);

		await trigger.restart();

		expect(triggers.monitors).toHaveLength(1);
		expect(triggers.monitors[0].id).not.toBe(id);
		expect(trigger.stored).toMatchObject({ registration: { monitorId: triggers.monitors[0].id } });
	});

	it('is changed, not doubled, when the parameters are others', async () => {
		const more = {
			retentionDays: 7,
			notification: { enabled: true },
		};
		const trigger = await triggers.active({
			...watch,
			additionalFields: { ...more, goal: 'Times', judgeEnabled: true },
		});
		const [{ id }] = triggers.monitors;
		trigger.change({ additionalFields: {}, schedule: 'daily at 9am' });

		await trigger.restart();

		expect(triggers.monitors).toHaveLength(1);
		const [monitor] = triggers.monitors;
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
		const [{ id }] = triggers.monitors;
		trigger.moveTo('http://n8n:5678');

		await trigger.restart();

		expect(triggers.monitors).toMatchObject([{ settings: { webhook: { url: trigger.address } } }]);
		expect(triggers.monitors[0].id).not.toBe(id);
	});

	it('is left alone where its static data was copied with the workflow', async () => {
		const account = triggers.account();
		await triggers.active(watch, { account });
		const [{ id }] = triggers.monitors;
		const copy = await triggers.trigger(watch, { account });
		copy.remember({ registration: { monitorId: id, requestHash: 'x' } });

		await copy.activate();

		expect(triggers.monitors.map((monitor) => monitor.id)).toContain(id);
		expect(triggers.monitors).toHaveLength(2);
	});

	it('is known again when n8n has forgotten what it registered', async () => {
		const account = triggers.account();
		const trigger = await triggers.active(watch, { account });
		const { settings } = triggers.monitors[0];
		const spare = testBed.service.context.monitors.create(account.team.id, settings);
		const foreign = await triggers.made(account, { webhook: { url: trigger.address } });
		trigger.forget();

		await trigger.restart();

		expect(made()).toEqual([]);
		expect(triggers.monitors.filter(({ id }) => id !== foreign.id)).toHaveLength(1);
		await trigger.deactivate();
		expect(triggers.monitors.map(({ id }) => id)).toEqual([foreign.id]);
		expect(spare.deleted.aborted).toBe(true);
	});
});

describe('deactivation', () => {
	it('removes the monitor and no other', async () => {
		const account = triggers.account();
		const others = [
			await triggers.made(account),
			await triggers.made(account, { webhook: { url: 'https://hooks.example/in' } }),
		];
		const trigger = await triggers.active(watch, { account });
		const neighbour = await triggers.active(watch, { account });

		await trigger.deactivate();

		expect(trigger.stored).toEqual({});
		expect(triggers.monitors.map(({ id, settings }) => settings.webhook?.url ?? id)).toEqual([
			others[0].id,
			'https://hooks.example/in',
			neighbour.address,
		]);
	});

	it('is content with a monitor that is gone', async () => {
		const account = triggers.account();
		const trigger = await triggers.active(watch, { account });
		await triggers.client(account).send('DELETE', `/${triggers.monitors[0].id}`);

		await trigger.deactivate();

		expect(trigger.stored).toEqual({});
	});

	it('that failed is made up for when the workflow listens to something else', async () => {
		const trigger = await triggers.active(watch);
		testBed.service.faults.add({ kind: 'status', status: 403, method: 'DELETE' });
		await expect(trigger.deactivate()).rejects.toThrow('HTTP 403');
		expect(triggers.monitors).toHaveLength(1);
		trigger.change({ source: 'webhookEvents' });

		await trigger.activate();

		expect(triggers.monitors).toEqual([]);
		expect(trigger.stored).toEqual({});
	});
});

describe('an n8n that the service cannot reach', () => {
	it('is refused with advice', async () => {
		const trigger = await triggers.trigger(watch, {
			publicUrl: 'http://n8n:5678',
			baseUrl: 'https://api.service.example',
		});

		await expect(trigger.activate()).rejects.toMatchObject({
			message: `The server cannot reach this n8n at ${trigger.address}`,
			description: expect.stringContaining('WEBHOOK_URL') as string,
		});
	});

	it('is none where the service runs in the same network', async () => {
		const trigger = await triggers.active(watch, { publicUrl: 'http://n8n:5678' });

		expect(triggers.monitors.map(({ settings }) => settings.webhook?.url)).toEqual([
			trigger.address,
		]);
	});

	it('may listen to jobs, whose webhook is not its affair', async () => {
		const trigger = await triggers.active(
			{ source: 'webhookEvents' },
			{ publicUrl: 'http://localhost:5678', baseUrl: 'https://api.service.example' },
		);

		await trigger.deactivate();

		expect(triggers.requests).toEqual([]);
	});
});

describe('what the service does not answer', () => {
	const request = { path: '/v2/monitor', method: 'POST' };

	it.each([
		['whose answer is lost', { kind: 'reset', stage: 'after' }],
		[
			'whose answer does not tell it',
			{ kind: 'status', status: 200, body: { success: true }, stage: 'after' },
		],
	] as const)('a new monitor %s is found and kept', async (_name, fault) => {
		const trigger = await triggers.trigger(watch);
		testBed.service.faults.add({ ...request, ...fault });

		await time.drive(trigger.activate());

		expect(made()).toHaveLength(1);
		expect(triggers.monitors).toHaveLength(1);
		expect(trigger.stored).toMatchObject({
			registration: { monitorId: triggers.monitors[0].id },
		});
	});

	it('a monitor that was not made is none, though the answer says that all went well', async () => {
		const trigger = await triggers.trigger(watch);
		testBed.service.faults.add({
			...request,
			kind: 'status',
			status: 200,
			body: { success: true },
		});

		await expect(trigger.activate()).rejects.toThrow('The response lacks the monitor');

		expect(trigger.stored).not.toHaveProperty('registration');
	});
});
