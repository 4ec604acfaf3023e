import type { IDataObject } from 'n8n-workflow';

/**
 * Target characters of a page of documents. The service limits pages to about 10 MB
 * (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). Parsing a page blocks n8n, so
 * smaller ones let other executions run in between.
 */
const pageLength = 2_000_000;

/** Most documents on a page (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
const longestPage = 1000;

/** Documents to request while their size is unknown. */
export const firstPageLimit = 10;

/** Approximate characters of a value as JSON. */
function lengthOf(value: unknown): number {
	if (typeof value === 'string') return value.length;
	if (typeof value !== 'object' || value === null) return 1;
	return Object.values(value).reduce<number>((sum, field) => sum + lengthOf(field), 0);
}

/** The number of documents that probably fit on the page after `page`, which is not empty. */
export function nextPageLimit(page: IDataObject[]): number {
	const fitting = Math.floor((pageLength * page.length) / lengthOf(page));
	return Math.min(longestPage, Math.max(1, fitting));
}
