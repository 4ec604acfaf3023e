import { eachInTurns } from '../host/turns';
import { cutText } from '../values/cutText';
import type { Candidate } from './rank';
import { normalized } from './terms';
import { tokensOf } from './tokens';

/** A part of a page that matches. */
export interface Passage {
	/** Index of its page. */
	page: number;
	/** Index of its first block in the page. */
	index: number;
	text: string;
	headings: readonly string[];
	score: number;
}

/** Share of common words above which two blocks are duplicates. */
const likeness = 0.8;

/** A size too small for most blocks. */
const smallSize = 20;

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

/** Passages that a block is compared with: those of nearly equal rank. */
const mostCompared = 20;

/** Characters processed in the time that a comparison takes. */
const workToCompare = 20;

/** The total size of passages. */
export interface Budget {
	most: number;
	/** Measures a text. */
	sizeOf(text: string): number;
	/** Size of the fields around a passage of a page. */
	overhead(page: number): number;
}

/** Measures what passages repeat around blocks, headings and table heads, once each. */
function overheadOf({ sizeOf, overhead }: Budget): (candidate: Candidate) => number {
	const sizes = new Map<unknown, number>();
	const once = (repeated: unknown, text: () => string): number => {
		const size = sizes.get(repeated) ?? sizeOf(text());
		sizes.set(repeated, size);
		return size;
	};
	return ({ page, block: { headings, tableHead = '' } }) =>
		once(headings, () => headingPath(headings)) + once(tableHead, () => tableHead) + overhead(page);
}

/** A budget in tokens of JSON. */
export const tokenBudget = (
	most: number,
	overhead: (page: number) => number = () => 0,
): Budget => ({
	most,
	sizeOf: (text) => tokensOf(JSON.stringify(text)),
	overhead,
});

/** Joins the headings above a passage. */
export const headingPath = (headings: readonly string[]): string => headings.join(' › ');

/**
 * Truncates the best candidate if none fits, without its headings and table head if these take most
 * of the budget.
 */
function shortened([best]: readonly Candidate[], budget: Budget): Candidate[] {
	const { text } = best.block;
	const size = budget.sizeOf(text);
	const alone = { ...best, block: { text, headings: [] } };
	const overhead = overheadOf(budget);
	const available = (candidate: Candidate) => budget.most - overhead(candidate) - smallSize;
	const candidate =
		size <= available(alone) || available(best) < available(alone) / 2 ? alone : best;
	if (size <= available(candidate)) return [candidate];
	const length = Math.floor((text.length * available(candidate)) / size);
	if (length <= 0) return [];
	const cut = cutText(text, length, (missing) => `[… ${missing} more characters]`);
	return [{ ...candidate, block: { ...candidate.block, text: cut } }];
}

/** Chooses the best candidates that fit the budget, without duplicates. */
async function chosen(candidates: readonly Candidate[], budget: Budget): Promise<Candidate[]> {
	const taken: Candidate[] = [];
	const known: Array<Set<string>> = [];
	const overhead = overheadOf(budget);
	let left = budget.most;
	await eachInTurns(candidates, (candidate) => {
		if (taken.length > 0 && left < smallSize) return 0;
		const { text } = candidate.block;
		const work = text.length + workToCompare;
		const cost = budget.sizeOf(text) + overhead(candidate);
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

/** Joins neighbouring blocks: rows of a table below its head, others with a blank line between. */
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
 * Selects the best passages that fit the budget, without duplicates. Neighbouring blocks become one
 * passage.
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
