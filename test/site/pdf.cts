import { PDFDocument, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib';

import { markdownTokens } from './markdown.cjs';
import type { SitePage } from './site.cjs';

const a4 = { width: 595, height: 842 };
const margin = 64;

interface Block {
	text: string;
	size: number;
	bold: boolean;
	indent: number;
}

/**
 * The page as a PDF: its title, then its Markdown's headings, paragraphs, lists and table rows. A
 * horizontal rule in the Markdown starts a new page. Text has to be Latin-1 (standard fonts).
 */
export async function renderPdf(page: SitePage): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	const published = new Date(page.published);
	pdf.setTitle(page.title);
	pdf.setSubject(page.description);
	pdf.setLanguage(page.language);
	pdf.setCreationDate(published);
	pdf.setModificationDate(published);
	const regular = await pdf.embedFont(StandardFonts.Helvetica);
	const bold = await pdf.embedFont(StandardFonts.HelveticaBold);

	const title: Block = { text: page.title, size: 20, bold: true, indent: 0 };
	const sections = blocksByPage(page.markdown);
	for (const [index, blocks] of sections.entries()) {
		writePages(pdf, index === 0 ? [title, ...blocks] : blocks, { regular, bold });
	}
	const pages = pdf.getPages();
	for (const [index, sheet] of pages.entries()) {
		const footer = `Page ${index + 1} of ${pages.length}`;
		sheet.drawText(footer, { x: margin, y: margin / 2, size: 8, font: regular });
	}
	return Buffer.from(await pdf.save({ useObjectStreams: false }));
}

function writePages(
	pdf: PDFDocument,
	blocks: readonly Block[],
	fonts: { regular: PDFFont; bold: PDFFont },
): void {
	let sheet: PDFPage | undefined;
	let y = 0;
	for (const { text, size, bold, indent } of blocks) {
		const font = bold ? fonts.bold : fonts.regular;
		for (const line of wrap(text, font, size, a4.width - 2 * margin - indent)) {
			if (!sheet || y < margin + size) {
				sheet = pdf.addPage([a4.width, a4.height]);
				y = a4.height - margin - size;
			}
			sheet.drawText(line, { x: margin + indent, y, size, font });
			y -= size * 1.4;
		}
		y -= size * 0.6;
	}
}

function wrap(text: string, font: PDFFont, size: number, width: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(/\s+/)) {
		const longer = line ? `${line} ${word}` : word;
		if (line && font.widthOfTextAtSize(longer, size) > width) {
			lines.push(line);
			line = word;
		} else {
			line = longer;
		}
	}
	return [...lines, line];
}

function blocksByPage(markdown: string): Block[][] {
	const pages: Block[][] = [[]];
	const lists: Array<number | undefined> = [];
	let style = { size: 11, bold: false };
	let mark = '';
	let row: string[] | undefined;
	for (const token of markdownTokens(markdown)) {
		switch (token.type) {
			case 'hr':
				pages.push([]);
				break;
			case 'heading_open':
				style = { size: token.tag === 'h2' ? 15 : 13, bold: true };
				break;
			case 'heading_close':
				style = { size: 11, bold: false };
				break;
			case 'bullet_list_open':
				lists.push(undefined);
				break;
			case 'ordered_list_open':
				lists.push(1);
				break;
			case 'bullet_list_close':
			case 'ordered_list_close':
				lists.pop();
				break;
			case 'list_item_open': {
				const number = lists.pop();
				mark = number === undefined ? '\u2022 ' : `${number}. `;
				lists.push(number === undefined ? undefined : number + 1);
				break;
			}
			case 'tr_open':
				row = [];
				break;
			case 'tr_close':
				pages.at(-1)?.push({ text: (row ?? []).join(' | '), ...style, indent: 0 });
				row = undefined;
				break;
			case 'inline': {
				const text = plainText(token.children ?? []);
				if (row) row.push(text);
				else pages.at(-1)?.push({ text: mark + text, ...style, indent: lists.length * 14 });
				mark = '';
				break;
			}
			case 'fence':
			case 'code_block':
				for (const line of token.content.trimEnd().split('\n')) {
					pages.at(-1)?.push({ text: line, size: 9, bold: false, indent: 14 });
				}
				break;
		}
	}
	return pages;
}

function plainText(children: ReturnType<typeof markdownTokens>): string {
	return children
		.map((child) => {
			if (child.type === 'softbreak' || child.type === 'hardbreak') return ' ';
			return child.type === 'text' || child.type === 'code_inline' ? child.content : '';
		})
		.join('');
}
