/**
 * Which servers have an endpoint, and what does its work where it is missing (docs/api-notes.md, Endpoints by age of the server).
 */

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

const noFeedback = 'Remove this step: nothing else depends on it.';
const actionsInstead = `Give 'Scrape' of the page 'Actions', where the server runs them.`;
const watchInstead = `Let a Schedule Trigger scrape the pages with the format Change Tracking, or use the Web Data Search Trigger.`;

/** Endpoints that came after the servers of August 2025, or that some servers fail over; the more special ones first. */
const endpoints: ReadonlyArray<[endpoint: RegExp, availability: Availability]> = [
	[
		/^\w+ \/search\/research\b/,
		{ since: 'hosted', instead: `Use 'Query' of the search with the category Research.` },
	],
	[
		/^\w+ \/search\/developer\b/,
		{
			since: 'hosted',
			instead: `Use 'Query' of the search with 'Include Domains', such as github.com.`,
		},
	],
	[
		/^\w+ \/search\/gov\b/,
		{
			since: 'hosted',
			instead: `Use 'Query' of the search with 'Include Domains', such as govinfo.gov.`,
		},
	],
	[
		/^POST \/search\/[^/]+\/feedback\b/,
		{ since: 'May 2026', instead: noFeedback, needsDatabase: true },
	],
	[/^POST \/feedback\b/, { since: 'August 2026', instead: noFeedback, needsDatabase: true }],
	[
		/^POST \/parse\/upload-url\b/,
		{ since: 'August 2026', instead: `Set 'Upload' to send the file with the request.` },
	],
	[
		/^GET \/parse\/formats\b/,
		{ since: 'October 2026', instead: `'Parse' itself says which files it cannot read.` },
	],
	[
		/^POST \/parse\b/,
		{
			since: 'April 2026',
			instead: `For a file on the web, use 'Scrape' of the page with its address.`,
		},
	],
	[
		/^\w+ \/scrape\/[^/]+\/interact\b/,
		{ since: 'April 2026', instead: actionsInstead, needsDatabase: true },
	],
	[
		/^GET \/scrape\//,
		{ instead: `Use 'Scrape' with the URL.`, needsDatabase: true, keepsNone: 'scrapes' },
	],
	[/^\w+ \/interact\/profiles\b/, { since: 'October 2026' }],
	[/^\w+ \/interact\b/, { since: 'August 2026', instead: actionsInstead }],
	[
		/^GET \/agent\/threads\b/,
		{ since: 'October 2026', instead: `Use 'Get' with the ID of the run.` },
	],
	[
		/^GET \/agent\/[^/]+\/(trace|snapshots)\b/,
		{ since: 'August 2026', instead: `Use 'Get' with the ID of the run.` },
	],
	[
		/^GET \/agent(\?|$)/,
		{ since: 'October 2026', instead: `Keep the ID that 'Start' returns, and use 'Get' with it.` },
	],
	[
		/^\w+ \/agent\b/,
		{
			since: 'April 2026',
			instead: `Use 'Query' of the search with scrape options and the format JSON.`,
			needsDatabase: true,
		},
	],
	[
		/^GET \/batch\/scrape\/[^/]+\/errors\b/,
		{ since: 'April 2026', instead: `Compare the pages of 'Get' with the addresses of the batch.` },
	],
	[/^\w+ \/monitor\b/, { since: 'May 2026', instead: watchInstead, needsDatabase: true }],
	[
		/^GET \/team\/credit-usage\/historical\b/,
		{ since: 'April 2026', instead: `Use 'Get Credit Usage'.`, needsDatabase: true },
	],
	[/^GET \/team\/queue-status\b/, { since: 'April 2026' }],
	[
		/^GET \/team\/activity\b/,
		{ since: 'April 2026', instead: `Use 'Get Active' of the crawl.`, needsDatabase: true },
	],
	[/^GET \/team\/credit-usage\b/, { since: 'hosted', needsDatabase: true }],
];

const found = (endpoint: string): Availability | undefined =>
	endpoints.find(([pattern]) => pattern.test(endpoint))?.[1];

/** Which servers have what this one lacks, and what to use instead; undefined for what every server has. `endpoint` is method and path. */
export function missingAdvice(endpoint = ''): string | undefined {
	const availability = found(endpoint);
	if (!availability) return undefined;
	const { since, instead } = availability;
	const servers = since === undefined ? '' : `, and so have servers of ${since} and later`;
	const where =
		since === 'hosted' ? 'Only the hosted service has it.' : `The hosted service has it${servers}.`;
	return instead === undefined ? where : `${where} ${instead}`;
}

/** Whether a server without a database fails over an endpoint. */
export const needsDatabase = (endpoint = ''): boolean => found(endpoint)?.needsDatabase === true;

/** What to do where something is not found that a server without a database does not keep; undefined for all else. */
export function unkeptAdvice(endpoint = ''): string | undefined {
	const { keepsNone, instead } = found(endpoint) ?? {};
	return keepsNone && `A self-hosted server without a database keeps no ${keepsNone}. ${instead}`;
}
