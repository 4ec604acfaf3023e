import { NodeApiError, type IBinaryData, type IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import type { Endpoint } from '../../../runtime/api/endpoint';
import type { Request, Upload } from '../../../runtime/http/client';
import { operationError, withoutItemMark } from '../../../runtime/api/errors';
import { integer, oneOf } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import { operation, type OperationContext } from '../../../runtime/operation/operation';
import { settle } from '../../../runtime/values/settle';
import { parseUrl } from '../../../runtime/values/parseUrl';
import { isRecord, fieldOf } from '../../../runtime/values/record';
import { asRecord } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { documentResult } from '../../documents/document';
import { callerFields } from '../../fields/caller';
import { fileFormats } from '../../fields/formats';
import { outputField, passageQueryField } from '../../../runtime/form/resultSettings';
import { inputFile, sizeProblem } from '../../fields/inputFile';
import { costOf, more, pageKind, pagePrice } from '../../fields/prices';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { scrapeOptionGroup, scrapeOptionNames } from '../../fields/scrapeOptions';
import { zeroDataRetention } from '../../fields/zeroDataRetention';
import { fact, forCaller, forUser } from '../../../runtime/api/sentence';

/**
 * The scrape options that apply to files, too, which are not visited
 * (https://docs.firecrawl.dev/api-reference/endpoint/parse).
 */
const shared = {
	auditMetadata: scrapeOptionGroup.auditMetadata,
	blockAds: scrapeOptionGroup.blockAds,
	checkPromptInjection: scrapeOptionGroup.checkPromptInjection,
	excludeTags: scrapeOptionGroup.excludeTags,
	headers: scrapeOptionGroup.headers,
	includeTags: scrapeOptionGroup.includeTags,
	onlyMainContent: scrapeOptionGroup.onlyMainContent,
	parsers: scrapeOptionGroup.parsers,
	redactPII: scrapeOptionGroup.redactPII,
	removeBase64Images: scrapeOptionGroup.removeBase64Images,
	skipTlsVerification: scrapeOptionGroup.skipTlsVerification,
	zeroDataRetention,
};

const request = form({
	binaryPropertyName: inputFile,
	formats: fileFormats,
	...additionalFields({
		...shared,
		proxy: oneOf({
			displayName: 'Proxy',
			default: 'auto',
			options: [
				{ name: 'Auto', value: 'auto' },
				{ name: 'Basic', value: 'basic' },
			],
			description: 'Proxy to use for resources that the file references',
		}),
		requestJson,
		timeout: integer({
			displayName: 'Timeout',
			min: 1000,
			max: 300_000,
			unit: 'milliseconds',
			default: 30_000,
			description: 'Max time for the file, in milliseconds, 1,000 to 300,000',
		}),
		uploadMethod: oneOf({
			displayName: 'Upload Method',
			default: 'multipart',
			options: [
				{ name: 'Presigned Upload', value: 'presigned', description: 'For large files' },
				{ name: 'Multipart', value: 'multipart' },
			],
			description: 'How to upload the file',
		}),
	}),
	...callerFields,
});

type ParseRequest = z.output<typeof request.schema>;
type ParseOptions = Omit<ParseRequest, 'binaryPropertyName' | 'uploadMethod'>;

/**
 * The service's default timeout of a file, in milliseconds
 * (https://docs.firecrawl.dev/api-reference/endpoint/parse).
 */
const defaultTimeout = 30_000;

/** Opens the file and validates properties that n8n does not validate. */
async function open(data: IBinaryData, context: OperationContext): Promise<File> {
	const reject = (problem: string) =>
		operationError(
			`The file ${data.fileName ?? ''} ${problem}`,
			[fact('Nothing was sent and nothing was charged.'), forUser('Use another file.')],
			context.errorSource,
		);
	const opened = await settle(context.fileOf(data));
	if (!opened.ok) {
		throw reject(`cannot be read from n8n's storage: ${opened.error.message}`);
	}
	const problem = sizeProblem(opened.value.size);
	if (problem !== undefined) throw reject(problem);
	return opened.value;
}

const isPdfFile = ({ name, type }: File) => type === 'application/pdf' || pageKind(name) === 'PDF';

const parseFile: Endpoint = {
	method: 'POST',
	path: '/parse',
	bucket: 'scrape',
	retrySafety: 'mayChargeTwice',
	since: 'April 2026',
	instead: `For a file on the web, use 'Scrape' of the page with its URL.`,
};

const requestUpload: Endpoint = {
	method: 'POST',
	path: '/parse/upload-url',
	bucket: 'scrape',
	retrySafety: 'free',
	since: 'August 2026',
	instead: `Set 'Upload Method' to Multipart.`,
};

/** POST /parse, with a file or a reference to one. */
const parsing = (body: object, file: File, options: ParseOptions): Request => ({
	endpoint: parseFile,
	body,
	serviceTimeout: options.timeout ?? defaultTimeout,
	price: pagePrice(options, isPdfFile(file) ? 'PDF' : 'file'),
});

/** POST /parse as multipart, with the options as one part of JSON. */
async function parseDirectly(file: File, options: ParseOptions, context: OperationContext) {
	const body = new FormData();
	if (Object.keys(options).length > 0) body.append('options', JSON.stringify(options));
	body.append('file', file);
	return await context.send(parsing(body, file, options));
}

const textFields = (value: unknown): Record<string, string> =>
	Object.fromEntries(
		Object.entries(isRecord(value) ? value : {}).map(([name, field]) => [name, String(field)]),
	);

const headerOf = (headers: unknown, wanted: string) =>
	Object.entries(textFields(headers)).find(([name]) => name.toLowerCase() === wanted)?.[1];

/**
 * The target of an upload: a plain PUT, or a POST with the file as a form's last part
 * (https://docs.firecrawl.dev/api-reference/endpoint/parse).
 */
async function uploadOf(
	place: IDataObject,
	data: IBinaryData,
	file: File,
	context: OperationContext,
): Promise<Upload> {
	const { uploadUrl, method, headers: given, fields: parts } = place;
	const target = parseUrl(String(uploadUrl));
	if (!target || !['http:', 'https:'].includes(target.protocol)) {
		throw operationError(
			'The server returned no URL for the upload',
			[forUser(`Set 'Upload Method' to Multipart.`)],
			context.errorSource,
		);
	}
	const to = { url: target.href, headers: textFields(given) };
	if (method !== 'POST') {
		// A file is sent with its own type instead of the given header's.
		const type = headerOf(given, 'content-type') ?? file.type;
		const body = type === file.type ? file : await context.fileOf({ ...data, mimeType: type });
		return { ...to, method: 'PUT', body };
	}
	const body = new FormData();
	for (const [name, field] of Object.entries(textFields(parts))) body.append(name, field);
	body.append('file', file);
	return { ...to, method, body };
}

/** Uploads the file to its presigned URL. An error there does not concern the credential. */
async function uploadFile(upload: Upload, context: OperationContext): Promise<void> {
	const sent = await settle(context.upload(upload));
	if (sent.ok) return;
	if (!(sent.error instanceof NodeApiError)) throw sent.error;
	const message = withoutItemMark(sent.error.message);
	throw operationError(
		{
			text: `The file could not be uploaded to ${new URL(upload.url).host}: ${message}`,
			own: 'The file could not be uploaded',
		},
		[
			fact('Nothing was charged.'),
			forCaller('Try again.'),
			forUser(`Set 'Upload Method' to send the file with the request.`),
		],
		context.errorSource,
	);
}

/** Uploads the file to a presigned URL, then sends POST /parse with a reference to it. */
async function parseUploaded(
	data: IBinaryData,
	file: File,
	options: ParseOptions,
	context: OperationContext,
) {
	const uploadRequest: Request = {
		endpoint: requestUpload,
		body: { filename: file.name, contentType: file.type, declaredSizeBytes: file.size },
	};
	const reading = (uploadRef: unknown) => parsing({ uploadRef, ...options }, file, options);
	await context.plan([uploadRequest, reading('as the first request returns it')]);
	const response = await context.send(uploadRequest);
	const place = asRecord(fieldOf(response.body, 'data'));
	await uploadFile(await uploadOf(place, data, file, context), context);
	return await context.send(reading(place.uploadRef));
}

/** POST /parse (https://docs.firecrawl.dev/api-reference/endpoint/parse). */
export const parse = operation({
	name: 'Parse',
	value: 'parse',
	action: 'Parse a file',
	description: `Parses a file of the input item, such as a PDF, Word document or spreadsheet, and returns its content as markdown or data. ${costOf('page')}, PDFs ${more('pdfPage')} per further page.`,
	costs: 'as Scrape',
	request: mapSchema(request, (schema) =>
		withRequestJson(schema, [...scrapeOptionNames, 'scrapeOptions']),
	),
	settings: [
		passageQueryField,
		outputField,
		...settingsFields({ responds: true, files: true, largeDocuments: true, documents: true }),
	],
	async run({ binaryPropertyName: data, uploadMethod, ...options }, context) {
		const file = await open(data, context);
		const response =
			uploadMethod === 'presigned'
				? await parseUploaded(data, file, options, context)
				: await parseDirectly(file, options, context);
		return [documentResult(response.body as IDataObject, context.settings.output, context)];
	},
});
