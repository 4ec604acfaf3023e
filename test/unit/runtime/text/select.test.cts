import * as fc from 'fast-check';
import { rank, type SourceText } from '../../../../nodes/runtime/text/rank';
import { select, tokenBudget } from '../../../../nodes/runtime/text/select';
import { termsOf } from '../../../../nodes/runtime/text/terms';
import { tokensOf } from '../../../../nodes/runtime/text/tokens';

const passagesOf = async (question: string, pages: SourceText[], most = 200) =>
	await select(await rank(pages, termsOf(question)), tokenBudget(most));

const filler = Array.from({ length: 40 }, (_, place) => `Words about harbour number ${place}.`);

const page = (...parts: string[]): SourceText => ({ title: 'A page', text: parts.join('\n\n') });

describe('Passages', () => {
	it('are the parts that match', async () => {
		const pages = [page(...filler, 'The next spring tide comes on Friday.', ...filler)];
		const [first] = await passagesOf('When is the next spring tide?', pages);
		const text = 'The next spring tide comes on Friday.';
		expect(first).toMatchObject({ page: 0, text, headings: [] });
	});

	it('are found by the heading above them', async () => {
		const pages = [page(...filler, '# Opening hours', 'Nine to five.', '# Other', ...filler)];
		const [first] = await passagesOf('opening hours', pages);
		expect(first).toMatchObject({ text: 'Nine to five.', headings: ['Opening hours'] });
	});

	it('have rows of a table below its head, once', async () => {
		const rows = ['| Mon | 3 m |', '| Tue | nothing |', '| Mon | 4 m |'];
		const text = ['| Day | Height |', '|---|---|', ...rows].join('\n');
		const [first, ...others] = await passagesOf('Mon', [page(...filler, text)]);
		expect(first.text).toBe(`| Day | Height |\n|---|---|\n${rows[0]}\n${rows[2]}`);
		expect(others).toEqual([]);
	});

	it('are merged if they are neighbours', async () => {
		const pages = [page(...filler, 'Tide one.', 'Tide two.', ...filler)];
		const [first, ...others] = await passagesOf('tide', pages);
		expect(first.text).toBe('Tide one.\n\nTide two.');
		expect(others).toEqual([]);
	});

	it('are merged in the order of their page, independent of rank', async () => {
		const best = 'The spring tide comes.';
		const pages = [
			page(...filler),
			page(...filler, 'A tide of the first.', `${best} First.`, ...filler),
			page(...filler, `${best} Second.`, 'A tide of the second.', ...filler),
		];

		const found = (await passagesOf('spring tide', pages)).map(({ text }) => text);

		expect(found.sort()).toEqual([
			`A tide of the first.\n\n${best} First.`,
			`${best} Second.\n\nA tide of the second.`,
		]);
	});

	it('have no near duplicates', async () => {
		const same = 'The next spring tide comes on Friday at noon in the harbour';
		const alike = ['.', '!'].map((end) => page(...filler, same + end));
		const pages = [...alike, page('A tide is water.')];
		const found = await passagesOf('spring tide', pages);
		expect(found.map(({ page: place }) => place)).toEqual([0, 2]);
	});

	it('come first from the page with the better title', async () => {
		const text = 'Costs 12 euros a month.';
		const pages = [
			{ title: 'Something', text: [...filler, `One. ${text}`].join('\n\n') },
			{ title: 'Costs of a berth', text: [...filler, `Two. ${text}`].join('\n\n') },
		];
		expect((await passagesOf('what a berth costs', pages))[0].page).toBe(1);
	});

	it('are found in languages without spaces', async () => {
		const text = ['风力发电。', '潮汐发电的价格很低。', '太阳能。'].join('\n\n');
		const [first] = await passagesOf('潮汐发电的价格', [{ title: '', text }], 16);
		expect(first.text).toBe('潮汐发电的价格很低。');
	});

	it('are empty if nothing matches', async () => {
		expect(await passagesOf('zebra', [page(...filler)])).toEqual([]);
		expect(await passagesOf('?', [page(...filler)])).toEqual([]);
		expect(await passagesOf('tide', [])).toEqual([]);
		expect(await passagesOf('tide', [page('')])).toEqual([]);
	});

	it('fit the budget exactly', async () => {
		const texts = ['The tide comes on Friday at noon.', `A tide of ${'many '.repeat(20)}words.`];
		const pages = [page(texts[0]), page(...filler, texts[1])];
		const found = async (most: number) =>
			(await passagesOf('tide', pages, most)).map(({ text }) => text);
		// Each passage has its text and, both empty, its headings and the head of its table.
		const all = texts.flatMap((text) => [text, '', '']);
		const most = all.reduce((sum, each) => sum + tokensOf(JSON.stringify(each)), 0);

		expect((await found(most)).sort()).toEqual([...texts].sort());
		expect(await found(most - 1)).toHaveLength(1);
	});

	it('never exceed the budget of tokens', async () => {
		const part = fc.constantFrom(
			'The tide comes.',
			'| Tide | Day |\n|---|---|\n| high | Mon |\n| tide | Tue |',
			`# Tide ${'long '.repeat(20)}`,
			`- tide ${'item '.repeat(50)}`,
			'```\ntide()\n```',
			'harbour',
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(part, { maxLength: 12 }), { maxLength: 4 }),
				fc.integer({ min: 1, max: 400 }),
				async (parts, most) => {
					const pages = parts.map((each) => page(...each));
					const tokens = (await passagesOf('tide', pages, most)).map(
						({ text, headings }) => tokensOf(text) + tokensOf(headings.join(' › ')),
					);
					expect(tokens.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(most);
				},
			),
		);
	});
});
