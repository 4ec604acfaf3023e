import { eachInTurns } from '../host/turns';
import { cutText } from '../values/cutText';
import type { Candidate } from './rank';
import { normalized } from './terms';
import { tokensOf } from './tokens';

/** A part of a page that answers. */
export interface Passage {
	/** The page's place. */
	page: number;
	/** The place of its first block in the page. */
	index: number;
	text: string;
	headings: readonly string[];
	score: number;
}

/** From which share of common words on two blocks are told to be the same. */
const likeness = 0.8;

/** A size into which hardly a block fits. */
const littleRoom = 20;

const wordsOf = (text: string): Set<string> =>
	new Set(normalized(text).match(/[\p{L}\p{N}]+/gu) ?? []);

/** Whether two texts have most of their words in common. */
function isAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	const [few, many] = one.size < other.size ? [one, other] : [other, one];
	if (few.size < likeness * many.size) return false;
	let common = 0;
	for (const word of few) if (many.has(word)) common += 1;
	return common >= likeness * (one.size + other.size - common);
}

/** Passages that another one is compared with: those that answer nearly as well. */
const mostCompared = 20;

/** How many characters are worked on in the time that takes. */
const workToCompare = 20;

/** What all passages together may come to. */
export interface Budget {
	most: number;
	/** The measure of a text. */
	sizeOf(text: string): number;
	/** The size of what stands beside a passage of a page. */
	beside(page: number): number;
}

/** Measures what is repeated beside blocks, headings and heads of tables, once each. */
function besidesOf({ sizeOf, beside }: Budget): (candidate: Candidate) => number {
	const sizes = new Map<unknown, number>();
	const once = (repeated: unknown, text: () => string): number => {
		const size = sizes.get(repeated) ?? sizeOf(text());
		sizes.set(repeated, size);
		return size;
	};
	return ({ page, block: { headings, tableHead = '' } }) =>
		once(headings, () => headingPath(headings)) + once(tableHead, () => tableHead) + beside(page);
}

/** So many tokens as JSON. */
export const tokenBudget = (most: number, beside: (page: number) => number = () => 0): Budget => ({
	most,
	sizeOf: (text) => tokensOf(JSON.stringify(text)),
	beside,
});

/** How a passage names the headings above it. */
export const headingPath = (headings: readonly string[]): string => headings.join(' › ');

/** The best candidate as far as it fits, where none fits whole: without what stands above it where that alone, or most of all, keeps it from fitting. */
function shortened([best]: readonly Candidate[], budget: Budget): Candidate[] {
	const { text } = best.block;
	const size = budget.sizeOf(text);
	const alone = { ...best, block: { text, headings: [] } };
	const besides = besidesOf(budget);
	const room = (candidate: Candidate) => budget.most - besides(candidate) - littleRoom;
	const kept = size <= room(alone) || room(best) < room(alone) / 2 ? alone : best;
	if (size <= room(kept)) return [kept];
	const length = Math.floor((text.length * room(kept)) / size);
	if (length <= 0) return [];
	const cut = cutText(text, length, (missing) => `[… ${missing} more characters]`);
	return [{ ...kept, block: { ...kept.block, text: cut } }];
}

/** The best candidates that fit into the budget, of those alike the first. */
async function chosen(candidates: readonly Candidate[], budget: Budget): Promise<Candidate[]> {
	const taken: Candidate[] = [];
	const known: Array<Set<string>> = [];
	const besides = besidesOf(budget);
	let left = budget.most;
	await eachInTurns(candidates, (candidate) => {
		if (taken.length > 0 && left < littleRoom) return 0;
		const { text } = candidate.block;
		const work = text.length + workToCompare;
		const cost = budget.sizeOf(text) + besides(candidate);
		if (cost > left) return work;
		const words = wordsOf(text);
		if (known.slice(-mostCompared).some((other) => isAlike(words, other))) return work;
		known.push(words);
		taken.push(candidate);
		left -= cost;
		return work;
	});
	return taken.length > 0 || candidates.length === 0 ? taken : shortened(candidates, budget);
}

const isNext = (last: Candidate, next: Candidate): boolean =>
	last.page === next.page &&
	last.index + 1 === next.index &&
	last.block.headings === next.block.headings;

const isSameTable = (last: Candidate, next: Candidate): boolean =>
	last.page === next.page &&
	last.block.tableHead !== undefined &&
	last.block.tableHead === next.block.tableHead;

/** The text of neighbours: the rows of a table below its head, other blocks with a line between. */
function textOf(neighbours: readonly Candidate[]): string {
	let text = '';
	for (const [place, { block }] of neighbours.entries()) {
		const before = neighbours[place - 1]?.block;
		const isRow = block.tableHead !== undefined && before?.tableHead === block.tableHead;
		const own = isRow || block.tableHead === undefined ? '' : `${block.tableHead}\n`;
		text += (place === 0 ? '' : isRow ? '\n' : '\n\n') + own + block.text;
	}
	return text;
}

/**
 * The passages that answer best, as many as the budget takes: blocks that stand together are one passage,
 * and what is said twice comes once.
 */
export async function select(candidates: readonly Candidate[], budget: Budget): Promise<Passage[]> {
	const inOrder = (await chosen(candidates, budget)).sort(
		(one, other) => one.page - other.page || one.index - other.index,
	);
	const groups: Candidate[][] = [];
	for (const candidate of inOrder) {
		const last = groups.at(-1)?.at(-1);
		if (last && (isNext(last, candidate) || isSameTable(last, candidate))) {
			groups.at(-1)?.push(candidate);
		} else groups.push([candidate]);
	}
	return groups
		.map((group) => ({
			page: group[0].page,
			index: group[0].index,
			text: textOf(group),
			headings: group[0].block.headings,
			score: Math.max(...group.map(({ score }) => score)),
		}))
		.sort((one, other) => other.score - one.score);
}
