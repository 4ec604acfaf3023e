import type { NewPage } from '../mock/site/site.cjs';
import { chain, useN8n } from './n8n.cjs';
import { watch } from './pageWatch.cjs';

/** A word that no page of the mock server's web has until a test adds one. */
const topic = 'zephyrine';
const addressOf = (name: string) => `https://tidewatch.example/finds/${name}`;
const page = (name: string): NewPage => ({
	url: addressOf(name),
	title: `The ${topic} ${name}`,
	markdown: `# The ${topic} ${name}\n\nAll about it.`,
	published: new Date().toISOString(),
});

// The Web Data Trigger is tried in restart.test.
describe('triggers in the real n8n', () => {
	const real = useN8n('triggers');

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
