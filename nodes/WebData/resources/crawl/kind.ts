import type { DocumentJobKind } from '../../documents/documentJob';

/** Crawls of websites (addendum 6). */
export const crawlKind: DocumentJobKind = { noun: 'crawl', root: '/crawl' };
