import type { DocumentJobKind } from './documentJob';

/** Crawls of websites (addendum 6). */
export const crawlKind: DocumentJobKind = { noun: 'crawl', root: '/crawl' };
