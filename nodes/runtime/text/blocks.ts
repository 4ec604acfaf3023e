import { eachInTurns } from '../host/turns';
import { cutLine, cutPlace } from '../values/cutText';

/** A part of a page that is never taken apart: a paragraph, a list item, a row of a table, a block of code. */
export interface Block {
	text: string;
	/** The headings above it, the outermost first, each cut; blocks below the same heading have the same list. */
	headings: readonly string[];
	/** The head of the table that it is a row of, with the line below it, both cut; rows of a table have the same. */
	tableHead?: string;
}

/**
 * Characters of a heading, and of each of the two lines of a table's head. They are repeated beside every
 * block, passage and chunk below them, so without a limit a page of 1 MB becomes gigabytes. The six levels
 * of headings come to about 600 characters, as does the head of a table: a quarter of the tokens of a chunk.
 */
const longestHeading = 100;
const longestHeadLine = 300;

/** Characters of a paragraph that is split between its sentences: about 300 tokens. */
const longParagraph = 1_200;

/** The first character of a line that is no blank; '' for a blank line. */
function firstCharacter(line: string): string {
	for (let place = 0; place < line.length; place += 1) {
		const code = line.charCodeAt(place);
		if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) continue;
		return code < 0x80 || line.trim() !== '' ? line[place] : '';
	}
	return '';
}

/** By its first character most lines are known for parts of paragraphs. */
const opensFence = (first: string): boolean => first === '`' || first === '~';
const opensItem = (first: string): boolean => /[-*+\d]/.test(first);

/** The number of characters of a fence that a line opens or closes; 0 for any other line. */
export function fenceLength(line: string): number {
	if (!/^\s*(?:```|~~~)/.test(line)) return 0;
	const mark = line.trimStart();
	const sign = mark[0];
	let length = 1;
	while (mark[length] === sign) length += 1;
	return length;
}

/** The level of a heading that begins with signs, and its words. */
function headingOf(line: string): { level: number; words: string } | undefined {
	if (!line.startsWith('#')) return undefined;
	const { length } = /^#{0,7}/.exec(line)?.[0] ?? '';
	if (length > 6 || !/[ \t]/.test(line.charAt(length))) return undefined;
	return { level: length, words: line.slice(length).trim() };
}

/** The level that a line gives to the line above it as a heading. */
function underlineLevel(line: string): number {
	if (!line.startsWith('===') && !line.startsWith('---')) return 0;
	const mark = line.trim();
	if (/^=+$/.test(mark)) return 1;
	return /^-+$/.test(mark) ? 2 : 0;
}

/** Whether a line is the one below a table's head. */
const isTableLine = (line: string | undefined): boolean =>
	line !== undefined && line.includes('|') && line.includes('-') && /^[\s|:-]+$/.test(line);

const isItem = (line: string): boolean => /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line);

const sentenceEnds = new Set([...'.!?。！？\n'].map((end) => end.charCodeAt(0)));

/** Where a text can be split: behind its sentences, and between the words of one that is longer than `longParagraph`, or in the midst of a word that is. */
function* placesToSplit(text: string): Generator<number> {
	let from = 0;
	for (let to = 1; to <= text.length; to += 1) {
		const isEnd =
			sentenceEnds.has(text.charCodeAt(to - 1)) && !sentenceEnds.has(text.charCodeAt(to));
		if (!isEnd && to < text.length) continue;
		while (to - from > longParagraph) {
			const space = text.slice(from, from + longParagraph).lastIndexOf(' ');
			from = space === -1 ? cutPlace(text, from + longParagraph) : from + space + 1;
			yield from;
		}
		from = to;
		yield from;
	}
}

/** A long paragraph between its sentences, so that the parts are not much longer than `longParagraph`. */
function splitParagraph(text: string): string[] {
	if (text.length <= longParagraph) return [text];
	const parts: string[] = [];
	let from = 0;
	let to = 0;
	for (const place of placesToSplit(text)) {
		if (to > from && place - from > longParagraph) {
			parts.push(text.slice(from, to));
			from = to;
		}
		to = place;
	}
	return [...parts, text.slice(from, to)].map((part) => part.trim()).filter((part) => part !== '');
}

/** A block, and where the lines of the page behind it begin. */
export interface PlacedBlock {
	block: Block;
	/** The number of the line behind its last; the parts of a split paragraph have the same. */
	end: number;
}

/** Reads a page of markdown line by line. */
class Reader {
	readonly blocks: Block[] = [];
	private readonly ends: number[] = [];
	private readonly lines: string[];
	private readonly levels: Array<{ level: number; words: string }> = [];
	private headings: readonly string[] = [];
	/** The line that is read. */
	private line = 0;
	/** Where it begins in the page. */
	private place = 0;
	/** Where the paragraph begins that is read. */
	private paragraph: number | undefined;
	/** The head of the table whose rows are read. */
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

	/** Reads on, step by step; yields the characters of each. */
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
		else if (heading) return this.head(heading.level, heading.words, 1);
		else if (line.includes('|') && isTableLine(this.lines[this.line + 1])) return this.readTable();
		else if (this.isUnderlined(line)) return this.readUnderlined();
		else if (opensItem(first) && isItem(line)) this.begin();
		else this.paragraph ??= this.place;
		this.pass();
	}

	/** Goes on to the next line. */
	private pass(): void {
		this.place += this.lines[this.line].length + 1;
		this.line += 1;
	}

	/** The lines from a place in the page up to the one that is read. */
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

	private head(level: number, words: string, lines: number): void {
		this.endParagraph();
		while ((this.levels.at(-1)?.level ?? 0) >= level) this.levels.pop();
		this.levels.push({ level, words: cutLine(words, longestHeading) });
		this.headings = this.levels.map((above) => above.words);
		for (let line = 0; line < lines; line += 1) this.pass();
		// A heading that is cut is a paragraph, too: its words are still found.
		if (words.length > longestHeading) this.addParagraph(words);
	}

	private endParagraph(): void {
		if (this.paragraph === undefined) return;
		const text = this.since(this.paragraph).trim();
		this.paragraph = undefined;
		if (text !== '') this.addParagraph(text);
	}

	private addParagraph(text: string): void {
		for (const part of splitParagraph(text)) this.add(part);
	}

	private add(text: string, tableHead?: string): void {
		const { headings } = this;
		this.blocks.push(tableHead === undefined ? { text, headings } : { text, headings, tableHead });
		this.ends.push(this.line);
	}
}

const readerOf = (text: string): Reader => new Reader(text.replaceAll('\r\n', '\n'));

/** The blocks of a page of markdown in their order. Headings are no blocks: they stand above those that they head. */
export const blocksOf = async (text: string): Promise<Block[]> => await readerOf(text).read();

/** As `blocksOf`, each with its place in the page. */
export async function placedBlocksOf(text: string): Promise<PlacedBlock[]> {
	const reader = readerOf(text);
	await reader.read();
	return reader.placed;
}
