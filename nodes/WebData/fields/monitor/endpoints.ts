import type { Endpoint } from '../../../runtime/api/endpoint';

const availability = {
	since: 'May 2026',
	instead: `Use a Schedule Trigger to scrape the pages with the format Change Tracking, or the Web Data Polling Trigger.`,
	needsDatabase: true,
} as const;

/** The endpoints of monitors (https://docs.firecrawl.dev/features/monitoring). */
export const monitorEndpoints = {
	create: {
		method: 'POST',
		path: '/monitor',
		bucket: 'crawl',
		retrySafety: 'mayStartTwice',
		...availability,
	},
	delete: { method: 'DELETE', path: '/monitor/{id}', bucket: 'crawlStatus', ...availability },
	get: { method: 'GET', path: '/monitor/{id}', bucket: 'crawlStatus', ...availability },
	getCheck: {
		method: 'GET',
		path: '/monitor/{id}/checks/{checkId}',
		bucket: 'crawlStatus',
		...availability,
	},
	list: { method: 'GET', path: '/monitor', bucket: 'crawlStatus', ...availability },
	listChecks: {
		method: 'GET',
		path: '/monitor/{id}/checks',
		bucket: 'crawlStatus',
		...availability,
	},
	run: {
		method: 'POST',
		path: '/monitor/{id}/run',
		bucket: 'crawl',
		retrySafety: 'mayStartTwice',
		...availability,
	},
	update: {
		method: 'PATCH',
		path: '/monitor/{id}',
		bucket: 'crawl',
		retrySafety: 'free',
		...availability,
	},
} satisfies Record<string, Endpoint>;
