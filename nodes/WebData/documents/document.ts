import type { IDataObject } from 'n8n-workflow';
import type { Settings } from '../../runtime/form/settings';
import type { ReadContext, Result } from '../../runtime/operation/operation';
import { requirePaidField } from '../../runtime/output/paidResponse';
import { fieldOf } from '../../runtime/values/record';
import { noticeMissingFormats } from './requestedFormats';
import { aboutRequest, asRecord, label, noticesIn } from '../../runtime/output/results';

/** The HTTP status of a document's page, as the service reports it. */
const statusOf = (document: object): unknown =>
	fieldOf(fieldOf(document, 'metadata'), 'statusCode');

/**
 * The HTTP error status of a document's page; undefined for other pages. The service returns and
 * charges such pages, too (https://docs.firecrawl.dev/api-reference/endpoint/scrape).
 */
export function errorStatusOf(document: object): number | undefined {
	const status = statusOf(document);
	return typeof status === 'number' && status >= 400 ? status : undefined;
}

/** Whether a site reports that a document's page no longer exists. */
export const isGone = (document: object): boolean =>
	[404, 410].some((status) => status === statusOf(document));

/** Whether change tracking found that the page of a response is the same as before. */
export const isUnchanged = (response: unknown): boolean =>
	fieldOf(fieldOf(fieldOf(response, 'data'), 'changeTracking'), 'changeStatus') === 'same';

/**
 * The document of a response as a result, with the response's other fields under `request`; or the
 * whole response.
 * @throws NodeOperationError if it has none
 */
export function documentResult(
	response: IDataObject,
	output: Settings['output'],
	context: ReadContext,
): Result {
	const document = asRecord(requirePaidField(response, 'data', 'a document', context.errorSource));
	noticesIn(document).forEach(context.notice);
	noticeMissingFormats(context.requests.at(0)?.body, [document], context);
	if (output === 'raw') return { json: response };
	return { json: label(document, { request: aboutRequest(response) }) };
}
