import type { RetrySafety } from './retry';

/**
 * The requests that the service counts together (docs/api-notes.md, Rate limits): a limit that one of them
 * has met holds for all of its bucket, and for no other. Where a server counts otherwise, its limit is
 * met once for each of these.
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

/** The servers that have an endpoint, and what does its work where it is missing (docs/api-notes.md, Endpoints by age of the server). */
interface Availability {
	/** Month of the first server seen with it, after those of August 2025; `hosted` where no server of one's own has it. */
	since?: 'April 2026' | 'May 2026' | 'August 2026' | 'October 2026' | 'hosted';
	/** What to use where it is missing. */
	instead?: string;
	/** Whether a server without a database fails over it. */
	needsDatabase?: boolean;
	/** What such a server keeps nothing of, so that it does not find what there was. */
	keepsNone?: string;
}

/** An endpoint of the API, with what is known of it before a request is sent. */
export type Endpoint = Availability & {
	/** Path as in the API's documentation, with its parameters in braces; what a job is known by is called `id`. */
	path: string;
	bucket: Bucket;
} & (
		| { method: 'GET' | 'DELETE'; retrySafety?: 'free' }
		| { method: 'POST' | 'PATCH'; retrySafety: RetrySafety }
	);

/** Which servers have what this one lacks, and what to use instead; undefined for what every server has. */
export function missingAdvice({ since, instead }: Availability = {}): string | undefined {
	if (since === undefined && instead === undefined) return undefined;
	const servers = since === undefined ? '' : `, and servers of ${since} or later`;
	const where =
		since === 'hosted'
			? 'Only the hosted service supports it.'
			: `Supported by the hosted service${servers}.`;
	return instead === undefined ? where : `${where} ${instead}`;
}

/** What to do where something is not found that a server without a database does not keep; undefined for all else. */
export const unkeptAdvice = ({ keepsNone, instead }: Availability = {}): string | undefined =>
	keepsNone && `A self-hosted server without a database stores no ${keepsNone}. ${instead}`;
