import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { projectRoot } from '../test/root.cjs';
import { seededRandom } from '../test/seededRandom.cjs';

const folder = join(projectRoot, 'bench/passages');

export const languages = ['en', 'de', 'fr', 'ja', 'zh'] as const;

export interface PassageQuestion {
	language: (typeof languages)[number];
	/** The page that holds the answer. */
	page: string;
	/** How many of the answer's words are in the question. */
	words: 'same' | 'near' | 'none';
	question: string;
	/** Other phrasings, as a model writes them from the question. */
	alsoAsk: string[];
	/** A part of the page's text that a result with the answer has. */
	answer: string;
}

const questionsIn = (file: string): readonly PassageQuestion[] =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as PassageQuestion[];

export const questions = questionsIn('questions.json');

/** Questions that were written when the ranking was done, about paragraphs drawn at random. */
export const laterQuestions = questionsIn('heldOut.json');

/** A text without what Markdown adds to its notation. */
const plain = (text: string): string =>
	text.replaceAll(/\\(?=[^\w\s"])/g, '').replaceAll(/\s+/g, ' ');

/** Whether a text has the answer to a question. */
export const hasAnswer = (text: string, { answer }: PassageQuestion): boolean =>
	plain(text).includes(plain(answer));

const namesOf = new Map<string, string[]>();
const textOf = new Map<string, string>();
for (const language of languages) {
	const files = readdirSync(join(folder, 'pages', language)).sort();
	const names = files.map((file) => file.replace(/\.txt$/, ''));
	namesOf.set(language, names);
	for (const [index, file] of files.entries()) {
		textOf.set(
			`${language}/${names[index]}`,
			readFileSync(join(folder, 'pages', language, file), 'utf8'),
		);
	}
}

function shuffled<Entry>(entries: readonly Entry[], random: () => number): Entry[] {
	const order = entries.map((entry) => ({ entry, place: random() }));
	return order.sort((one, other) => one.place - other.place).map(({ entry }) => entry);
}

/** A number as a UUID: an ID of the service costs more tokens than its characters suggest. */
const idOf = (random: () => number): string => {
	const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
	return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/**
 * The ten results of a search for a question, in an order of their own for each draw: the page with
 * the answer, and nine others of its language.
 */
export function drawnPages(question: PassageQuestion, draw: number): IDataObject[] {
	const all = questions.includes(question) ? questions : laterQuestions;
	const random = seededRandom(1 + draw * all.length + all.indexOf(question));
	const { language, page } = question;
	const others = (namesOf.get(language) ?? []).filter((name) => name !== page);
	const names = shuffled([page, ...shuffled(others, random).slice(0, 9)], random);
	const request = { id: idOf(random), creditsUsed: 12 };
	return names.map((name, index) => ({
		title: name.replaceAll('-', ' '),
		url: `https://docs.${language}.example/${name}`,
		markdown: textOf.get(`${language}/${name}`) ?? '',
		source: 'web',
		position: index + 1,
		request,
		metadata: { statusCode: 200, scrapeId: idOf(random) },
	}));
}
