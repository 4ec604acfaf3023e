import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../runtime/api/endpoint';
import type { Request } from '../../runtime/http/client';
import { defaultCrawlLimit } from '../fields/crawlOptions';
import { sumOf, type Price } from '../../runtime/limits/price';
import { pageKind, pagePrice, pagesPrice, xPagesAmong, type PricedOptions } from '../fields/prices';

/** The fields that decide the start and price of a crawl. All others are sent unchanged. */
interface CrawlRequest {
	url: string;
	limit?: number;
	allowExternalLinks?: boolean;
	scrapeOptions?: PricedOptions;
	zeroDataRetention?: boolean;
	idempotencyKey?: string;
}

const startCrawl: Endpoint = {
	method: 'POST',
	path: '/crawl',
	bucket: 'crawl',
	retrySafety: 'mayStartTwice',
};

/** Lists the active crawls (https://docs.firecrawl.dev/api-reference/endpoint/crawl-active). */
export const listActiveCrawls: Endpoint = {
	method: 'GET',
	path: '/crawl/active',
	bucket: 'crawlStatus',
};

/**
 * The price of a crawl: the start page's price for each page, as long as no link leads to another
 * site.
 */
function crawlPrice({
	url,
	limit,
	scrapeOptions,
	...body
}: CrawlRequest & { limit: number }): Price {
	const { zeroDataRetention, allowExternalLinks } = body;
	const page = pagePrice({ ...scrapeOptions, zeroDataRetention }, pageKind(url));
	return sumOf([pagesPrice(limit, page), ...(allowExternalLinks ? [xPagesAmong] : [])]);
}

/**
 * POST /crawl. A limit is always sent, because the service's default is 10,000 pages. Only the
 * hosted service gets a generated idempotency key, by which it recognizes a repeated start: a
 * server without its database fails with one.
 */
export function crawlStart(
	{ idempotencyKey: own, limit = defaultCrawlLimit, ...body }: CrawlRequest,
	isHosted: boolean,
): Request {
	// A used key of the user's starts nothing any more; a new one also starts the crawl only once.
	const headers = (after?: 'failed' | 'rejected') => ({
		'x-idempotency-key': (after === 'rejected' ? undefined : own) ?? randomUUID(),
	});
	return {
		endpoint: startCrawl,
		...((isHosted || own !== undefined) && { headers: headers(), freshHeaders: headers }),
		body: { ...body, limit },
		...(isHosted && { retrySafety: 'idempotencyKey' }),
		jobLookup: { list: listActiveCrawls, entries: 'crawls', target: body.url },
		price: crawlPrice({ ...body, limit }),
	};
}
