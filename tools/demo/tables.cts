import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';

const NARROWEST = 60;
const NUMBER_WIDTH = 4;
/** Blanks at the sides of a cell, and the line beside it. */
const FRAME = 3;
/** The lines that a cell has for the first words of a page. */
const LINES = 4;

/** A column of a table of items. */
export interface Column {
	head: string;
	/** Part of the table's width, in relation to the other columns' shares. */
	share: number;
	/** The cell's text, or whatever else the item has in its place: then the cell is empty. */
	of(item: IDataObject): unknown;
	/** Whether the text is that of a page, of which the first words are shown. */
	isPage?: boolean;
}

/** Items as a numbered table of at most `width` columns of characters. */
export function tableOf(items: IDataObject[], columns: Column[], width: number): string {
	const free = Math.max(width, NARROWEST) - NUMBER_WIDTH - columns.length - 2;
	const shares = columns.reduce((sum, { share }) => sum + share, 0);
	const widths = columns.map(({ share }) => Math.floor((free * share) / shares));
	const table = new Table({
		head: ['#', ...columns.map(({ head }) => head)],
		colWidths: [NUMBER_WIDTH, ...widths],
		wordWrap: true,
		style: { head: [], border: [] },
	});
	for (const [index, item] of items.entries()) {
		const cells = columns.map(({ of, isPage }, place) => {
			const found = of(item);
			const text = typeof found === 'string' ? found : '';
			const content = isPage ? firstWords(text, LINES * (widths[place] - FRAME)) : text;
			// An address has no spaces to be broken at.
			return { content, wrapOnWordBoundary: /\s/.test(content) };
		});
		table.push([String(index + 1), ...cells]);
	}
	return table.toString();
}

/** The first words of a markdown page below its title, as one line of plain text of at most `length` characters. */
function firstWords(markdown: string, length: number): string {
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
