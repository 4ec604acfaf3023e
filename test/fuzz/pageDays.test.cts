import { useTestBed } from '../engine/testBed.cjs';
import { live } from './drivenDays.cjs';
import { batchFaults, urlOf, useWatchedPages } from '../engine/pollingTrigger/watchedPages.cjs';
import { seedOf, useCount } from './fuzzRun.cjs';

const testBed = useTestBed();
const pages = useWatchedPages(testBed);
const { time } = pages;

const count = useCount('days of pages');

describe('watched pages', () => {
	it('fire once for each change of 300 days, whatever fails and however the list is edited', async () => {
		type State = 'gone' | number;
		const { site, ledger, log } = testBed.service;
		const all = ['a', 'b', 'c', 'd'];
		/** The small web's own log: the version of each page now. */
		const there = new Map<string, State>();
		const write = (name: string, state: State) => {
			if (state === 'gone') site.remove(urlOf(name));
			else if (typeof there.get(name) === 'number') pages.update(name, `Version ${state}`);
			else pages.add(name, `Version ${state}`);
			there.set(name, state);
		};
		all.forEach((name) => write(name, 0));
		let listed = all.slice(0, 3);
		const parametersOf = (names: string[]) => ({
			urls: names.map(urlOf).join('\n'),
			executions: 'each',
			options: { maxRetryTime: 0 },
		});
		const account = testBed.account({ credits: 1_000_000 });
		const trigger = pages.watcher([], parametersOf(listed), account);
		const changeOf = (before: State, now: State) => {
			if (now === 'gone') return 'removed';
			return before === 'gone' ? 'new' : 'changed';
		};
		/** What the trigger has seen of each page, by its own list and the time of its last check. */
		let known = new Map<string, State>();
		let lastCheck = '';
		const expected: string[] = [];
		const observe = () => {
			const last = JSON.stringify(trigger.stored.state);
			if (last === lastCheck) return;
			lastCheck = last;
			const seen = new Map(listed.map((name) => [name, there.get(name) ?? 'gone']));
			for (const [name, now] of seen) {
				const before = known.get(name) ?? now;
				if (before !== now) expected.push(`${urlOf(name)} ${changeOf(before, now)} ${now}`);
			}
			known = seen;
		};
		let edits = 0;
		let version = 0;

		const met = await live({
			trigger,
			service: testBed.service,
			time,
			days: 300,
			seed: seedOf('days of pages'),
			change: async (random) => {
				count();
				observe();
				if (random(6) === 0) {
					edits += 1;
					listed = all.filter(() => random(3) > 0);
					if (listed.length === 0) listed = ['a'];
					if (random(2) === 0) listed.reverse();
					const parameters = { watch: 'page', ...parametersOf(listed) };
					await time.drive(trigger.change(parameters));
					observe();
				}
				for (const name of all.filter(() => random(3) === 0)) {
					version += 1;
					const isRemoved = there.get(name) !== 'gone' && random(6) === 0;
					write(name, isRemoved ? 'gone' : version);
				}
			},
			faults: batchFaults,
		});

		observe();
		const fired = trigger.fired.map(({ url, change, current }) => {
			const [, state = 'gone'] = /Version (\d+)$/.exec(String(Object(current).markdown)) ?? [];
			return `${url} ${change} ${state}`;
		});
		expect(fired.sort()).toEqual(expected.sort());
		expect(new Set(expected.map((text) => text.split(' ')[1])).size).toBe(3);
		expect(expected.length).toBeGreaterThan(200);
		expect(edits).toBeGreaterThan(30);
		expect(met.kills).toBeGreaterThan(5);
		expect(trigger.errors.length).toBeGreaterThan(met.faults / 2);
		expect(met.largest).toBeLessThan(2_000);
		const starts = log.of('POST', '/v2/batch/scrape').filter(({ done }) => done);
		const sent = starts.reduce((sum, { body }) => sum + Object(body).urls.length, 0);
		expect(ledger.spent(account.team.id)).toBe(sent);
	});
});
