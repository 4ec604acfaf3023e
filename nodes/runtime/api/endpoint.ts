import type { RetrySafety } from './retry';

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
	| 'browserReplay'
	| 'crawl'
	| 'crawlStatus'
	| 'developer'
	| 'map'
	| 'other'
	| 'research'
	| 'scrape'
	| 'search';

/**
 * The servers that have an endpoint, and its replacement on others (docs/api-notes.md, Endpoints by
 * age of the server).
 */
interface Availability {
	/**
	 * Month of the first server with it, after those of August 2025; `hosted` if no self-hosted
	 * server has it.
	 */
	since?: 'April 2026' | 'May 2026' | 'August 2026' | 'October 2026' | 'hosted';
	/** Replacement if it is missing. */
	instead?: string;
	/** Whether it fails on a server without a database. */
	needsDatabase?: boolean;
	/** Data that such a server does not store and thus does not find. */
	keepsNone?: string;
}

/** An endpoint of the API, with its static facts. */
export type Endpoint = Availability & {
	/** Path as in the API's documentation, with parameters in braces. A job's is always `id`. */
	path: string;
	bucket: Bucket;
} & (
		| { method: 'GET' | 'DELETE'; retrySafety?: 'free' }
		| { method: 'POST' | 'PATCH'; retrySafety: RetrySafety }
	);
