import { unzipSync } from 'fflate';
import { randomUUID } from 'node:crypto';

import { checkRights, requireCredits } from '../access.cjs';
import { withTimeout } from '../clock.cjs';
import type { Context } from '../context.cjs';
import { ApiError, timedOut } from '../errors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { pageCredits } from '../prices.cjs';
import { maxFileBytes, parseOptions } from '../schemas/parse.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { type Document, documentFormats, type Opened, openPdf } from '../scrape/formats.cjs';
import { metadataOfHtml, toMarkdown } from '../site/html.cjs';

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
		throw refused('Invalid multipart form-data request.');
	});
	const read = [...parts.entries()].map(async ([name, value]) => {
		if (typeof value === 'string') return [name, value] as const;
		const bytes = Buffer.from(await value.arrayBuffer());
		return [name, new UploadedFile(value.name, value.type, bytes)] as const;
	});
	return new MultipartBody(await Promise.all(read));
}

/** `POST /parse`. */
export function parseEndpoints(context: Context): ApiEndpoint[] {
	return endpoints({ scope: 'parse', rate: 'parse' }, [
		'POST /v2/parse',
		(call) => parse(context, call),
		{ work: true },
	]);
}

async function parse(context: Context, call: ApiCall): Promise<Answer> {
	const { team } = call.caller;
	const { file, options } = taskOf(call);
	if (file.body.length === 0) throw refused('The uploaded file is empty.');
	if (file.body.length > maxFileBytes) throw refused('The uploaded file is larger than 50 MB.');
	const format = formatOf(file);
	checkRights(call, options, {});
	requireCredits(context, call.caller, pageCredits(options));

	const elapsed = context.clock.now() - call.entry.at;
	const left = (options.timeout ?? 30_000) - elapsed;
	const opened = await withTimeout(context.clock, left, timedOut, async () => {
		await call.stall?.();
		return open(file, format, options);
	});
	const { filename, contentType } = file;
	const scrapeId = randomUUID();
	const creditsUsed = pageCredits(options, opened.pdf?.pages.length);
	const document: Document = {
		...documentFormats(opened, options, context.files),
		metadata: {
			...opened.metadata,
			...{ sourceURL: filename, url: filename, statusCode: 200, contentType },
			...{ proxyUsed: 'basic', scrapeId, creditsUsed, concurrencyLimited: false },
		},
	};
	const isKept = options.zeroDataRetention !== true;
	const at = context.clock.now();
	context.scrapes.set(scrapeId, { teamId: team.id, at, ...(isKept && { document }) });
	call.charge(creditsUsed, scrapeId);
	return { body: { success: true, data: document } };
}

const noFileInForm =
	"Missing file upload. Send multipart/form-data with a 'file' field and optional 'options' JSON string.";

const noFile =
	"Missing file upload. Send multipart/form-data with a 'file' field, or JSON with an 'uploadRef'.";

function refused(error: string): ApiError {
	return new ApiError(400, { code: 'BAD_REQUEST', error });
}

function taskOf({ body }: ApiCall) {
	if (!(body instanceof MultipartBody)) throw refused(noFile);
	const { parts } = body;
	const { file, options = '{}', ...others } = Object.fromEntries(parts);
	const isDoubled = parts.length > new Set(parts.map(([name]) => name)).size;
	if (isDoubled || Object.keys(others).length > 0) throw refused('Unexpected field');
	if (!(file instanceof UploadedFile) || file.filename === '') throw refused(noFileInForm);
	return { file, options: parseOptions(parsed(String(options))) };
}

function parsed(text: string): object {
	try {
		const given: unknown = JSON.parse(text);
		if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
	} catch {
		throw refused('The part "options" is not valid JSON.');
	}
	throw refused("The 'options' field must parse to a JSON object.");
}

/** The extensions of files that are read here, by how they are read. */
const formats = {
	pdf: ['pdf'],
	html: ['html', 'htm', 'xhtml'],
	csv: ['csv'],
	zip: 'docx docm odt ods odp xlsx xlsm pptx pptm epub'.split(' '),
};
type FileFormat = keyof typeof formats;

/** How a file is read, by its name's extension, or without one as declared; throws the 400 of a type that is not. */
function formatOf({ filename, contentType }: UploadedFile): FileFormat {
	const [, declared] = contentType.split('/');
	const [, extension = declared] = /\.([^./\\]+)$/.exec(filename) ?? [];
	const known: FileFormat[] = ['pdf', 'html', 'csv', 'zip'];
	const found = known.find((format) => formats[format].includes(extension.toLowerCase()));
	if (found) return found;
	throw new ApiError(400, {
		code: 'UNSUPPORTED_FILE_TYPE',
		error: `Unsupported upload type. Supported file extensions: ${supported}`,
	});
}

/** As the service lists them. */
const supported =
	'.html, .htm, .xhtml, .pdf, .docx, .doc, .docm, .odt, .ods, .odp, .rtf, .xlsx, .xls, .xlsm, ' +
	'.xlsb, .pptx, .ppt, .pptm, .epub, .csv';

/** Reads an uploaded file; 500 for one that is not what it says. */
function open(
	{ filename, body }: UploadedFile,
	format: FileFormat,
	options: ScrapeOptions,
): Opened {
	// The address that relative links in the file are resolved against: they lead nowhere.
	const url = `file:///${encodeURIComponent(filename)}`;
	try {
		if (format === 'pdf') return openPdf(url, body, options);
		const text = format === 'zip' ? unzippedText(body) : body.toString('utf8');
		const opened = { url, body: Buffer.from(text), metadata: {}, markdown: text };
		if (format !== 'html') return opened;
		const metadata = metadataOfHtml(text);
		const markdown = toMarkdown(text);
		const content = { metadata, markdown, before: '', after: '', extras: {} };
		return { ...opened, metadata, markdown, content };
	} catch {
		throw new ApiError(500, {
			code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
			error: `The file ${filename} could not be read as ${format}`,
		});
	}
}

/** The text of all parts of an office file or an e-book. */
const unzippedText = (body: Buffer): string =>
	Object.values(unzipSync(body, { filter: ({ name }) => /\.x?(ht)?ml$/.test(name) }))
		.map((part) =>
			Buffer.from(part)
				.toString('utf8')
				.replace(/<[^>]*>/g, ''),
		)
		.join('\n\n');
