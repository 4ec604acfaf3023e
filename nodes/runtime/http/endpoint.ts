import type { RetrySafety } from './retry';

/** URL of the hosted service. */
export const hostedService = 'https://api.firecrawl.dev';

/**
 * The requests that the service counts together (docs/api-notes.md, Rate limits). Reaching a limit
 * with one of them limits its bucket, and no other. If a server counts differently, each bucket
 * reaches the limit once.
 */
export type Bucket =
	| 'account'
	| 'agent'
	| 'agentStatus'
	| 'browser'
	| 'browserExecute'
	| 'crawl'
	| 'crawlStatus'
	| 'map'
	| 'other'
	| 'research'
	| 'scrape'
	| 'search';

/** An endpoint of the API, with its static facts. */
export type Endpoint = {
	/** Path as in the API's documentation, with parameters in braces. A job's is always `id`. */
	path: string;
	bucket: Bucket;
} & (
	| { method: 'GET' | 'DELETE'; retrySafety?: 'free' }
	| { method: 'POST' | 'PATCH'; retrySafety: RetrySafety }
);

/** Whether a path needs accounts, which a self-hosted server lacks (docs/api-notes.md, Self-hosted servers). */
export const needsAccounts = (path: string): boolean =>
	/^\/(agent|interact|monitor|team\/(activity|credit-usage))|\/interact$/.test(path);

/** The credits left (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage). */
export const getTeamCredits: Endpoint = {
	method: 'GET',
	path: '/team/credit-usage',
	bucket: 'account',
};

/** The jobs that run and wait (https://docs.firecrawl.dev/api-reference/endpoint/queue-status). */
export const getTeamQueue: Endpoint = {
	method: 'GET',
	path: '/team/queue-status',
	bucket: 'account',
};
