import type { IDataObject } from 'n8n-workflow';

/**
 * Characters that a page of documents is to have. The service cuts pages at about 10 MB (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post);
 * n8n does nothing else while it takes one in, so smaller ones let other executions go on in between.
 */
const pageLength = 2_000_000;

/** Most documents that the service puts on one page (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
const longestPage = 1000;

/** Documents to ask for as long as their size is not known. */
export const firstPageLimit = 10;

/** About how many characters a value has as JSON. */
function lengthOf(value: unknown): number {
	if (typeof value === 'string') return value.length;
	if (typeof value !== 'object' || value === null) return 1;
	return Object.values(value).reduce<number>((sum, member) => sum + lengthOf(member), 0);
}

/** How many documents the page after `page`, which has some, is to have: as many as are likely to fit. */
export function nextPageLimit(page: IDataObject[]): number {
	const fitting = Math.floor((pageLength * page.length) / lengthOf(page));
	return Math.min(longestPage, Math.max(1, fitting));
}
