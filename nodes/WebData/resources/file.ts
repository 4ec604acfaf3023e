import type { IBinaryData } from 'n8n-workflow';
import type { Endpoint } from '../../runtime/http/endpoint';
import { operationError } from '../../runtime/errors/message';
import { integer, oneOf } from '../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import { operation, type OperationContext, type Resource } from '../../runtime/operation/operation';
import { asRecord } from '../../runtime/output/results';
import { settle } from '../../runtime/values/settle';
import { documentResult } from '../documents/document';
import { fileFormats } from '../fields/formats';
import { inputFile, sizeProblem } from '../fields/inputFile';
import { costOf, more, prices } from '../fields/prices';
import { requestJson, withRequestJson } from '../fields/requestJson';
import { scrapeOptionGroup } from '../fields/scrapeOptions';

const parseFile: Endpoint = {
	method: 'POST',
	path: '/parse',
	bucket: 'scrape',
	retrySafety: 'mayChargeTwice',
};

/**
 * The service's default timeout of a file, in milliseconds
 * (https://docs.firecrawl.dev/api-reference/endpoint/parse).
 */
const defaultTimeout = 30_000;

const request = form({
	binaryPropertyName: inputFile,
	formats: fileFormats,
	...additionalFields({
		// The scrape options that apply to files, too, which are not visited.
		excludeTags: scrapeOptionGroup.excludeTags,
		includeTags: scrapeOptionGroup.includeTags,
		onlyMainContent: scrapeOptionGroup.onlyMainContent,
		parsers: scrapeOptionGroup.parsers,
		proxy: oneOf({
			displayName: 'Proxy',
			default: 'auto',
			options: [
				{ name: 'Auto', value: 'auto' },
				{ name: 'Basic', value: 'basic' },
			],
			description: 'Proxy to use for resources that the file references',
		}),
		redactPII: scrapeOptionGroup.redactPII,
		requestJson,
		timeout: integer({
			displayName: 'Timeout',
			min: 1000,
			max: 300_000,
			unit: 'milliseconds',
			default: defaultTimeout,
			description: 'Max time for the file, in milliseconds, 1,000 to 300,000',
		}),
	}),
});

/** Opens the file and validates properties that n8n does not validate. */
async function open(data: IBinaryData, context: OperationContext): Promise<File> {
	const reject = (problem: string) =>
		operationError(
			`The file ${data.fileName ?? ''} ${problem}`,
			'Nothing was sent and nothing was charged. Use another file.',
			context.errorSource,
		);
	const opened = await settle(context.fileOf(data));
	if (!opened.ok) throw reject(`cannot be read from n8n's storage: ${opened.error.message}`);
	const problem = sizeProblem(opened.value.size);
	if (problem !== undefined) throw reject(problem);
	return opened.value;
}

/**
 * POST /parse as multipart, with the options as one part of JSON
 * (https://docs.firecrawl.dev/api-reference/endpoint/parse).
 */
export const parse = operation({
	name: 'Parse',
	value: 'parse',
	action: 'Parse a file',
	description: `Parses a file of the input item, such as a PDF, Word document or spreadsheet, and returns its content as markdown or data. ${costOf('page')}, PDFs ${more('pdfPage')} per further page.`,
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
		if (Object.keys(options).length > 0) body.append('options', JSON.stringify(options));
		body.append('file', file);
		const response = await context.send({
			endpoint: parseFile,
			body,
			serviceTimeout: options.timeout ?? defaultTimeout,
			price: prices.page.credits,
		});
		return [documentResult(asRecord(response.body), context.settings.output, context)];
	},
});

export const file: Resource = { name: 'File', value: 'file', operations: [parse] };
