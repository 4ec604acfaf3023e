import { Check } from '../../mock/monitors.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { monitored, urls, watcher } from './watchedMonitors.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);
const minute = 60_000;

/** Adds checks without pages to the only monitor, the last one now; returns them. */
function addChecks(count: number, interval: number): Check[] {
	const [monitor] = testBed.service.context.monitors.all;
	monitor.settings.retentionDays = 365;
	const now = testBed.service.clock.now();
	const added = Array.from({ length: count }, (_, index) => {
		const createdAt = now - (count - 1 - index) * interval;
		const check = new Check('scheduled', createdAt, 1, createdAt);
		return Object.assign(check, {
			status: 'completed',
			startedAt: createdAt,
			finishedAt: createdAt,
		});
	});
	monitor.checks.push(...added);
	return added;
}

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

describe('the checks that a watched monitor remembers', () => {
	const events = { events: ['checkCompleted'] };

	/** Polls, each time after a new check; returns the requests of the last poll. */
	async function pollThreeTimes(trigger: PolledWorkflow) {
		const added: Check[] = [];
		for (let polls = 0; polls < 3; polls += 1) {
			testBed.service.log.clear();
			await time.pass(minute);
			added.push(...addChecks(1, minute));
			await time.drive(trigger.poll());
		}
		return { added, requests: testBed.service.log.entries.length };
	}

	it.each([
		['3,000 others of ten days', 3_000, 5 * minute, 1],
		['10,100 others of three hours', 10_100, 1000, 101],
	])(
		'are returned once beside %s and one that never ends',
		async (_others, count, interval, most) => {
			const account = testBed.account();
			const { id } = await monitored(testBed, account);
			const trigger = watcher(testBed, account, id, events);
			const [endless] = addChecks(count, interval);
			endless.status = 'running';
			await time.drive(trigger.activate());
			await time.drive(trigger.poll());

			const { added, requests } = await pollThreeTimes(trigger);

			expect(trigger.errors).toEqual([]);
			expect(trigger.fired.map(({ checkId }) => checkId)).toEqual(added.map((check) => check.id));
			expect(requests).toBeLessThanOrEqual(most);
			expect(JSON.stringify(trigger.stored).length).toBeLessThan(111_000);
		},
	);

	it('are returned a hundred at a time, the oldest first, each once', async () => {
		const account = testBed.account();
		const { id } = await monitored(testBed, account);
		const trigger = watcher(testBed, account, id, { ...events, firstCheck: 'all' });
		const added = addChecks(250, minute);

		await time.drive(trigger.activate());
		for (let polls = 0; polls < 4; polls += 1) await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.executions.map((items) => items.length)).toEqual([100, 100, 50]);
		expect(trigger.fired.map(({ checkId }) => checkId)).toEqual(added.map((check) => check.id));
	});

	it('include one that the service lists late', async () => {
		const account = testBed.account();
		const { id } = await monitored(testBed, account);
		const trigger = watcher(testBed, account, id, events);
		const [late, ...others] = addChecks(20, minute);
		const { checks } = testBed.service.context.monitors.all[0];
		checks.splice(checks.indexOf(late), 1);
		await time.drive(trigger.activate());
		await time.drive(trigger.poll());
		checks.splice(checks.indexOf(others[0]), 0, late);

		await time.drive(trigger.poll());
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired.map(({ checkId }) => checkId)).toEqual([late.id]);
	});
});
