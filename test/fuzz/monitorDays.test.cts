import type { FaultInput } from '../mock/faults.cjs';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { live } from './drivenDays.cjs';
import { monitored, urls, watcher } from '../engine/pollingTrigger/watchedMonitors.cjs';
import { seedOf, useCount } from './fuzzRun.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);

const onMonitor = (fault: FaultInput): FaultInput => ({ ...fault, path: '/v2/monitor/*' });

const count = useCount('days of a monitor');

describe('a watched monitor', () => {
	it.each(['newest first', 'oldest first'])(
		'returns each change of 300 days once and in order, whatever fails (%s)',
		async (order) => {
			const account = testBed.account({ credits: 1_000_000 });
			const { id } = await monitored(testBed, account, '30 1 * * *');
			const { context, site } = testBed.service;
			const { monitors } = context;
			const checksOf = monitors.checksOf.bind(monitors);
			if (order === 'oldest first') {
				jest.spyOn(monitors, 'checksOf').mockImplementation((each) => checksOf(each).reverse());
			}
			const [monitor] = monitors.all;
			const trigger = watcher(testBed, account, id, {
				executions: 'each',
				options: { maxRetryTime: 0 },
			});

			const met = await live({
				trigger,
				service: testBed.service,
				time,
				days: 300,
				seed: seedOf(order),
				change: (random, day) => {
					count();
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
			// Polls of monitors are free, and retried: not every fault fails a check.
			expect(trigger.errors.length).toBeGreaterThan(met.faults / 3);
			expect(met.largest).toBeLessThan(1_000);
			jest.restoreAllMocks();
		},
	);
});
