import type { INodeProperties } from 'n8n-workflow';
import { describe as describeNode, findOperation } from '../../../nodes/runtime/describe';
import { operation, type Resource } from '../../../nodes/runtime/operation';
import { fields, text } from '../../../nodes/runtime/contract';

const field = (name: string, rest: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	...rest,
});

const get = (value: string, name: string, ...shown: INodeProperties[]) =>
	operation({
		name,
		value,
		action: `${name} it`,
		description: `${name}s it`,
		fields: shown,
		contract: fields({ id: text() }),
		read: ({ id }) => ({ id }),
		run: async () => await Promise.resolve([]),
	});

const resources: Resource[] = [
	{
		name: 'Page',
		value: 'page',
		operations: [get('scrape', 'Scrape', field('url')), get('get', 'Get', field('id'))],
	},
	{
		name: 'Agent',
		value: 'agent',
		operations: [
			get(
				'get',
				'Get',
				field('id', { displayOptions: { show: { wait: [true] }, hide: { mode: ['x'] } } }),
			),
		],
	},
];

describe("the node's parameters", () => {
	const properties = describeNode(resources);

	it('begin with the resource and its operation, sorted by name; the first of each is the default', () => {
		expect(properties.slice(0, 3)).toMatchObject([
			{
				name: 'resource',
				noDataExpression: true,
				default: 'page',
				options: [{ value: 'agent' }, { value: 'page' }],
			},
			{
				name: 'operation',
				noDataExpression: true,
				default: 'scrape',
				displayOptions: { show: { resource: ['page'] } },
				options: [
					{ value: 'get', action: 'Get it' },
					{ value: 'scrape', action: 'Scrape it' },
				],
			},
			{ name: 'operation', default: 'get', displayOptions: { show: { resource: ['agent'] } } },
		]);
	});

	it("go on with each operation's fields, shown for it alone and under their own conditions", () => {
		expect(properties.slice(3).map(({ name, displayOptions }) => [name, displayOptions])).toEqual([
			['url', { show: { resource: ['page'], operation: ['scrape'] } }],
			['id', { show: { resource: ['page'], operation: ['get'] } }],
			[
				'id',
				{ show: { resource: ['agent'], operation: ['get'], wait: [true] }, hide: { mode: ['x'] } },
			],
		]);
	});
});

it('finds the operation that is chosen, and none that is not known', () => {
	expect(findOperation(resources, 'page', 'get')?.fields[0].displayName).toBe('id');
	expect(findOperation(resources, 'agent', 'get')).toBe(resources[1].operations[0]);
	expect(findOperation(resources, 'page', 'fly')).toBeUndefined();
	expect(findOperation(resources, undefined, 'get')).toBeUndefined();
});
