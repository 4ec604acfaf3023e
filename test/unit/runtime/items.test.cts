import * as fc from 'fast-check';
import { cutText, toItems } from '../../../nodes/runtime/items';

const mark = (missing: number) => `[${missing} more]`;
const markdownMark = (missing: number) =>
	`\n\n[… cut here, ${missing} more characters; raise 'Max Markdown Length' to get them]`;

describe('cutting a text', () => {
	it('leaves what is short enough', () => {
		expect(cutText('tides', 5, mark)).toBe('tides');
		expect(cutText('', 1, mark)).toBe('');
	});

	it('marks the cut and says how much is missing', () => {
		expect(cutText('high tide', 4, mark)).toBe('high\n\n[5 more]');
	});

	it('never halves a character', () => {
		expect(cutText('🌊🌊', 3, mark)).toBe('🌊\n\n[2 more]');
		expect(cutText('🌊🌊', 1, mark)).toBe('\n\n[4 more]');
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', minLength: 2 }),
				fc.integer({ min: 1, max: 30 }),
				(text, max) => {
					const cut = cutText(text, max, mark);
					expect(Buffer.from(cut).toString()).toBe(cut);
				},
			),
		);
	});
});

describe('items', () => {
	const json = {
		title: 'Tides',
		markdown: 'high tide',
		metadata: { statusCode: 200, title: 'T', markdown: 'inner text' },
		links: [{ markdown: 'linked text' }],
		nothing: null,
		zero: 0,
	};
	const only = (keepFields: string[], maxMarkdownLength?: number) =>
		toItems([{ json }], { keepFields, maxMarkdownLength }, [3])[0].json;

	it('are linked to their input and keep their files', () => {
		const binary = { screenshot: { data: '', mimeType: 'image/png' } };
		expect(
			toItems([{ json: { a: 1 }, binary }, { json: { a: 2 } }], { keepFields: [] }, [3]),
		).toEqual([
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
		[
			[
				'absent',
				'title.length',
				'metadata.absent.deep',
				'constructor',
				'__proto__',
				'metadata.constructor.name',
			],
			{},
		],
	])('keep %j', (keepFields, kept) => {
		expect(only(keepFields)).toEqual(kept);
	});

	it('have every markdown cut, at any depth, and nothing else', () => {
		expect(only([], 4)).toEqual({
			...json,
			markdown: `high${markdownMark(5)}`,
			metadata: { ...json.metadata, markdown: `inne${markdownMark(6)}` },
			links: [{ markdown: `link${markdownMark(7)}` }],
		});
	});

	it('leave the answer itself as it was', () => {
		const before = structuredClone(json);
		only(['metadata.title'], 1);
		only(['metadata', 'metadata.title'], 1);
		expect(json).toEqual(before);
	});
});
