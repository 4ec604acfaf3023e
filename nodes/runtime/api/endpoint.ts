import type { RetrySafety } from './retry';
import { fact, forUser, type Advice } from './sentence';

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

/**
 * Advice for servers without the endpoint: which have it, and its replacement; undefined if every
 * server has it.
 */
export function missingAdvice({ since, instead }: Availability = {}): Advice | undefined {
	if (since === undefined && instead === undefined) return undefined;
	const servers = since === undefined ? '' : `, and servers of ${since} or later`;
	const where =
		since === 'hosted'
			? 'Only the hosted service supports it.'
			: `Supported by the hosted service${servers}.`;
	return [fact(where), ...(instead === undefined ? [] : [forUser(instead)])];
}

/**
 * Advice about a missing resource that a server without a database does not store; none for
 * others.
 */
export const unkeptAdvice = ({ keepsNone, instead }: Availability = {}): Advice =>
	keepsNone === undefined
		? []
		: [
				fact(`A self-hosted server without a database stores no ${keepsNone}.`),
				...(instead === undefined ? [] : [forUser(instead)]),
			];
