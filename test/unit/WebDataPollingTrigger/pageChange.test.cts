import * as fc from 'fast-check';
import { compareContents, storedState } from '../../../nodes/WebDataPollingTrigger/pageChange';
import { propertySeed } from '../../seededRandom.cjs';

const compared = (before: object, now: object, minChange = 0) =>
	compareContents(before as never, now as never, { compare: 'fields', minChange });

const pathsOf = (before: object, now: object, minChange?: number) =>
	compared(before, now, minChange).differences.map(({ path }) => path);

/** The value with the fields and the entries in the other order. */
function reversed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reversed).reverse();
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).map(([name, each]) => [name, reversed(each)]);
	return Object.fromEntries(fields.reverse());
}

const record = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 4 }));

describe('values', () => {
	it('are the same in another order, and as they are stored in however few bytes', () => {
		fc.assert(
			fc.property(record, fc.nat(300), (values, most) => {
				const { content, mark } = storedState({ content: values as never }, most, 'fields');
				const other = storedState({ content: reversed(values) as never }, 0, 'fields');
				if (content === undefined) expect(mark).toBe(other.mark);
				else
					expect(compared(Object(content), Object(reversed(values)))).toMatchObject({
						differences: [],
						missing: '',
					});
			}),
			{ seed: propertySeed },
		);
	});

	it.each<[string, object[], object[], string[]]>([
		['id', [{ id: 1, name: 'a' }], [{ id: 1, name: 'b' }], ['l[id=1].name']],
		['sku before name', [{ sku: 'x', name: 'a' }], [{ name: 'b', sku: 'x' }], ['l[sku=x].name']],
		[
			'name, as one entry has no id',
			[{ id: 1, name: 'a', p: 1 }, { name: 'b' }],
			[{ id: 2, name: 'a', p: 2 }, { name: 'b' }],
			['l[name=a].id', 'l[name=a].p'],
		],
		[
			'the whole value, as a name is there twice',
			[
				{ name: 'a', p: 1 },
				{ name: 'a', p: 2 },
			],
			[
				{ name: 'a', p: 1 },
				{ name: 'a', p: 3 },
			],
			['l', 'l'],
		],
	])('are compared by %s', (_key, before, now, paths) => {
		expect(pathsOf({ l: before }, { l: now })).toEqual(paths);
	});

	it('are compared by entry in a list within an entry', () => {
		const listOf = (price: number) => ({
			shops: [
				{
					name: 'A',
					offers: [
						{ sku: 1, price },
						{ sku: 2, price: 5 },
					],
				},
			],
		});
		expect(pathsOf(listOf(1), listOf(2))).toEqual(['shops[name=A].offers[sku=1].price']);
	});

	it('that move by exactly the minimum count, and texts always', () => {
		expect(pathsOf({ p: 100, t: 'a' }, { p: 110, t: 'b' }, 10)).toEqual(['p', 't']);
		expect(pathsOf({ p: 100, q: 0 }, { p: 109, q: 1 }, 10)).toEqual(['q']);
	});

	it('of 20,000 entries are compared in time that grows with them', () => {
		const list = (count: number) =>
			Array.from({ length: count }, (_, id) => ({ id, text: `t${id}` }));
		expect(pathsOf({ l: list(20_000) }, { l: list(20_001).reverse() })).toEqual(['l[id=20000]']);
	});
});
