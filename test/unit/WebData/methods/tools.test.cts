import { NodeApiError } from 'n8n-workflow';
import { getToolOptions } from '../../../../nodes/WebData/methods/getToolOptions';
import { searchTools } from '../../../../nodes/WebData/methods/searchTools';
import { editor } from './editor.cjs';

const find = (options: object) => ({
	alexandria: [{ provider: 'firecrawl', capability: 'find-tools', options }],
});
const found = (items: object[], rest: object = { next: null }): [number, unknown] => [
	200,
	{ success: true, data: { alexandria: [{ data: { level: 'tools', items, ...rest } }] } },
];
const picked = (value: string) => ({ __rl: true, mode: 'list', value });
const tides = { provider: 'tidewatch', capability: 'tide-times' };

describe('the list of tools', () => {
	it('shows each with its provider', async () => {
		const description = 'High water';
		const tools = [
			{ id: 'x', name: 'Tide times', description, execute: tides },
			{ ...tides, capability: 'storm-warnings' },
			{ id: 'tidewatch', name: 'A provider' },
		];
		const { asked, context } = editor(undefined, found(tools));
		expect(await searchTools.call(context, '  ')).toEqual({
			results: [
				{ name: 'Tide times (tidewatch)', value: 'tidewatch/tide-times', description },
				{ name: 'storm-warnings (tidewatch)', value: 'tidewatch/storm-warnings' },
			],
		});
		expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual([
			['POST', '/scrape', find({ level: 'tools', limit: 50 })],
		]);
	});

	describe('shows what n8n may store', () => {
		const secret = '={{ $json.secret }}';
		const tool = (provider: unknown, capability: unknown, rest: object = {}) => ({
			...rest,
			execute: { provider, capability },
		});

		it.each([
			tool(secret, 'x'),
			tool('x', secret),
			tool(` ${secret}`, 'x'),
			tool('\u200b=1', 'x'),
			tool('a{{ $json.secret }}', 'x'),
			tool('a/b', 'x'),
			tool('a\nb', 'x'),
			tool('', 'x'),
			tool('a', ''),
			tool('a', 'x'.repeat(300)),
			tool('a', 5),
		])('no tool whose provider or capability is not plain: %j', async (entry) => {
			const { context } = editor(undefined, found([entry, tool('ok', 'fine')]));
			const { results } = await searchTools.call(context);
			expect(results.map(({ value }) => value)).toEqual(['ok/fine']);
		});

		it('names and descriptions on one line, and never an expression', async () => {
			const tools = [
				tool('a', 'one', { name: secret, description: ` = ${secret}\r\nx\u202e` }),
				tool('a', 'two', { name: '\u200b==', description: '=' }),
				tool('a', 'three', { name: 'y'.repeat(9_999) }),
				tool('a', 'four', { name: { toString: 1 } }),
			];
			const { context } = editor(undefined, found(tools));
			const { results } = await searchTools.call(context);
			expect(results).toEqual([
				{ name: '{{ $json.secret }} (a)', value: 'a/one', description: '{{ $json.secret }} x' },
				{ name: 'two (a)', value: 'a/two' },
				{ name: `${'y'.repeat(300)} (a)`, value: 'a/three' },
				{ name: 'four (a)', value: 'a/four' },
			]);
		});

		it('a page of them', async () => {
			const many = Array.from({ length: 2_000 }, (_, index) => tool('a', `t${index}`));
			const { context } = editor(undefined, found(many));
			expect((await searchTools.call(context)).results).toHaveLength(500);
		});
	});

	it('goes on with nothing but browsing, whatever the editor hands back', async () => {
		const { asked, context } = editor(undefined, found([]));
		const call = { provider: 'tidewatch', capability: 'tide-times', options: {} };
		await searchTools.call(context, '', JSON.stringify({ call, read: 1 }));
		expect(asked.map(({ body }): unknown => body)).toEqual([find({ level: 'tools', limit: 50 })]);
	});

	it.each([
		[{ next: find({ cursor: 'c1' }).alexandria[0] }, find({ cursor: 'c1' })],
		[{ total: 2 }, find({ query: 'tide', level: 'tools', limit: 50, offset: 1 })],
	])('goes on where the service says: %j', async (rest, body) => {
		const pages = [
			found([{ id: 'x', execute: tides }], rest),
			found([{ id: 'y', execute: tides }]),
		];
		const { asked, context } = editor(undefined, ...pages);
		const first = await searchTools.call(context, ' tide ');
		const second = await searchTools.call(context, ' tide ', first.paginationToken);
		expect(asked.map((request): unknown => request.body)).toEqual([
			find({ query: 'tide', level: 'tools', limit: 50 }),
			body,
		]);
		expect(second.paginationToken).toBeUndefined();
	});

	it("fails with the service's words, without the key", async () => {
		const body = { success: false, error: 'Not enabled for fc-secret-key' };
		const { context } = editor(undefined, [403, body]);
		const outcome: unknown = await searchTools.call(context).catch((error: unknown) => error);
		expect(outcome).toBeInstanceOf(NodeApiError);
		expect(outcome).toMatchObject({ message: 'Not enabled for *** (HTTP 403)' });
	});
});

describe('the options of a tool', () => {
	const tool = {
		execute: tides,
		options: [
			{ name: 'harbour', type: 'string', required: true },
			{ name: 'days', type: 'integer' },
			{ name: 'live', type: 'boolean' },
			{ name: 'metric', type: 'boolean', required: true },
			{ name: 'kinds', type: 'string[]' },
			{ name: 'area', type: 'object' },
			{ name: 'when', type: 'date' },
			{ type: 'string' },
		],
	};

	it('are fields in its own types', async () => {
		const other = { execute: { ...tides, capability: 'storm-warnings' }, options: [] };
		const { asked, context } = editor(picked('tidewatch/tide-times'), found([other, tool]));
		const { fields } = await getToolOptions.call(context);
		expect(fields.map(({ id, type, required, removed }) => [id, type, required, removed])).toEqual([
			['harbour', 'string', true, false],
			['days', 'number', false, false],
			['live', 'boolean', false, true],
			['metric', 'boolean', true, false],
			['kinds', 'array', false, false],
			['area', 'object', false, false],
			['when', 'string', false, false],
		]);
		const one = { providers: ['tidewatch'], capabilities: ['tide-times'] };
		const body = find({ ...one, level: 'tools', expand: ['options'], limit: 100 });
		expect(asked[0].body).toEqual(body);
	});

	/** What the editor shows of a tool with these options. */
	async function fieldsOf(options: object[]) {
		const parameter = picked('tidewatch/tide-times');
		const { context } = editor(parameter, found([{ execute: tides, options }]));
		return (await getToolOptions.call(context)).fields;
	}

	it('are those that n8n may store, and never an expression', async () => {
		const expressions = ['={{ $json.secret }}', ' =1', 'a{{ 1 }}'];
		const odd = ['__proto__', 'constructor', 'a\nb', 'x'.repeat(200), { toString: 1 }];
		const good = ['Größe', 'filter.min-price', 'a[0]', '$top', '@type', 'X Y'];
		const names = [...expressions, ...odd, ...good];
		const fields = await fieldsOf(names.map((name) => ({ name, type: { toString: 1 } })));
		expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual(
			good.map((id) => [id, id, 'string']),
		);
	});

	it('are 500 at the most', async () => {
		const options = Array.from({ length: 2_000 }, (_, index) => ({ name: `o${index}` }));
		expect(await fieldsOf(options)).toHaveLength(500);
	});

	it.each([
		undefined,
		picked(''),
		picked('tidewatch'),
		picked('={{ $json.id }}'),
		picked('={{ $json.a + "/" + $json.b }}'),
	])('are not asked for when the tool is %j', async (parameter) => {
		const { asked, context } = editor(parameter);
		const { fields, emptyFieldsNotice } = await getToolOptions.call(context);
		expect(asked).toEqual([]);
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toContain('Pick a tool');
	});

	it.each<[object[], string]>([
		[[], 'The catalogue does not contain this tool.'],
		[[{ execute: tides }], 'This tool has no options.'],
	])('may be none: %j', async (items, notice) => {
		const { context } = editor(picked('tidewatch/tide-times'), found(items));
		expect(await getToolOptions.call(context)).toEqual({ fields: [], emptyFieldsNotice: notice });
	});
});
