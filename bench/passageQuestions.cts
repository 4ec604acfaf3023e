import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { projectRoot } from '../test/root.cjs';
import { seededRandom } from '../test/seededRandom.cjs';

const folder = join(projectRoot, 'bench/passages');

export interface PassageQuestion {
	/** Its code, and the name of the file with its pages. */
	language: string;
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

export const questions = JSON.parse(
	readFileSync(join(folder, 'questions.json'), 'utf8'),
) as readonly PassageQuestion[];

/** A text without what Markdown adds to its notation. */
const plain = (text: string): string =>
	text.replaceAll(/\\(?=[^\w\s"])/g, '').replaceAll(/\s+/g, ' ');

/** Whether a text has the answer to a question. */
export const hasAnswer = (text: string, { answer }: PassageQuestion): boolean =>
	plain(text).includes(plain(answer));

/** The pages of a language by their names, each below a line `=== name ===` of the language's file. */
export function pagesIn(language: string): Map<string, string> {
	const text = readFileSync(join(folder, 'pages', `${language}.txt`), 'utf8');
	const pages = text.split(/^(?==== .+ ===$)/m);
	return new Map(
		pages.map((page) => [page.slice(4, page.indexOf(' ===')), page.replace(/.*\n/, '')]),
	);
}

/** The languages of the questions. */
export const languages = [...new Set(questions.map(({ language }) => language))];

const pages = new Map(languages.map((language) => [language, pagesIn(language)]));

/** The questions whose page lacks their answer: mistakes in the data. */
const unanswerable = questions.filter(
	(each) => !hasAnswer(pages.get(each.language)?.get(each.page) ?? '', each),
);
if (unanswerable.length > 0)
	throw new Error(`No answer: ${unanswerable.map(({ question }) => question).join(' ')}`);

function shuffled<Entry>(entries: readonly Entry[], random: () => number): Entry[] {
	const order = entries.map((entry) => ({ entry, place: random() }));
	return order.sort((one, other) => one.place - other.place).map(({ entry }) => entry);
}

/** A number as a UUID: an ID of the service costs more tokens than its characters suggest. */
const idOf = (random: () => number): string => {
	const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
	return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** The ten results of a search for a question, in an order of their own for each draw: one has the answer. */
export function drawnPages(question: PassageQuestion, draw: number): IDataObject[] {
	const random = seededRandom(1 + draw * questions.length + questions.indexOf(question));
	const { language, page } = question;
	const texts = pages.get(language) ?? new Map<string, string>();
	const others = [...texts.keys()].filter((name) => name !== page);
	const names = shuffled([page, ...shuffled(others, random).slice(0, 9)], random);
	const request = { id: idOf(random), creditsUsed: 12 };
	return names.map((name, index) => ({
		title: name.replaceAll('-', ' '),
		url: `https://docs.${language}.example/${name}`,
		markdown: texts.get(name) ?? '',
		source: 'web',
		position: index + 1,
		request,
		metadata: { statusCode: 200, scrapeId: idOf(random) },
	}));
}
