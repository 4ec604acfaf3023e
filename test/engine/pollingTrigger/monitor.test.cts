import { useDrivenTime } from '../drivenTime.cjs';
import { PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { monitored, urls, watcher } from './watchedMonitors.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);
describe('a watched monitor', () => {
	it('returns the changed pages of each check that ended since the last poll, for free', async () => {
		const account = testBed.account();
		const { client, id } = await monitored(testBed, account);
		const trigger = watcher(testBed, account, id);
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
		const { client, id } = await monitored(testBed, account);
		const events = ['changed', 'new', 'checkCompleted'];
		const trigger = watcher(testBed, account, id, {
			events,
			includePages: true,
			firstCheck: 'all',
		});
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
		const { client, id } = await monitored(testBed, account);
		await time.drive(client.checked(id));
		testBed.service.site.update(urls[0], { markdown: 'Later' });
		const last = await time.drive(client.checked(id));
		const trigger = watcher(testBed, account, id);

		const run = await time.drive(trigger.fetchTestEvent());

		expect(run.error?.message).toBeUndefined();
		const shown = PolledWorkflow.itemsOf(run).map(({ json }) => json);
		expect(shown).toMatchObject([{ url: urls[0], status: 'changed', checkId: last.id }]);
		expect(trigger.stored).toEqual({});
	});

	it('waits for a check that is still running', async () => {
		const account = testBed.account();
		const { client, id } = await monitored(testBed, account);
		const trigger = watcher(testBed, account, id);
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
		const { client, id } = await monitored(testBed, account);
		await time.drive(client.send('DELETE', `/${id}`));

		await expect(time.drive(watcher(testBed, account, id).activate())).rejects.toThrow('not found');
	});
});
