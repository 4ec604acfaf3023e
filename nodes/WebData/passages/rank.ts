import { blocksOf, type Block } from './blocks';
import { eachPlace, normalized, type Term } from './terms';

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
	readonly scores = new Map<number, number>();
	private readonly title: string;
	private readonly sections: Section[];
	/** The blocks' normalized texts, one behind the other, so that a term is looked for once a page. */
	private readonly text: string;
	/** Where each begins in it. */
	private readonly starts: number[] = [];

	constructor({ markdown, title }: Page) {
		this.blocks = blocksOf(markdown);
		this.title = normalized(title);
		this.sections = sectionsOf(this.blocks).map((section) => ({
			...section,
			headings: section.headings.map(normalized),
		}));
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
			this.add(index, (weight * count * (k1 + 1)) / (count + k1 * relative));
		}
		for (const { headings, from, to } of this.sections) {
			if (!headings.some((heading) => stands(term, heading))) continue;
			for (let index = from; index < to; index += 1) this.add(index, weight * inHeadings);
		}
	}

	/** The share of terms that stand in the title. */
	titled(terms: readonly Term[]): number {
		return terms.filter((term) => stands(term, this.title)).length / Math.max(1, terms.length);
	}

	private add(index: number, score: number): void {
		this.scores.set(index, (this.scores.get(index) ?? 0) + score);
	}
}

function stands(term: Term, text: string): boolean {
	let isThere = false;
	eachPlace(term, text, () => {
		isThere = true;
	});
	return isThere;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** How much a term tells that stands in so many of all blocks. */
const idf = (having: number, all: number): number =>
	Math.log(1 + (all - having + 0.5) / (having + 0.5));

/** The blocks of pages that have a term in them or in a heading above them, the best first: BM25 over blocks. */
export function rank(pages: readonly Page[], terms: readonly Term[]): Candidate[] {
	const indexed = pages.map((page) => new IndexedPage(page));
	const blocks = indexed.flatMap((page) => page.blocks);
	const average = Math.max(1, sum(blocks.map(({ text }) => text.length)) / blocks.length);
	for (const term of terms) {
		const counts = indexed.map((page) => page.counts(term));
		const weight = idf(sum(counts.map(({ size }) => size)), blocks.length);
		indexed.forEach((page, place) => page.give(term, counts[place], weight, average));
	}
	return indexed
		.flatMap((page, place) => {
			const ahead = 1 + inTitle * page.titled(terms) + firstPage / (1 + place);
			return [...page.scores].map(([index, score]) => ({
				page: place,
				index,
				block: page.blocks[index],
				score: score * ahead * (1 + firstBlock * (1 - index / page.blocks.length)),
			}));
		})
		.sort((one, other) => other.score - one.score);
}
