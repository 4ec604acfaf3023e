import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock-server/faults.cjs';
import { existing, tides, urlsOf, useTriggers, watch } from './triggers.cjs';

const triggers = useTriggers();
const elsewhere = {
	url: 'https://hooks.example/in',
	metadata: { row: '12' },
	events: ['monitor.check.completed'],
};
const webhookOf = (id: string) =>
	triggers.monitors.find((each) => each.id === id)?.settings.webhook;

/** An account with one monitor, and a workflow that listens to it. */
async function listener(monitor: Record<string, unknown> = {}, parameters: INodeParameters = {}) {
	const account = triggers.account();
	const { id } = await triggers.made(account, monitor);
	const trigger = await triggers.trigger({ ...existing(id), ...parameters }, { account });
	return { account, id, trigger };
}

describe('an existing monitor', () => {
	it('calls here while the workflow is active; afterwards too, where nobody listens, as nothing takes a webhook off', async () => {
		const { id, trigger } = await listener();
		await trigger.activate();

		expect(triggers.requests).toEqual([
			['GET', `/v2/monitor/${id}`],
			[
				'PATCH',
				`/v2/monitor/${id}`,
				{
					webhook: {
						url: trigger.address,
						events: ['monitor.page'],
						metadata: { registration: 'attached by n8n', trigger: expect.any(String) },
					},
				},
			],
		]);
		await triggers.nextCheck();
		expect(urlsOf(trigger)).toEqual([tides]);

		await trigger.deactivate();
		expect(triggers.monitors.map((each) => each.id)).toEqual([id]);
		expect(triggers.requests.filter(([method]) => method === 'PATCH')).toHaveLength(1);
		expect(webhookOf(id)?.url).toBe(trigger.address);
		expect(trigger.stored).not.toHaveProperty('registration');
	});

	it('that calls another address keeps calling it unless told otherwise', async () => {
		const { id, trigger } = await listener({ webhook: elsewhere });

		await expect(trigger.activate()).rejects.toMatchObject({
			message: "The monitor 'Spring tides' already has a webhook with another URL",
			description: expect.stringContaining("'Replace Webhook'") as string,
		});
		expect(webhookOf(id)).toEqual(elsewhere);
	});

	it('gets back the webhook that was replaced', async () => {
		const { id, trigger } = await listener({ webhook: elsewhere }, { replaceWebhook: true });

		await trigger.activate();
		expect(webhookOf(id)?.url).toBe(trigger.address);
		await trigger.restart();
		trigger.change({ events: ['checkCompleted'] });
		await trigger.restart();
		expect(webhookOf(id)?.events).toEqual(['monitor.check.completed']);

		await trigger.deactivate();
		expect(webhookOf(id)).toEqual(elsewhere);
	});

	it.each<[string, object]>([
		['headers', { headers: { Authorization: 'Bearer of-another-system' } }],
		['a password in its address', { url: 'https://me:of-another-system@hooks.example/in' }],
	])('keeps a webhook with %s: n8n would store what may be secret', async (_name, secrets) => {
		const webhook = { ...elsewhere, ...secrets };
		const { id, trigger } = await listener({ webhook }, { replaceWebhook: true });

		const activation = trigger.activate();

		await expect(activation).rejects.toMatchObject({
			message: "The webhook of the monitor 'Spring tides' may hold secrets and is not replaced",
			description: expect.stringMatching(/headers.*without them/i) as string,
		});
		await expect(activation).rejects.not.toThrow('of-another-system');
		await trigger.deactivate();
		expect(webhookOf(id)).toEqual(webhook);
		expect(JSON.stringify(trigger.stored)).not.toContain('of-another-system');
		expect(triggers.requests.map(([method]) => method)).not.toContain('PATCH');
	});

	it('gets back the webhook that was replaced by a request whose answer never came', async () => {
		const { id, trigger } = await listener({ webhook: elsewhere }, { replaceWebhook: true });
		triggers.testBed.service.faults.add({
			kind: 'failure',
			error: 'No',
			method: 'PATCH',
			stage: 'after',
		});

		await trigger.activate();
		expect(webhookOf(id)?.url).toBe(trigger.address);
		await trigger.deactivate();

		expect(webhookOf(id)).toEqual(elsewhere);
	});

	it.each<[string, FaultInput]>([
		['cannot be read', { kind: 'failure', error: 'No' }],
		['is said to be gone', { kind: 'html', status: 404 }],
	])(
		'that may have been changed and then %s is named with the webhook of before',
		async (_name, fault) => {
			const { trigger } = await listener({ webhook: elsewhere }, { replaceWebhook: true });
			triggers.testBed.service.faults.add(
				{ kind: 'failure', error: 'No', method: 'PATCH', stage: 'after' },
				{ ...fault, method: 'GET', skip: 1 },
			);

			await expect(trigger.activate()).rejects.toMatchObject({
				description: expect.stringContaining(`its URL was ${elsewhere.url}`) as string,
			});
		},
	);

	it('gets back the webhook that was replaced, though it was said to be gone once', async () => {
		const { id, trigger } = await listener({ webhook: elsewhere }, { replaceWebhook: true });
		await trigger.activate();
		triggers.testBed.service.faults.add({ kind: 'status', status: 404, method: 'GET' });
		await trigger.deactivate();
		expect(webhookOf(id)?.url).toBe(trigger.address);

		await trigger.activate();
		await trigger.deactivate();

		expect(webhookOf(id)).toEqual(elsewhere);
		expect(trigger.stored).not.toHaveProperty('registration');
	});

	it('keeps what such an activation left when n8n cleans up after it', async () => {
		const { id, trigger } = await listener({ webhook: elsewhere }, { replaceWebhook: true });
		triggers.testBed.service.faults.add(
			{ kind: 'failure', error: 'No', method: 'PATCH', stage: 'after' },
			{ kind: 'failure', error: 'No', method: 'GET', skip: 1 },
		);

		await expect(trigger.activate()).rejects.toThrow('No');

		expect(triggers.requests.filter(([method]) => method === 'PATCH')).toHaveLength(1);
		expect(webhookOf(id)?.url).toBe(trigger.address);
	});

	it('is not taken for changed by an answer that does not hold it', async () => {
		const { id, trigger } = await listener({ webhook: elsewhere }, { replaceWebhook: true });
		const empty = { kind: 'status', status: 200, body: {}, method: 'PATCH' } as const;
		const { faults } = triggers.testBed.service;

		faults.add(empty);
		await expect(trigger.activate()).rejects.toThrow('The response lacks the monitor');
		expect(webhookOf(id)).toEqual(elsewhere);

		await trigger.activate();
		faults.add(empty);
		await expect(trigger.deactivate()).rejects.toThrow('The response lacks the monitor');
		await trigger.deactivate();
		expect(webhookOf(id)).toEqual(elsewhere);
	});

	it('keeps its webhook when the service does not tell what it is', async () => {
		const { id, trigger } = await listener({ webhook: elsewhere }, { replaceWebhook: true });
		triggers.testBed.service.faults.add({ kind: 'status', status: 200, body: { success: true } });

		await expect(trigger.activate()).rejects.toThrow('The response lacks the monitor');

		expect(webhookOf(id)).toEqual(elsewhere);
	});

	it('keeps the webhook that somebody gave it meanwhile', async () => {
		const { account, id, trigger } = await listener();
		await trigger.activate();
		await triggers.client(account).send('PATCH', `/${id}`, { webhook: elsewhere });

		await trigger.deactivate();

		expect(webhookOf(id)).toEqual(elsewhere);
	});

	it('that is gone is named at activation, and no matter at deactivation', async () => {
		const { account, id, trigger } = await listener();
		await trigger.activate();
		await triggers.client(account).send('DELETE', `/${id}`);

		await expect(trigger.restart()).rejects.toThrow(`There is no monitor ${id}`);
		await trigger.deactivate();
		expect(trigger.stored).toEqual({});
	});

	it('left alone when n8n is started anew', async () => {
		const { id, trigger } = await listener();
		await trigger.activate();
		triggers.testBed.service.log.clear();

		await trigger.restart();

		expect(triggers.requests).toEqual([['GET', `/v2/monitor/${id}`]]);
	});

	it('is not listened to for meaningful changes when nobody judges them', async () => {
		const { id, trigger } = await listener({}, { onlyMeaningful: true });

		await expect(trigger.activate()).rejects.toThrow(/requires a goal/);
		expect(webhookOf(id)).toBeUndefined();
	});

	it('is let go when the workflow turns to another', async () => {
		const { account, id, trigger } = await listener(
			{ webhook: elsewhere },
			{ replaceWebhook: true },
		);
		const other = await triggers.made(account);
		await trigger.activate();

		trigger.change(existing(other.id));
		await trigger.restart();
		expect(webhookOf(id)).toEqual(elsewhere);
		expect(webhookOf(other.id)?.url).toBe(trigger.address);

		trigger.change({ ...watch, source: 'newMonitor' });
		await trigger.restart();
		expect(webhookOf(other.id)?.url).toBe(trigger.address);
		expect(triggers.monitors).toHaveLength(3);

		trigger.change(existing(other.id));
		await trigger.restart();
		expect(triggers.monitors.map((each) => each.id)).toEqual([id, other.id]);
	});
});

describe('the list of monitors', () => {
	it.each([
		['no monitor', { __rl: true, mode: 'list', value: '' }],
		['no id', { __rl: true, mode: 'id', value: 'spring' }],
		['an empty text in the place of a pick', ''],
	])('%s is refused by name', async (_name, monitorId) => {
		const trigger = await triggers.trigger({ source: 'existingMonitor', monitorId });

		await expect(trigger.activate()).rejects.toThrow(/^'Monitor' /);
		expect(triggers.requests).toEqual([]);
	});
});
