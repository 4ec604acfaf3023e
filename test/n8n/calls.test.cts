import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { chain, useN8n, type Account } from './n8n.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const webhookSecret = 'whsec-of-the-team';

const signatureOf = (body: string) =>
	`sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`;

/** A call by anybody; answers its status. */
async function call(
	address: string,
	body: string,
	headers: Record<string, string> = {},
): Promise<number> {
	const response = await fetch(address, {
		method: 'POST',
		body,
		headers: { 'content-type': 'application/json', connection: 'close', ...headers },
	});
	await response.arrayBuffer();
	return response.status;
}

describe('calls from outside, in the real n8n', () => {
	const real = useN8n('calls');

	/** A trigger in an active workflow, the monitor that it made, and where it is called. */
	async function active(account: Account, parameters: INodeParameters = {}) {
		const { api, service } = real.n8n;
		const workflow = chain('Watch a page', [
			{
				name: 'Watch',
				type: 'n8n-nodes-web-data.webDataTrigger',
				webhookId: randomUUID(),
				parameters: {
					targets: { values: [{ type: 'scrape', urls: tides }] },
					schedule: 'hourly',
					...parameters,
				},
			},
		]);
		const id = await api.createWorkflow(workflow, account.credential);
		await api.activate(id);
		const monitor = await until(
			'the monitor',
			() => service.context.monitors.of(account.team.id)[0],
		);
		const { url: address = '', metadata } = monitor.settings.webhook ?? {};
		/** A delivery of the monitor as the service sends it. */
		const delivery = (type: string, ...data: object[]) =>
			JSON.stringify({
				success: true,
				type,
				id: randomUUID(),
				webhookId: randomUUID(),
				data: data.map((entry) => ({ monitorId: monitor.id, checkId: randomUUID(), ...entry })),
				metadata,
			});
		return { id, address, delivery };
	}

	it('a megabyte of dots starts nothing', async () => {
		const { address } = await active(await real.n8n.account());
		const type = '.'.repeat(900_000);
		const body = JSON.stringify({
			type,
			webhookId: randomUUID(),
			data: Array.from({ length: 40_000 }, () => 0),
		});

		expect(await call(address, body)).toBe(400);
	});

	it("of 1,000 checks in a call that nobody signed, few are asked for with the user's key", async () => {
		const { api, service } = real.n8n;
		const account = await real.n8n.account();
		const { id, address, delivery } = await active(account, {
			events: ['checkCompleted'],
			includePages: true,
		});
		service.log.clear();
		const body = delivery('monitor.check.completed', ...Array.from({ length: 1000 }, () => ({})));

		expect(await call(address, body)).toBe(200);
		const [execution] = await api.executionsOf(id, 1);

		expect(execution.output('Watch')).toHaveLength(1000);
		expect(service.log.entries.length).toBeLessThanOrEqual(10);
	});

	it('60 deliveries at 40 per second start the workflow once each', async () => {
		const { api } = real.n8n;
		const watching = await active(await real.n8n.account({ webhookSecret }), {
			events: ['changed'],
		});
		const deliver = async () => {
			const body = watching.delivery('monitor.page', { url: tides, status: 'changed' });
			return await call(watching.address, body, { 'x-firecrawl-signature': signatureOf(body) });
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
		const ids = await api.executionIds(watching.id, 1 + taken.length);
		expect(ids).toHaveLength(1 + taken.length);
	});
});
