import type { Endpoint } from '../../runtime/api/endpoint';
import type { Request } from '../../runtime/http/client';
import { activityOf } from '../../runtime/http/jobLookup';
import { urlsPrice, type PricedOptions } from '../fields/prices';
import { url } from '../fields/url';
import { fieldOf } from '../../runtime/values/record';
import { pageUrlOf } from './pageUrl';

/** The fields that decide the start and price of a batch. All others are sent unchanged. */
interface BatchRequest extends PricedOptions {
	urls: string[];
	appendToId?: string;
}

const startBatch: Endpoint = {
	method: 'POST',
	path: '/batch/scrape',
	bucket: 'scrape',
	retrySafety: 'mayStartTwice',
};

const batchLists = [activityOf('batch_scrape')];

/** Whether the service scrapes a URL; with `ignoreInvalidURLs` it skips others. */
const isValid = (given: string): boolean => url().safeParse(given).success;

/** The URLs by which the lists may identify a batch: its first, or its first valid one. */
const listedUrls = (urls: readonly string[]) => [
	...new Set([urls[0], urls.find(isValid) ?? urls[0]]),
];

/**
 * Whether a batch's state belongs to other URLs: it has more of them, or one that is not among
 * these.
 */
function hasOtherUrls(urls: readonly string[], state: unknown): boolean {
	const total = fieldOf(state, 'total');
	if (typeof total === 'number' && total > urls.length) return true;
	const data = fieldOf(state, 'data');
	const requestedUrls = new Set(urls.map(pageUrlOf));
	return (Array.isArray(data) ? data : [])
		.map((document) => fieldOf(fieldOf(document, 'metadata'), 'sourceURL'))
		.some((sourceUrl) => typeof sourceUrl === 'string' && !requestedUrls.has(pageUrlOf(sourceUrl)));
}

/**
 * POST /batch/scrape. `ignoreInvalidURLs` is sent only if set: an explicit false lets one blocked
 * site fail the whole batch (docs/api-notes.md, Requests). Batches have no idempotency key, so a
 * start that may have succeeded is not repeated. The lists omit a start that appends to a batch.
 */
export const batchStart = <Body extends BatchRequest>(body: Body): Request => ({
	endpoint: startBatch,
	body: { ...body },
	jobLookup:
		body.appendToId === undefined
			? {
					lists: batchLists,
					matchBy: listedUrls(body.urls),
					excludes: (state) => hasOtherUrls(body.urls, state),
					proves: (state) => fieldOf(state, 'total') === body.urls.filter(isValid).length,
				}
			: undefined,
	price: urlsPrice(body.urls, body),
});
