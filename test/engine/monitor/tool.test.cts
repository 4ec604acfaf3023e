import { insideFence } from '../fence.cjs';
import { least, picked, tides, useMonitors } from './monitors.cjs';

/** The variant of the node that AI Agents call, on monitors: a model reads the items' JSON and nothing else. */
describe('monitors as a tool', () => {
	const monitors = useMonitors();
	const { testBed } = monitors;
	const node = () => ({ type: testBed.engine.typeName('webDataTool') });

	it('are made, run and read for a model', async () => {
		const account = testBed.account();
		const options = { account, node: node() };
		const [made] = insideFence(
			await monitors.items(
				'create',
				{ ...least, name: '={{ $json.name }}' },
				{ ...options, input: [{ name: 'Asked for' }] },
			),
		);
		const monitorId = picked(String(made.id));
		const [check] = insideFence(await monitors.items('run', { monitorId }, options));
		await testBed.service.context.monitors.idle();

		const pages = await monitors.items(
			'getCheck',
			{ monitorId, checkId: String(check.id), outputOptions: { keepFields: 'url, status' } },
			options,
		);

		expect(made).toMatchObject({ name: 'Asked for', status: 'active' });
		expect(insideFence(pages)).toEqual([{ url: tides, status: 'new' }]);
	});

	it('tell the model what happened and what to do', async () => {
		const account = testBed.account();
		const { id } = await monitors.made(account);
		await monitors.client(account).send('PATCH', `/${id}`, { status: 'paused' });

		const run = await monitors.run('run', { monitorId: picked(id) }, { account, node: node() });

		expect(run.status).toBe('success');
		expect(insideFence(run.output())).toEqual([
			{
				error: 'The monitor is paused (HTTP 409)',
				advice: expect.stringMatching(/^Set the monitor's 'Status' to Active with Update first/),
			},
		]);
	});

	it('tell the model which field is wrong', async () => {
		const run = await monitors.run(
			'get',
			{ monitorId: picked('={{ $json.monitor }}') },
			{ node: node(), input: [{ monitor: 'Spring tides' }] },
		);

		expect(run.status).toBe('success');
		expect(run.output().map(({ json }) => json)).toEqual([
			{
				error: expect.stringMatching(/^'Monitor' must be an ID such as .*, not Spring tides$/),
				advice: 'Nothing was sent and nothing was charged.',
			},
		]);
		expect(monitors.requests).toEqual([]);
	});
});
