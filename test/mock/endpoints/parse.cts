import { unzipSync } from 'fflate';
import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, badRequest } from '../errors.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';
import { pageCredits } from '../prices.cjs';
import { parseBody, stamps } from '../schemas/fields.cjs';
import { optionsObject, type ScrapeOptions } from '../schemas/scrapeOptions.cjs';
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
export function parseEndpoints(context: Context): Endpoints {
	return { 'POST /v2/parse': (call) => parse(context, call) };
}

async function parse(context: Context, call: ApiCall): Promise<Answer> {
	const { team } = call;
	const { file, options } = taskOf(call);
	requireCredits(context, call.team, pageCredits(options));

	const opened = open(file, options);
	const { filename, contentType } = file;
	const scrapeId = randomUUID();
	const creditsUsed = pageCredits(options, opened.numPages);
	const document: Document = {
		...documentFormats(opened, options, context.files),
		metadata: {
			...opened.metadata,
			...{ sourceURL: filename, url: filename, statusCode: 200, contentType },
			...{ proxyUsed: 'basic', scrapeId, creditsUsed, concurrencyLimited: false },
		},
	};
	const isKept = options.zeroDataRetention !== true;
	context.scrapes.set(scrapeId, { teamId: team.id, ...(isKept && { document }) });
	call.charge(creditsUsed, scrapeId);
	return { body: { success: true, data: document } };
}

function refused(error: string): ApiError {
	return new ApiError(400, { code: 'BAD_REQUEST', error });
}

function taskOf({ body }: ApiCall) {
	const missing = 'Missing file upload. Send multipart/form-data with a';
	if (!(body instanceof MultipartBody)) {
		throw refused(`${missing} 'file' field, or JSON with an 'uploadRef'.`);
	}
	const { file, options = '{}', ...others } = Object.fromEntries(body.parts);
	const isDoubled = body.parts.length > new Set(body.parts.map(([name]) => name)).size;
	if (isDoubled || Object.keys(others).length > 0) throw refused('Unexpected field');
	if (!(file instanceof UploadedFile) || file.filename === '') {
		throw refused(`${missing} 'file' field and optional 'options' JSON string.`);
	}
	return { file, options: parseOptions(parsed(String(options))) };
}

function parsed(text: string): object {
	const given: unknown = JSON.parse(text);
	if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
	throw refused("The 'options' field must parse to a JSON object.");
}

const parseRequest = optionsObject
	.omit({
		...{ minAge: true, waitFor: true, mobile: true, fastMode: true, actions: true },
		...{ location: true, storeInCache: true, threatProtection: true },
	})
	.extend({
		proxy: z.enum(['basic', 'auto']).optional(),
		zeroDataRetention: z.boolean().optional(),
		...stamps,
	});

/** What a scrape takes and a file does not, in the words of the refusal. */
const unsupported = new Map([
	['actions', 'actions'],
	['waitFor', 'waitFor'],
	['mobile', 'mobile rendering'],
	['location', 'location overrides'],
	['branding', 'branding output'],
	['screenshot', 'screenshot output'],
	['changeTracking', 'change tracking'],
]);

/** As much of the options as says what is asked for. */
const asked = z.looseObject({
	formats: z
		.array(z.union([z.string(), z.looseObject({ type: z.string() }).transform(({ type }) => type)]))
		.catch([]),
	proxy: z.unknown(),
});

/** Reads the `options` of a multipart request, or throws the 400. */
function parseOptions(given: unknown): z.output<typeof parseRequest> {
	const { formats, proxy, ...others } = asked.parse(given);
	if (formats.includes('rawBase64')) {
		const message = 'The rawBase64 format is not supported for parse uploads';
		throw badRequest([{ code: 'custom', path: [], message }], message);
	}
	const [words] = [...Object.keys(others), ...formats].flatMap(
		(name) => unsupported.get(name) ?? [],
	);
	const rule =
		proxy === 'stealth' || proxy === 'enhanced'
			? 'only support proxy values of auto or basic'
			: words && `do not support ${words}`;
	if (rule) {
		const error = `Parse uploads ${rule}.`;
		throw new ApiError(400, { code: 'PARSE_UNSUPPORTED_OPTIONS', error });
	}
	return parseBody(parseRequest, given);
}

/** As the service lists them. */
const supported =
	'.html, .htm, .xhtml, .pdf, .docx, .doc, .docm, .odt, .ods, .odp, .rtf, .xlsx, .xls, .xlsm, ' +
	'.xlsb, .pptx, .ppt, .pptm, .epub, .csv';

/** Reads an uploaded file by its name's extension, or without one as declared. */
function open({ filename, contentType, body }: UploadedFile, options: ScrapeOptions): Opened {
	const [, declared] = contentType.split('/');
	const [, extension = declared] = /\.([^./\\]+)$/.exec(filename.toLowerCase()) ?? [];
	if (!supported.split(', ').includes(`.${extension}`)) {
		const error = `Unsupported upload type. Supported file extensions: ${supported}`;
		throw new ApiError(400, { code: 'UNSUPPORTED_FILE_TYPE', error });
	}
	// The address that relative links in the file are resolved against: they lead nowhere.
	const url = `file:///${encodeURIComponent(filename)}`;
	if (extension === 'pdf') return openPdf(url, body, options);
	const isText = extension === 'csv' || extension.includes('htm');
	const text = isText ? body.toString('utf8') : unzippedText(body);
	const opened = { url, body: Buffer.from(text), metadata: {}, markdown: text };
	if (!extension.includes('htm')) return opened;
	const metadata = metadataOfHtml(text);
	const markdown = toMarkdown(text);
	const content = { metadata, markdown, before: '', after: '' };
	return { ...opened, metadata, markdown, content };
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
