import type { FaultInput } from '../mock-server/faults.cjs';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { textOf } from '../engine/site/handbook.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { live } from '../engine/pollingTrigger/drivenDays.cjs';
import { watchedSite } from '../engine/pollingTrigger/watchedSite.cjs';
import { seedOf, useCount } from './fuzzRun.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);

const count = useCount('days of a website');

describe('a watched website', () => {
	it('fires once for each change of 300 days, whatever fails', async () => {
		const account = testBed.account({ credits: 1_000_000 });
		const { handbook, trigger } = await watchedSite(
			testBed,
			time,
			6,
			{ executions: 'each', retries: { maxTries: 1 } },
			account,
		);
		const versions = new Map(['1', '2', '3', '4', '5', '6'].map((name) => [name, 1]));
		let named = 6;
		const onCrawl = (fault: FaultInput): FaultInput => ({ ...fault, path: '/v2/crawl*' });

		const met = await live({
			trigger,
			service: testBed.service,
			time,
			days: 300,
			seed: seedOf('days of a website'),
			change: (random, day) => {
				count();
				const names = [...versions.keys()];
				const name = names[random(names.length)];
				if (random(6) === 0) {
					named += 1;
					handbook.add(String(named), textOf(String(named), day));
					versions.set(String(named), day);
				} else if (random(8) === 0 && names.length > 4) {
					handbook.remove(name);
					versions.delete(name);
				} else if (random(2) === 0) {
					handbook.change(name, textOf(name, day));
					versions.set(name, day);
				}
			},
			faults: [
				onCrawl({ kind: 'status', status: 500 }),
				onCrawl({ kind: 'status', status: 401 }),
				onCrawl({ kind: 'status', status: 401, skip: 2, count: 50 }),
				onCrawl({ kind: 'truncate', skip: 3 }),
			],
		});

		const known = new Map<unknown, string>(
			['1', '2', '3', '4', '5', '6'].map((name) => [name, textOf(name, 1)]),
		);
		const ids = new Map<unknown, string>();
		const seen = new Set<unknown>(known.keys());
		let removed = 0;
		for (const { change, url, pageId, current } of trigger.fired) {
			const name = String(url).split('/').at(-1) ?? '';
			const text: string = Object(current).markdown;
			if (change === 'removed') {
				removed += 1;
				if (ids.has(pageId)) known.delete(ids.get(pageId));
				continue;
			}
			ids.set(pageId, name);
			expect(known.has(name)).toBe(change === 'changed');
			expect(text).not.toBe(known.get(name));
			seen.add(name);
			known.set(name, text);
		}
		for (const [name, version] of versions) {
			expect(known.get(name)).toContain(`version ${version}.`);
		}
		// A page that came and went between two checks was never seen.
		expect(removed).toBe(seen.size - versions.size);
		expect(trigger.fired.length).toBeGreaterThan(100);
		expect(met.kills).toBeGreaterThan(5);
		expect(met.largest).toBeLessThan(5_000);
	});
});
