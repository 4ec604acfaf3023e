import type { Endpoint } from './endpoint';

/** The team's requests of the last 24 hours (https://docs.firecrawl.dev/api-reference/endpoint/activity). */
export const getTeamActivity: Endpoint = {
	method: 'GET',
	path: '/team/activity',
	bucket: 'account',
	since: 'April 2026',
	instead: `Use 'Get Active' of the crawl.`,
	needsDatabase: true,
};

/** The credits left (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage). */
export const getTeamCredits: Endpoint = {
	method: 'GET',
	path: '/team/credit-usage',
	bucket: 'account',
	since: 'hosted',
	needsDatabase: true,
};

/** The jobs that run and wait (https://docs.firecrawl.dev/api-reference/endpoint/queue-status). */
export const getTeamQueue: Endpoint = {
	method: 'GET',
	path: '/team/queue-status',
	bucket: 'account',
	since: 'April 2026',
};
