import { eachInTurns, yieldAfter } from '../host/turns';
import { cutLine } from '../values/text';
import { sum } from '../values/numbers';
import { blocksOf } from './blocks';
import { countTerms, termsOf, type TermCounts } from './terms';
import { unitsOf, type Unit } from './units';

/** A Markdown text whose units are ranked. */
export interface SourceText {
	text: string;
	title: string;
}

/** A unit that matches, with its score. */
export interface Candidate {
	/** Index of its page. */
	page: number;
	/** All units of the page, and its index among them. */
	units: readonly Unit[];
	index: number;
	score: number;
}

/**
 * Parameters of BM25 (https://doi.org/10.1561/1500000019): saturation of frequency, and
 * normalization of length. Units are short and of similar length, so both are below the usual.
 */
const k1 = 0.8;
const b = 0.5;

/** Characters of a title that count: it is counted with the headings of each section. */
const longestTitle = 200;

/** Weight of a term in the headings above a unit or in the page's title; 1 in the unit itself. */
const inHeadings = 0.6;

/** Bonus of the first unit of a page over the last. */
const firstUnit = 0.1;

/** Parameter of reciprocal rank fusion (https://doi.org/10.1145/1571941.1572114). */
const fusion = 60;

/** A page with the counts of terms in its units, and in the title and headings of its sections. */
interface IndexedPage {
	units: readonly Unit[];
	counts: TermCounts;
	headingCounts: TermCounts;
}

async function indexed({ text, title }: SourceText, terms: Set<string>): Promise<IndexedPage> {
	const units = await unitsOf(await blocksOf(text));
	const start = cutLine(title, longestTitle);
	const headings: string[] = [];
	await eachInTurns(units, (unit) => {
		headings[unit.section] ??= [start, ...unit.headings].join('\n');
		return headings[unit.section].length;
	});
	return {
		units,
		counts: await countTerms(
			terms,
			units.map((unit) => unit.text),
		),
		headingCounts: await countTerms(terms, headings),
	};
}

/** Inverse document frequency of a term that `having` of all units have. */
const idf = (having: number, all: number): number =>
	Math.log(1 + (all - having + 0.5) / (having + 0.5));

/** The average length of all units, and the weights of terms. */
interface Statistics {
	average: number;
	weights: ReadonlyMap<string, number>;
}

function statisticsOf(pages: readonly IndexedPage[], terms: Iterable<string>): Statistics {
	const all = sum(pages.map(({ units }) => units.length));
	const length = sum(pages.flatMap(({ units }) => units.map(({ text }) => text.length)));
	const having = (term: string) => sum(pages.map(({ counts }) => counts.get(term)?.size ?? 0));
	return {
		average: Math.max(1, length / all),
		weights: new Map([...terms].map((term) => [term, idf(having(term), all)])),
	};
}

/** The scores of a page's units for some terms by BM25. */
function scoresOf(page: IndexedPage, terms: string[], { average, weights }: Statistics): number[] {
	const scores = page.units.map(() => 0);
	const inSections = page.units.map(() => 0);
	for (const term of terms) {
		const weight = weights.get(term) ?? 0;
		for (const [index, count] of page.counts.get(term) ?? []) {
			const relative = 1 - b + (b * page.units[index].text.length) / average;
			scores[index] += (weight * count * (k1 + 1)) / (count + k1 * relative);
		}
		for (const section of page.headingCounts.get(term)?.keys() ?? []) {
			inSections[section] += weight * inHeadings;
		}
	}
	return scores.map((score, index) => score + inSections[page.units[index].section]);
}

const inOrder = (candidates: Candidate[]): Candidate[] =>
	candidates.sort((one, other) => other.score - one.score);

/** Candidates for a question, the best first. */
function ranking(
	pages: readonly IndexedPage[],
	terms: string[],
	statistics: Statistics,
): Candidate[] {
	const candidates = pages.flatMap((indexedPage, page) => {
		const { units } = indexedPage;
		return scoresOf(indexedPage, terms, statistics).map((score, index) => ({
			page,
			units,
			index,
			score: score * (1 + firstUnit * (1 - index / units.length)),
		}));
	});
	return inOrder(candidates.filter(({ score }) => score > 0));
}

/** Fuses rankings: a candidate scores by its rank in each. */
function fused(rankings: readonly Candidate[][]): Candidate[] {
	const candidates = new Map<Unit, Candidate>();
	for (const candidate of rankings.flatMap((each) => each)) {
		candidates.set(candidate.units[candidate.index], { ...candidate, score: 0 });
	}
	for (const each of rankings) {
		for (const [place, { units, index }] of each.entries()) {
			const candidate = candidates.get(units[index]);
			if (candidate) candidate.score += 1 / (fusion + place);
		}
	}
	return inOrder([...candidates.values()]);
}

/** Characters processed in the time that a page takes without its text. */
const workPerPage = 100;

/**
 * Ranks the units of pages that have a term of any phrasing of a question, also in a heading or
 * title.
 */
export async function rank(
	pages: readonly SourceText[],
	phrasings: readonly string[],
): Promise<Candidate[]> {
	const termsOfEach = phrasings.map(termsOf);
	const terms = new Set(termsOfEach.flat());
	const indexedPages: IndexedPage[] = [];
	for (const page of pages) {
		indexedPages.push(await indexed(page, terms));
		await yieldAfter(workPerPage);
	}
	const statistics = statisticsOf(indexedPages, terms);
	const rankings: Candidate[][] = [];
	for (const each of termsOfEach) {
		rankings.push(ranking(indexedPages, each, statistics));
		await yieldAfter(sum(indexedPages.map(({ units }) => units.length)));
	}
	return rankings.length === 1 ? rankings[0] : fused(rankings);
}
