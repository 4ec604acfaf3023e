import type { IDataObject } from 'n8n-workflow';
import { Check } from '../../mock/monitors.cjs';
import { MonitorClient } from '../../mock/testClient.cjs';
import { useTestBed } from '../testBed.cjs';
import { itemsOf, tides, useTriggers, watch } from '../trigger/triggers.cjs';
import { urlOf, useWatchedPages } from './watchedPages.cjs';
import { started, watcher } from './watching.cjs';

const names = ['a', 'b', 'c'];
const urls = names.map(urlOf);

describe('a watched monitor', () => {
	const testBed = useTestBed();
	const pages = useWatchedPages(testBed);
	const { time } = pages;
	const minute = 60_000;

	/** A monitor and a trigger that polls its checks, which has seen what there was. */
	async function watched(parameters = {}) {
		const account = testBed.account();
		names.forEach((name) => pages.add(name));
		const client = new MonitorClient(testBed.service, account.key);
		// Checks when it is told to: its schedule is a day that seldom comes.
		const schedule = { cron: '0 0 29 2 *' };
		const { id } = await client.created({ schedule, targets: [{ type: 'scrape', urls }] });
		const watching = { watch: 'monitor', monitorId: id, ...parameters };
		const trigger = watcher(testBed, watching, { account });
		const checked = async () => await time.drive(client.checked(id));
		const poll = async () => await time.drive(trigger.poll());
		return { account, client, id, trigger, checked, poll };
	}

	/** Adds checks without pages to the only monitor, the last one now; returns them. */
	function addChecks(count: number, interval: number): Check[] {
		const [monitor] = testBed.service.context.monitors.all;
		const now = testBed.service.clock.now();
		const added = Array.from({ length: count }, (_, index) => {
			const at = now - (count - 1 - index) * interval;
			const ended = { status: 'completed', startedAt: at, finishedAt: at } as const;
			return Object.assign(new Check('scheduled', at, 1, at), ended);
		});
		monitor.checks.push(...added);
		return added;
	}

	it('returns the changed pages of each check that ended since the last poll, for free', async () => {
		const { account, id, trigger, checked, poll } = await watched();
		await checked();
		await started(trigger, time);
		expect(trigger.executions).toEqual([]);

		testBed.service.site.update(urls[1], { markdown: 'Later' });
		const check = await checked();
		const spent = testBed.service.ledger.spent(account.team.id);
		await poll();
		await poll();

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
		const { trigger, checked } = await watched();
		await checked();
		testBed.service.site.update(urls[0], { markdown: 'Later' });
		const last = await checked();

		const shown = await time.drive(trigger.fetchTestEvent());

		expect(shown).toMatchObject([{ url: urls[0], status: 'changed', checkId: last.id }]);
		expect(trigger.stored).toEqual({});
	});

	it('waits for a check that is still running', async () => {
		const { trigger, checked, poll } = await watched();
		await started(trigger, time);
		await checked();
		const [check] = testBed.service.context.monitors.all[0].checks;
		const { status, finishedAt } = check;
		Object.assign(check, { status: 'running', finishedAt: undefined });

		await poll();
		expect(trigger.executions).toEqual([]);
		Object.assign(check, { status, finishedAt });
		await poll();

		expect(trigger.fired).toHaveLength(3);
	});

	const events = { events: ['checkCompleted'] };

	/** The service lists checks from now on as no documentation rules out. */
	function listOldestFirst(): void {
		const { monitors } = testBed.service.context;
		jest.spyOn(monitors, 'checksOf').mockImplementation(({ checks }) => [...checks]);
	}
	afterEach(() => jest.restoreAllMocks());

	it.each([
		['3,000 others of ten days', 3_000, 5 * minute, 1],
		['10,100 others of three hours', 10_100, 1000, 101],
		['3,000 others that come before them', 3_000, 5 * minute, 31, listOldestFirst],
	])(
		'returns new checks once beside %s and one that never ends',
		async (_others, count, interval, most, list = () => {}) => {
			list();
			const { trigger, poll } = await watched(events);
			const [endless] = addChecks(count, interval);
			endless.status = 'running';
			await started(trigger, time);
			const added: Check[] = [];
			for (let polls = 0; polls < 3; polls += 1) {
				testBed.service.log.clear();
				await time.pass(minute);
				added.push(...addChecks(1, minute));
				await poll();
			}

			expect(trigger.errors).toEqual([]);
			expect(trigger.fired.map(({ checkId }) => checkId)).toEqual(added.map(({ id }) => id));
			// Those of the last poll.
			expect(testBed.service.log.entries.length).toBeLessThanOrEqual(most);
			expect(JSON.stringify(trigger.stored).length).toBeLessThan(111_000);
		},
	);

	it.each([
		['first', () => {}],
		['last', listOldestFirst],
	])(
		'returns a hundred checks at a time, the oldest first, each once: listed %s',
		async (_, list) => {
			list();
			const { trigger, poll } = await watched({ ...events, firstCheck: 'all' });
			const added = addChecks(250, minute);

			await started(trigger, time);
			for (let polls = 0; polls < 3; polls += 1) await poll();

			expect(trigger.errors).toEqual([]);
			expect(trigger.executions.map((items) => items.length)).toEqual([100, 100, 50]);
			expect(trigger.fired.map(({ checkId }) => checkId)).toEqual(added.map(({ id }) => id));
		},
	);

	it('loses nothing by a check whose pages cannot be read', async () => {
		const { trigger, checked, poll } = await watched();
		await started(trigger, time);
		const changes = [await checked()];
		testBed.service.site.update(urls[0], { markdown: 'Later' });
		changes.push(await checked());
		testBed.service.faults.add({ kind: 'status', status: 403, skip: 2, path: '/v2/monitor/*' });

		await poll();
		expect([trigger.errors.length, trigger.fired]).toEqual([1, []]);
		await poll();

		const [first, last] = changes.map(({ id }) => id);
		expect(trigger.fired.map(({ checkId }) => checkId)).toEqual([first, first, first, last]);
	});

	it('is not held up by a check whose pages are gone', async () => {
		const { id, trigger, checked, poll } = await watched({ events: ['new', 'checkCompleted'] });
		await started(trigger, time);
		const gone = await checked();
		const path = `/v2/monitor/${id}/checks/${gone.id}`;
		testBed.service.faults.add({ kind: 'status', status: 404, path });
		testBed.service.site.update(urls[0], { markdown: 'Later' });
		const last = await checked();

		await poll();

		expect(trigger.errors).toEqual([]);
		const pagesError = expect.stringContaining('HTTP 404') as string;
		expect(trigger.fired).toMatchObject([
			{ checkId: gone.id, status: 'completed', pagesError },
			{ checkId: last.id, status: 'completed' },
		]);
		expect(trigger.fired[1]).not.toHaveProperty('pagesError');
	});

	it('returns a check that the service lists late', async () => {
		const { trigger, poll } = await watched(events);
		const [late] = addChecks(20, minute);
		const { checks } = testBed.service.context.monitors.all[0];
		const place = checks.indexOf(late);
		checks.splice(place, 1);
		await started(trigger, time);
		checks.splice(place, 0, late);

		await poll();
		await poll();

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired.map(({ checkId }) => checkId)).toEqual([late.id]);
	});
});

describe('a polled monitor check', () => {
	const triggers = useTriggers();

	/** Fields of an event that only a webhook request has, and times that a poll adds. */
	const withoutOwn = ({ event, checkedAt: _, ...item }: IDataObject): IDataObject => ({
		...item,
		event: { type: Object(event).type },
	});

	it('has the items that the Web Data Trigger gets by webhook', async () => {
		const account = triggers.account();
		const parameters = { events: ['new', 'changed', 'checkCompleted'], includePages: true };
		const called = await triggers.active({ ...watch, ...parameters }, { account });
		const [{ id }] = triggers.monitors;
		const watching = { watch: 'monitor', monitorId: id, firstCheck: 'all', ...parameters };
		const polled = watcher(triggers.testBed, watching, { account });

		await triggers.nextCheck();
		triggers.append(tides, 'A new line.');
		await triggers.nextCheck();
		await polled.activate();

		expect(polled.errors).toEqual([]);
		const statuses = ['new', 'completed', 'changed', 'completed'];
		expect(polled.fired.map(({ status }) => status)).toEqual(statuses);
		// The list of a check's pages has a few fields more than its events.
		expect(polled.fired.map(withoutOwn)).toMatchObject(itemsOf(called).flat().map(withoutOwn));
	});
});
