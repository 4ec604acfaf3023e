import type { INodeParameters } from 'n8n-workflow';
import { hostilePages } from '../../site/hostilePages.cjs';
import type { PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { comparing, pageOf, urlOf, useWatchedPages } from './watchedPages.cjs';

const testBed = useTestBed();
const pages = useWatchedPages(testBed);

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
});
