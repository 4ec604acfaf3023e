import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { hostilePages } from '../../site/hostilePages.cjs';
import type { PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { live, longLife } from './drivenDays.cjs';
import { onBatch, urlOf, useWatchedPages } from './watchedPages.cjs';

const testBed = useTestBed();
const pages = useWatchedPages(testBed);

/** The parameters of a trigger that compares fields like those of an example. */
const comparing = (example: object, more: INodeParameters = {}): INodeParameters => ({
	compare: 'fields',
	schemaType: 'example',
	schemaExample: JSON.stringify(example),
	...more,
});

/** A page that states its fields by name, with a line that is none of them. */
const pageOf = (fields: object, visitors = 0): string =>
	[
		'# Product',
		...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
		`Visitors: ${visitors}`,
	].join('\n\n');

async function watched(fields: object, parameters: INodeParameters): Promise<PolledWorkflow> {
	pages.add('a', pageOf(fields));
	return await pages.started(pages.watcher(['a'], parameters));
}

/** Polls after each version of the page; the fields of the items in order. */
async function differences(trigger: PolledWorkflow, versions: object[]): Promise<unknown[]> {
	for (const [visitors, fields] of versions.entries()) {
		pages.update('a', pageOf(fields, visitors + 1));
		await pages.time.drive(trigger.poll());
	}
	expect(trigger.errors).toEqual([]);
	return trigger.fired.map(({ diff }) => diff);
}

const example = { price: 1, stock: 'yes' };
const change = (field: string, previous: unknown, current: unknown) => ({
	field,
	previous,
	current,
});

describe('the fields of watched pages', () => {
	it('fire when a named one changed, and for nothing else on the page', async () => {
		const trigger = await watched({ price: 100, stock: 'yes' }, comparing(example));

		const found = await differences(trigger, [
			{ price: 100, stock: 'yes' },
			{ price: 90, stock: 'yes' },
			{ price: 90, stock: 'yes' },
			{ price: 90, stock: 'no' },
		]);

		expect(found).toEqual([[change('price', 100, 90)], [change('stock', 'yes', 'no')]]);
		expect(trigger.fired[0]).toMatchObject({
			url: urlOf('a'),
			title: expect.stringMatching(/^a/),
			change: 'changed',
			current: { price: 90, stock: 'yes' },
			previous: { price: 100, stock: 'yes' },
			checkedAt: expect.any(String),
			previousCheckAt: expect.any(String),
			request: { jobId: expect.any(String), creditsUsed: 5 },
		});
	});

	it.each<[unit: string, prices: number[], fired: Array<[number, number]>]>([
		[
			'absolute',
			[104, 105, 109, 101, 100],
			[
				[100, 105],
				[105, 100],
			],
		],
		[
			'percent',
			[104, 96, 105, 110, 111, 90],
			[
				[100, 105],
				[105, 111],
				[111, 90],
			],
		],
	])(
		'fire for a number by at least 5 %s, in one step or in several',
		async (unit, prices, fired) => {
			const parameters = comparing(example, { minChange: 5, minChangeUnit: unit });
			const trigger = await watched({ price: 100, stock: 'yes' }, parameters);

			const found = await differences(
				trigger,
				prices.map((price) => ({ price, stock: 'yes' })),
			);

			expect(found).toEqual(fired.map(([before, now]) => [change('price', before, now)]));
		},
	);

	it('count small steps of a number on, while other fields change', async () => {
		const parameters = comparing(example, { minChange: 5 });
		const trigger = await watched({ price: 100, stock: 'yes' }, parameters);

		const found = await differences(trigger, [
			{ price: 103, stock: 'no' },
			{ price: 106, stock: 'no' },
		]);

		expect(found).toEqual([[change('stock', 'yes', 'no')], [change('price', 100, 106)]]);
	});

	it('fire when a number vanishes and when it comes back, whatever the least change is', async () => {
		const parameters = comparing(example, { minChange: 50 });
		const trigger = await watched({ price: 100, stock: 'yes' }, parameters);

		const found = await differences(trigger, [
			{ price: 'unknown', stock: 'yes' },
			{ price: 'not stated', stock: 'yes' },
			{ price: 101, stock: 'yes' },
		]);

		expect(found).toEqual([[change('price', 100, null)], [change('price', null, 101)]]);
	});

	it('compare numbers that are texts as numbers', async () => {
		const parameters = comparing({ price: '9.50' }, { minChange: 5 });
		const trigger = await watched({ price: '100.00' }, parameters);

		const found = await differences(trigger, [
			{ price: '104.00' },
			{ price: '100.0' },
			{ price: '106.00' },
			{ price: 'on request' },
		]);

		expect(found).toEqual([
			[change('price', '100.00', '106.00')],
			[change('price', '106.00', 'on request')],
		]);
	});

	it.each(Object.entries(hostilePages))(
		'may be those of %s, without an error',
		async (_name, make) => {
			pages.add('a', make(5_000));
			const trigger = await pages.started(
				pages.watcher(['a'], comparing({ title: '', list: [{ title: '' }] })),
			);
			pages.update('a', `# Before\n\n${make(6_000)}`);
			await pages.time.drive(trigger.poll());

			expect(trigger.errors).toEqual([]);
			expect(trigger.fired).toMatchObject([{ change: 'changed' }]);
			expect(JSON.stringify(trigger.fired[0].diff ?? null).length).toBeLessThan(100_000);
			expect(JSON.stringify(trigger.stored).length).toBeLessThan(120_000);
		},
	);

	it(
		'fire once for each change of 300 days that counts, whatever fails',
		async () => {
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
				comparing(example, { minChange: least, executions: 'each', retries: { maxTries: 1 } }),
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
				seed: 17,
				change: (random, day) => {
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
				faults: [
					onBatch({ kind: 'status', status: 500 }),
					onBatch({ kind: 'status', status: 401 }),
					onBatch({ kind: 'status', status: 500, skip: 2 }),
					onBatch({ kind: 'reset', skip: 2 }),
					onBatch({ kind: 'truncate', skip: 2 }),
				],
			});

			compareAll();
			expect(counted).toBeGreaterThan(200);
			expect(trigger.fired.length).toBeGreaterThan(200);
			expect(met.kills).toBeGreaterThan(5);
			expect(trigger.errors.length).toBeGreaterThan(met.faults / 2);
			expect(met.largest).toBeLessThan(2_000);
		},
		longLife,
	);
});
