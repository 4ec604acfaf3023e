import { unzipSync } from 'fflate';

import { readData } from './data.cjs';
import { ApiError } from './errors.cjs';
import type { ScrapeOptions } from './schemas/scrapeOptions.cjs';
import { type Opened, openPdf } from './scrape/formats.cjs';
import { metadataOfHtml, toMarkdown } from './site/html.cjs';

/** A file part of a form. In JSON (the log over HTTP) its bytes give way to their number. */
export class UploadedFile {
	constructor(
		readonly filename: string,
		readonly contentType: string,
		readonly body: Buffer,
	) {}

	toJSON(): { filename: string; contentType: string; bytes: number } {
		const { filename, contentType, body } = this;
		return { filename, contentType, bytes: body.length };
	}
}

/** A `multipart/form-data` body: its parts in the order sent, text parts as strings. */
export class MultipartBody {
	constructor(
		readonly parts: ReadonlyArray<readonly [name: string, value: string | UploadedFile]>,
	) {}
}

/** Reads a multipart body by the boundary in its content type; 400 for what is none. */
export async function readMultipart(body: Buffer, contentType: string): Promise<MultipartBody> {
	const form = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
	const parts = await form.formData().catch(() => {
		const error = 'Invalid multipart form-data request.';
		throw new ApiError(400, { code: 'BAD_REQUEST', error });
	});
	return new MultipartBody(
		await Promise.all(
			[...parts.entries()].map(async ([name, value]) => {
				if (typeof value === 'string') return [name, value] as const;
				const bytes = Buffer.from(await value.arrayBuffer());
				return [name, new UploadedFile(value.name, value.type, bytes)] as const;
			}),
		),
	);
}

/** Reads an uploaded file for the scrape's formats; 400 for a type that cannot be read, 500 for a false one. */
export function openFile(file: UploadedFile, options: ScrapeOptions): Opened {
	const { format } = fileTypeOf(file);
	const { body } = file;
	// The address that relative links in the file are resolved against: they lead nowhere.
	const url = `file:///${encodeURIComponent(file.filename)}`;
	try {
		if (format === 'pdf') return openPdf(url, body, options);
		const text = textOf(format, body);
		const opened = { url, body: Buffer.from(text), metadata: {}, markdown: text };
		if (format !== 'html') return opened;
		const metadata = metadataOfHtml(text);
		const markdown = toMarkdown(text);
		const content = { metadata, markdown, before: '', after: '', extras: {} };
		return { ...opened, metadata, markdown, content };
	} catch {
		throw new ApiError(500, {
			code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
			error: `The file ${file.filename} could not be read as ${format}`,
		});
	}
}

/** A page or a table as it is, and of office files and e-books the text of all their parts. */
function textOf(format: string, body: Buffer): string {
	if (format === 'html' || format === 'csv') return body.toString('utf8');
	const parts = unzipSync(body, { filter: ({ name }) => /\.x?(ht)?ml$/.test(name) });
	return Object.values(parts)
		.map((part) =>
			Buffer.from(part)
				.toString('utf8')
				.replace(/<[^>]*>/g, ''),
		)
		.join('\n\n');
}

/** A type of files. */
export interface FileType {
	format: string;
	kind: 'document' | 'spreadsheet' | 'presentation' | 'ebook' | 'image';
	extensions: readonly string[];
	mimeTypes: readonly string[];
	/** `false`: the service knows the type, and this installation cannot read it. */
	available: boolean;
}

/** Every type that the service takes. Binary formats before 2007, RTF and images are not available here. */
const fileTypes = readData<FileType[]>('data/fileTypes.json');

/** The type of a file by its name's extension, or without one as declared; throws the 400 of a type that cannot be read. */
export function fileTypeOf(file: { filename: string; contentType?: string }): FileType {
	const extension = /\.[^./\\]+$/.exec(file.filename)?.[0].toLowerCase();
	const found = fileTypes.find(({ extensions, mimeTypes }) =>
		extension === undefined
			? mimeTypes.includes(file.contentType ?? '')
			: extensions.includes(extension),
	);
	if (found?.available) return found;
	throw new ApiError(400, {
		code: 'UNSUPPORTED_FILE_TYPE',
		error: `Unsupported upload type. Supported file extensions: ${supported}`,
	});
}

const supported =
	'.html, .htm, .xhtml, .pdf, .docx, .doc, .docm, .odt, .ods, .odp, .rtf, .xlsx, .xls, .xlsm, ' +
	'.xlsb, .pptx, .ppt, .pptm, .epub, .csv';
