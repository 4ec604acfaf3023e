import { createRequire } from 'node:module';
import { join } from 'node:path';
import { passageResults, sourcePage, type SourcePage } from '../../nodes/WebData/documents/passage';
import { countTo, spreadOf, type Bench, type Figure } from '../bench.cjs';
import { foundByBm25 } from '../plainBm25.cjs';
import {
	drawnPages,
	hasAnswer,
	languages,
	pagesIn,
	questions,
	type PassageQuestion,
} from '../passageQuestions.cjs';

interface Tokenizers {
	getEncoding(name: string): { encode(text: string): number[] };
}

/** A count of tokens as a common model has them (o200k_base), by the package of this folder's kit. */
function loadTokenizer(): (text: string) => number {
	const kit = createRequire(join(process.env.WEB_DATA_PEER ?? '', 'package.json'));
	const { getEncoding }: Tokenizers = kit('js-tiktoken');
	const encoding = getEncoding('o200k_base');
	return (text) => encoding.encode(text).length;
}

/** What the passages for a question came to. */
interface Outcome {
	language: string;
	isFound: boolean;
	/** By plain BM25. */
	isFoundByBm25: boolean;
	/** Of the items as JSON. */
	tokens: number;
}

const draws = [0, 1, 2];

/** Asks every question over some draws of ten pages. */
async function outcomes(
	phrasingsOf: (question: PassageQuestion) => string[],
	maxTokens: number,
	tokensIn: (text: string) => number,
): Promise<Outcome[]> {
	const found: Outcome[] = [];
	for (const draw of draws) {
		for (const question of questions) {
			const documents = drawnPages(question, draw);
			const pages = documents.map((page) => sourcePage(page, String(page.markdown)));
			const phrasings = phrasingsOf(question);
			const results = await passageResults(pages, phrasings, maxTokens);
			const plain = await foundByBm25(pages, phrasings.join(' '), maxTokens);
			const texts = results.map(({ json }) => String(json.text)).join('\n');
			found.push({
				language: question.language,
				isFound: hasAnswer(texts, question),
				isFoundByBm25: hasAnswer(plain, question),
				tokens: tokensIn(JSON.stringify(results.map(({ json }) => json))),
			});
		}
	}
	return found;
}

/** The percentage that is true. */
const shareOf = (all: boolean[]) => spreadOf([(100 * all.filter(Boolean).length) / all.length]);

/** The percentage of outcomes for which something holds, and the least that it may be. */
const shareFigure = (name: string, all: boolean[], least: number): Figure => ({
	name: `${name} (%)`,
	digits: 1,
	ours: shareOf(all),
	goal: { least },
});

/** The percentage of facts that are found, beside plain BM25. */
const besideBm25 = (name: string, all: Outcome[]): Figure => ({
	name: `${name} (%)`,
	digits: 1,
	ours: shareOf(all.map(({ isFound }) => isFound)),
	others: { 'plain BM25': shareOf(all.map(({ isFoundByBm25 }) => isFoundByBm25)) },
});

/** Ten pages of 100,000 characters, of the English pages of the questions. */
function tenLongPages(): SourcePage[] {
	const all = [...pagesIn('en').values()].join('\n\n');
	const text = all.repeat(Math.ceil(1_000_000 / all.length));
	return countTo(10).map((number) => ({
		title: `Part ${number}`,
		about: { title: `Part ${number}`, url: `https://docs.example/${number}` },
		request: {},
		text: text.slice((number - 1) * 100_000, number * 100_000),
	}));
}

/** Choices that do not count: they warm up the process. */
const warmUp = 20;

/** The CPU times in milliseconds in which the passages of ten long pages are chosen. */
async function choosingTimes(times: number): Promise<number[]> {
	const pages = tenLongPages();
	const question = 'When did the keeper retire? How is a reply serialized by a schema?';
	const found: number[] = [];
	for (const _ of countTo(warmUp + times)) {
		const before = process.cpuUsage();
		await passageResults(pages, [question], 1_500);
		const { user, system } = process.cpuUsage(before);
		found.push((user + system) / 1000);
	}
	return found.slice(warmUp);
}

/** Least percent of the facts found, by the question alone and with *Also Ask*. */
const goals = [
	{ maxTokens: 1_500, alone: 60, also: 90 },
	{ maxTokens: 500, alone: 47, also: 80 },
];

/** How often passages hold the answer, how often they keep to their maximum, and what choosing them costs. */
export const passages: Bench = {
	about: `${questions.length} questions in ${languages.length} languages about real documents, each over ${draws.length} draws of ten pages`,
	async run(repeats) {
		const figures: Figure[] = [
			{
				name: 'CPU to choose among ten pages of 100 kB (ms)',
				digits: 1,
				ours: spreadOf(await choosingTimes(Math.max(20, repeats))),
				goal: { most: 20 },
			},
		];
		const tokensIn = loadTokenizer();
		for (const { maxTokens, alone, also } of goals) {
			const all = await outcomes(({ question }) => [question], maxTokens, tokensIn);
			const more = await outcomes(
				({ question, alsoAsk }) => [question, ...alsoAsk],
				maxTokens,
				tokensIn,
			);
			const found = (each: Outcome) => each.isFound;
			const within = [...all, ...more].map(({ tokens }) => tokens <= maxTokens);
			figures.push(
				...languages.map((language) =>
					besideBm25(
						`${maxTokens} tokens, ${language}`,
						all.filter((each) => each.language === language),
					),
				),
				{ ...besideBm25(`${maxTokens} tokens: the fact is found`, all), goal: { least: alone } },
				shareFigure(`${maxTokens} tokens: … with Also Ask`, more.map(found), also),
				shareFigure(`${maxTokens} tokens: results within Max Tokens`, within, 95),
			);
		}
		return figures;
	},
};
