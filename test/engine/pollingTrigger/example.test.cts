import { PolledWorkflow } from '../polledWorkflow.cjs';
import { examples, loadWorkflow } from '../../../tools/demo/examples.cjs';
import { useTestBed } from '../testBed.cjs';
import { addressOf, page, topic, urlsOf } from './watching.cjs';

describe('examples/watch-a-topic.json', () => {
	const testBed = useTestBed();

	it('tells about each new result, and not about what there was', async () => {
		const { credentials } = testBed.account();
		const workflow = loadWorkflow(examples.topic, topic);
		const [trigger, ...others] = workflow.nodes;
		const [type] = trigger.type.split('.').slice(-1);
		const { parameters } = trigger;
		const polled = new PolledWorkflow(testBed.engine, { type, parameters, credentials });
		const day = 86_400_000;
		for (const [index, name] of ['oldest', 'old', 'new', 'newer'].entries()) {
			const published = new Date(Date.now() - (10 - index) * day).toISOString();
			testBed.service.site.add(page(name, { kind: 'news', published }));
		}

		await polled.activate();
		await polled.poll();
		testBed.service.site.add(page('newest'));
		await polled.poll();
		await polled.poll();

		expect(polled.errors).toEqual([]);
		const [second, ...more] = polled.executions;
		expect(more).toEqual([]);
		expect(urlsOf(second.map(({ json }) => json))).toEqual([addressOf('newest')]);

		const run = await testBed.engine.run({
			workflow,
			credentials,
			mode: 'trigger',
			startWith: { node: trigger.name, items: second },
		});
		expect(run.status).toBe('success');
		const entry = expect.stringMatching(
			new RegExp(`^• The ${topic} newest\\n.+\\n${addressOf('newest')}$`),
		);
		expect(run.output(others[0].name)).toMatchObject([{ json: { entry } }]);
	});
});
