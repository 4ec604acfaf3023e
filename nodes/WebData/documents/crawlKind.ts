import { findAppliedLimit } from './crawlLimit';
import type { DocumentJobKind } from './documentJob';

/** Crawls of websites (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
export const crawlKind: DocumentJobKind = {
	noun: 'crawl',
	root: '/crawl',
	async afterStart(started, request, call) {
		await findAppliedLimit(started, request, call);
	},
};
