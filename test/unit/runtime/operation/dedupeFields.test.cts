import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../../nodes/runtime/operation/operation';
import { dedupeFields } from '../../../../nodes/runtime/operation/dedupeFields';

const field = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name.toUpperCase(),
	name,
	type: 'string',
	default: '',
	...more,
});

const operation = (value: string, ...fields: INodeProperties[]): Operation => ({
	name: value,
	value,
	action: '',
	description: '',
	fields,
	costs: 'free',
	read: () => ({}),
	schema: { parse: () => ({}) } as unknown as Operation['schema'],
	run: async () => await Promise.resolve([]),
});

const resource = (value: string, ...operations: Operation[]) => ({
	name: value,
	value,
	operations,
});

const wherever = (properties: INodeProperties[]) =>
	properties.map(({ name, displayOptions: { show } = {} }) => [
		name,
		show?.resource,
		show?.operation,
	]);

/** The fields that n8n shows for an operation, in its order. */
const shownFor = (properties: INodeProperties[], chosen: string, value: string) =>
	properties
		.filter(({ displayOptions: { show } = {} }) =>
			[show?.resource?.includes(chosen), show?.operation?.includes(value)].every(Boolean),
		)
		.map(({ name }) => name);

describe('Fields of several operations', () => {
	it('are described once if they are equal, otherwise separately', () => {
		const other = () => field('url', { description: 'another' });
		const shared = dedupeFields([
			resource('page', operation('scrape', field('url')), operation('get', other())),
			resource('map', operation('get', other())),
		]);
		expect(wherever(shared)).toEqual([
			['url', ['page'], ['scrape']],
			['url', ['page', 'map'], ['get']],
		]);
	});

	it('of one name are neighbours if every operation keeps its order', () => {
		const more = (description: string) => field('more', { description });
		const shared = dedupeFields([
			resource(
				'page',
				operation('one', field('a'), more('of one'), field('end')),
				operation('two', field('b'), more('of two'), field('end')),
				operation('three', field('c'), field('d'), more('of three')),
			),
		]);

		const order = shared.map(({ name }) => name);
		expect(order.join(' ')).toContain('more more more');
		expect(shownFor(shared, 'page', 'three')).toEqual(['c', 'd', 'more']);
		expect(shownFor(shared, 'page', 'one')).toEqual(['a', 'more', 'end']);
	});

	it('are never shown for an operation without them', () => {
		const a = field('a');
		// page.x and map.y have it: one description for both would show it to page.y and map.x too.
		const shared = dedupeFields([
			resource('page', operation('x', a), operation('y')),
			resource('map', operation('x'), operation('y', a)),
		]);
		expect(wherever(shared)).toEqual([
			['a', ['page'], ['x']],
			['a', ['map'], ['y']],
		]);
	});

	it('keep their own conditions', () => {
		const a = field('a', { displayOptions: { show: { kind: ['b'] }, hide: { c: [true] } } });
		expect(dedupeFields([resource('page', operation('x', a))])[0].displayOptions).toEqual({
			show: { resource: ['page'], operation: ['x'], kind: ['b'] },
			hide: { c: [true] },
		});
	});

	it("keep every operation's order", () => {
		const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => field(name));
		const shared = dedupeFields([
			resource('one', operation('x', a, d), operation('y', b, c, d)),
			resource('two', operation('z', c, a, d)),
		]);
		expect(shownFor(shared, 'one', 'x')).toEqual(['a', 'd']);
		expect(shownFor(shared, 'one', 'y')).toEqual(['b', 'c', 'd']);
		expect(shownFor(shared, 'two', 'z')).toEqual(['c', 'a', 'd']);
		expect(shared.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd']);
	});

	it('are described twice if operations disagree on their order', () => {
		const [a, b] = ['a', 'b'].map((name) => field(name));
		const shared = dedupeFields([
			resource('one', operation('x', a, b), operation('y', b, a), operation('z', b)),
		]);
		expect(shownFor(shared, 'one', 'x')).toEqual(['a', 'b']);
		expect(shownFor(shared, 'one', 'y')).toEqual(['b', 'a']);
		expect(shownFor(shared, 'one', 'z')).toEqual(['b']);
	});
});
