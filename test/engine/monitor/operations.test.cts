import type { INodeParameters } from 'n8n-workflow';
import { least, picked, tides, unknownId, useMonitors } from './monitors.cjs';

/** The operations on one monitor: the one request that each sends, and what comes out. */
describe('a monitor', () => {
	const monitors = useMonitors();
	const { testBed } = monitors;

	describe('is picked', () => {
		it.each<[string, (id: string) => INodeParameters[string]]>([
			['from the list', (id) => ({ ...picked(id, 'list'), cachedResultName: 'Spring tides' })],
			['by its ID', (id) => picked(id)],
			['by its ID in capitals, between blanks', (id) => picked(` ${id.toUpperCase()} `)],
			['by an expression in the field', () => picked('={{ $json.id }}')],
			['by an expression in place of the field', () => '={{ $json.id }}'],
		])('%s', async (_name, pick) => {
			const account = testBed.account();
			const { id } = await monitors.made(account);

			const items = await monitors.items(
				'get',
				{ monitorId: pick(id) },
				{ account, input: [{ id }] },
			);

			expect(monitors.requests).toEqual([
				{ method: 'GET', path: `/v2/monitor/${id}`, query: {}, body: undefined },
			]);
			expect(items).toEqual([
				{ json: { ...(await monitors.client(account).get(id)) }, pairedItem: { item: 0 } },
			]);
		});
	});

	it.each(['update', 'getCheck'])(
		'that is not there is an error of %s that says what to do',
		async (operation) => {
			const run = await monitors.run(operation, {
				monitorId: picked(unknownId),
				...(operation === 'update' && { additionalFields: { status: 'paused' } }),
				...(operation === 'getCheck' && { checkId: unknownId }),
			});

			expect(run.error?.message).toBe('Monitor not found (HTTP 404) [item 0]');
			expect(run.error?.description).toMatch(/check the ID/i);
		},
	);

	it('that is run answers the check at once, and the check goes on', async () => {
		const account = testBed.account();
		const { id } = await monitors.made(account);

		const items = await monitors.items('run', { monitorId: picked(id) }, { account });

		expect(monitors.requests).toEqual([
			{ method: 'POST', path: `/v2/monitor/${id}/run`, query: {}, body: undefined },
		]);
		const [check] = monitors.of(account)[0].checks;
		expect(items).toMatchObject([
			{
				json: { id: check.id, monitorId: id, status: 'queued', trigger: 'manual' },
				pairedItem: { item: 0 },
			},
		]);
		await testBed.service.context.monitors.idle();
		expect(check.pages).toMatchObject([{ url: tides, status: 'new' }]);
	});

	it.each<[string, (id: string) => INodeParameters]>([
		['create', () => least],
		['run', (id) => ({ monitorId: picked(id) })],
	])(
		'is not sent again when its answer is lost, for a second one would cost: %s',
		async (operation, set) => {
			const account = testBed.account();
			const { id } = await monitors.made(account);
			testBed.service.faults.add({ kind: 'reset', method: 'POST', stage: 'after' });

			const run = await monitors.run(operation, set(id), { account });

			expect(run.error?.description).toMatch(/may have been processed.*not retried/);
			expect(monitors.requests).toHaveLength(1);
		},
	);
});
