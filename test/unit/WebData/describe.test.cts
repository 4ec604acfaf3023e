import { extractFromAICalls, generateZodSchema, type INodeProperties } from 'n8n-workflow';
import { gzipSync } from 'node:zlib';
import { describe as describeNode, fieldsOf } from '../../../nodes/WebData/describe';
import { resources as own } from '../../../nodes/WebData/resources';
import { operation, type Resource } from '../../../nodes/runtime/operation';
import { objectSchema, stringSchema } from '../../../nodes/runtime/form/schema';

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
		request: {
			fields: shown,
			schema: objectSchema({ id: stringSchema() }),
			read: ({ id }) => ({ id }),
		},
		run: async () => await Promise.resolve([]),
	});

const conditions = { show: { wait: [true] }, hide: { mode: ['x'] } };
const resources: Resource[] = [
	{
		name: 'Page',
		value: 'page',
		operations: [get('scrape', 'Scrape', field('url')), get('get', 'Get', field('id'))],
	},
	{
		name: 'Agent',
		value: 'agent',
		operations: [get('get', 'Get', field('id', { displayOptions: conditions }))],
	},
];

it('what a model reads of the tool and its fields stands alone, without words for people', () => {
	const properties = describeNode(own);
	const read = properties.flatMap(({ name, default: initial }) => {
		if (name === 'toolDescription') return [String(initial)];
		return extractFromAICalls(String(initial)).map(({ description = '' }) => description);
	});
	const forPeople = /expression|Request \(JSON\)|input item|unless you|\badd\b|the editor|null in/i;

	expect(read.length).toBeGreaterThan(60);
	expect(read.filter((text) => forPeople.test(text))).toEqual([]);
});

describe('The parameters of a node', () => {
	const properties = describeNode(resources);

	it('begin with the resource and its operation, in the given order, the first of each by default', () => {
		expect(properties.slice(0, 3)).toMatchObject([
			{
				name: 'resource',
				noDataExpression: true,
				default: 'page',
				options: [{ value: 'page' }, { value: 'agent' }],
			},
			{
				name: 'operation',
				noDataExpression: true,
				default: 'scrape',
				displayOptions: { show: { resource: ['page'] } },
				options: [
					{ value: 'scrape', action: 'Scrape it' },
					{ value: 'get', action: 'Get it' },
				],
			},
			{ name: 'operation', default: 'get', displayOptions: { show: { resource: ['agent'] } } },
		]);
	});

	it('describe the operation to the AI model whose tool the node is', () => {
		const told = properties.filter(({ name }) => name === 'toolDescription');
		expect(told.map(({ default: text, displayOptions }) => [text, displayOptions])).toEqual([
			['Scrapes it', { show: { '@tool': [true], resource: ['page'], operation: ['scrape'] } }],
			['Gets it', { show: { '@tool': [true], resource: ['page'], operation: ['get'] } }],
			['Gets it', { show: { '@tool': [true], resource: ['agent'], operation: ['get'] } }],
		]);
	});

	it('let the AI model of a tool fill in the texts that are required', () => {
		const [{ value, name }] = resources;
		const url = field('url', { required: true, description: 'URL of the page' });
		const others = [field('mode', { required: true, default: 'x' }), field('note')];
		const described = describeNode([
			{ value, name, operations: [get('scrape', 'Scrape', url, ...others)] },
		]).slice(3);
		const shown = { resource: ['page'], operation: ['scrape'] };
		expect(described.map(({ name: own, displayOptions }) => [own, displayOptions])).toEqual([
			['url', { show: shown, hide: { '@tool': [true] } }],
			['url', { show: { ...shown, '@tool': [true] } }],
			['mode', { show: shown }],
			['note', { show: shown }],
		]);
		expect(described.slice(0, 2).map(({ default: initial }) => initial)).toEqual([
			'',
			"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('url', `URL of the page`, 'string') }}",
		]);
	});

	it('let it say what it wants to know from a long result, or not', () => {
		const asked = describeNode(own).filter(
			({ name, displayOptions }) =>
				name === 'passageQuery' && displayOptions?.show?.operation?.includes('scrape'),
		);
		expect(asked.map(({ displayOptions }) => displayOptions?.show?.['@tool'])).toEqual([[true]]);
		const [call, ...more] = extractFromAICalls(String(asked[0].default));
		expect(more).toEqual([]);
		expect(call).toMatchObject({ key: 'passageQuery', type: 'string', defaultValue: '' });
		expect(generateZodSchema(call).isOptional()).toBe(true);
	});

	it("continue with each operation's fields, shown for it under their own conditions", () => {
		expect(properties.slice(6).map(({ name, displayOptions }) => [name, displayOptions])).toEqual([
			['url', { show: { resource: ['page'], operation: ['scrape'] } }],
			['id', { show: { resource: ['page'], operation: ['get'] } }],
			['id', { ...conditions, show: { resource: ['agent'], operation: ['get'], wait: [true] } }],
		]);
	});
});

describe("This node's own parameters", () => {
	const operations = own.flatMap(({ value, operations: all }) =>
		all.map((one): [string, (typeof all)[number]] => [`${value} ${one.value}`, one]),
	);

	it.each(operations)('are the only ones that %s reads', (_, { fields: shown, read }) => {
		const asked: string[] = [];
		const noting = {
			get: (_target: object, name: string | symbol) => void asked.push(String(name)),
		};
		read(new Proxy<Record<string, unknown>>({}, noting));
		const names = shown.map(({ name }) => name);
		expect(asked.filter((name) => !names.includes(name))).toEqual([]);
	});

	it.each(operations)(
		"produce this node's own messages for an empty input of %s",
		(_, { schema, read }) => {
			const { error } = schema.safeParse(read({}));
			for (const { message } of error?.issues ?? []) expect(message).not.toBe('Required');
		},
	);
});

describe('The fields of an operation', () => {
	const shownFor = (fields: INodeProperties[], operation: string) =>
		fields.filter(({ displayOptions: { show } = {} }) => show?.operation?.includes(operation));

	it('are described once where they are equal', () => {
		const [resource] = [
			{
				name: 'Page',
				value: 'page',
				operations: [
					get('a', 'A', field('url'), field('limit')),
					get('b', 'B', field('url'), field('limit', { default: 'other' })),
				],
			},
		];
		const described = fieldsOf(resource).map(({ name, displayOptions }) => [
			name,
			displayOptions?.show?.operation,
		]);
		expect(described).toEqual([
			['url', ['a', 'b']],
			['limit', ['a']],
			['limit', ['b']],
		]);
	});

	it.each(own)("are shown in the operation's order: $value", (resource) => {
		const fields = fieldsOf(resource);
		for (const { value, fields: inOrder } of resource.operations) {
			expect(shownFor(fields, value).map(({ name }) => name)).toEqual(
				inOrder.map(({ name }) => name),
			);
		}
	});

	it('take at most 17,000 bytes of the description that a browser downloads', () => {
		expect(gzipSync(JSON.stringify(describeNode(own))).length).toBeLessThanOrEqual(17_000);
	});
});
