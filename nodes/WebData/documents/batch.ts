import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../runtime/http/endpoint';
import type { Request } from '../../runtime/http/client';
import type { ReadContext, Result } from '../../runtime/execution/operation';
import { fieldOf } from '../../runtime/values/record';
import { prices } from '../fields/prices';
import { url } from '../fields/url';
import { canonical, pageUrlOf } from './document';
import type { DocumentJobKind } from './documentJob';

/** Batch scrapes (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */

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
const getTeamActivity: Endpoint = { method: 'GET', path: '/team/activity', bucket: 'account' };

/**
 * POST /batch/scrape. `ignoreInvalidURLs` is sent only if set: an explicit false lets one blocked
 * site fail the whole batch (docs/api-notes.md, Requests). Batches have no idempotency key, so a
 * start that may have succeeded is not repeated. The list omits a start that appends to a batch.
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

const urlsOf = (body: unknown): unknown[] => {
	const urls = fieldOf(body, 'urls');
	return Array.isArray(urls) ? urls : [];
};

/** The position of a URL in the request, and the input items that request it. */
interface Origin {
	position: number;
	items: number[];
}

function originsIn({ requests }: Pick<ReadContext, 'requests'>): Map<string, Origin> {
	const origins = new Map<string, Origin>();
	for (const { itemIndex, body } of requests) {
		for (const url of urlsOf(body)) {
			const key = canonical(url);
			const origin = origins.get(key) ?? { position: origins.size, items: [] };
			if (origin.items.at(-1) !== itemIndex) origin.items.push(itemIndex);
			origins.set(key, origin);
		}
	}
	return origins;
}

const sourceUrlOf = ({ json }: Result) => fieldOf(json.metadata, 'sourceURL') ?? json.url;

/**
 * Sorts the pages by the order of the requested URLs, which the service does not preserve
 * (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape), and pairs each with its input
 * items.
 */
export function arrange(results: Result[], context: ReadContext): Result[] {
	const origins = originsIn(context);
	return results
		.map((result) => {
			const { position = Infinity, items } = origins.get(canonical(sourceUrlOf(result))) ?? {};
			return { position, result: { ...result, items } };
		})
		.sort((one, other) => one.position - other.position || 0)
		.map(({ result }) => result);
}

/** The requested URLs without a document. A redirected page also matches by its final URL. */
export function missingIn(documents: IDataObject[], context: ReadContext): string[] | undefined {
	const requestedUrls = [...originsIn(context).keys()];
	if (requestedUrls.length === 0) return undefined;
	const found = new Set(
		documents
			.flatMap(({ metadata }) => [fieldOf(metadata, 'sourceURL'), fieldOf(metadata, 'url')])
			.map(pageUrlOf),
	);
	return requestedUrls.filter((key) => !found.has(pageUrlOf(key)));
}

/** A URL of a batch in the message of an error. */
const namedUrl = /'URLs > entry (\d{1,7})'/;

/**
 * Attributes the error of a merged batch to the item whose URL the server rejects. Its message
 * counts the URLs of all items.
 */
export function blameItem(error: Error, requests: ReadContext['requests']): void {
	const [, entry] = namedUrl.exec(error.message) ?? [];
	const rejected = [...originsIn({ requests })].at(Number(entry) - 1);
	if (entry === undefined || rejected === undefined) return;
	const [key, { items }] = rejected;
	const [itemIndex] = items;
	const own = urlsOf(requests.find((request) => request.itemIndex === itemIndex)?.body);
	const position = own.findIndex((url) => canonical(url) === key) + 1;
	error.message = error.message
		.replace(namedUrl, `'URLs > entry ${position}'`)
		.replace(/ \[item \d+\]$/, ` [item ${itemIndex}]`);
	Object.assign(error, {
		context: { ...Object(Reflect.get(error, 'context')), itemIndex },
		description: [
			Reflect.get(error, 'description'),
			`Correct the URL, or set 'Ignore Invalid URLs' to leave it out.`,
		]
			.filter(Boolean)
			.join(' '),
	});
}

export const batchKind: DocumentJobKind = {
	noun: 'batch',
	status: { method: 'GET', path: '/batch/scrape/{id}', bucket: 'crawlStatus' },
	cancel: { method: 'DELETE', path: '/batch/scrape/{id}', bucket: 'crawlStatus' },
	errors: { method: 'GET', path: '/batch/scrape/{id}/errors', bucket: 'crawlStatus' },
	returnsFailed: true,
	arrange,
	missingIn,
	invalidIn: ({ requests }) =>
		requests
			.flatMap(({ body }) => urlsOf(body))
			.filter((given) => !url().safeParse(given).success)
			.map(String),
};
