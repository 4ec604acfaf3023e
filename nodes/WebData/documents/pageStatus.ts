import { fieldOf } from '../../runtime/values/record';

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
