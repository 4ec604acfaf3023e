import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
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
