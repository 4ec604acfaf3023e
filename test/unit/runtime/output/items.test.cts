import type { IDataObject } from 'n8n-workflow';
import { documentFormat } from '../../../../nodes/WebData/documents/documentFormat';
import { settingsFor } from '../../calls.cjs';
import { toItems, type Trim, limitPairs } from '../../../../nodes/runtime/output/items';

const markdownMark = (missing: number) =>
	`\n\n[… truncated, ${missing} more characters; raise 'Max Markdown Length' to get them]`;

/** The trim of a result with fields to keep and a longest markdown. */
function trim(keepFields: string[] = [], maxMarkdownLength?: number): Trim {
	const outputOptions = {
		...(maxMarkdownLength !== undefined && { maxMarkdownLength }),
		simplify: false,
	};
	return {
		keepFields,
		transform: documentFormat.createTransform(settingsFor({ outputOptions }), undefined),
	};
}

describe('Items', () => {
	const json = {
		title: 'Tides',
		markdown: 'high tide',
		metadata: { statusCode: 200, title: 'T', markdown: 'inner text' },
		links: [{ markdown: 'linked text' }],
		nothing: null,
		zero: 0,
	};
	const only = async (keepFields: string[], maxMarkdownLength?: number) =>
		(await toItems([{ json }], trim(keepFields, maxMarkdownLength), [3]))[0].json;

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
		[[], { ...json, statusCode: 200 }],
		[['statusCode'], { statusCode: 200 }],
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

	it('have all Markdown truncated, at any depth, and nothing else', async () => {
		expect(await only([], 4)).toEqual({
			...json,
			statusCode: 200,
			markdown: `high${markdownMark(5)}`,
			metadata: { ...json.metadata, markdown: `inne${markdownMark(6)}` },
			links: [{ markdown: `link${markdownMark(7)}` }],
		});
	});

	it('keep PDF content that was not parsed, also if its type is not picked', async () => {
		const file = 'JVBERi0xLjQKMSAwIG9iago8PCAv';
		const document = (contentType: string, rest: object = {}) => ({
			markdown: file,
			metadata: { contentType, ...rest },
		});
		const markdownOf = async (json: IDataObject, keepFields: string[]) =>
			(await toItems([{ json }], trim(keepFields, 4), [0]))[0].json.markdown;

		for (const keepFields of [[], ['markdown']]) {
			expect(await markdownOf(document('application/pdf'), keepFields)).toBe(file);
			expect(await markdownOf(document('text/plain'), keepFields)).toContain('truncated');
			expect(await markdownOf(document('application/pdf', { numPages: 1 }), keepFields)).toContain(
				'truncated',
			);
		}
	});

	it('leave the response unchanged', async () => {
		const before = structuredClone(json);
		await only(['metadata.title'], 1);
		await only(['metadata', 'metadata.title'], 1);
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

	it('are truncated as any other', async () => {
		const [item] = await toItems([{ json: hostile }], trim([], 1), [0]);
		expect(JSON.stringify(item.json)).toBe(JSON.stringify(hostile));
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
			trim([], 4),
			[0],
			(notice) => notices.push(notice),
		);
		expect(one.json).toBe(odd);
		expect(two.json.markdown).toMatch(/^long/);
		expect(notices).toEqual(['A result could not be truncated: cannot be read']);
	});

	it('is cut at the maximum depth of responses', async () => {
		let json: IDataObject = { markdown: 'long text' };
		for (let level = 0; level < 200_000; level += 1) json = { markdown: 'long text', json };
		const [item] = await toItems([{ json }], trim([], 4), [0]);
		expect(item.json.markdown).toMatch(/^long\n/);
	});
});

describe('Paired input items', () => {
	const inputs = (count: number) => Array.from({ length: count }, (_, item) => item);
	const notices: string[] = [];
	const linked = (items: Array<number[] | undefined>, askedFor: number[]) => {
		notices.length = 0;
		const results = items.map((own) => ({ json: {}, items: own }));
		return limitPairs(results, askedFor, (words) => void notices.push(words));
	};

	it('are kept for few results, and for results of one item', () => {
		expect(linked([undefined, undefined], [0, 1])).toMatchObject([{}, {}]);
		expect(linked([inputs(5_000)], inputs(5_000))[0].items).toHaveLength(5_000);
		expect(notices).toEqual([]);
	});

	it('are removed if each of many results has each of many', async () => {
		const many = inputs(100);

		const results = linked([[7], ...many.map(() => undefined), many], many);

		expect(results.map(({ items }) => items)).toEqual([[7], ...many.map(() => []), []]);
		expect(notices).toEqual([
			'101 items that may belong to any of several input items are linked to none: there would be 10101 links.',
		]);
		expect(await toItems(results.slice(0, 2), trim(), many)).toMatchObject([
			{ pairedItem: { item: 7 } },
			{ pairedItem: [] },
		]);
	});
});
