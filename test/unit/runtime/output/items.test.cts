import type { IDataObject } from 'n8n-workflow';
import { limitPairs, toItems, type Trim } from '../../../../nodes/runtime/output/items';

/** The trim of a result with fields to keep. */
const trim = (keepFields: string[] = []): Trim => ({ keepFields, transform: (json) => [json] });

describe('Items', () => {
	const json = {
		title: 'Tides',
		markdown: 'high tide',
		metadata: { statusCode: 200, title: 'T', markdown: 'inner text' },
		links: [{ markdown: 'linked text' }],
		nothing: null,
		zero: 0,
	};
	const only = async (keepFields: string[]) =>
		(await toItems([{ json }], trim(keepFields), [3]))[0].json;

	it('have no top-level error, which n8n would take for a failure', async () => {
		const results = [{ error: 'E17' }, { error: '', original: { id: 1 } }, { error: null }];
		const items = await toItems(
			results.map((each) => ({ json: each })),
			trim(),
			[0],
		);
		expect(items.map((item) => item.json)).toEqual([
			{ original: { error: 'E17' } },
			{ original: { id: 1, error: '' } },
			{ error: null },
		]);
	});

	it('are paired with their input and keep their files', async () => {
		const binary = { screenshot: { data: '', mimeType: 'image/png' } };
		expect(await toItems([{ json: { a: 1 }, binary }, { json: { a: 2 } }], trim(), [3])).toEqual([
			{ json: { a: 1 }, binary, pairedItem: { item: 3 } },
			{ json: { a: 2 }, pairedItem: { item: 3 } },
		]);
	});

	it.each<[string[], object]>([
		[[], json],
		[['title', 'zero', 'nothing'], { title: 'Tides', zero: 0, nothing: null }],
		[['metadata.statusCode'], { metadata: { statusCode: 200 } }],
		[['metadata.statusCode', 'metadata.title'], { metadata: { statusCode: 200, title: 'T' } }],
		[['metadata', 'metadata.title'], { metadata: json.metadata }],
		[['metadata.title', 'metadata'], { metadata: json.metadata }],
		[['absent', 'title.length', 'metadata.absent.deep'], {}],
		[['constructor', '__proto__', 'metadata.constructor.name'], {}],
	])('have the picked fields %j', async (keepFields, kept) => {
		expect(await only(keepFields)).toEqual(kept);
	});

	it('leave the response unchanged', async () => {
		const before = structuredClone(json);
		await only(['metadata.title']);
		await only(['metadata', 'metadata.title']);
		expect(json).toEqual(before);
	});
});

describe('Fields with the names of an object\u2019s own', () => {
	const hostile: IDataObject = JSON.parse(
		'{"title":"T","__proto__":{"polluted":1,"__proto__":{"polluted":2}},"constructor":{"prototype":{"polluted":3}},"a":{"__proto__":{"polluted":4}}}',
	);
	const kept = async (...keepFields: string[]) =>
		JSON.stringify((await toItems([{ json: hostile }], trim(keepFields), [0]))[0].json);

	afterEach(() => {
		const polluted: unknown = Reflect.get({}, 'polluted');
		Reflect.deleteProperty(Object.prototype, 'polluted');
		expect(polluted).toBeUndefined();
	});

	it.each([
		[['title', '__proto__.polluted'], '{"title":"T","__proto__":{"polluted":1}}'],
		[['__proto__.__proto__.polluted'], '{"__proto__":{"__proto__":{"polluted":2}}}'],
		[['__proto__'], '{"__proto__":{"polluted":1,"__proto__":{"polluted":2}}}'],
		[['constructor.prototype.polluted'], '{"constructor":{"prototype":{"polluted":3}}}'],
		[['a.__proto__.polluted'], '{"a":{"__proto__":{"polluted":4}}}'],
		[['toString', 'a.valueOf', 'title.length'], '{}'],
	])('are picked as any other: %j', async (paths, expected) => {
		expect(await kept(...paths)).toBe(expected);
	});
});

describe('A result that cannot be shortened', () => {
	it('is output whole, with a notice', async () => {
		const notices: string[] = [];
		const odd = {
			markdown: 'long text',
			get broken(): string {
				throw new Error('cannot be read');
			},
		};
		const [one, two] = await toItems(
			[{ json: odd }, { json: { markdown: 'long text' } }],
			{ ...trim(), transform: (json) => [{ ...json }] },
			[0],
			(notice) => notices.push(notice),
		);
		expect(one.json).toBe(odd);
		expect(two.json.markdown).toMatch(/^long/);
		expect(notices).toEqual(['A result could not be truncated: cannot be read']);
	});
});

describe('The links of results to input items', () => {
	it('are kept up to ten per item, beyond which only results of a single item keep theirs', () => {
		const notice = jest.fn();
		const requestedBy = Array.from({ length: 30 }, (_, index) => index);
		const results = requestedBy.map((index) => ({
			json: {},
			...(index < 9 && { items: [index] }),
		}));

		const few = results.slice(0, 28);
		expect(limitPairs(few, requestedBy, notice)).toBe(few);
		expect(notice).not.toHaveBeenCalled();
		const limited = limitPairs(results, requestedBy, notice);
		expect(limited.map(({ items }) => items?.length)).toEqual([
			...Array<number>(9).fill(1),
			...Array<number>(21).fill(0),
		]);
		expect(notice).toHaveBeenCalledWith(
			'21 items that may belong to any of several input items are linked to none: there would be 639 links.',
		);
	});
});
