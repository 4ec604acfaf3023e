import * as fc from 'fast-check';
import {
	findPassages,
	tokensOf,
	type Budget,
	type SourceText,
} from '../../../../nodes/runtime/tool/passages';
import { pagesIn } from '../../../../bench/passageQuestions.cjs';
import { propertySeed } from '../../../seededRandom.cjs';

// Counted by js-tiktoken 1.0.21.
it.each([
	['en', 'node-red-function', 3604],
	['de', 'node-red-function', 4079],
	['fr', 'node-red-function', 4404],
	['ja', 'node-red-function', 5526],
	['zh', 'node-red-function', 2653],
	['ja', 'electron-app', 18_608],
	['en', 'npm-package-json', 9568],
])('The tokens of %s: %s are estimated within 8 %% of what o200k_base has', (of, name, tokens) => {
	const text = String(pagesIn(of).get(name));
	expect(Math.abs(tokensOf(text) / tokens - 1)).toBeLessThan(0.08);
});

const budgetOf = (most: number): Budget => ({ most, sizeOf: tokensOf, perPage: () => 0 });

const excerpts = async (question: string, pages: SourceText[], most = 200) =>
	await findPassages(pages, [question], budgetOf(most));

/** A paragraph that is a block by itself, with words that no other has. */
function long(text: string): string {
	const own = text.replaceAll(/[^a-z0-9]/gi, '').slice(-3);
	return `${text} ${[...'abcdefghijklmnopqrstuvwxyzabcdefgh'].map((letter) => `${own}${letter}word`).join(' ')}.`;
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
		expect(first.page).toBe(0);
		expect(first.text).toContain(text);
		expect(first.text.length).toBeLessThan(800);
	});

	it('fills what is left with what little words of the only phrasing match, if another matches', async () => {
		const [tide, other, last] = [long('High tide.'), long('Go to us.'), long('Come by us.')];
		const pages = [page(tide, other, last)];
		const textOf = async (phrasings: string[], leastShare?: number) => {
			const budget = { ...budgetOf(1_000), leastShare };
			return (await findPassages(pages, phrasings, budget)).map(({ text }) => text).join();
		};
		expect(await textOf(['tide to'])).toBe(`${tide}\n\n${other}`);
		expect(await textOf(['tide to', 'high to'])).toBe(tide);
		expect(await textOf(['tide to'], 0.1)).toBe(tide);
		expect(await textOf(['rain to'])).toBe('');
	});

	it('has whole characters where a text without spaces is split', async () => {
		const [first] = await excerpts('tide', [page(`#tide${'🌊'.repeat(600)}`)], 1_000);
		expect(first.text).toMatch(/^#tide🌊+$/u);
	});

	it('has only a part of a long paragraph, split between sentences', async () => {
		const text = 'The next spring tide comes on Friday, says package.json.';
		const [first] = await excerpts('spring tide', [page([...filler, text, ...filler].join(' '))]);
		expect(first.text).toContain(text);
		expect(first.text).not.toMatch(/package\.(?!json)/);
		expect(first.text.length).toBeLessThan(800);
	});

	it('stands below its headings, each once, with marks where others are omitted', async () => {
		const answers = [long('Nine to five.'), long('Closed on Mondays.')];
		const [first] = await excerpts(
			'opening hours monday five',
			[page('# Harbour', ...filler, '## Opening hours', answers[0], ...filler, answers[1])],
			400,
		);
		expect(first.text.match(/^# Harbour$/gm)).toHaveLength(1);
		expect(first.text).toMatch(
			/^# Harbour\n## Opening hours\n+Nine to five\.[^]+\n\n\[…\]\n\n[^]*Closed on Mondays\./,
		);
	});

	it('does not take a comment of code as a heading', async () => {
		const [first] = await excerpts('tide', [page('```\n# no heading\n```', '# Tides', 'A tide.')]);
		expect(first.text).toBe('# Tides\nA tide.');
	});

	it('has no duplicates', async () => {
		const same = long('The next spring tide comes on Friday');
		const pages = [page(same), page(same), page(long('A tide is water.'))];
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

	it.each([
		['Datenbanken', 'Der Datenbankserver läuft.', true],
		['Server', 'Der Datenbankserver läuft.', false],
		['tide', 'Ebb-tide; TIDE.', true],
		['tide', 'Tidewatch, tidal', false],
		['潮汐发电的价格', '潮汐发电的价格很低。', true],
		['ｆｕｌｌ ábra', 'Full', true],
		['ภาษา', 'ภาษาไทย', true],
		['既定値', '既定の値', true],
		['ベルト', 'ベルリンの塔', false],
		['기본값', '값을 기본값으로 한다.', true],
		['기본값은', '기본 설정', true],
		['본값', '기본값으로', false],
		['الأسرة', 'للأسرة حق التمتع', true],
		['файлов', 'Имя файла', true],
		['Quem o move, movem', 'Move a rede', true],
		['is it on', 'It is.', true],
		['the zebra is', 'It is.', false],
		['What?!', '?!', false],
	])('is found by the beginnings of words: %s in %s', async (question, text, isFound) => {
		expect(await excerpts(question, [{ title: '', text }])).toHaveLength(isFound ? 1 : 0);
	});

	it('is found in a long heading and below it', async () => {
		const heading = `# ${'Height of the water '.repeat(400)} Westerhever`;
		const [first] = await excerpts('Westerhever neap', [page(heading, 'The neap is 1.2 m.')], 400);
		expect(first.text).toContain('Westerhever');
		expect(first.text).toContain('The neap is 1.2 m.');
	});

	it('is cut where nothing fits whole', async () => {
		const [first] = await excerpts('tide', [page('tide = 12; '.repeat(500))], 60);
		expect(first.text).toMatch(/^tide = 12[^]*\[… \d+ more characters\]$/);
		expect(tokensOf(first.text)).toBeLessThanOrEqual(60);
	});

	it('is missing where nothing matches', async () => {
		expect(await excerpts('zebra', [page(...filler)])).toEqual([]);
		expect(await excerpts('tide', [])).toEqual([]);
		expect(await excerpts('tide', [page('')])).toEqual([]);
		expect(await findPassages([page('tide')], [], budgetOf(100))).toEqual([]);
	});

	it('never exceeds the budget', async () => {
		const part = fc.constantFrom(
			'The tide comes.',
			'| Tide | Day |\n|---|---|\n| high | Mon |\n| tide | Tue |',
			`# Tide ${'long '.repeat(30)}`,
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
					const pages = parts.map((each) => page(...each));
					const found = await excerpts('tide', pages, most);
					const tokens = found.reduce((all, { text }) => all + tokensOf(text), 0);
					expect(tokens).toBeLessThanOrEqual(most);
				},
			),
			{ seed: propertySeed, numRuns: 200 },
		);
	});
});

describe('Phrasings of a question', () => {
	const pages = [page(...filler, long('Water rises.'), ...filler, long('The sea floods.'))];

	it('find what any of them matches, first what several of them match', async () => {
		const found = await findPassages(pages, ['water', 'sea floods', 'zebra'], budgetOf(500));
		expect(found[0].text).toContain('Water rises.');
		expect(found[0].text).toContain('The sea floods.');

		const [best] = await findPassages(pages, ['water', 'sea', 'floods'], budgetOf(90));
		expect(best.text).toContain('The sea floods.');
		expect(best.text).not.toContain('Water rises.');
	});
});

it.each([
	[300, 'the best of one phrasing'],
	[3_000, 'what both phrasings have'],
])('of %i tokens, the first passage is %s', async (most, first) => {
	const words = (count: number, seed: number) =>
		Array.from({ length: count }, (_, index) => `word${seed}x${index}`).join(' ');
	const pages = [
		{ title: '', text: 'quay quay quay quay: the best of one phrasing' },
		...Array.from({ length: 10 }, (_, seed) => ({ title: '', text: `quay ${words(20, seed)}` })),
		...Array.from({ length: 10 }, (_, seed) => ({
			title: '',
			text: `berth ${words(20, 50 + seed)}`,
		})),
		{ title: '', text: `quay berth: what both phrasings have ${words(45, 99)}` },
	];

	const [best] = await findPassages(pages, ['quay', 'berth'], budgetOf(most));

	expect(best.text).toContain(first);
});
