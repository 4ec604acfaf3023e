import type { DocumentJobKind } from './documentJob';

/** Crawls of websites (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
export const crawlKind: DocumentJobKind = {
	noun: 'crawl',
	returnsFailed: false,
	status: { method: 'GET', path: '/crawl/{id}', bucket: 'crawlStatus' },
	cancel: { method: 'DELETE', path: '/crawl/{id}', bucket: 'crawlStatus' },
	errors: { method: 'GET', path: '/crawl/{id}/errors', bucket: 'crawlStatus' },
};
