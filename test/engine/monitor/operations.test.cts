import type { INodeParameters } from 'n8n-workflow';
import { picked, tides, unknownId, useMonitors } from './monitors.cjs';

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

		it('for each item anew', async () => {
			const account = testBed.account();
			const ids = [(await monitors.made(account)).id, (await monitors.made(account)).id];

			const items = await monitors.items(
				'get',
				{ monitorId: picked('={{ $json.id }}') },
				{ account, input: ids.map((id) => ({ id })) },
			);

			expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
				[ids[0], { item: 0 }],
				[ids[1], { item: 1 }],
			]);
		});
	});

	it('is deleted for good', async () => {
		const account = testBed.account();
		const [{ id }, other] = [await monitors.made(account), await monitors.made(account)];

		const items = await monitors.items('delete', { monitorId: picked(id) }, { account });

		expect(monitors.requests).toEqual([
			{ method: 'DELETE', path: `/v2/monitor/${id}`, query: {}, body: undefined },
		]);
		expect(items).toEqual([{ json: { deleted: true, monitorId: id }, pairedItem: { item: 0 } }]);
		expect(monitors.of(account).map((monitor) => monitor.id)).toEqual([other.id]);
	});

	it.each(['get', 'update', 'delete', 'run', 'getChecks', 'getCheck'])(
		'that is not there is an error of %s that says what to do',
		async (operation) => {
			const run = await monitors.run(operation, {
				monitorId: picked(unknownId),
				...(operation === 'update' && { additionalFields: { status: 'paused' } }),
				...(operation === 'getCheck' && { checkId: unknownId }),
			});

			expect(run.error?.message).toBe('Monitor not found (HTTP 404) [item 0]');
			expect(run.error?.description).toMatch(/^Pick the monitor from the list/);
		},
	);

	describe('that is run', () => {
		it('answers the check at once, and the check goes on', async () => {
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

		it('while it is paused is an error that says how to resume it', async () => {
			const account = testBed.account();
			const { id } = await monitors.made(account);
			await monitors.client(account).send('PATCH', `/${id}`, { status: 'paused' });
			testBed.service.log.clear();

			const run = await monitors.run('run', { monitorId: picked(id) }, { account });

			expect(run.error?.message).toBe('The monitor is paused (HTTP 409) [item 0]');
			expect(run.error?.description).toMatch(/^Set the monitor's 'Status' to Active with Update/);
			expect(monitors.requests).toHaveLength(1);
		});

		it('while a check goes on is an error that says which', async () => {
			const account = testBed.account();
			testBed.service.context.monitors.durationMs = 60_000;
			const { id } = await monitors.made(account);
			const [{ json }] = await monitors.items('run', { monitorId: picked(id) }, { account });

			const run = await monitors.run('run', { monitorId: picked(id) }, { account });

			expect(run.error?.message).toBe('A monitor check is already running (HTTP 409) [item 0]');
			expect(run.error?.description).toMatch(/Wait for its end, or read it with 'Get Check'/);
			expect(run.error?.description).toContain(`Its ID is ${String(json.id)}.`);
			expect(monitors.requests).toHaveLength(2);
		});

		it('is not run again when the answer is lost: a second check would cost, too', async () => {
			const account = testBed.account();
			const { id } = await monitors.made(account);
			testBed.service.faults.add({ kind: 'reset', method: 'POST', stage: 'after' });

			const run = await monitors.run('run', { monitorId: picked(id) }, { account });

			expect(run.error?.description).toMatch(/may have been carried out.*not sent again/);
			expect(monitors.requests).toHaveLength(1);
			expect(monitors.of(account)[0].checks).toHaveLength(1);
		});
	});
});
