import { fenceLength, placedBlocksOf } from '../../../runtime/text/blocks';
import { tokensOf } from '../../../runtime/text/tokens';
import { sum } from '../../../runtime/values/sum';

/** A part of a page's markdown, as it stands there. */
export interface Chunk {
	text: string;
	/** The headings that all of it stands below, the outermost first. */
	headings: readonly string[];
	/** The head of the table in whose midst it begins. */
	tableHead?: string;
}

/** A block with all that stands before it behind the last one: headings and empty lines. */
interface Unit extends Chunk {
	tokens: number;
	/** A row of a table or a fence, which is never taken apart. */
	isRigid: boolean;
}

/** Where each line of a text begins, and where the text ends. */
function lineStarts(text: string): number[] {
	const starts = [0];
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
	return [...starts, text.length];
}

const unitOf = (unit: Omit<Unit, 'tokens'>): Unit => ({ ...unit, tokens: tokensOf(unit.text) });

/** A page taken apart into units, which together are the page. */
function unitsOf(markdown: string): Unit[] {
	const starts = lineStarts(markdown);
	const units: Unit[] = [];
	let from = 0;
	let lastHead: string | undefined;
	for (const { block, end } of placedBlocksOf(markdown)) {
		const to = starts[end];
		const { headings, tableHead } = block;
		// The parts of a long paragraph end with the same line: they are one unit here.
		if (to === from) continue;
		const text = markdown.slice(from, to);
		const isContinued = tableHead !== undefined && tableHead === lastHead;
		const isRigid = tableHead !== undefined || fenceLength(block.text) > 0;
		units.push(unitOf({ text, headings, isRigid, ...(isContinued && { tableHead }) }));
		from = to;
		lastHead = tableHead;
	}
	const rest = markdown.slice(from);
	const last = units.pop() ?? unitOf({ text: '', headings: [], isRigid: false });
	return [...units, unitOf({ ...last, text: last.text + rest })];
}

/** What two lists have in common from their beginnings on. */
function commonBeginning(one: readonly string[], other: readonly string[]): readonly string[] {
	const end = one.findIndex((heading, index) => heading !== other[index]);
	return end === -1 ? one : one.slice(0, end);
}

const joined = (units: readonly Unit[]): Chunk => ({
	text: units.map(({ text }) => text).join(''),
	headings: units.map(({ headings }) => headings).reduce(commonBeginning),
	...(units[0].tableHead !== undefined && { tableHead: units[0].tableHead }),
});

const tokensIn = (units: readonly Unit[]): number => sum(units.map(({ tokens }) => tokens));

/** Neighbours in groups: a group ends where `begins` says that another one begins. */
function neighbours<Entry>(
	entries: readonly Entry[],
	begins: (entry: Entry, before: Entry) => boolean,
): Entry[][] {
	const groups: Entry[][] = [];
	for (const [index, entry] of entries.entries()) {
		if (index === 0 || begins(entry, entries[index - 1])) groups.push([entry]);
		else groups[groups.length - 1].push(entry);
	}
	return groups;
}

/** Where a text that is too long is best cut: behind its last sentence, else its last word, else anywhere but in the midst of a character. */
function cutIn(text: string): number {
	const sentence = Math.max(
		...['. ', '! ', '? ', '\n', '。', '！', '？'].map((end) => {
			const at = text.lastIndexOf(end);
			return at === -1 ? 0 : at + end.length;
		}),
	);
	if (sentence > 0) return sentence;
	const word = text.lastIndexOf(' ') + 1;
	if (word > 0) return word;
	return /[\uD800-\uDBFF]$/.test(text) && text.length > 1 ? text.length - 1 : text.length;
}

/** How much of a text comes to no more than so many tokens, in characters; one of them in any case. */
function fittingLength(text: string, maxTokens: number): number {
	// A character is a quarter of a token at the least, and one at the most.
	let low = Math.min(text.length, Math.max(1, maxTokens));
	let high = Math.min(text.length, maxTokens * 4);
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if (tokensOf(text.slice(0, middle)) <= maxTokens) low = middle;
		else high = middle - 1;
	}
	return low;
}

/** Whether a text is longer than so many tokens; of one that is far longer no more is looked at. */
const isTooLong = (text: string, maxTokens: number): boolean =>
	text.length > maxTokens * 4 || tokensOf(text) > maxTokens;

/** A paragraph that is too long, taken apart between its sentences; what is rigid stays whole. */
function split(unit: Unit, maxTokens: number): Unit[] {
	if (unit.isRigid || unit.tokens <= maxTokens) return [unit];
	const parts: Unit[] = [];
	let left = unit.text;
	while (isTooLong(left, maxTokens)) {
		const length = cutIn(left.slice(0, fittingLength(left, maxTokens)));
		parts.push(unitOf({ ...unit, text: left.slice(0, length) }));
		left = left.slice(length);
	}
	return left === '' ? parts : [...parts, unitOf({ ...unit, text: left })];
}

/** Units one after the other, as many as fit into each chunk; a table stays in one where it fits. */
function packed(units: readonly Unit[], maxTokens: number): Chunk[] {
	const tables = neighbours(units, ({ tableHead }) => tableHead === undefined);
	const parts = tables.flatMap((table) => {
		if (tokensIn(table) > maxTokens) {
			return table.flatMap((row) => split(row, maxTokens)).map((part) => [part]);
		}
		return [table];
	});
	const chunks: Unit[][] = [];
	let left = 0;
	for (const part of parts) {
		const tokens = tokensIn(part);
		if (tokens <= left) chunks[chunks.length - 1].push(...part);
		else chunks.push([...part]);
		left = tokens <= left ? left - tokens : maxTokens - tokens;
	}
	return chunks.map(joined);
}

/** Tokens below which a section shares a chunk with its neighbours: what stands beside a chunk is several times longer. */
const leastTokens = 50;

/** Sections one after the other, small ones together as far as they fit. */
function gathered(sections: readonly Unit[][], maxTokens: number): Unit[][] {
	const groups: Unit[][] = [];
	let last = Infinity;
	for (const section of sections) {
		const tokens = tokensIn(section);
		const isSmall = Math.min(last, tokens) < leastTokens && last + tokens <= maxTokens;
		if (isSmall) for (const unit of section) groups[groups.length - 1].push(unit);
		else groups.push([...section]);
		last = isSmall ? last + tokens : tokens;
	}
	return groups;
}

/** Units of one section: whole where they fit, else its subsections, else as many neighbours as fit. */
function cutSection(units: readonly Unit[], depth: number, maxTokens: number): Chunk[] {
	if (tokensIn(units) <= maxTokens) return [joined(units)];
	if (units.every(({ headings }) => headings.length <= depth)) return packed(units, maxTokens);
	const sections = neighbours(
		units,
		({ headings }, before) => headings[depth] !== before.headings[depth],
	);
	return gathered(sections, maxTokens).flatMap((section) =>
		cutSection(section, depth + 1, maxTokens),
	);
}

/**
 * A page cut along its headings into chunks of at most so many tokens: a section that fits is one chunk,
 * one that does not is cut into its subsections, and then between its blocks. Small sections share one. No fence and no row of a
 * table is taken apart, even where it is longer. The texts of the chunks, joined, are the page. A change
 * in one section leaves the chunks of the others as they are.
 */
export const chunksOf = (markdown: string, maxTokens: number): Chunk[] =>
	cutSection(unitsOf(markdown), 0, maxTokens);
