import { yieldAfter } from '../host/turns';
import { blocksOf, type Block } from './blocks';
import { countTerms, type Term } from './terms';
import { sum } from '../values/sum';

/** A Markdown text whose blocks are ranked. */
export interface SourceText {
	text: string;
	title: string;
}

/** A block that matches, with its score. */
export interface Candidate {
	/** Index of its page and of the block. */
	page: number;
	index: number;
	block: Block;
	score: number;
}

/**
 * Usual parameters of BM25 (https://doi.org/10.1561/1500000019): saturation of frequency, and
 * normalization of length.
 */
const k1 = 1.2;
const b = 0.75;

/** Weight of a term in a heading or in the page's title; 1 in the block itself. */
const inHeadings = 0.6;
const inTitle = 0.3;

/** Bonus of the first page and the first block over the last. */
const firstPage = 0.15;
const firstBlock = 0.1;

/** Consecutive blocks of the same headings. */
interface Section {
	headings: readonly string[];
	from: number;
	to: number;
}

function sectionsOf(blocks: readonly Block[]): Section[] {
	const sections: Section[] = [];
	for (const [index, { headings }] of blocks.entries()) {
		const last = sections.at(-1);
		if (last?.headings === headings) last.to = index + 1;
		else sections.push({ headings, from: index, to: index + 1 });
	}
	return sections;
}

/** The blocks of a page, their counts of terms, and their scores. */
class IndexedPage {
	/** Total characters of the blocks. */
	readonly length: number;
	/** Score of each block; 0 without any term. */
	private readonly scores: Float64Array;

	private constructor(
		readonly blocks: readonly Block[],
		/** For each term, its frequency in each block that has it, by the block's index. */
		readonly counts: ReadonlyArray<ReadonlyMap<number, number>>,
		private readonly sections: readonly Section[],
		/** For each term, its frequency in the headings of each section that has it. */
		private readonly inHeadings: ReadonlyArray<ReadonlyMap<number, number>>,
		/** Share of the terms that the title has. */
		private readonly titleShare: number,
	) {
		this.length = blocks.reduce((length, { text }) => length + text.length, 0);
		this.scores = new Float64Array(blocks.length);
	}

	static async of({ text, title }: SourceText, terms: readonly Term[]): Promise<IndexedPage> {
		const blocks = await blocksOf(text);
		const sections = sectionsOf(blocks);
		const counts = await countTerms(
			terms,
			blocks.map((block) => block.text),
		);
		const inHeadings = await countTerms(
			terms,
			sections.map(({ headings }) => headings.join('\n')),
		);
		const found = (await countTerms(terms, [title])).filter(({ size }) => size > 0);
		return new IndexedPage(blocks, counts, sections, inHeadings, found.length / terms.length);
	}

	/** Adds the weight of a term to the blocks that have it, or have it in a heading. */
	addScore(term: number, weight: number, average: number): void {
		for (const [index, count] of this.counts[term]) {
			const relative = 1 - b + (b * this.blocks[index].text.length) / average;
			this.scores[index] += (weight * count * (k1 + 1)) / (count + k1 * relative);
		}
		for (const place of this.inHeadings[term].keys()) {
			const { from, to } = this.sections[place];
			for (let index = from; index < to; index += 1) this.scores[index] += weight * inHeadings;
		}
	}

	/**
	 * The blocks with a score, plus bonuses for the page's title and for the positions of page and
	 * block.
	 */
	candidates(page: number): Candidate[] {
		const ahead = 1 + inTitle * this.titleShare + firstPage / (1 + page);
		const candidates: Candidate[] = [];
		for (const [index, block] of this.blocks.entries()) {
			const given = this.scores[index];
			if (given === 0) continue;
			const score = given * ahead * (1 + firstBlock * (1 - index / this.blocks.length));
			candidates.push({ page, index, block, score });
		}
		return candidates;
	}
}

/** Inverse document frequency of a term that `having` of all blocks have. */
const idf = (having: number, all: number): number =>
	Math.log(1 + (all - having + 0.5) / (having + 0.5));

/** Characters processed in the time that a page takes without its text. */
const workPerPage = 100;

/**
 * Ranks the blocks of pages that have a term, also in a heading, by BM25. Omits those below
 * `leastShare` of the best score.
 */
export async function rank(
	pages: readonly SourceText[],
	terms: readonly Term[],
	leastShare = 0,
): Promise<Candidate[]> {
	const indexed: IndexedPage[] = [];
	for (const page of pages) {
		indexed.push(await IndexedPage.of(page, terms));
		await yieldAfter(workPerPage);
	}
	const all = sum(indexed.map(({ blocks }) => blocks.length));
	const average = Math.max(1, sum(indexed.map(({ length }) => length)) / all);
	for (const term of terms.keys()) {
		const having = sum(indexed.map(({ counts }) => counts[term].size));
		const weight = idf(having, all);
		for (const page of indexed) page.addScore(term, weight, average);
	}
	const candidates = indexed.flatMap((page, place) => page.candidates(place));
	const best = candidates.reduce((most, { score }) => Math.max(most, score), 0);
	return candidates
		.filter(({ score }) => score >= leastShare * best)
		.sort((one, other) => other.score - one.score);
}
