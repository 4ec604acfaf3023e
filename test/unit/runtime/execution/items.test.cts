import { toItems, withoutError, type Trim } from '../../../../nodes/runtime/execution/items';

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

	it('have no top-level error, which n8n would take for a failure', () => {
		const results = [
			{ error: 'E17' },
			{ error: '', original: { id: 1 } },
			{ error: '', original: 'Guten Tag' },
			{ error: null },
			{ error: false, original: { id: 1 } },
		];
		expect(results.map(withoutError)).toEqual([
			{ original: { error: 'E17' } },
			{ original: { id: 1, error: '' } },
			{ original: { original: 'Guten Tag', error: '' } },
			{},
			{ original: { id: 1, error: false } },
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

describe('A result without items of its own', () => {
	it.each([
		[10, 10],
		[11, 0],
	])('of a request of %i items is linked to %i', async (count, links) => {
		const requestedBy = Array.from({ length: count }, (_, index) => index);
		const [own, any] = await toItems(
			[{ json: {}, items: [3, 4] }, { json: {} }],
			trim(),
			requestedBy,
		);
		expect(own.pairedItem).toEqual([{ item: 3 }, { item: 4 }]);
		expect(any.pairedItem).toHaveLength(links);
	});
});
