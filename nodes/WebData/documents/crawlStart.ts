import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../runtime/api/endpoint';
import type { Request } from '../../runtime/http/client';
import { activityOf } from '../../runtime/http/jobLookup';
import { defaultCrawlLimit } from '../fields/crawlOptions';
import { sumOf, type Price } from '../../runtime/limits/price';
import { pageKind, pagePrice, pagesPrice, xPagesAmong, type PricedOptions } from '../fields/prices';
import { isOfAnotherCrawl, isSameCrawl, listActiveCrawls } from './listedCrawl';

/** What decides how a crawl is started and what it costs; all else of its request is sent as it is. */
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

const crawlLists = [{ endpoint: listActiveCrawls, entries: 'crawls' }, activityOf('crawl')];

/** The price of a crawl: that of its first page for each, as far as its links lead to no other site. */
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
 * POST /crawl. A limit is always sent: the service's own is 10,000 pages. A key of
 * the node's own goes to the hosted service alone, which knows a repeated start by it: a server without
 * its database fails over one.
 */
export function crawlStart(
	{ idempotencyKey: own, limit = defaultCrawlLimit, ...body }: CrawlRequest,
	isHosted: boolean,
): Request {
	// Under a key of the user's that is used up nothing starts any more, so that a new one starts the crawl once, too.
	const headers = (isUsedUp = false) => ({
		'x-idempotency-key': (isUsedUp ? undefined : own) ?? randomUUID(),
	});
	return {
		endpoint: startCrawl,
		...((isHosted || own !== undefined) && { headers: headers(), freshHeaders: headers }),
		body: { ...body, limit },
		...(isHosted && { retrySafety: 'idempotencyKey' }),
		jobLookup: {
			lists: crawlLists,
			matchBy: [body.url],
			excludes: (told) => isOfAnotherCrawl(told, { ...body, limit }),
			proves: (told) => isSameCrawl(told, { ...body, limit }),
		},
		price: crawlPrice({ ...body, limit }),
	};
}
