import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock-server/faults.cjs';
import { MonitorClient } from '../../mock-server/testClient.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { keepings, PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed, type Account } from '../testBed.cjs';
import { live, longLife } from './drivenDays.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);
const host = 'https://tidewatch.example/watched';
const urls = ['a', 'b', 'c'].map((name) => `${host}/${name}`);

/** Pages that a monitor checks, and the monitor. */
async function monitored(account: Account, cron = '30 1 * * *') {
	urls.forEach((url) =>
		testBed.service.site.add({
			url,
			title: url,
			markdown: 'At first',
			published: '2026-01-01T00:00:00Z',
		}),
	);
	const client = new MonitorClient(testBed.service, account.key);
	const targets = [{ type: 'scrape', urls }];
	const { id } = await client.created({ schedule: { cron }, targets });
	return { client, id };
}

const watcher = (account: Account, monitorId: string, more: INodeParameters = {}) =>
	new PolledWorkflow(testBed.engine, {
		type: 'webDataPollingTrigger',
		credentials: account.credentials,
		keeping: keepings.at(-1),
		parameters: { watch: 'monitor', monitorId, ...more },
	});

const onMonitor = (fault: FaultInput): FaultInput => ({ ...fault, path: '/v2/monitor/*' });

describe('a watched monitor', () => {
	it('returns the changed pages of each check that ended since the last poll, for free', async () => {
		const account = testBed.account();
		const { client, id } = await monitored(account);
		const trigger = watcher(account, id);
		await time.drive(client.checked(id));
		await time.drive(trigger.activate());
		await time.drive(trigger.poll());
		expect(trigger.executions).toEqual([]);

		testBed.service.site.update(urls[1], { markdown: 'Later' });
		const check = await time.drive(client.checked(id));
		const spent = testBed.service.ledger.spent(account.team.id);
		await time.drive(trigger.poll());
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toEqual([
			expect.objectContaining({
				url: urls[1],
				status: 'changed',
				monitorId: id,
				checkId: check.id,
				checkedAt: check.finishedAt,
				diff: expect.objectContaining({ text: expect.stringContaining('+Later') }),
				event: { type: 'monitor.page', id: check.id },
			}),
		]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(spent);
	});

	it('has the items of the Web Data Trigger for the same check', async () => {
		const account = testBed.account();
		const { client, id } = await monitored(account);
		const events = ['changed', 'new', 'checkCompleted'];
		const trigger = watcher(account, id, { events, includePages: true, firstCheck: 'all' });
		const check = await time.drive(client.checked(id));

		await time.drive(trigger.activate());

		const completed = {
			monitorId: id,
			checkId: check.id,
			status: 'completed',
			summary: check.summary,
		};
		expect(trigger.fired).toHaveLength(4);
		expect(trigger.fired[3]).toMatchObject({
			...completed,
			event: { type: 'monitor.check.completed', id: check.id },
		});
		expect(trigger.fired[3].pages).toHaveLength(3);
		expect(trigger.fired[0]).toMatchObject({ status: 'new', previousScrapeId: null });
	});

	it('shows the last check by hand, and remembers nothing', async () => {
		const account = testBed.account();
		const { client, id } = await monitored(account);
		await time.drive(client.checked(id));
		testBed.service.site.update(urls[0], { markdown: 'Later' });
		const last = await time.drive(client.checked(id));
		const trigger = watcher(account, id);

		const run = await time.drive(trigger.fetchTestEvent());

		expect(run.error?.message).toBeUndefined();
		const shown = PolledWorkflow.itemsOf(run).map(({ json }) => json);
		expect(shown).toMatchObject([{ url: urls[0], status: 'changed', checkId: last.id }]);
		expect(trigger.stored).toEqual({});
	});

	it('waits for a check that is still running', async () => {
		const account = testBed.account();
		const { client, id } = await monitored(account);
		const trigger = watcher(account, id);
		await time.drive(trigger.activate());
		await time.drive(trigger.poll());
		testBed.service.context.monitors.durationMs = 600_000;
		await time.drive(client.send('POST', `/${id}/run`));

		await time.drive(trigger.poll());
		expect(trigger.executions).toEqual([]);
		await time.pass(700_000);
		await time.drive(trigger.poll());

		expect(trigger.fired).toHaveLength(3);
	});

	it('reports a monitor that is gone', async () => {
		const account = testBed.account();
		const { client, id } = await monitored(account);
		await time.drive(client.send('DELETE', `/${id}`));

		await expect(time.drive(watcher(account, id).activate())).rejects.toThrow('not found');
	});

	it.each(['newest first', 'oldest first'])(
		'returns each change of 300 days once and in order, whatever fails (%s)',
		async (order) => {
			const account = testBed.account({ credits: 1_000_000 });
			const { id } = await monitored(account);
			const { context, site } = testBed.service;
			const { monitors } = context;
			const checksOf = monitors.checksOf.bind(monitors);
			if (order === 'oldest first') {
				jest.spyOn(monitors, 'checksOf').mockImplementation((each) => checksOf(each).reverse());
			}
			const [monitor] = monitors.all;
			monitor.settings.retentionDays = 365;
			const trigger = watcher(account, id, { executions: 'each', retries: { maxTries: 1 } });

			const met = await live({
				trigger,
				service: testBed.service,
				time,
				days: 300,
				seed: order.length,
				change: (random, day) => {
					for (const url of urls.filter(() => random(2) === 0)) {
						site.update(url, { markdown: `Day ${day}` });
					}
				},
				faults: [
					onMonitor({ kind: 'status', status: 500 }),
					onMonitor({ kind: 'status', status: 401, skip: 1 }),
					onMonitor({ kind: 'reset', skip: 1 }),
					onMonitor({ kind: 'truncate' }),
				],
			});

			const changes = monitor.checks.flatMap(({ id: checkId, finishedAt, pages }) =>
				finishedAt === undefined
					? []
					: pages
							.filter(({ status }) => status === 'changed' || status === 'new')
							.map(({ url }) => `${checkId} ${url}`),
			);
			expect(trigger.fired.map(({ checkId, url }) => `${checkId} ${url}`)).toEqual(changes);
			expect(changes.length).toBeGreaterThan(300);
			expect(met.kills).toBeGreaterThan(10);
			expect(trigger.errors.length).toBeGreaterThan(met.faults / 2);
			expect(met.largest).toBeLessThan(1_000);
			jest.restoreAllMocks();
		},
		longLife,
	);
});
