import * as fc from 'fast-check';
import { rank, type SourceText } from '../../../../nodes/runtime/text/rank';
import { select, type Budget } from '../../../../nodes/runtime/text/select';
import { tokensOf } from '../../../../nodes/runtime/text/tokens';

const budgetOf = (most: number): Budget => ({ most, sizeOf: tokensOf, perPage: () => 0 });

const excerpts = async (question: string, pages: SourceText[], most = 60) =>
	await select(await rank(pages, [question]), budgetOf(most));

/** Makes a text so long that it is ranked by itself, with words that no other has. */
function long(text: string): string {
	const own = text.replaceAll(/[^a-z0-9]/gi, '').slice(-3);
	const words = [...'abcdefghijklmnopqrstuv'].map((letter) => `${own}${letter}word`);
	return `${text} ${words.join(' ')}.`;
}

/** Paragraphs that match nothing. */
const filler = Array.from({ length: 40 }, (_, place) => long(`Number ${place + 100}.`));

const page = (...parts: string[]): SourceText => ({ title: 'A page', text: parts.join('\n\n') });

describe('The excerpt of a page', () => {
	it('has the paragraph that matches', async () => {
		const text = long('The next spring tide comes on Friday.');
		const [first] = await excerpts('When is the next spring tide?', [
			page(...filler, text, ...filler),
		]);
		expect(first).toEqual({ page: 0, text });
	});

	it('has only the sentences of a long paragraph that match', async () => {
		const text = 'The next spring tide comes on Friday.';
		const [first] = await excerpts(
			'next spring tide',
			[page([...filler, text, ...filler].join(' '))],
			90,
		);
		expect(first.text).toContain(text);
		expect(first.text.length).toBeLessThan(500);
	});

	it('never ends a sentence within a word', async () => {
		const file = Array.from({ length: 60 }, () => 'the file package.json has it').join(' ');
		const [first] = await excerpts('package', [page(file)], 500);
		expect(first.text).not.toMatch(/package\.(?!json)/);
	});

	it('is found by the heading above it, which stands there once, with those above it', async () => {
		const answers = [long('Nine to five.'), long('Closed on Mondays.')];
		const pages = [
			page('# Harbour', ...filler, '## Opening hours', answers[0], ...filler, answers[1]),
		];
		const [first] = await excerpts('opening hours monday five', pages, 150);
		expect(first.text).toBe(`# Harbour\n## Opening hours\n${answers[0]}\n\n[…]\n\n${answers[1]}`);
	});

	it('names only those headings that differ from the part before', async () => {
		const text = page('# Harbour', '## North', long('Tide one.'), '## South', long('Tide two.'));
		const [first] = await excerpts('tide', [text], 200);
		expect(first.text).toBe(
			`# Harbour\n## North\n${long('Tide one.')}\n\n## South\n${long('Tide two.')}`,
		);
	});

	it('has rows of a table below its head, once', async () => {
		const rows = Array.from({ length: 40 }, (_, place) => `| ${long(`Day${place + 100}`)} | 3 m |`);
		rows[7] = `| ${long('Mon one')} | 3 m |`;
		rows[30] = `| ${long('Mon two')} | 4 m |`;
		const text = ['| Day | Height |', '|---|---|', ...rows].join('\n');
		const [first] = await excerpts('Mon', [page(...filler, text)], 120);
		expect(first.text).toBe(`| Day | Height |\n|---|---|\n${rows[7]}\n${rows[30]}`);
	});

	it('joins neighbours in the order of their page, whatever their rank', async () => {
		const parts = [long('A tide.'), long('The spring tide comes.')];
		const [first] = await excerpts('spring tide', [page(...filler, ...parts, ...filler)], 110);
		expect(first.text).toBe(parts.join('\n\n'));
	});

	it('has the neighbours of what matches where room is left', async () => {
		const [before, match, after] = ['Before.', 'The tide.', 'After.'].map(long);
		const pages = [page(...filler, '# Tides', before, match, after, '# Wind', ...filler)];
		const [first] = await excerpts('the tide', pages, 2_000);
		expect(first.text).toBe(`# Tides\n${before}\n\n${match}\n\n${after}`);
	});

	it('has no near duplicates', async () => {
		const same = long('The next spring tide comes on Friday at noon in the harbour');
		const pages = [page(same), page(`${same}!`), page(long('A tide is water.'))];
		const found = await excerpts('spring tide', pages, 1_000);
		expect(found.map(({ page: place }) => place)).toEqual([0, 2]);
	});

	it('comes first from the page with the better title', async () => {
		const text = 'Costs 12 euros a month.';
		const pages = [
			{ title: 'Something', text: [...filler, long(`One. ${text}`)].join('\n\n') },
			{ title: 'A berth', text: [...filler, long(`Two. ${text}`)].join('\n\n') },
		];
		expect((await excerpts('what a berth costs', pages))[0].page).toBe(1);
	});

	it('is found in languages without spaces', async () => {
		const parts = ['风力发电。', '潮汐发电的价格很低。', '太阳能。'].map((part) => part.repeat(30));
		const [first] = await excerpts(
			'潮汐发电的价格',
			[{ title: '', text: parts.join('\n\n') }],
			300,
		);
		expect(first.text).toContain('潮汐发电的价格很低。');
	});

	it('is missing where nothing matches', async () => {
		expect(await excerpts('zebra', [page(...filler)])).toEqual([]);
		expect(await excerpts('?', [page(...filler)])).toEqual([]);
		expect(await excerpts('tide', [])).toEqual([]);
		expect(await excerpts('tide', [page('')])).toEqual([]);
	});

	it('is cut where nothing fits whole', async () => {
		const [first] = await excerpts(
			'tide',
			[page(`\`\`\`\n${'tide = 12\n'.repeat(500)}\`\`\``)],
			100,
		);
		expect(first.text).toMatch(/^```\ntide = 12[^]*\[… \d+ more characters\]$/);
		expect(tokensOf(first.text)).toBeLessThanOrEqual(100);
	});

	it('never exceeds the budget, its joints apart', async () => {
		const part = fc.constantFrom(
			'The tide comes.',
			'| Tide | Day |\n|---|---|\n| high | Mon |\n| tide | Tue |',
			`# Tide ${'long '.repeat(20)}`,
			`- tide ${'item '.repeat(50)}`,
			'```\ntide()\n```',
			'harbour',
			long('A tide.'),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(part, { maxLength: 12 }), { maxLength: 4 }),
				fc.integer({ min: 1, max: 400 }),
				async (parts, most) => {
					const found = await excerpts(
						'tide',
						parts.map((each) => page(...each)),
						most,
					);
					const tokens = found.reduce((sum, { text }) => sum + tokensOf(text), 0);
					expect(tokens).toBeLessThanOrEqual(most);
				},
			),
		);
	});
});

describe('Phrasings of a question', () => {
	const pages = [
		page(...filler, long('Water rises.'), ...filler, long('The sea floods.'), ...filler),
	];

	it('find what any of them matches', async () => {
		const candidates = await rank(pages, ['water', 'sea floods', 'zebra']);
		const [first] = await select(candidates, budgetOf(150));
		expect(first.text).toContain('Water rises.');
		expect(first.text).toContain('The sea floods.');
	});

	it('prefer what several of them match', async () => {
		const candidates = await rank(pages, ['water', 'sea', 'floods']);
		expect(candidates[0].units[candidates[0].index].text).toContain('The sea floods.');
	});
});
