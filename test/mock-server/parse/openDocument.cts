import type { CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';

import { escapeHtml } from '../../site/escapeHtml.cjs';
import type { Archive } from './archive.cjs';
import { tableHtml } from './tableHtml.cjs';

/** An OpenDocument text, spreadsheet or presentation as HTML. */
export function openDocumentHtml(archive: Archive): string {
	const $ = archive.xml('content.xml');
	return blocks($, $('office\\:body').children().children().toArray());
}

function blocks($: CheerioAPI, elements: readonly Element[]): string {
	return elements.map((element) => block($, element)).join('\n');
}

function block($: CheerioAPI, element: Element): string {
	const text = escapeHtml($(element).text());
	switch (element.name) {
		case 'text:h': {
			const level = Math.min(6, Number(element.attribs['text:outline-level'] ?? 1));
			return `<h${level}>${text}</h${level}>`;
		}
		case 'text:p':
			return text && `<p>${text}</p>`;
		case 'text:list': {
			const items = $(element).children('text\\:list-item').toArray();
			const lines = items.map((item) => `<li>${escapeHtml($(item).text())}</li>`);
			return `<ul>${lines.join('')}</ul>`;
		}
		case 'table:table':
			return `<h2>${escapeHtml(element.attribs['table:name'] ?? '')}</h2>\n${table($, element)}`;
		default:
			return blocks($, $(element).children().toArray());
	}
}

function table($: CheerioAPI, element: Element): string {
	const rows = $(element)
		.find('table\\:table-row')
		.toArray()
		.map((row) =>
			$(row)
				.children('table\\:table-cell')
				.toArray()
				.flatMap((cell) => {
					const text = $(cell).text();
					const times = Number(cell.attribs['table:number-columns-repeated'] ?? 1);
					// Sheets fill their last row to the right with one empty cell, repeated.
					return text === '' && times > 100 ? [] : Array<string>(times).fill(text);
				}),
		)
		.filter((cells) => cells.some((text) => text !== ''));
	return tableHtml(rows);
}
