import { eachInTurns } from '../../../runtime/host/turns';
import { fenceLength, placedBlocksOf } from '../../../runtime/text/blocks';
import { charactersPerToken, tokensOf } from '../../../runtime/text/tokens';
import { sum } from '../../../runtime/values/numbers';

/** A part of a page's markdown, verbatim. */
export interface Chunk {
	text: string;
	/** The headings above all of it, the outermost first. */
	headings: readonly string[];
	/** The head of the table in which it begins, if it continues one. */
	tableHead?: string;
}

/** A block with the headings and empty lines before it. */
interface Segment extends Chunk {
	tokens: number;
	/** Whether it is a table row or a fence, which is never split. */
	isRigid: boolean;
}

/** The offset of each line of a text, and its length. */
function lineStarts(text: string): number[] {
	const starts = [0];
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
	return [...starts, text.length];
}

const segmentOf = (segment: Omit<Segment, 'tokens'>): Segment => ({
	...segment,
	tokens: tokensOf(segment.text),
});

/** Splits a page into segments that together are the page. */
async function segmentsOf(markdown: string): Promise<Segment[]> {
	const starts = lineStarts(markdown);
	const segments: Segment[] = [];
	let from = 0;
	let lastHead: string | undefined;
	await eachInTurns(await placedBlocksOf(markdown), ({ block, end }) => {
		const to = starts[end];
		const { headings, tableHead } = block;
		// The parts of a long paragraph share their last line: they are one segment here.
		if (to === from) return 0;
		const text = markdown.slice(from, to);
		const isContinued = tableHead !== undefined && tableHead === lastHead;
		const isRigid = tableHead !== undefined || fenceLength(block.text) > 0;
		segments.push(segmentOf({ text, headings, isRigid, ...(isContinued && { tableHead }) }));
		from = to;
		lastHead = tableHead;
		return text.length;
	});
	const rest = markdown.slice(from);
	const last = segments.pop() ?? segmentOf({ text: '', headings: [], isRigid: false });
	return [...segments, segmentOf({ ...last, text: last.text + rest })];
}

/** The common prefix of two lists. */
function commonPrefix(one: readonly string[], other: readonly string[]): readonly string[] {
	const end = one.findIndex((heading, index) => heading !== other[index]);
	return end === -1 ? one : one.slice(0, end);
}

const joined = (segments: readonly Segment[]): Chunk => ({
	text: segments.map(({ text }) => text).join(''),
	headings: segments.map(({ headings }) => headings).reduce(commonPrefix),
	...(segments[0].tableHead !== undefined && { tableHead: segments[0].tableHead }),
});

const tokensIn = (segments: readonly Segment[]): number =>
	sum(segments.map(({ tokens }) => tokens));

/** Groups neighbours: a new group starts where `begins` returns true. */
function* neighbours(
	segments: readonly Segment[],
	begins: (segment: Segment, before: Segment) => boolean,
): Generator<Segment[]> {
	let group: Segment[] = [];
	for (const segment of segments) {
		const before = group.at(-1);
		if (before && begins(segment, before)) {
			yield group;
			group = [];
		}
		group.push(segment);
	}
	if (group.length > 0) yield group;
}

/**
 * The best offset to cut a long text: after its last sentence, else its last word, else between two
 * characters.
 */
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

/** The number of characters of a text that fit into a number of tokens, at least one. */
function fittingLength(text: string, maxTokens: number): number {
	const { fewest, most } = charactersPerToken;
	let low = Math.min(text.length, Math.max(1, Math.floor(maxTokens * fewest)));
	let high = Math.min(text.length, maxTokens * most);
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if (tokensOf(text.slice(0, middle)) <= maxTokens) low = middle;
		else high = middle - 1;
	}
	return low;
}

/** Whether a text exceeds a number of tokens; checks no more of the text than necessary. */
const isTooLong = (text: string, maxTokens: number): boolean =>
	text.length > maxTokens * charactersPerToken.most || tokensOf(text) > maxTokens;

/** Splits a long paragraph between its sentences; rigid segments stay whole. */
function* split(segment: Segment, maxTokens: number): Generator<Segment> {
	if (segment.isRigid || segment.tokens <= maxTokens) return yield segment;
	let left = segment.text;
	while (isTooLong(left, maxTokens)) {
		const length = cutIn(left.slice(0, fittingLength(left, maxTokens)));
		yield segmentOf({ ...segment, text: left.slice(0, length) });
		left = left.slice(length);
	}
	if (left !== '') yield segmentOf({ ...segment, text: left });
}

/**
 * The segments that stay together if they fit: a table or any other segment; else its parts one by one.
 */
function* partsOf(segments: readonly Segment[], maxTokens: number): Generator<Segment[]> {
	for (const table of neighbours(segments, ({ tableHead }) => tableHead === undefined)) {
		if (tokensIn(table) <= maxTokens) yield table;
		else for (const row of table) for (const part of split(row, maxTokens)) yield [part];
	}
}

/**
 * Joins groups of segments with the previous ones as long as they fit and `joins` allows it for their
 * tokens.
 */
function* gathered(
	groups: Iterable<Segment[]>,
	maxTokens: number,
	joins: (last: number, next: number) => boolean,
): Generator<Segment[]> {
	let gathering: Segment[] = [];
	let last = 0;
	for (const group of groups) {
		const tokens = tokensIn(group);
		if (gathering.length > 0 && !(last + tokens <= maxTokens && joins(last, tokens))) {
			yield gathering;
			gathering = [];
			last = 0;
		}
		for (const segment of group) gathering.push(segment);
		last += tokens;
	}
	if (gathering.length > 0) yield gathering;
}

/**
 * Fewest tokens of a section with chunks of its own: a chunk's other fields are several times
 * longer.
 */
const leastTokens = 50;

/** Whether a section shares a chunk with the previous one. */
const isSmall = (last: number, next: number): boolean => Math.min(last, next) < leastTokens;

/**
 * The chunks of a section's segments: whole if they fit, else by subsection, else as many neighbours
 * as fit.
 */
function* cutSection(
	segments: readonly Segment[],
	depth: number,
	maxTokens: number,
): Generator<readonly Segment[]> {
	if (tokensIn(segments) <= maxTokens) {
		yield segments;
	} else if (segments.every(({ headings }) => headings.length <= depth)) {
		yield* gathered(partsOf(segments, maxTokens), maxTokens, () => true);
	} else {
		const sections = neighbours(
			segments,
			({ headings }, before) => headings[depth] !== before.headings[depth],
		);
		for (const section of gathered(sections, maxTokens, isSmall)) {
			yield* cutSection(section, depth + 1, maxTokens);
		}
	}
}

/**
 * Splits a page by its headings into chunks of limited tokens: a section that fits is one chunk, a
 * longer one is split into its subsections, and then between its blocks. Small sections share a
 * chunk. Fences and table rows are never split, even if they are longer. The joined chunks equal
 * the page. A change in one section leaves the chunks of the others unchanged.
 */
export async function chunksOf(markdown: string, maxTokens: number): Promise<Chunk[]> {
	const chunks: Chunk[] = [];
	await eachInTurns(cutSection(await segmentsOf(markdown), 0, maxTokens), (segments) => {
		const chunk = joined(segments);
		chunks.push(chunk);
		return chunk.text.length;
	});
	return chunks;
}
