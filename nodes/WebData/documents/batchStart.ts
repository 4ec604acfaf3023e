import type { Endpoint } from '../../runtime/api/endpoint';
import type { Request } from '../../runtime/http/client';
import { activityOf } from '../../runtime/http/jobLookup';
import { urlsPrice, type PricedOptions } from '../fields/prices';
import { url } from '../fields/url';
import { fieldOf } from '../../runtime/values/record';
import { pageAt } from './address';

/** What decides how a batch is started and what it costs; all else of its request is sent as it is. */
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

/** The URLs of which the service reads a page; it leaves the others out, where it is asked to. */
const validIn = (urls: readonly string[]) =>
	urls.filter((address) => url().safeParse(address).success);

/** The lists name a batch by the first of its URLs, or by the first that is valid. */
const namesOf = (urls: readonly string[]) => [...new Set([urls[0], ...validIn(urls).slice(0, 1)])];

/** Whether a batch's state shows that it is about other addresses: more of them, or one that is not among these. */
function isOfOthers(urls: readonly string[], state: unknown): boolean {
	const total = fieldOf(state, 'total');
	if (typeof total === 'number' && total > urls.length) return true;
	const data = fieldOf(state, 'data');
	const asked = new Set(urls.map(pageAt));
	return (Array.isArray(data) ? data : [])
		.map((document) => fieldOf(fieldOf(document, 'metadata'), 'sourceURL'))
		.some((address) => typeof address === 'string' && !asked.has(pageAt(address)));
}

/**
 * POST /batch/scrape. `ignoreInvalidURLs` is sent only where it is set: an explicit false lets one blocked
 * site fail the whole batch (docs/api-notes.md, Requests). The service knows no key for batches, so a start
 * is not repeated when it may be running; one that adds to an earlier batch is listed nowhere.
 */
export const batchStart = <Body extends BatchRequest>(body: Body): Request => ({
	endpoint: startBatch,
	body: { ...body },
	jobLookup:
		body.appendToId === undefined
			? {
					lists: batchLists,
					matchBy: namesOf(body.urls),
					excludes: (told) => isOfOthers(body.urls, told),
					proves: (told) => fieldOf(told, 'total') === validIn(body.urls).length,
				}
			: undefined,
	price: urlsPrice(body.urls, body),
});
