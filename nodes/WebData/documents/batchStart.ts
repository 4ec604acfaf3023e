import type { Endpoint } from '../../runtime/http/endpoint';
import type { Request } from '../../runtime/http/client';
import { prices } from '../fields/prices';

/** The fields that decide the start of a batch. All others are sent unchanged. */
interface BatchRequest {
	urls: string[];
	appendToId?: string;
}

const startBatch: Endpoint = {
	method: 'POST',
	path: '/batch/scrape',
	bucket: 'scrape',
	retrySafety: 'mayStartTwice',
};

/** The team's requests of the last 24 hours (https://docs.firecrawl.dev/api-reference/endpoint/activity). */
const getTeamActivity: Endpoint = {
	method: 'GET',
	path: '/team/activity',
	bucket: 'account',
};

/**
 * POST /batch/scrape. `ignoreInvalidURLs` is sent only if set: an explicit false lets one blocked
 * site fail the whole batch (docs/api-notes.md, Requests). Batches have no idempotency key, so a
 * start that may have succeeded is not repeated. The lists omit a start that appends to a batch.
 */
export const batchStart = <Body extends BatchRequest>(body: Body): Request => ({
	endpoint: startBatch,
	body: { ...body },
	...(body.appendToId === undefined && {
		jobLookup: {
			list: getTeamActivity,
			query: { endpoint: 'batch_scrape', limit: 100 },
			entries: 'data',
			target: body.urls[0],
		},
	}),
	price: body.urls.length * prices.page.credits,
});
