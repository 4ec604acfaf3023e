import { passageResults, sourcePage } from '../../nodes/WebData/resources/searchPassages';
import type { Bench, Figure } from '../bench.cjs';
import {
	drawnPages,
	hasAnswer,
	languages,
	laterQuestions,
	questions,
	type PassageQuestion,
} from '../passageQuestions.cjs';
import type { PassagesOrder } from '../passagesProcess.cjs';
import { Remote } from '../remote.cjs';
import { spreadOf } from '../statistics.cjs';
import { loadTokenizer } from '../tokenizer.cjs';

const draws = 3;

type Tokenizer = ReturnType<typeof loadTokenizer>;

/** What the passages for a question came to. */
interface Outcome {
	question: PassageQuestion;
	isFound: boolean;
	tokens: number;
	tokensOfText: number;
}

async function outcomeOf(
	question: PassageQuestion,
	phrasings: string[],
	draw: number,
	maxTokens: number,
	tokensIn: Tokenizer,
): Promise<Outcome> {
	const pages = drawnPages(question, draw).map((page) => sourcePage(page, String(page.markdown)));
	const results = await passageResults(pages, [question.question, ...phrasings], maxTokens);
	const texts = results.map(({ json }) => String(json.text)).join('\n');
	return {
		question,
		isFound: hasAnswer(texts, question),
		tokens: tokensIn(JSON.stringify(results.map(({ json }) => json))),
		tokensOfText: tokensIn(texts),
	};
}

async function outcomes(
	phrasingsOf: (question: PassageQuestion) => string[],
	maxTokens: number,
	tokensIn: Tokenizer,
	asked = questions,
): Promise<Outcome[]> {
	const found: Outcome[] = [];
	for (let draw = 0; draw < draws; draw += 1) {
		for (const question of asked) {
			const phrasings = phrasingsOf(question);
			found.push(await outcomeOf(question, phrasings, draw, maxTokens, tokensIn));
		}
	}
	return found;
}

const percent = (part: number, whole: number): number => (100 * part) / whole;
const sum = (numbers: number[]): number => numbers.reduce((all, each) => all + each, 0);
const shareOf = <Entry,>(entries: Entry[], holds: (entry: Entry) => boolean): number =>
	percent(entries.filter(holds).length, entries.length);

const atLeast = (least: number, value: number): Figure['goals'] => [
	{ words: `≥ ${least}`, value: -value, most: -least },
];

/** The share of outcomes that hold the answer. */
function foundFigure(name: string, all: Outcome[], goal?: number): Figure {
	const share = shareOf(all, ({ isFound }) => isFound);
	const goals = goal === undefined ? undefined : atLeast(goal, share);
	return { name: `${name}: the fact is found (%)`, digits: 1, of: { ours: share }, goals };
}

/** How often the results keep to their maximum. */
const withinFigure = (all: Outcome[], maxTokens: number): Figure => {
	const within = shareOf(all, ({ tokens }) => tokens <= maxTokens);
	return {
		name: '… results within Max Tokens (%)',
		digits: 1,
		of: { ours: within },
		goals: atLeast(95, within),
	};
};

/** How large the results are, how much of them is text, and how often they keep to their maximum. */
const sizeFigures = (name: string, all: Outcome[], maxTokens: number): Figure[] => {
	const text = percent(
		sum(all.map(({ tokensOfText }) => tokensOfText)),
		sum(all.map(({ tokens }) => tokens)),
	);
	return [
		{
			name: `${name}: tokens of a result`,
			of: { ours: spreadOf(all.map(({ tokens }) => tokens)) },
		},
		{
			name: '… of these in texts (%)',
			digits: 1,
			of: { ours: text },
			goals: atLeast(60, text),
		},
		withinFigure(all, maxTokens),
	];
};

/** The CPU times in milliseconds in which the passages of ten long pages are chosen, in a process without the service and n8n. */
async function choosingTimes(times: number): Promise<number[]> {
	const process = new Remote<PassagesOrder, number[]>('passagesProcess.cjs');
	return await process
		.ask({
			question: 'When did the keeper retire? How is a reply serialized by a schema?',
			maxTokens: 1_500,
			before: 20,
			times,
		})
		.finally(async () => await process.end());
}

/** Least percent of the facts found, by the question alone and with *Also Ask*. */
const goals = [
	{ maxTokens: 1_500, alone: 60, also: 90 },
	{ maxTokens: 500, alone: 47, also: 80 },
];

/** How often passages hold the answer, how many tokens they take, and what choosing them costs. */
export const passages: Bench = {
	name: 'passages',
	about: `${questions.length} questions in ${languages.length} languages about real documents, each over ${draws} draws of ten pages`,
	async run(repeats) {
		const figures: Figure[] = [];
		const tokensIn = loadTokenizer();
		for (const { maxTokens, alone, also } of goals) {
			const name = `${maxTokens} tokens`;
			const all = await outcomes(() => [], maxTokens, tokensIn);
			const more = await outcomes(({ alsoAsk }) => alsoAsk, maxTokens, tokensIn);
			const later = await outcomes(() => [], maxTokens, tokensIn, laterQuestions);
			figures.push(
				foundFigure(name, all, alone),
				...sizeFigures(name, all, maxTokens),
				foundFigure(`${name}, with Also Ask`, more, also),
				withinFigure(more, maxTokens),
				foundFigure(`${name}, ${laterQuestions.length} later questions`, later),
			);
		}
		const times = spreadOf(await choosingTimes(Math.max(20, repeats)));
		figures.push({
			name: 'CPU to choose among ten pages of 100 kB (ms)',
			digits: 1,
			of: { ours: times },
			goals: [{ words: '≤ 20', value: times.median, most: 20 }],
		});
		return { figures, notes: ['Tokens are those of o200k_base over the items as JSON.'] };
	},
};
