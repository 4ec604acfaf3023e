import * as fc from 'fast-check';
import { tokensOf } from '../../../../../nodes/runtime/text/tokens';
import { chunksOf } from '../../../../../nodes/WebData/resources/site/chunks';
import { loadSite } from '../../../../site/site.cjs';

const texts = async (markdown: string, maxTokens: number) =>
	(await chunksOf(markdown, maxTokens)).map(({ text }) => text);

const words = (count: number, word = 'tide') => `${`${word} `.repeat(count).trim()}.`;

/** Lines of markdown as pages have them, and as none should. */
const line = fc.oneof(
	fc.constantFrom('', '# Tides', '## Spring', '### Neap', '#### Deep', 'Title', '=====', '-----'),
	fc.constantFrom('```js', '```', '~~~', '- one', '  goes on', '12. twelve', '    indented', '\t'),
	fc.constantFrom('| Day | Height |', '| --- | ---: |', '| Mon | 3 m |'),
	fc.nat({ max: 60 }).map((count) => words(count)),
	fc.string({ unit: 'grapheme', maxLength: 200 }),
	fc.constant('潮汐は月の引力で起こる。'.repeat(20)),
	fc.constant('x'.repeat(900)),
);
const page = fc
	.tuple(fc.array(line, { maxLength: 60 }), fc.constantFrom('\n', '\r\n', '\n\n'))
	.map(([lines, end]) => lines.join(end));
const limit = fc.integer({ min: 50, max: 400 });

describe('the chunks of a page', () => {
	it('joined are the page', async () => {
		await fc.assert(
			fc.asyncProperty(page, limit, async (markdown, maxTokens) => {
				expect((await texts(markdown, maxTokens)).join('')).toBe(markdown);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('joined are each page of the small web', async () => {
		for (const { markdown } of loadSite().pages) {
			for (const maxTokens of [50, 150, 500]) {
				expect((await texts(markdown, maxTokens)).join('')).toBe(markdown);
			}
		}
	});

	it('keep to the limit, but for fences and rows, which are never taken apart', async () => {
		await fc.assert(
			fc.asyncProperty(page, limit, async (markdown, maxTokens) => {
				for (const { text } of await chunksOf(markdown, maxTokens)) {
					const isRigid = /```|~~~|\|/.test(text);
					if (!isRigid) expect(tokensOf(text)).toBeLessThanOrEqual(maxTokens);
				}
			}),
			{ numRuns: 1_000 },
		);
	});

	it('are the page where it fits, below no heading that it does not share', async () => {
		expect(await chunksOf('# A\n\none\n\n## B\n\ntwo', 100)).toEqual([
			{ text: '# A\n\none\n\n## B\n\ntwo', headings: ['A'] },
		]);
	});

	it('are the sections of a page that does not', async () => {
		const markdown = `# A\n\n${words(20)}\n\n## B\n\n${words(30)}\n\n## C\n\n${words(30)}\n`;

		expect(await chunksOf(markdown, 50)).toEqual([
			{ text: `# A\n\n${words(20)}\n`, headings: ['A'] },
			{ text: `\n## B\n\n${words(30)}\n`, headings: ['A', 'B'] },
			{ text: `\n## C\n\n${words(30)}\n`, headings: ['A', 'C'] },
		]);
	});

	it('of sections that are not touched stay as they are', async () => {
		const section = (name: string, count: number) => `## ${name}\n\n${words(count)}\n\n`;
		const before = section('A', 80) + section('B', 80) + section('C', 80);
		const after = section('A', 80) + section('B', 200) + section('C', 80);

		const [old, changed] = [await texts(before, 120), await texts(after, 120)];
		expect(changed[0]).toBe(old[0]);
		expect(changed.at(-1)).toBe(old.at(-1));
		expect(changed.length).toBeGreaterThan(old.length);
	});

	it('begin in the midst of a table with its head beside them', async () => {
		const rows = Array.from({ length: 30 }, (_, day) => `| Day ${day} | ${'high '.repeat(8)}|`);
		const head = '| Day | Height |\n| --- | --- |';
		const chunks = await chunksOf([head, ...rows].join('\n'), 100);

		expect(chunks.length).toBeGreaterThan(3);
		expect(chunks[0].tableHead).toBeUndefined();
		expect(chunks.slice(1).every(({ tableHead }) => tableHead === head)).toBe(true);
		const cutRows = chunks.flatMap(({ text }) => text.split('\n').filter((row) => row !== ''));
		expect(cutRows).toEqual([...head.split('\n'), ...rows]);
	});

	it('hold a fence whole, whatever its length', async () => {
		const lines = Array.from({ length: 200 }, (_, at) => `line ${at}.`);
		const fence = ['```', ...lines, '```'].join('\n');
		const chunks = await texts(`Before.\n\n${fence}\n\nAfter.`, 100);

		expect(chunks.filter((text) => text.includes('```'))).toEqual([expect.stringContaining(fence)]);
	});

	it('end behind a sentence, else behind a word, and never in the midst of a character', async () => {
		const ends = async (markdown: string) =>
			(await texts(markdown, 50)).map((text) => text.slice(-2));

		expect(new Set(await ends('One more. '.repeat(60)))).toEqual(new Set(['. ']));
		expect((await ends('word '.repeat(100))).every((end) => end.endsWith(' '))).toBe(true);
		const waves = await texts('🌊'.repeat(300), 51);
		expect(waves.length).toBeGreaterThan(3);
		expect(waves.every((text) => Buffer.from(text).toString() === text)).toBe(true);
	});
});
