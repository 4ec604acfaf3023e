import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Opened } from './formats.cjs';
import { layoutBlocks, parsePdf } from './pdf.cjs';

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
