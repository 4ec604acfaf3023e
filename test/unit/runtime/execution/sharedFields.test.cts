import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../../nodes/runtime/execution/operation';
import { sharedFields } from '../../../../nodes/runtime/execution/describe';

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
		const shared = sharedFields([
			resource(
				'page',
				operation('a', field('url')),
				operation('b', other()),
				operation('c', other()),
			),
		]);
		expect(wherever(shared)).toEqual([
			['url', ['page'], ['a']],
			['url', ['page'], ['b', 'c']],
		]);
	});

	it('are described once for several resources unless that shows them for others', () => {
		const [a, b] = [field('a'), field('b')];
		const shared = sharedFields([
			resource('page', operation('x', a, b), operation('y')),
			resource('map', operation('x'), operation('y', a)),
			resource('site', operation('x', b)),
		]);
		expect(wherever(shared)).toEqual([
			['a', ['page'], ['x']],
			['b', ['page', 'site'], ['x']],
			['a', ['map'], ['y']],
		]);
	});

	it('keep their own conditions', () => {
		const a = field('a', { displayOptions: { show: { kind: ['b'] }, hide: { c: [true] } } });
		expect(sharedFields([resource('page', operation('x', a))])[0].displayOptions).toEqual({
			show: { resource: ['page'], operation: ['x'], kind: ['b'] },
			hide: { c: [true] },
		});
	});

	it("keep every operation's order, twice where two disagree on it", () => {
		const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => field(name));
		const shared = sharedFields([
			resource('one', operation('x', a, d), operation('y', b, c, d), operation('z', c, a, d)),
		]);
		expect(shownFor(shared, 'one', 'x')).toEqual(['a', 'd']);
		expect(shownFor(shared, 'one', 'y')).toEqual(['b', 'c', 'd']);
		expect(shownFor(shared, 'one', 'z')).toEqual(['c', 'a', 'd']);
	});
});
