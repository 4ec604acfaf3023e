/** A part of a page that is never taken apart: a paragraph, a list item, a row of a table, a block of code. */
export interface Block {
	text: string;
	/** The headings above it, the outermost first; blocks below the same heading have the same list. */
	headings: readonly string[];
	/** The head of the table that it is a row of, with the line below it. */
	tableHead?: string;
}

/** Characters of a paragraph that is split between its sentences: about 300 tokens. */
const longParagraph = 1_200;

/** What the first character of a line that is no blank says of it: most lines are known by that for paragraphs. */
function beginningOf(line: string): 'blank' | 'mark' | 'words' {
	for (let place = 0; place < line.length; place += 1) {
		const code = line.charCodeAt(place);
		if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) continue;
		const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
		if (isLetter) return 'words';
		return code < 0x80 ? 'mark' : line.trim() === '' ? 'blank' : 'words';
	}
	return 'blank';
}

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
	if (!/^(?:===|---)/.test(line)) return 0;
	const mark = line.trim();
	if (/^=+$/.test(mark)) return 1;
	return /^-+$/.test(mark) ? 2 : 0;
}

/** Whether a line is the one below a table's head. */
const isTableLine = (line: string | undefined): boolean =>
	line !== undefined && line.includes('|') && line.includes('-') && /^[\s|:-]+$/.test(line);

const isItem = (line: string): boolean => /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line);

/** A long paragraph between its sentences, so that the parts are not much longer than `longParagraph`. */
function splitParagraph(text: string): string[] {
	if (text.length <= longParagraph) return [text];
	const parts: string[] = [''];
	for (const sentence of text.match(/[^.!?。！？\n]*(?:[.!?。！？\n]+|$)/gu) ?? []) {
		const last = parts[parts.length - 1];
		if (last !== '' && last.length + sentence.length > longParagraph) parts.push(sentence);
		else parts[parts.length - 1] = last + sentence;
	}
	return parts.map((part) => part.trim()).filter((part) => part !== '');
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
	private readonly levels: Array<{ level: number; words: string }> = [];
	private headings: readonly string[] = [];
	private paragraph: string[] = [];
	private place = 0;

	constructor(private readonly lines: string[]) {}

	read(): Block[] {
		while (this.place < this.lines.length) this.next();
		this.endParagraph();
		return this.blocks;
	}

	get placed(): PlacedBlock[] {
		return this.blocks.map((block, index) => ({ block, end: this.ends[index] }));
	}

	private next(): void {
		const line = this.lines[this.place];
		const beginning = beginningOf(line);
		const isMarked = beginning === 'mark';
		const fence = isMarked ? fenceLength(line) : 0;
		const heading = isMarked ? headingOf(line) : undefined;
		if (beginning === 'blank') this.endParagraph();
		else if (fence > 0) return this.readFence(fence);
		else if (heading) this.head(heading.level, heading.words);
		else if (line.includes('|') && isTableLine(this.lines[this.place + 1])) return this.readTable();
		else if (this.isUnderlined(line)) return this.readUnderlined();
		else if (isMarked && isItem(line)) this.begin(line);
		else this.paragraph.push(line);
		this.place += 1;
	}

	private begin(line: string): void {
		this.endParagraph();
		this.paragraph.push(line);
	}

	private isUnderlined(line: string): boolean {
		const below = this.lines[this.place + 1];
		return (
			this.paragraph.length === 0 &&
			below !== undefined &&
			!isItem(line) &&
			underlineLevel(below) > 0
		);
	}

	private readUnderlined(): void {
		this.head(underlineLevel(this.lines[this.place + 1]), this.lines[this.place].trim());
		this.place += 2;
	}

	private readFence(length: number): void {
		this.endParagraph();
		const begin = this.place;
		const [sign] = this.lines[begin].trimStart();
		const closes = (line: string) =>
			fenceLength(line) >= length && line.trimStart().startsWith(sign);
		this.place += 1;
		while (this.place < this.lines.length && !closes(this.lines[this.place])) this.place += 1;
		this.place += 1;
		this.add(this.lines.slice(begin, this.place).join('\n'));
	}

	private readTable(): void {
		this.endParagraph();
		const tableHead = this.lines.slice(this.place, this.place + 2).join('\n');
		this.place += 2;
		while (this.place < this.lines.length && this.lines[this.place].includes('|')) {
			this.place += 1;
			this.add(this.lines[this.place - 1], tableHead);
		}
	}

	private head(level: number, words: string): void {
		this.endParagraph();
		while ((this.levels.at(-1)?.level ?? 0) >= level) this.levels.pop();
		this.levels.push({ level, words });
		this.headings = this.levels.map((above) => above.words);
	}

	private endParagraph(): void {
		if (this.paragraph.length === 0) return;
		const [first] = this.paragraph;
		const text = (this.paragraph.length === 1 ? first : this.paragraph.join('\n')).trim();
		this.paragraph = [];
		if (text !== '') for (const part of splitParagraph(text)) this.add(part);
	}

	private add(text: string, tableHead?: string): void {
		const { headings } = this;
		this.blocks.push(tableHead === undefined ? { text, headings } : { text, headings, tableHead });
		this.ends.push(Math.min(this.place, this.lines.length));
	}
}

const readerOf = (markdown: string): Reader =>
	new Reader(markdown.replaceAll('\r\n', '\n').split('\n'));

/** The blocks of a page of markdown in their order. Headings are no blocks: they stand above those that they head. */
export const blocksOf = (markdown: string): Block[] => readerOf(markdown).read();

/** As `blocksOf`, each with its place in the page. */
export function placedBlocksOf(markdown: string): PlacedBlock[] {
	const reader = readerOf(markdown);
	reader.read();
	return reader.placed;
}
