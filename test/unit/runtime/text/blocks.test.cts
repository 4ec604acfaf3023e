import * as fc from 'fast-check';
import { blocksOf } from '../../../../nodes/runtime/text/blocks';

const texts = async (markdown: string) => (await blocksOf(markdown)).map(({ text }) => text);

describe('The blocks of a page', () => {
	it('are its paragraphs, list items, rows and code, below their headings', async () => {
		const markdown = [
			'Before any heading.',
			'# Tides',
			'Water comes',
			'and goes.',
			'',
			'## Spring',
			'- one',
			'  goes on',
			'- two',
			'1. three',
			'',
			'| Day | Height |',
			'| --- | ---: |',
			'| Mon | 3 m |',
			'| Tue | 4 m |',
			'',
			'```js',
			'# no heading',
			'',
			'tide();',
			'```',
			'# Wind',
			'Blows.',
		].join('\n');
		const tableHead = '| Day | Height |\n| --- | ---: |';
		expect(await blocksOf(markdown)).toEqual([
			{ text: 'Before any heading.', headings: [] },
			{ text: 'Water comes\nand goes.', headings: ['Tides'] },
			{ text: '- one\n  goes on', headings: ['Tides', 'Spring'] },
			{ text: '- two', headings: ['Tides', 'Spring'] },
			{ text: '1. three', headings: ['Tides', 'Spring'] },
			{ text: '| Mon | 3 m |', headings: ['Tides', 'Spring'], tableHead },
			{ text: '| Tue | 4 m |', headings: ['Tides', 'Spring'], tableHead },
			{ text: '```js\n# no heading\n\ntide();\n```', headings: ['Tides', 'Spring'] },
			{ text: 'Blows.', headings: ['Wind'] },
		]);
	});

	it.each([
		['underlined', 'Home\n====\n\nText\n\nMore\n----\n\nend', [['Home'], ['Home', 'More']]],
		['of a deeper level first', '### A\na\n# B\nb', [['A'], ['B']]],
		['with seven signs, which are none', '####### A\na', [[]]],
		['without a space, which are none', '#tag\na', [[]]],
	])('are below headings %s', async (_name, markdown, headings) => {
		expect([...new Set((await blocksOf(markdown)).map((block) => block.headings))]).toEqual(
			headings,
		);
	});

	it('include code whose fence is not closed', async () => {
		expect(await texts('~~~\na\n\nb')).toEqual(['~~~\na\n\nb']);
	});

	it('include code up to a fence of the same character and at least its length', async () => {
		expect(await texts('````\n```\n~~~~\n````\nafter')).toEqual(['````\n```\n~~~~\n````', 'after']);
	});

	it('split a long paragraph between its sentences', async () => {
		const sentence = `${'word '.repeat(60)}end. `;
		const parts = await texts(sentence.repeat(10));
		expect(parts.length).toBeGreaterThan(2);
		for (const part of parts) {
			expect(part.length).toBeLessThanOrEqual(1_200);
			expect(part).toMatch(/end\.$/);
		}
		expect(parts.join(' ')).toBe(sentence.repeat(10).trim());
	});

	it('have every word of the page', async () => {
		const line = fc.constantFrom(
			'# Head one',
			'word two',
			'',
			'- item three',
			'| a4 | b4 |',
			'|---|---|',
			'```',
			'  deeper five',
			'> quoted six',
		);
		await fc.assert(
			fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
				const blocks = await blocksOf(lines.join('\n'));
				const shown = blocks.map(({ text, headings, tableHead = '' }) =>
					[...headings, tableHead, text].join(' '),
				);
				const words = (text: string) =>
					text.match(/[a-z]+ (?:one|two|three|five|six)|[ab]4/g) ?? [];
				// A heading without a block below it, and a table without a row, have nothing to say.
				const last = lines.findLastIndex((each) => words(each).length > 0 && !/^(#|\|)/.test(each));
				const wanted = lines.slice(0, last + 1).filter((each) => !/^(#|\|)/.test(each));
				for (const word of wanted.flatMap(words)) expect(shown.join('\n')).toContain(word);
			}),
		);
	});
});
