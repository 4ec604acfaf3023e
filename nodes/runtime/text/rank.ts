import { blocksOf, type Block } from './blocks';
import { countTerms, type Term } from './terms';
import { sum } from '../values/sum';

/** A text to rank the parts of, in Markdown. */
export interface SourceText {
	text: string;
	title: string;
}

/** A block that answers, with how well. */
export interface Candidate {
	/** The page's and the block's place. */
	page: number;
	index: number;
	block: Block;
	score: number;
}

/** Parameters of BM25 as they are usual (https://doi.org/10.1561/1500000019): how soon repetition counts less, and how much length does. */
const k1 = 1.2;
const b = 0.75;

/** What a term in the headings above a block and in the page's title counts beside one in the block. */
const inHeadings = 0.6;
const inTitle = 0.3;

/** What the first page and the first block are ahead of the last. */
const firstPage = 0.15;
const firstBlock = 0.1;

/** Blocks that follow one another below the same headings. */
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

/** The blocks of a page, where terms stand in them, and what each has been given for that. */
class IndexedPage {
	/** Characters of all blocks. */
	readonly length: number;
	/** What each block has been given; 0 where it has nothing of what is looked for. */
	private readonly scores: Float64Array;

	private constructor(
		readonly blocks: readonly Block[],
		/** By the number of a term, how often it stands in each block that has it, by the block's place. */
		readonly counts: ReadonlyArray<ReadonlyMap<number, number>>,
		private readonly sections: readonly Section[],
		/** The same as `counts` for the headings above each section. */
		private readonly inHeadings: ReadonlyArray<ReadonlyMap<number, number>>,
		/** The share of the terms that stand in the title. */
		private readonly titled: number,
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

	/** Gives the blocks that have a term, or stand below a heading that has it, what it weighs. */
	give(term: number, weight: number, average: number): void {
		for (const [index, count] of this.counts[term]) {
			const relative = 1 - b + (b * this.blocks[index].text.length) / average;
			this.scores[index] += (weight * count * (k1 + 1)) / (count + k1 * relative);
		}
		for (const place of this.inHeadings[term].keys()) {
			const { from, to } = this.sections[place];
			for (let index = from; index < to; index += 1) this.scores[index] += weight * inHeadings;
		}
	}

	/** The blocks that have been given something, and more for the page's title and place and for their own place. */
	candidates(page: number): Candidate[] {
		const ahead = 1 + inTitle * this.titled + firstPage / (1 + page);
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

/** How much a term tells that stands in so many of all blocks. */
const idf = (having: number, all: number): number =>
	Math.log(1 + (all - having + 0.5) / (having + 0.5));

/**
 * The blocks of pages that have a term in them or in a heading above them, the best first: BM25 over
 * blocks. Those with less than `leastShare` of the best one's score are left out.
 */
export async function rank(
	pages: readonly SourceText[],
	terms: readonly Term[],
	leastShare = 0,
): Promise<Candidate[]> {
	const indexed: IndexedPage[] = [];
	for (const page of pages) indexed.push(await IndexedPage.of(page, terms));
	const all = sum(indexed.map(({ blocks }) => blocks.length));
	const average = Math.max(1, sum(indexed.map(({ length }) => length)) / all);
	for (const term of terms.keys()) {
		const having = sum(indexed.map(({ counts }) => counts[term].size));
		const weight = idf(having, all);
		for (const page of indexed) page.give(term, weight, average);
	}
	const candidates = indexed.flatMap((page, place) => page.candidates(place));
	const best = candidates.reduce((most, { score }) => Math.max(most, score), 0);
	return candidates
		.filter(({ score }) => score >= leastShare * best)
		.sort((one, other) => other.score - one.score);
}
