import pdfParse from 'pdf-parse/lib/pdf-parse.js';

import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Opened } from './formats.cjs';

type PdfParser = Extract<NonNullable<ScrapeOptions['parsers']>[number], { type: 'pdf' }>;

export interface ParsedPdf {
	title?: string;
	markdown: string;
	pages: Array<{ pageNumber: number; markdown: string }>;
	totalPages: number;
}

interface TextItem {
	str: string;
	transform: number[];
}

/** The text of a PDF, one paragraph per block of lines. Scans hold none: OCR modes read the same. */
export async function parsePdf(body: Buffer, parser: PdfParser): Promise<ParsedPdf> {
	const pages: ParsedPdf['pages'] = [];
	// A copy: the library reads the memory around a small Buffer, which is shared with others.
	const document = await pdfParse(new Uint8Array(body), {
		max: parser.maxPages ?? 0,
		async pagerender(page) {
			const { items } = await page.getTextContent();
			const markdown = paragraphs(items);
			pages.push({ pageNumber: pages.length + 1, markdown });
			return markdown;
		},
	});
	const markdown = pages.reduce((text, page, index) => {
		if (index === 0) return page.markdown;
		const marker = parser.pageMarkers ? `---\n\n<!-- page ${page.pageNumber} -->\n\n` : '';
		return `${text}\n\n${marker}${page.markdown}`;
	}, '');
	return { title: document.info?.Title, markdown, pages, totalPages: document.numpages };
}

/** Layout blocks of the parsed pages: one per paragraph, evenly spread down the page. */
function layoutBlocks({ pages }: ParsedPdf): unknown[] {
	return pages.map(({ pageNumber, markdown }) => {
		const texts = markdown.split('\n\n');
		const items = texts.map((content, index) => ({
			id: `p${pageNumber}-${index + 1}`,
			type: content.startsWith('#') ? 'section_header' : 'text',
			bbox: [0.1, index / texts.length, 0.9, (index + 1) / texts.length],
			content,
			readingOrder: index + 1,
		}));
		return { pageNumber, width: 595, height: 842, status: 'ok', items };
	});
}

/** Lines by their height on the page; a larger gap ends a paragraph, type larger than the last one's is a heading. */
function paragraphs(items: readonly TextItem[]): string {
	const blocks: Array<{ text: string; size: number; y: number }> = [];
	for (const { str, transform } of items) {
		const text = str.trim();
		const [size, y] = [transform[0], transform[5]];
		const last = blocks.at(-1);
		if (text === '') continue;
		if (last && last.size === size && last.y - y < size * 1.6) {
			Object.assign(last, { text: `${last.text} ${text}`, y });
		} else blocks.push({ text, size, y });
	}
	const usual = blocks.at(-1)?.size ?? 0;
	const heading = (size: number) => (size > usual * 1.7 ? '# ' : size > usual * 1.15 ? '## ' : '');
	return blocks.map(({ text, size }) => heading(size) + text.replace(/^• */, '- ')).join('\n\n');
}

/** Reads a PDF; without the pdf parser in the list the file itself is the content, in base64. */
export async function openPdf(
	{ url, body }: { url: string; body: Buffer },
	options: ScrapeOptions,
): Promise<Opened> {
	const { parsers = [{ type: 'pdf' as const }] } = options;
	const parser = parsers.find((each) => each.type === 'pdf');
	if (!parser) return { url, body, metadata: {}, text: body.toString('base64') };
	const pdf = await parsePdf(body, parser);
	return {
		url,
		body,
		metadata: { title: pdf.title, numPages: pdf.pages.length, totalPages: pdf.totalPages },
		text: pdf.markdown,
		pdf,
		...(parser.pages && { pages: pdf.pages }),
		...(parser.blocks && { blocks: layoutBlocks(pdf) }),
	};
}
