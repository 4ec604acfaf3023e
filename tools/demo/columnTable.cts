import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';

const NARROWEST = 60;
const NUMBER_WIDTH = 4;
/** Blanks at the sides of a cell, and the line beside it. */
const FRAME = 3;

/** A column of a table of items. */
export interface Column {
	head: string;
	/** Width in characters; a column without one has a share of what the others leave. */
	width?: number;
	/** Part of the width that is left, in relation to the other columns' shares. */
	share?: number;
	/** The cell's text, where a line holds `width` characters. */
	cell(item: IDataObject, width: number): string;
}

/** Items as a numbered table of at most `width` columns of characters. */
export function columnTable(items: IDataObject[], columns: Column[], width: number): string {
	const fixed = columns.reduce((sum, column) => sum + (column.width ?? 0), NUMBER_WIDTH);
	const free = Math.max(width, NARROWEST) - fixed - columns.length - 2;
	const shares = columns.reduce((sum, { share = 0 }) => sum + share, 0);
	const widths = columns.map(
		(column) => column.width ?? Math.floor((free * (column.share ?? 0)) / shares),
	);
	const table = new Table({
		head: ['#', ...columns.map(({ head }) => head)],
		colWidths: [NUMBER_WIDTH, ...widths],
		wordWrap: true,
		style: { head: [], border: [] },
	});
	for (const [index, item] of items.entries()) {
		const cells = columns.map(({ cell }, place) => cell(item, widths[place] - FRAME));
		table.push([String(index + 1), ...cells]);
	}
	return table.toString();
}
