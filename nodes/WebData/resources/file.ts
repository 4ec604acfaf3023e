import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import { endpoint } from '../../runtime/http/endpoint';
import { operationError } from '../../runtime/errors/webDataError';
import { field, integer, oneOf, required, type Field } from '../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../runtime/form/form';
import { check, preview, ValidationFailure } from '../../runtime/form/schema';
import { settingsFields } from '../../runtime/form/settings';
import { operation, type OperationContext, type Resource } from '../../runtime/operation';
import { knownSize, plainFileName, sizeProblem } from '../../runtime/execution/files';
import { asRecord } from '../../runtime/execution/results';
import { isRecord } from '../../runtime/values/record';
import { settle } from '../../runtime/values/outcome';
import { lengthOfBeginning, namedFile } from '../documents/fileType';
import { documentResult, withPageText } from '../documents/judge';
import { fileFormats } from '../fields/formats';
import { costOf, more, prices } from '../fields/prices';
import { requestJson, withRequestJson } from '../fields/requestJson';
import { scrapeOptionGroup } from '../fields/scrapeOptions';

const parseFile = endpoint('POST', '/parse', 'scrape', 'mayChargeTwice');

/** The service's default timeout of a file, in milliseconds. */
const defaultTimeout = 30_000;

const isBinary = (value: unknown): value is IBinaryData =>
	isRecord(value) && typeof value.mimeType === 'string' && typeof value.data === 'string';

/** The file of an item by name, with all names of the item's files. */
const readInputFile = (name: unknown, files: IBinaryKeyData = {}) => ({
	name,
	file: typeof name === 'string' && Object.hasOwn(files, name) ? files[name] : undefined,
	names: Object.keys(files),
});

const unsupportedFile = ({ fileName = 'without a name', mimeType }: IBinaryData) =>
	`a file of an unsupported type: ${preview(fileName)} (${preview(mimeType)})`;

/** A file that the service can parse. */
const parsable = check((value) => {
	const { name, file, names } = isRecord(value) ? value : {};
	if (typeof name !== 'string' || name === '') return new ValidationFailure('is required');
	if (!isBinary(file)) {
		const there =
			Array.isArray(names) && names.length > 0
				? `its files are ${names.join(', ')}`
				: 'it has no files';
		return new ValidationFailure(
			`does not exist in this item: there is no ${preview(name)}, ${there}`,
		);
	}
	const size = knownSize(file);
	const problem = size === undefined ? undefined : sizeProblem(size);
	if (problem !== undefined) {
		return new ValidationFailure(
			`refers to a file that ${problem}: ${preview(file.fileName ?? name)}`,
		);
	}
	// A file that n8n stores elsewhere is looked at when it is opened.
	if (file.id !== undefined) return file;
	const beginning = Buffer.from(file.data.slice(0, 2 * lengthOfBeginning), 'base64');
	return namedFile(file, beginning) ?? new ValidationFailure(`refers to ${unsupportedFile(file)}`);
});

/** The file of the item to send. */
export const inputFile: Field<IBinaryData> = {
	...required(
		field(
			{
				displayName: 'Input Data Field Name',
				type: 'string',
				default: 'data',
				hint: 'The name of the input field that contains the file',
				description:
					'Binary field with a PDF, Office or OpenDocument file, RTF, EPUB, CSV, HTML or image, up to 50 MB',
			},
			parsable,
		),
	),
	read: ({ binaryPropertyName }, files) => readInputFile(binaryPropertyName, files),
};

const request = form({
	binaryPropertyName: inputFile,
	formats: fileFormats,
	...additionalFields({
		// The scrape options that apply to files, too, which are not visited.
		excludeTags: scrapeOptionGroup.excludeTags,
		includeTags: scrapeOptionGroup.includeTags,
		onlyMainContent: scrapeOptionGroup.onlyMainContent,
		parsers: scrapeOptionGroup.parsers,
		proxy: oneOf('Proxy', 'Proxy to use for resources that the file references', {
			default: 'auto',
			options: { auto: 'Auto', basic: 'Basic' },
		}),
		redactPII: scrapeOptionGroup.redactPII,
		requestJson,
		timeout: integer('Timeout', 'Max time for the file, in milliseconds, 1,000 to 300,000', {
			min: 1000,
			max: 300_000,
			unit: 'milliseconds',
			default: defaultTimeout,
		}),
	}),
});

/** Reads the file and validates what n8n only knows of a file on disk. */
async function open(data: IBinaryData, context: OperationContext): Promise<File> {
	const read = await settle(context.fileOf(data));
	const file = read.ok ? read.value : undefined;
	const beginning = await file?.slice(0, lengthOfBeginning).arrayBuffer();
	const named = beginning && namedFile(data, Buffer.from(beginning));
	if (file && named)
		return new File([file], plainFileName(named.fileName ?? '') ?? file.name, file);
	throw operationError(
		`The file ${data.fileName ?? ''} cannot be sent: ${read.ok ? `it is ${unsupportedFile(data)}` : read.error.message}`,
		'Nothing was sent and nothing was charged. Use another file.',
		context.errorSource,
	);
}

/** POST /parse, with options as a part of JSON (https://docs.firecrawl.dev/api-reference/endpoint/parse). */
export const parse = operation({
	name: 'Parse',
	value: 'parse',
	action: 'Parse file',
	description: `Parses a file, such as a PDF or spreadsheet, and returns its markdown or data. ${costOf('page')}, PDFs ${more('pdfPage')} per further page.`,
	costs: 'as Scrape',
	request: mapSchema(request, (schema) => withRequestJson(schema, ['scrapeOptions'])),
	settings: settingsFields(
		'passageQuery',
		'output',
		'downloadFiles',
		'maxCreditsPerExecution',
		'maxRetryTime',
	),
	async run({ binaryPropertyName: data, ...options }, context) {
		const file = await open(data, context);
		const body = new FormData();
		const asked = withPageText(options, context.settings.output);
		if (Object.keys(asked).length > 0) body.append('options', JSON.stringify(asked));
		body.append('file', file);
		const response = await context.send({
			endpoint: parseFile,
			body,
			serviceTimeout: options.timeout ?? defaultTimeout,
			price: prices.page.credits,
		});
		return [await documentResult(asRecord(response.body), context, 'files')];
	},
});

export const file: Resource = { name: 'File', value: 'file', operations: [parse] };
