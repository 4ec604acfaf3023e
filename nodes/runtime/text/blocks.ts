import { eachInTurns } from '../host/turns';
import { cutLine, cutPlace } from '../values/text';

/** A part of a page that is not split: a paragraph, list item, table row, or block of code. */
export interface Block {
	text: string;
	/**
	 * The headings above it, the outermost first, each truncated. Blocks of a section share the
	 * list.
	 */
	headings: readonly string[];
	/** The two truncated lines of a table's head above its row. Rows of a table share it. */
	tableHead?: string;
}

/** Joins the headings above a block. */
export const headingPath = (headings: readonly string[]): string => headings.join(' › ');

/**
 * Longest heading and longest line of a table's head, in characters. Every block, passage and chunk
 * below repeats them, so without a limit a page of 1 MB becomes gigabytes. Six levels of headings
 * take about 600 characters, as does a table's head: a quarter of a chunk's tokens.
 */
const longestHeading = 100;
const longestHeadLine = 300;

/** Longest paragraph that is not split between sentences, in characters: about 300 tokens. */
const longParagraph = 1_200;

/** The first character of a line that is not blank; '' for a blank line. */
function firstCharacter(line: string): string {
	for (let place = 0; place < line.length; place += 1) {
		const code = line.charCodeAt(place);
		if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) continue;
		return code < 0x80 || line.trim() !== '' ? line[place] : '';
	}
	return '';
}

/** The first character excludes most lines quickly. */
const opensFence = (first: string): boolean => first === '`' || first === '~';
const opensItem = (first: string): boolean => /[-*+\d]/.test(first);

/** Length of the code fence in a line; 0 for other lines. */
export function fenceLength(line: string): number {
	if (!/^\s*(?:```|~~~)/.test(line)) return 0;
	const mark = line.trimStart();
	const sign = mark[0];
	let length = 1;
	while (mark[length] === sign) length += 1;
	return length;
}

/** The level and title of an ATX heading. */
function headingOf(line: string): { level: number; title: string } | undefined {
	if (!line.startsWith('#')) return undefined;
	const { length } = /^#{0,7}/.exec(line)?.[0] ?? '';
	if (length > 6 || !/[ \t]/.test(line.charAt(length))) return undefined;
	return { level: length, title: line.slice(length).trim() };
}

/** The level of a setext heading, by its underline. */
function underlineLevel(line: string): number {
	if (!line.startsWith('===') && !line.startsWith('---')) return 0;
	const mark = line.trim();
	if (/^=+$/.test(mark)) return 1;
	return /^-+$/.test(mark) ? 2 : 0;
}

/** Whether a line is the delimiter row of a table. */
const isTableLine = (line: string | undefined): boolean =>
	line !== undefined && line.includes('|') && line.includes('-') && /^[\s|:-]+$/.test(line);

const isItem = (line: string): boolean => /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line);

const ends = '.!?。！？\n';

/** Whether a sentence ends at a position: not within `package.json`, nor between `?` and `!`. */
function isSentenceEnd(text: string, place: number): boolean {
	const [end, next = ''] = [text[place - 1], text[place]];
	if (!ends.includes(end) || (next !== '' && ends.includes(next))) return false;
	return end > '\x7f' || end === '\n' || next === '' || next === ' ';
}

/**
 * Positions at which a text can be split: between sentences, and between the words of a sentence
 * longer than `longest`, or within a longer word.
 */
function* splitPositions(text: string, longest: number): Generator<number> {
	let from = 0;
	for (let to = 1; to <= text.length; to += 1) {
		if (!isSentenceEnd(text, to) && to < text.length) continue;
		while (to - from > longest) {
			const space = text.slice(from, from + longest).lastIndexOf(' ');
			from = space === -1 ? cutPlace(text, from + longest) : from + space + 1;
			yield from;
		}
		from = to;
		yield from;
	}
}

/** Splits a long paragraph between its sentences into parts of at most `longest` characters. */
export function splitParagraph(text: string, longest: number): string[] {
	if (text.length <= longest) return [text];
	const parts: string[] = [];
	let from = 0;
	let to = 0;
	for (const place of splitPositions(text, longest)) {
		if (to > from && place - from > longest) {
			parts.push(text.slice(from, to));
			from = to;
		}
		to = place;
	}
	return [...parts, text.slice(from, to)];
}

/** A block with its position in the page. */
export interface PlacedBlock {
	block: Block;
	/** Index of the line after its last one; the parts of a split paragraph share it. */
	end: number;
}

/** Parses a page of Markdown line by line. */
class Reader {
	readonly blocks: Block[] = [];
	private readonly ends: number[] = [];
	private readonly lines: string[];
	private readonly levels: Array<{ level: number; title: string }> = [];
	private headings: readonly string[] = [];
	/** Index of the current line. */
	private line = 0;
	/** Its position in the page. */
	private place = 0;
	/** Position of the current paragraph. */
	private paragraph: number | undefined;
	/** Head of the current table. */
	private tableHead: string | undefined;

	constructor(private readonly text: string) {
		this.lines = text.split('\n');
	}

	async read(): Promise<Block[]> {
		await eachInTurns(this.steps(), (length) => length);
		this.endParagraph();
		return this.blocks;
	}

	get placed(): PlacedBlock[] {
		return this.blocks.map((block, index) => ({ block, end: this.ends[index] }));
	}

	/** Parses the page in steps; yields the number of characters of each. */
	private *steps(): Generator<number> {
		while (this.line < this.lines.length) {
			const from = this.place;
			this.next();
			yield this.place - from;
		}
	}

	private next(): void {
		const line = this.lines[this.line];
		if (this.tableHead !== undefined && line.includes('|')) return this.readRow(this.tableHead);
		this.tableHead = undefined;
		const first = firstCharacter(line);
		const fence = opensFence(first) ? fenceLength(line) : 0;
		const heading = headingOf(line);
		if (first === '') this.endParagraph();
		else if (fence > 0) return this.readFence(fence);
		else if (heading) return this.head(heading.level, heading.title, 1);
		else if (line.includes('|') && isTableLine(this.lines[this.line + 1])) return this.readTable();
		else if (this.isUnderlined(line)) return this.readUnderlined();
		else if (opensItem(first) && isItem(line)) this.begin();
		else this.paragraph ??= this.place;
		this.pass();
	}

	/** Moves to the next line. */
	private pass(): void {
		this.place += this.lines[this.line].length + 1;
		this.line += 1;
	}

	/** The lines from a position up to the current one. */
	private since(place: number): string {
		return this.text.slice(place, this.place - 1);
	}

	private begin(): void {
		this.endParagraph();
		this.paragraph = this.place;
	}

	private isUnderlined(line: string): boolean {
		const below = this.lines[this.line + 1];
		return (
			this.paragraph === undefined &&
			below !== undefined &&
			!isItem(line) &&
			underlineLevel(below) > 0
		);
	}

	private readUnderlined(): void {
		this.head(underlineLevel(this.lines[this.line + 1]), this.lines[this.line].trim(), 2);
	}

	private readFence(length: number): void {
		this.endParagraph();
		const from = this.place;
		const [sign] = this.lines[this.line].trimStart();
		const closes = (line: string) =>
			fenceLength(line) >= length && line.trimStart().startsWith(sign);
		this.pass();
		while (this.line < this.lines.length && !closes(this.lines[this.line])) this.pass();
		if (this.line < this.lines.length) this.pass();
		this.add(this.since(from));
	}

	private readTable(): void {
		this.endParagraph();
		const lines = [this.lines[this.line], this.lines[this.line + 1]];
		this.tableHead = lines.map((line) => cutLine(line, longestHeadLine)).join('\n');
		this.pass();
		this.pass();
	}

	private readRow(tableHead: string): void {
		const row = this.lines[this.line];
		this.pass();
		this.add(row, tableHead);
	}

	private head(level: number, title: string, lines: number): void {
		this.endParagraph();
		while ((this.levels.at(-1)?.level ?? 0) >= level) this.levels.pop();
		this.levels.push({ level, title: cutLine(title, longestHeading) });
		this.headings = this.levels.map((above) => above.title);
		for (let line = 0; line < lines; line += 1) this.pass();
		// Also keeps a truncated heading as a paragraph, so that a search finds all of it.
		if (title.length > longestHeading) this.addParagraph(title);
	}

	private endParagraph(): void {
		if (this.paragraph === undefined) return;
		const text = this.since(this.paragraph).trim();
		this.paragraph = undefined;
		if (text !== '') this.addParagraph(text);
	}

	private addParagraph(text: string): void {
		for (const part of splitParagraph(text, longParagraph)) {
			if (part.trim() !== '') this.add(part.trim());
		}
	}

	private add(text: string, tableHead?: string): void {
		const { headings } = this;
		this.blocks.push(tableHead === undefined ? { text, headings } : { text, headings, tableHead });
		this.ends.push(this.line);
	}
}

const readerOf = (text: string): Reader => new Reader(text.replaceAll('\r\n', '\n'));

/**
 * Splits a page of Markdown into its blocks. Headings are not blocks, but fields of those below
 * them.
 */
export const blocksOf = async (text: string): Promise<Block[]> => await readerOf(text).read();

/** Splits a page of Markdown into its blocks with their positions. */
export async function placedBlocksOf(text: string): Promise<PlacedBlock[]> {
	const reader = readerOf(text);
	await reader.read();
	return reader.placed;
}
