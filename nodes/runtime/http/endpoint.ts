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

type FreeMethod = 'GET' | 'DELETE';
type CostlyMethod = 'POST' | 'PATCH';

/** An endpoint of the API, with its static facts. */
export interface Endpoint {
	method: FreeMethod | CostlyMethod;
	/** Path as in the API's documentation, with parameters in braces. A job's is always `id`. */
	path: string;
	bucket: Bucket;
	retrySafety: RetrySafety;
}

/** Defines an endpoint. One that reads or deletes may be retried freely. */
export const endpoint = <Method extends Endpoint['method']>(
	method: Method,
	path: string,
	bucket: Bucket,
	...[retrySafety = 'free']: Method extends FreeMethod ? [] : [RetrySafety]
): Endpoint => ({ method, path, bucket, retrySafety });

/** Whether a path needs accounts, which a self-hosted server lacks (docs/api-notes.md, Self-hosted servers). */
export const needsAccounts = (path: string): boolean =>
	/^\/(agent|interact|monitor|team\/(activity|credit-usage))|\/interact$/.test(path);

/** The credits left (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage). */
export const getTeamCredits = endpoint('GET', '/team/credit-usage', 'account');

/** The jobs that run and wait (https://docs.firecrawl.dev/api-reference/endpoint/queue-status). */
export const getTeamQueue = endpoint('GET', '/team/queue-status', 'account');
