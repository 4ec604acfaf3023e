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

/** Lines by their height on the page; a larger gap ends a paragraph, larger type is a heading. */
function paragraphs(items: readonly TextItem[]): string {
	const blocks: Array<{ text: string; size: number }> = [];
	let last: { y: number; size: number } | undefined;
	for (const { str, transform } of items) {
		if (str.trim() === '') continue;
		const [size, y] = [transform[0], transform[5]];
		const current = blocks.at(-1);
		const sameLine = last && Math.abs(last.y - y) < 1;
		const nextLine = last && last.size === size && last.y - y > 0 && last.y - y < size * 1.6;
		if (current && (sameLine || nextLine)) current.text += ` ${str.trim()}`;
		else blocks.push({ text: str.trim(), size });
		last = { y, size };
	}
	const usual = defaultSize(blocks);
	return blocks
		.map(({ text, size }) => {
			if (size > usual * 1.7) return `# ${text}`;
			if (size > usual * 1.15) return `## ${text}`;
			return text.replace(/^• */, '- ');
		})
		.join('\n\n');
}

/** The type size that most letters are set in. */
function defaultSize(blocks: ReadonlyArray<{ text: string; size: number }>): number {
	const letters = new Map<number, number>();
	for (const { text, size } of blocks) letters.set(size, (letters.get(size) ?? 0) + text.length);
	const [most] = [...letters.entries()].sort((a, b) => b[1] - a[1]);
	return most?.[0] ?? 0;
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
	};
}
