import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../runtime/http/endpoint';
import type { Request } from '../../runtime/http/client';
import { parseUrl } from '../../runtime/values/text';
import { fieldOf } from '../../runtime/values/record';
import { defaultCrawlLimit } from '../fields/crawlOptions';
import { pageUrlOf } from './document';
import type { DocumentJobKind } from './documentJob';

/** Crawls of websites (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */

/** The fields that decide the start of a crawl. All others are sent unchanged. */
interface CrawlRequest {
	url: string;
	limit?: number;
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
 * POST /crawl. A limit is always sent, because the service's default is 10,000 pages. Only the
 * hosted service gets a generated idempotency key, by which it recognizes a repeated start: a
 * server without its database fails with one.
 */
export function crawlStart(
	{ limit = defaultCrawlLimit, ...body }: CrawlRequest,
	isHosted: boolean,
): Request {
	const headers = () => ({ 'x-idempotency-key': randomUUID() });
	return {
		endpoint: startCrawl,
		...(isHosted && {
			headers: headers(),
			freshHeaders: headers,
			retrySafety: 'idempotencyKey',
		}),
		body: { ...body, limit },
		jobLookup: { list: listActiveCrawls, entries: 'crawls', target: body.url },
		price: limit,
		limitedBy: 'limit',
	};
}

const hostOf = (url: unknown): string | undefined =>
	parseUrl(String(url))?.hostname.replace(/^www\./, '');

/**
 * The notice of a crawl whose start page redirects to another host, where the service continues it;
 * undefined for others.
 */
function moveNotice(start: unknown, documents: IDataObject[]): string | undefined {
	const startUrl = pageUrlOf(start);
	const page = documents.find(
		({ metadata }) => pageUrlOf(fieldOf(metadata, 'sourceURL')) === startUrl,
	);
	const [from, to] = [hostOf(start), hostOf(fieldOf(page?.metadata, 'url'))];
	if (from === undefined || to === undefined || from === to) return undefined;
	return `The start page on ${from} redirects to ${to}, so the crawl continued there. If that is intended, set 'URL' to the new page.`;
}

export const crawlKind: DocumentJobKind = {
	noun: 'crawl',
	status: { method: 'GET', path: '/crawl/{id}', bucket: 'crawlStatus' },
	cancel: { method: 'DELETE', path: '/crawl/{id}', bucket: 'crawlStatus' },
	errors: { method: 'GET', path: '/crawl/{id}/errors', bucket: 'crawlStatus' },
	returnsFailed: false,
	noticeOf: (documents, { requests }) =>
		moveNotice(fieldOf(requests.at(0)?.body, 'url'), documents),
};
