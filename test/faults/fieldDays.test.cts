import type { IDataObject } from 'n8n-workflow';
import { live } from '../engine/pollingTrigger/drivenDays.cjs';
import {
	comparing,
	batchFaults,
	pageOf,
	urlOf,
	useWatchedPages,
} from '../engine/pollingTrigger/watchedPages.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { seedOf, useCount } from './fuzzRun.cjs';

const testBed = useTestBed();
const pages = useWatchedPages(testBed);

const count = useCount('days of fields of pages');

describe('the fields of watched pages', () => {
	it('fire once for each change of 300 days that counts, whatever fails', async () => {
		const names = ['a', 'b', 'c'];
		const least = 10;
		interface Offer {
			price: number | null;
			stock: string;
		}
		/** The small web's own log: the offer of each page now. */
		const offers = new Map<string, Offer>(
			names.map((name) => [name, { price: 100, stock: 'yes' }]),
		);
		const write = (name: string, visitors: number) => {
			const { price, stock } = offers.get(name) ?? { price: null, stock: '' };
			return pageOf({ price: price ?? 'on request', stock }, visitors);
		};
		names.forEach((name) => pages.add(name, write(name, 0)));
		const account = testBed.account({ credits: 1_000_000 });
		const trigger = pages.watcher(
			names,
			comparing(
				{ price: 1, stock: 'yes' },
				{ minChange: least, executions: 'each', retries: { maxTries: 1 } },
			),
			account,
		);
		const countsAs = (before: unknown, now: unknown) =>
			typeof before === 'number' && typeof now === 'number'
				? Math.abs(now - before) >= least
				: before !== now;
		/** What the workflow knows of each page by the items that it was started with. */
		const known = new Map<unknown, IDataObject>(
			names.map((name) => [urlOf(name), { price: 100, stock: 'yes' }]),
		);
		let read = 0;
		let errors = 0;
		let counted = 0;
		const readItems = () => {
			for (const { url, change: kind, current, diff } of trigger.fired.slice(read)) {
				const before = known.get(url);
				expect(kind).toBe('changed');
				for (const { field, previous, current: now } of diff as IDataObject[]) {
					// None twice: each change goes on from the one before, and is large enough.
					expect(previous).toBe(before?.[String(field)]);
					expect(countsAs(previous, now)).toBe(true);
					expect(Object(current)[String(field)]).toBe(now);
					known.set(url, { ...known.get(url), [String(field)]: now } as IDataObject);
				}
			}
			read = trigger.fired.length;
		};
		/** None missed: what the workflow knows is what the small web has, but for small steps. */
		const compareAll = () => {
			readItems();
			for (const [name, offer] of offers) {
				const item = known.get(urlOf(name));
				for (const [field, now] of Object.entries(offer)) {
					expect([name, field, countsAs(item?.[field], now)]).toEqual([name, field, false]);
				}
			}
		};

		const met = await live({
			trigger,
			service: testBed.service,
			time: pages.time,
			days: 300,
			seed: seedOf('days of fields'),
			change: (random, day) => {
				count();
				if (trigger.errors.length === errors) {
					compareAll();
					counted += 1;
				}
				errors = trigger.errors.length;
				for (const name of names) {
					const { price, stock } = offers.get(name) ?? { price: null, stock: '' };
					const next = random(10) === 0 ? null : (price ?? 100) + random(13) - 6;
					offers.set(name, {
						price: random(2) === 0 ? next : price,
						stock: random(5) === 0 ? `from day ${day}` : stock,
					});
					pages.update(name, write(name, day));
				}
			},
			faults: batchFaults,
		});

		compareAll();
		expect(counted).toBeGreaterThan(200);
		expect(trigger.fired.length).toBeGreaterThan(200);
		expect(met.kills).toBeGreaterThan(5);
		expect(trigger.errors.length).toBeGreaterThan(met.faults / 2);
		expect(met.largest).toBeLessThan(2_000);
	});
});
