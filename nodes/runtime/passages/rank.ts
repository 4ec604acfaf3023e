import { blocksOf, type Block } from './blocks';
import { eachPlace, normalized, type Term } from './terms';
import { sum } from '../values/sum';

/** A page that was read. */
export interface Page {
	markdown: string;
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
	readonly blocks: Block[];
	/** What each block has been given; 0 where it has nothing of what is looked for. */
	readonly scores: Float64Array;
	private readonly title: string;
	private readonly sections: Section[];
	/** The headings above each section. */
	private readonly headings: string[];
	/** The blocks' normalized texts, one behind the other, so that a term is looked for once a page. */
	private readonly text: string;
	/** Where each begins in it. */
	private readonly starts: number[] = [];

	constructor({ markdown, title }: Page) {
		this.blocks = blocksOf(markdown);
		this.scores = new Float64Array(this.blocks.length);
		this.title = normalized(title);
		this.sections = sectionsOf(this.blocks);
		this.headings = this.sections.map(({ headings }) => normalized(headings.join('\n')));
		const texts = this.blocks.map(({ text }) => normalized(text));
		let start = 0;
		for (const { length } of texts) {
			this.starts.push(start);
			start += length + 1;
		}
		this.text = texts.join('\n');
	}

	/** How often a term stands in each block that has it, by the block's place. */
	counts(term: Term): Map<number, number> {
		const counts = new Map<number, number>();
		let index = 0;
		eachPlace(term, this.text, (place) => {
			while (this.starts[index + 1] <= place) index += 1;
			counts.set(index, (counts.get(index) ?? 0) + 1);
		});
		return counts;
	}

	/** Gives the blocks that have a term, or stand below a heading that has it, what it weighs. */
	give(term: Term, counts: ReadonlyMap<number, number>, weight: number, average: number): void {
		for (const [index, count] of counts) {
			const relative = 1 - b + (b * this.blocks[index].text.length) / average;
			this.scores[index] += (weight * count * (k1 + 1)) / (count + k1 * relative);
		}
		for (const [place, { from, to }] of this.sections.entries()) {
			if (!stands(term, this.headings[place])) continue;
			for (let index = from; index < to; index += 1) this.scores[index] += weight * inHeadings;
		}
	}

	/** The blocks that have been given something, and more for the page's title and place and for their own place. */
	candidates(page: number, terms: readonly Term[]): Candidate[] {
		const titled = terms.filter((term) => stands(term, this.title)).length / terms.length;
		const ahead = 1 + inTitle * titled + firstPage / (1 + page);
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

function stands(term: Term, text: string): boolean {
	if (!text.includes(term.text)) return false;
	let isThere = false;
	eachPlace(term, text, () => {
		isThere = true;
	});
	return isThere;
}

/** How much a term tells that stands in so many of all blocks. */
const idf = (having: number, all: number): number =>
	Math.log(1 + (all - having + 0.5) / (having + 0.5));

/**
 * The blocks of pages that have a term in them or in a heading above them, the best first: BM25 over
 * blocks. Those with less than `leastShare` of the best one's score are left out.
 */
export function rank(pages: readonly Page[], terms: readonly Term[], leastShare = 0): Candidate[] {
	const indexed = pages.map((page) => new IndexedPage(page));
	const blocks = indexed.flatMap((page) => page.blocks);
	const average = Math.max(1, sum(blocks.map(({ text }) => text.length)) / blocks.length);
	for (const term of terms) {
		const counts = indexed.map((page) => page.counts(term));
		const weight = idf(sum(counts.map(({ size }) => size)), blocks.length);
		indexed.forEach((page, place) => page.give(term, counts[place], weight, average));
	}
	const candidates = indexed.flatMap((page, place) => page.candidates(place, terms));
	const best = candidates.reduce((most, { score }) => Math.max(most, score), 0);
	return candidates
		.filter(({ score }) => score >= leastShare * best)
		.sort((one, other) => other.score - one.score);
}
