import { randomUUID } from 'node:crypto';

import { checkRights, requireCredits } from '../access.cjs';
import { withTimeout } from '../clock.cjs';
import type { Context } from '../context.cjs';
import { ApiError, timedOut } from '../errors.cjs';
import { fileTypeOf, MultipartBody, openFile, UploadedFile } from '../parse.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { pageCredits } from '../prices.cjs';
import { maxFileBytes, parseOptions, type ParseOptions } from '../schemas/parse.cjs';
import { type Document, documentFormats } from '../scrape/formats.cjs';

/** `POST /parse`. */
export function parseEndpoints(context: Context): ApiEndpoint[] {
	return endpoints({ scope: 'parse', rate: 'parse' }, [
		'POST /v2/parse',
		(call) => parse(context, call),
		{ work: true },
	]);
}

interface Task {
	file: UploadedFile;
	options: ParseOptions;
}

async function parse(context: Context, call: ApiCall): Promise<Answer> {
	const { team } = call.caller;
	const { file, options } = taskOf(call);
	if (file.body.length === 0) throw refused('The uploaded file is empty.');
	if (file.body.length > maxFileBytes) throw refused('The uploaded file is larger than 50 MB.');
	fileTypeOf(file);
	checkRights(call, options, {});
	requireCredits(context, call.caller, pageCredits(options));

	const elapsed = context.clock.now() - call.entry.at;
	const left = (options.timeout ?? 30_000) - elapsed;
	const { document, credits } = await withTimeout(context.clock, left, timedOut, async () => {
		await call.stall?.();
		return read(context, file, options);
	});
	const zdr = options.zeroDataRetention === true;
	const scrapeId = randomUUID();
	Object.assign(document.metadata, { scrapeId, creditsUsed: credits, concurrencyLimited: false });
	context.jobs.add(scrapeId, { teamId: team.id, ...(!zdr && { document }) });
	call.charge(credits, scrapeId);
	return { body: { success: true, data: document } };
}

const noFileInForm =
	"Missing file upload. Send multipart/form-data with a 'file' field and optional 'options' JSON string.";

const noFile =
	"Missing file upload. Send multipart/form-data with a 'file' field, or JSON with an 'uploadRef'.";

function refused(error: string): ApiError {
	return new ApiError(400, { code: 'BAD_REQUEST', error });
}

function taskOf({ body }: ApiCall): Task {
	if (!(body instanceof MultipartBody)) throw refused(noFile);
	const { parts } = body;
	const extra = parts.filter(([name], index) => {
		const known = name === 'file' || name === 'options';
		return !known || parts.findIndex(([first]) => first === name) !== index;
	});
	if (extra.length > 0) throw refused('Unexpected field');
	const { file, options } = Object.fromEntries(parts);
	if (!(file instanceof UploadedFile) || file.filename === '') throw refused(noFileInForm);
	return { file, options: parseOptions(optionsJson(options)) };
}

function optionsJson(text: string | UploadedFile | undefined): unknown {
	if (text === undefined) return {};
	const given = parsed(String(text));
	if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
	throw refused("The 'options' field must parse to a JSON object.");
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw refused('The part "options" is not valid JSON.');
	}
}

function read(
	context: Context,
	file: UploadedFile,
	options: ParseOptions,
): { document: Document; credits: number } {
	const opened = openFile(file, options);
	const fields = documentFormats(opened, options, context.files);
	const document: Document = {
		...fields,
		metadata: {
			...opened.metadata,
			sourceURL: file.filename,
			url: file.filename,
			statusCode: 200,
			contentType: file.contentType,
			proxyUsed: 'basic',
		},
	};
	return { document, credits: pageCredits(options, opened.pdf?.pages.length) };
}
