import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

const NARROWEST = 60;
const NUMBER_WIDTH = 4;
/** Blanks at the sides of a cell, and the line beside it. */
const FRAME = 3;

/** A column of a table of items. */
interface Column {
	head: string;
	/** Width in characters; a column without one has a share of what the others leave. */
	width?: number;
	/** Part of the width that is left, in relation to the other columns' shares. */
	share?: number;
	/** The cell's text, where a line holds `width` characters. */
	cell(item: IDataObject, width: number): string;
}

/** Items as a numbered table of at most `width` columns of characters. */
function columnTable(items: IDataObject[], columns: Column[], width: number): string {
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

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

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

/** A text without spaces, such as an address, in lines of at most `width` characters: broken behind a sign, and inside a word only where that is longer than a line. */
function inLines(unbroken: string, width: number): string {
	const words = unbroken.match(/[\p{L}\p{N}]+[^\p{L}\p{N}]*|[^\p{L}\p{N}]+/gu) ?? [];
	const lines = [''];
	for (const part of words.flatMap((word) => word.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [])) {
		const last = lines[lines.length - 1];
		if (last.length + part.length <= width) lines[lines.length - 1] = last + part;
		else lines.push(part);
	}
	return lines.join('\n');
}

/** Search results as a table of at most `width` columns: title, URL, source, first words of the page. */
export const resultTable = (results: IDataObject[], width: number): string =>
	columnTable(
		results,
		[
			{ head: 'Title', share: 25, cell: ({ title }) => text(title) },
			{ head: 'URL', share: 30, cell: ({ url }, room) => inLines(text(url), room) },
			{ head: 'Source', width: 10, cell: ({ source }) => text(source) },
			{
				head: 'First words',
				share: 45,
				cell: ({ markdown, description }, room) =>
					firstWords(text(markdown) || text(description), 3 * room),
			},
		],
		width,
	);

/** What an agent found out about companies as a table: name, what it does, e-mail address, price. */
export const companyTable = (companies: IDataObject[], width: number): string =>
	columnTable(
		companies,
		[
			{ head: 'Company', share: 22, cell: ({ company }, room) => inLines(text(company), room) },
			{
				head: 'Description',
				share: 43,
				cell: ({ description }, room) => firstWords(text(description), 4 * room),
			},
			{ head: 'E-mail', share: 35, cell: ({ email }, room) => inLines(text(email), room) },
			{ head: 'Price', width: 12, cell: ({ price, currency }) => priceOf(price, currency) },
		],
		width,
	);

const priceOf = (price: unknown, currency: unknown): string =>
	typeof price === 'number' ? [price, text(currency)].join(' ').trim() : '';

/** Passages of papers as a table: the paper, its id, what it says. */
export const passageTable = (passages: IDataObject[], width: number): string =>
	columnTable(
		passages,
		[
			{ head: 'Paper', share: 30, cell: ({ request }) => text(paperOf(request, 'title')) },
			{ head: 'ID', width: 10, cell: ({ request }) => text(paperOf(request, 'paperId')) },
			{
				head: 'Passage',
				share: 60,
				cell: ({ text: passage }, room) => firstWords(text(passage), 4 * room),
			},
		],
		width,
	);

/** The pages of a list as a table: label, title, URL, first words or why there are none. */
export const pageTable = (pages: IDataObject[], width: number): string =>
	columnTable(
		pages,
		[
			{ head: 'Label', share: 15, cell: ({ label }) => text(label) },
			{ head: 'Title', share: 20, cell: ({ title }) => text(title) },
			{
				head: 'URL',
				share: 28,
				cell: ({ url }, room) => inLines(text(url), room),
			},
			{
				head: 'First words',
				share: 37,
				cell: ({ markdown, failed }, room) =>
					firstWords(text(markdown) || text(fieldOf(failed, 'error')), 3 * room),
			},
		],
		width,
	);

/** Items with a file as a table: its name, its type, its size. */
export const fileTable = (items: IDataObject[], width: number): string =>
	columnTable(
		items,
		[
			{
				head: 'File',
				share: 100,
				cell: ({ binary }, room) => inLines(text(fieldOf(fileOf(binary), 'fileName')), room),
			},
			{ head: 'Type', width: 15, cell: ({ binary }) => text(fieldOf(fileOf(binary), 'mimeType')) },
			{ head: 'Size', width: 10, cell: ({ binary }) => text(fieldOf(fileOf(binary), 'fileSize')) },
		],
		width,
	);

const fieldOf = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const fileOf = (binary: unknown): unknown => fieldOf(binary, 'data');

const paperOf = (request: unknown, name: string): unknown =>
	fieldOf(fieldOf(request, 'paper'), name);

const changeSchema = z.object({
	url: z.string(),
	status: z.string(),
	judgment: z.object({ reason: z.string() }).nullish(),
	diff: z.object({ text: z.string().optional() }).nullish(),
});

/** The lines that came and went, without the places where they stand. */
const linesOf = (diff = ''): string =>
	diff
		.split('\n')
		.filter((line) => /^[+-](?![+-])./.test(line))
		.join('\n');

/** Events of watched pages as a table: which page, what happened to it, and why that matters. */
export function changeTable(items: IDataObject[], width: number): string {
	const changeOf = (item: IDataObject) => changeSchema.parse(item);
	return columnTable(
		items,
		[
			{ head: 'URL', share: 3, cell: (item, room) => inLines(changeOf(item).url, room) },
			{ head: 'Status', width: 11, cell: (item) => changeOf(item).status },
			{ head: 'Change', share: 4, cell: (item) => linesOf(changeOf(item).diff?.text) },
			{ head: 'Why it matters', share: 3, cell: (item) => changeOf(item).judgment?.reason ?? '' },
		],
		width,
	);
}
