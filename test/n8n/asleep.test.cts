import { seededRandom } from '../seededRandom.cjs';
import { chain, manual, nodeUnderTest, useN8n } from './n8n.cjs';

const count = 50;

describe('an execution that sleeps for fifty agent runs of 10 to 60 s', () => {
	const real = useN8n('asleep');

	it('has one result of each, over two kills of n8n, with calls in any order, repeated, forged and lost', async () => {
		const { api, service, server } = real.n8n;
		const { webhooks, agents } = service.context;
		const account = await real.n8n.account({
			webhookSecret: 'whsec-of-the-team',
			ratePerMinute: {},
			credits: 1_000_000,
			concurrency: 100,
		});
		const draw = seededRandom(23);
		webhooks.held = true;
		for (let run = 0; run < count; run += 1) {
			agents.script.add({ count: 1, durationMs: 10_000 + Math.round(draw() * 50_000) });
		}
		const topics = Array.from(
			{ length: count },
			(_, place) =>
				`Who writes about tides? ${String.fromCharCode(97 + (place % 26))}${'q'.repeat(1 + Math.floor(place / 26))}`,
		);
		const workflow = chain('Asleep for fifty', [
			manual,
			{
				name: 'Topics',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: JSON.stringify({ topic: topics }), options: {} },
			},
			{
				name: 'Each topic',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'topic', options: {} },
			},
			{
				name: nodeUnderTest,
				parameters: {
					resource: 'agent',
					operation: 'run',
					prompt: '={{ $json.topic }}',
					wait: 'suspend',
					maxWait: 1.5,
				},
			},
		]);
		const { id, status } = await real.n8n.run(workflow, account);
		service.clock.hold();
		expect(status).toBe('waiting');
		expect(agents.jobs).toHaveLength(count);

		const lost = new Set<string>();
		const called = new Set<string>();
		const forged: unknown[] = [];
		/** Makes the calls for the jobs that have ended, in any order. */
		const deliver = async () => {
			const due = webhooks.deliveries
				.filter(({ webhookId }) => !called.has(webhookId) && !lost.has(webhookId))
				.map((delivery) => ({ delivery, place: draw() }))
				.sort((one, other) => one.place - other.place);
			for (const { delivery } of due) {
				const { webhookId } = delivery;
				const chance = draw();
				if (chance < 0.05) {
					lost.add(webhookId);
					continue;
				}
				if (chance < 0.15) forged.push((await webhooks.again(webhookId, 'wrong')).status);
				const { status } = await webhooks.again(webhookId);
				// As the service, it is called again later where it was not answered.
				if (status === 200) called.add(webhookId);
				if (chance > 0.9) await webhooks.again(webhookId);
			}
		};

		await service.clock.advance(25_000);
		await deliver();
		await server.kill();
		await service.clock.advance(15_000);
		await deliver();
		await server.start();
		expect((await api.execution(id)).status).toBe('waiting');
		await deliver();
		await server.kill();
		await server.start();
		expect((await api.execution(id)).status).toBe('waiting');
		await service.clock.advance(25_000);
		await deliver();
		service.clock.release();

		const awake = (await api.resumed(id)).succeeded();
		const output = awake.output(nodeUnderTest);
		const found = output.map(
			({ json }) => agents.jobs.find((job) => job.id === json.jobId)?.about.task.prompt,
		);
		expect(found).toEqual(topics);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(topics.map((_, item) => ({ item })));
		// n8n does not answer while it is dead, and answers 409 once the execution is awake.
		expect(forged).toContain(401);
		expect([401, 409, undefined]).toEqual(expect.arrayContaining(forged));
		expect(lost.size).toBeGreaterThan(0);
		expect(service.log.of('POST', '/v2/agent')).toHaveLength(count);
	});
});
