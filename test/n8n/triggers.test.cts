import type { IDataObject } from 'n8n-workflow';
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { NewPage } from '../mock/site/site.cjs';
import { chain, useN8n } from './n8n.cjs';
import { pageWatch, watch } from './pageWatch.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const webhookSecret = 'whsec-of-the-team';

/** A word that no page of the mock server's web has until a test adds one. */
const topic = 'zephyrine';
const addressOf = (name: string) => `https://tidewatch.example/finds/${name}`;
const page = (name: string): NewPage => ({
	url: addressOf(name),
	title: `The ${topic} ${name}`,
	markdown: `# The ${topic} ${name}\n\nAll about it.`,
	published: new Date().toISOString(),
});

describe('triggers in the real n8n', () => {
	const real = useN8n('triggers');

	it('the Web Data Trigger fires for what its monitor finds, until it is deactivated', async () => {
		const { api, service, server } = real.n8n;
		const { monitors, webhooks } = service.context;
		const { team, credential } = await real.n8n.account({ webhookSecret });
		const id = await api.createWorkflow(pageWatch(tides), credential);

		await api.activate(id);
		const monitor = await until('the monitor', () => monitors.of(team.id)[0]);
		const address = monitor.settings.webhook?.url ?? '';
		expect(address.startsWith(`${server.url}/webhook/`)).toBe(true);

		expect(monitors.of(team.id)).toEqual([monitor]);
		await monitors.toNextCheck();
		const [first] = await api.executionsOf(id, 1);
		expect(
			first
				.succeeded()
				.output(watch)
				.map(({ json }) => json),
		).toMatchObject([
			{ url: tides, status: 'new', event: { type: 'monitor.page', verified: true } },
		]);

		service.site.update(tides, { markdown: '# Spring tides\n\nAll is different now.' });
		await monitors.toNextCheck();
		const [, second] = await api.executionsOf(id, 2);
		expect(second.output(watch).map(({ json }) => json)).toMatchObject([
			{ url: tides, status: 'changed' },
		]);
		expect(webhooks.deliveries.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual(
			[[200], [200]],
		);

		const body: IDataObject = { type: 'monitor.page', webhookId: randomUUID(), data: [{}] };
		const unsigned = await fetch(address, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		expect(unsigned.status).toBe(401);

		await api.deactivate(id);
		await until('the monitor to go', () => monitors.of(team.id).length === 0 || undefined);
		expect(await api.executionsOf(id, 2)).toHaveLength(2);
	});

	it('the Web Data Trigger starts its workflow once for each of 60 deliveries at 40 per second', async () => {
		const { api, service } = real.n8n;
		const { team, credential } = await real.n8n.account({ webhookSecret });
		const workflowId = await api.createWorkflow(pageWatch(tides), credential);
		await api.activate(workflowId);
		const { id: monitorId, settings } = await until(
			'the monitor',
			() => service.context.monitors.of(team.id)[0],
		);
		const { url: address = '', metadata } = settings.webhook ?? {};
		const deliver = async () => {
			const [id, webhookId, checkId] = [randomUUID(), randomUUID(), randomUUID()];
			const data = [{ monitorId, checkId, url: tides, status: 'changed' }];
			const event = { success: true, type: 'monitor.page', id, webhookId, data, metadata };
			const body = JSON.stringify(event);
			const digest = createHmac('sha256', webhookSecret).update(body).digest('hex');
			const response = await fetch(address, {
				method: 'POST',
				body,
				headers: {
					'content-type': 'application/json',
					connection: 'close',
					'x-firecrawl-signature': `sha256=${digest}`,
				},
			});
			await response.arrayBuffer();
			return response.status;
		};
		// n8n takes a moment to listen after it has been told to.
		await until('a first answer', async () => (await deliver()) === 200 || undefined);
		const answers = await Promise.all(
			Array.from({ length: 60 }, async (_, place) => {
				await pause(place * 25);
				return await deliver();
			}),
		);
		// n8n itself answers 503 on a machine so busy that its database is late.
		const taken = answers.filter((status) => status === 200);
		expect(answers.filter((status) => ![200, 503].includes(status))).toEqual([]);
		const ids = await api.executionIds(workflowId, 1 + taken.length);
		expect(ids).toHaveLength(1 + taken.length);
		await api.deactivate(workflowId);
	});

	it('the Web Data Polling Trigger fires once for each result, on its schedule and after a pause', async () => {
		const { api, service } = real.n8n;
		const { credential } = await real.n8n.account();
		// Every minute, n8n's shortest interval, from soon on.
		const cronExpression = `${(new Date().getUTCSeconds() + 20) % 60} * * * * *`;
		const pollTimes = { item: [{ mode: 'custom', cronExpression }] };
		const type = 'n8n-nodes-web-data.webDataPollingTrigger';
		const parameters = { query: topic, firstCheck: 'all', pollTimes };
		const workflow = chain('Watch', [{ name: watch, type, parameters }]);
		const id = await api.createWorkflow(workflow, credential);
		/** The URLs that its executions were started with. */
		const fired = async (count: number) =>
			(await api.executionsOf(id, count)).map((execution) =>
				execution
					.succeeded()
					.output(watch)
					.map(({ json }) => json.url),
			);

		service.site.add(page('first'));
		await api.activate(id);
		expect(await fired(1)).toEqual([[addressOf('first')]]);

		service.site.add(page('second'));
		expect(await fired(2)).toEqual([[addressOf('first')], [addressOf('second')]]);

		await api.deactivate(id);
		service.site.add(page('third'));
		await api.activate(id);
		expect((await fired(3)).at(-1)).toEqual([addressOf('third')]);
		await api.deactivate(id);
	});
});
