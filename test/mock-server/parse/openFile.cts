import { escapeHtml } from '../../site/escapeHtml.cjs';
import { ApiError } from '../errors.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Opened } from '../scrape/formats.cjs';
import { pageMetadata } from '../scrape/metadata.cjs';
import { openPdf } from '../scrape/openPdf.cjs';
import { Archive } from './archive.cjs';
import { csvRows } from './csv.cjs';
import { epubHtml } from './epub.cjs';
import { fileTypeOf } from './fileTypes.cjs';
import type { UploadedFile } from './multipart.cjs';
import { officeProperties, slidesHtml, wordHtml, workbookHtml } from './officeOpenXml.cjs';
import { openDocumentHtml } from './openDocument.cjs';
import { tableHtml } from './tableHtml.cjs';

/**
 * Reads an uploaded file, so that the scrape's formats can be made of it. Throws 400 for a type that
 * cannot be read, 500 for a file that is not what its name says.
 */
export async function openFile(file: UploadedFile, options: ScrapeOptions): Promise<Opened> {
	const { format } = fileTypeOf(file.filename);
	const { body } = file;
	// The address that relative links in the file are resolved against: they lead nowhere.
	const url = `file:///${encodeURIComponent(file.filename)}`;
	try {
		if (format === 'pdf') return await openPdf({ url, body }, options);
		const html = htmlOf(format, body);
		return { url, body, html, metadata: pageMetadata(html, url) };
	} catch {
		throw new ApiError(500, {
			code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
			error: `The file ${file.filename} could not be read as ${format}`,
		});
	}
}

function htmlOf(format: string, body: Buffer): string {
	if (format === 'html') return body.toString('utf8');
	if (format === 'csv') return page(tableHtml(csvRows(body.toString('utf8'))), {});
	const archive = new Archive(body);
	if (format === 'epub') {
		const { html, title } = epubHtml(archive);
		return page(html, { title });
	}
	return page(contents[format](archive), officeProperties(archive));
}

const contents: Record<string, (archive: Archive) => string> = {
	docx: wordHtml,
	xlsx: workbookHtml,
	pptx: slidesHtml,
	odt: openDocumentHtml,
	ods: openDocumentHtml,
	odp: openDocumentHtml,
};

function page(
	html: string,
	{ title, description }: { title?: string; description?: string },
): string {
	const head = [
		title && `<title>${escapeHtml(title)}</title>`,
		description && `<meta name="description" content="${escapeHtml(description)}">`,
	];
	return `<!doctype html><html><head>${head.filter(Boolean).join('')}</head><body>\n${html}\n</body></html>`;
}
