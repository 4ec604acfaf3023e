import type { CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';

import { escapeHtml } from '../../site/escapeHtml.cjs';
import type { Archive } from './archive.cjs';
import { tableHtml } from './tableHtml.cjs';

/** A Word document as HTML: headings, paragraphs, list items, links and tables. */
export function wordHtml(archive: Archive): string {
	const path = 'word/document.xml';
	const $ = archive.xml(path);
	const links = archive.relations(path);
	return $('w\\:body')
		.children()
		.toArray()
		.map((element) =>
			element.name === 'w:tbl' ? wordTable($, element) : wordBlock($, element, links),
		)
		.join('\n');
}

function wordBlock($: CheerioAPI, element: Element, links: ReadonlyMap<string, string>): string {
	if (element.name !== 'w:p') return '';
	const style = $(element).find('w\\:pStyle').attr('w:val') ?? '';
	const runs = $(element)
		.children('w\\:r, w\\:hyperlink')
		.toArray()
		.map((run) => {
			const text = escapeHtml(wordText($, run));
			const target = links.get(run.attribs['r:id'] ?? '');
			return target ? `<a href="${escapeHtml(target)}">${text}</a>` : text;
		})
		.join('');
	const level = /^title$/i.test(style) ? '1' : /^heading ?([1-6])$/i.exec(style)?.[1];
	if (level) return `<h${level}>${runs}</h${level}>`;
	if ($(element).find('w\\:numPr').length > 0) return `<ul><li>${runs}</li></ul>`;
	return runs && `<p>${runs}</p>`;
}

function wordText($: CheerioAPI, element: Element): string {
	return $(element)
		.find('w\\:t, w\\:tab, w\\:br')
		.toArray()
		.map((part) => (part.name === 'w:t' ? $(part).text() : ' '))
		.join('');
}

function wordTable($: CheerioAPI, table: Element): string {
	const rows = $(table)
		.children('w\\:tr')
		.toArray()
		.map((row) =>
			$(row)
				.children('w\\:tc')
				.toArray()
				.map((cell) => wordText($, cell)),
		);
	return tableHtml(rows);
}

/** A workbook as HTML: one heading and one table per sheet, in the workbook's order. */
export function workbookHtml(archive: Archive): string {
	const path = 'xl/workbook.xml';
	const $ = archive.xml(path);
	const targets = archive.relations(path);
	const strings = sharedStrings(archive);
	return $('sheet')
		.toArray()
		.map(({ attribs }) => {
			const rows = sheetRows(archive.xml(targets.get(attribs['r:id'] ?? '') ?? ''), strings);
			return `<h2>${escapeHtml(attribs.name ?? '')}</h2>\n${tableHtml(rows)}`;
		})
		.join('\n');
}

function sharedStrings(archive: Archive): string[] {
	const path = 'xl/sharedStrings.xml';
	if (archive.text(path) === undefined) return [];
	const $ = archive.xml(path);
	return $('si')
		.toArray()
		.map((item) => $(item).find('t').text());
}

function sheetRows($: CheerioAPI, strings: readonly string[]): string[][] {
	const rows = $('row')
		.toArray()
		.map((row) => {
			const cells: string[] = [];
			for (const cell of $(row).children('c').toArray()) {
				const { r = '', t } = cell.attribs;
				const value = $(cell)
					.find(t === 'inlineStr' ? 't' : 'v')
					.text();
				const shown = t === 's' ? (strings[Number(value)] ?? '') : value;
				cells[r ? columnOf(r) : cells.length] = t === 'b' ? String(shown === '1') : shown;
			}
			return Array.from(cells, (text) => text ?? '');
		});
	const width = Math.max(0, ...rows.map(({ length }) => length));
	return rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')]);
}

/** `A1` → 0, `AB7` → 27. */
function columnOf(reference: string): number {
	const letters = reference.replace(/\d+$/, '');
	return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** A presentation as HTML: each slide's title as a heading, then its paragraphs. */
export function slidesHtml(archive: Archive): string {
	const path = 'ppt/presentation.xml';
	const $ = archive.xml(path);
	const targets = archive.relations(path);
	return $('p\\:sldId')
		.toArray()
		.map(({ attribs }) => slideHtml(archive.xml(targets.get(attribs['r:id'] ?? '') ?? '')))
		.join('\n');
}

function slideHtml($: CheerioAPI): string {
	return $('p\\:sp')
		.toArray()
		.flatMap((shape) => {
			const title = /title$/i.test($(shape).find('p\\:ph').attr('type') ?? '');
			const tag = title ? 'h2' : 'p';
			return $(shape)
				.find('a\\:p')
				.toArray()
				.map((paragraph) => $(paragraph).find('a\\:t').text())
				.filter((text) => text !== '')
				.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`);
		})
		.join('\n');
}

/** What the container says about the document. */
export function officeProperties(archive: Archive): { title?: string; description?: string } {
	const path = 'docProps/core.xml';
	if (archive.text(path) === undefined) return {};
	const $ = archive.xml(path);
	const [title, description] = [$('dc\\:title').text(), $('dc\\:description').text()];
	return { ...(title && { title }), ...(description && { description }) };
}
