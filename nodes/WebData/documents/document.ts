import type { IDataObject } from 'n8n-workflow';
import { operationError } from '../../runtime/api/errors';
import type { ReadContext, Result, Values } from '../../runtime/operation/operation';
import { requirePaidField } from '../../runtime/output/paidResponse';
import { fieldOf } from '../../runtime/values/record';
import { pageOptionsOf } from '../fields/pageOptions';
import { noticeMissingFormats } from './missingFormats';
import { aboutRequest, asRecord, label, noticesIn } from '../../runtime/output/results';

/** The error that a page itself answered with; the service delivers it all the same, and charges it (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
function pageError(document: IDataObject): string | undefined {
	const status = fieldOf(document.metadata, 'statusCode');
	return typeof status === 'number' && status >= 400 ? `HTTP ${status}` : undefined;
}

/**
 * The one document of an answer as a result, with what the answer says beside it under `request`; or the whole
 * response.
 * @throws NodeOperationError when there is none, or the page answered with an error and the user wants that as one
 */
export function documentResult(
	response: IDataObject,
	values: Values,
	context: ReadContext,
): Result {
	const document = asRecord(requirePaidField(response, 'data', 'a document', context.errorSource));
	noticesIn(document).forEach(context.notice);
	noticeMissingFormats(context.requests.at(0)?.body, [document], context);
	const error = pageError(document);
	if (error !== undefined && pageOptionsOf(values).onPageError === 'error') {
		const address = fieldOf(document.metadata, 'sourceURL') ?? 'The page';
		throw operationError(
			`${String(address)} answered with an error (${error})`,
			`The visit was charged. To get the page all the same, let 'On Page Error' return it.`,
			context.errorSource,
		);
	}
	if (values.output === 'response') return { json: response };
	return { json: label(document, { request: aboutRequest(response) }) };
}
