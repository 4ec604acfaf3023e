import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';

const NARROWEST = 60;
const FRAME = 3;
const NUMBER_WIDTH = 4;
const SOURCE_WIDTH = 10;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The first words of a markdown page below its title, as one line of plain text of at most `length` characters. */
export function firstWords(markdown: string, length: number): string {
	const plain = markdown
		.replace(/^\s*# .*$/m, '')
		.replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/^[ \t]*([#>|*+-]+|\d+\.)[ \t]*/gm, '')
		.replace(/[*_`|]+/g, '')
		.replace(/\s+/g, ' ')
		.trim();
	if (plain.length <= length) return plain;
	const cut = plain.slice(0, length - 1);
	return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2)).trimEnd()}…`;
}

/** A text without spaces, broken into lines of at most `width` characters. */
export function inLines(unbroken: string, width: number): string {
	return unbroken.match(new RegExp(`.{1,${width}}`, 'g'))?.join('\n') ?? '';
}

/** Search results as a table of at most `width` columns: title, URL, source, first words of the page. */
export function resultTable(results: IDataObject[], width: number): string {
	const free = Math.max(width, NARROWEST) - NUMBER_WIDTH - SOURCE_WIDTH - 6;
	const titleWidth = Math.floor(free * 0.25);
	const urlWidth = Math.floor(free * 0.3);
	const wordsWidth = free - titleWidth - urlWidth;
	const table = new Table({
		head: ['#', 'Title', 'URL', 'Source', 'First words'],
		colWidths: [NUMBER_WIDTH, titleWidth, urlWidth, SOURCE_WIDTH, wordsWidth],
		wordWrap: true,
		style: { head: [], border: [] },
	});
	for (const [index, { title, url, source, markdown, description }] of results.entries()) {
		table.push([
			String(index + 1),
			text(title),
			inLines(text(url), urlWidth - FRAME),
			text(source),
			firstWords(text(markdown) || text(description), 3 * (wordsWidth - FRAME)),
		]);
	}
	return table.toString();
}
