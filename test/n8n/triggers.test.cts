import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { NewPage } from '../mock/site/site.cjs';
import { MonitorClient } from '../mock/testClient.cjs';
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

const urls = (items: INodeExecutionData[]) => items.map(({ json }) => json.url);

describe('triggers in the real n8n', () => {
	const real = useN8n('triggers');

	/** A workflow that the Web Data Polling Trigger starts every minute, n8n's shortest interval, from soon on. */
	const polling = (parameters: INodeParameters) =>
		chain('Watch', [
			{
				name: watch,
				type: 'n8n-nodes-web-data.webDataPollingTrigger',
				parameters: {
					...parameters,
					firstCheck: 'all',
					pollTimes: {
						item: [
							{
								mode: 'custom',
								cronExpression: `${(new Date().getUTCSeconds() + 20) % 60} * * * * *`,
							},
						],
					},
				},
			},
		]);

	/** The URLs that its executions were started with. */
	const firedBy = async (id: string, count: number) => {
		const executions = await real.n8n.api.executionsOf(id, count);
		return executions.map((execution) => urls(execution.succeeded().output(watch)));
	};

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
		const id = await api.createWorkflow(polling({ query: topic }), credential);
		const fired = async (count: number) => await firedBy(id, count);

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

	it('the Web Data Polling Trigger fires for a page and a monitor, on its schedule', async () => {
		const { api, service } = real.n8n;
		const { credential, key } = await real.n8n.account();
		const client = new MonitorClient(service, key);
		const names = ['page', 'monitor'];
		names.forEach((name) => service.site.add(page(`watched-${name}`)));
		const [pageUrl, monitorUrl] = names.map((name) => addressOf(`watched-${name}`));
		const { id: monitorId } = await client.created({
			targets: [{ type: 'scrape', urls: [monitorUrl] }],
		});
		await client.checked(monitorId);
		const started = await Promise.all(
			[
				{ watch: 'page', urls: pageUrl },
				{ watch: 'monitor', monitorId: { __rl: true, mode: 'id', value: monitorId } },
			].map(async (parameters) => {
				const id = await api.createWorkflow(polling(parameters), credential);
				await api.activate(id);
				return id;
			}),
		);
		const expected = [pageUrl, monitorUrl];
		for (const [index, id] of started.entries()) {
			expect(await firedBy(id, 1)).toEqual([[expected[index]]]);
		}

		for (const url of expected) service.site.update(url, { markdown: 'All is different now.' });
		await client.checked(monitorId);
		for (const [index, id] of started.entries()) {
			expect(await firedBy(id, 2)).toEqual([[expected[index]], [expected[index]]]);
			await api.deactivate(id);
		}
	});
});
