import { load } from 'cheerio';
import { unzipSync } from 'fflate';

import { escapeHtml } from '../../site/escapeHtml.cjs';
import { ApiError } from '../errors.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Opened } from '../scrape/formats.cjs';
import { pageMetadata } from '../scrape/metadata.cjs';
import { openPdf } from '../scrape/openPdf.cjs';
import { fileTypeOf } from './fileTypes.cjs';
import type { UploadedFile } from './multipart.cjs';

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

/** A page as it is, a table as its text, and of office files and e-books the text of all their parts. */
function htmlOf(format: string, body: Buffer): string {
	if (format === 'html') return body.toString('utf8');
	if (format === 'csv') return `<pre>${escapeHtml(body.toString('utf8'))}</pre>`;
	const parts = unzipSync(body, { filter: ({ name }) => /\.x?(ht)?ml$/.test(name) });
	const texts = Object.values(parts).map((part) => load(Buffer.from(part), { xml: true }).text());
	return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
}
