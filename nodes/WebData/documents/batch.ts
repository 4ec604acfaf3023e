import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../runtime/http/endpoint';
import type { Request } from '../../runtime/http/client';
import type { ReadContext, Result } from '../../runtime/execution/operation';
import { fieldOf } from '../../runtime/values/record';
import { prices } from '../fields/prices';
import { comparedUrl, url } from '../fields/url';
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

/** A URL that an input item requests. */
interface Row {
	/** The URL as `canonical` writes it. */
	key: string;
	itemIndex: number;
}

/** The URLs of all input items in their order, those of an item once each. */
const rowsOf = ({ requests }: Pick<ReadContext, 'requests'>): Row[] =>
	requests.flatMap(({ itemIndex, body }) =>
		[...new Set(urlsOf(body).map(canonical))].map((key) => ({ key, itemIndex })),
	);

/** The URLs of a page: as requested, then as it was redirected. */
const urlsOfPage = [
	({ metadata, url }: IDataObject) => fieldOf(metadata, 'sourceURL') ?? url,
	({ metadata }: IDataObject) => fieldOf(metadata, 'url'),
];

/** The forms in which servers write a URL, from the strictest on. */
const formsOfUrl = [canonical, pageUrlOf, (url: unknown) => comparedUrl(String(url))];

/** The requested URLs with their pages, and the other pages. */
interface Pairing<Page> {
	pages: Map<string, Page[]>;
	/** Pages of none of the URLs. */
	others: Page[];
	/** Pages that name none of the URLs, and were paired by their order. */
	byOrder: number;
}

/**
 * Pairs pages with the requested URLs: by their URLs in any form, and those left, if there are no more
 * than URLs without a page, by their order: a server may name the login page of a redirect, or no URL.
 */
function pair<Page extends object>(
	all: readonly Page[],
	recordOf: (page: Page) => IDataObject,
	context: Pick<ReadContext, 'requests'>,
): Pairing<Page> {
	const pages = new Map(rowsOf(context).map(({ key }): [string, Page[]] => [key, []]));
	const keysWithout = () => [...pages].flatMap(([key, { length }]) => (length === 0 ? [key] : []));
	const paired = new Set<Page>();
	for (const urlOf of urlsOfPage) {
		for (const form of formsOfUrl) {
			const keys = new Map<string, string[]>();
			for (const key of keysWithout()) keys.set(form(key), [...(keys.get(form(key)) ?? []), key]);
			// URLs with other anchors share a page.
			const isShared = form === pageUrlOf;
			for (const page of keys.size === 0
				? []
				: all.filter((each) => isShared || !paired.has(each))) {
				const url = urlOf(recordOf(page));
				for (const key of (url === undefined ? undefined : keys.get(form(url))) ?? []) {
					pages.get(key)?.push(page);
					paired.add(page);
				}
			}
		}
	}
	const [others, left] = [all.filter((page) => !paired.has(page)), keysWithout()];
	// A batch to which a request appends has pages of other requests, too.
	const appends = context.requests.some(({ body }) => fieldOf(body, 'appendToId') !== undefined);
	if (appends || others.length > left.length) return { pages, others, byOrder: 0 };
	for (const [index, page] of others.entries()) pages.set(left[index], [page]);
	return { pages, others: [], byOrder: others.length };
}

/**
 * The pages in the order of the requested URLs, which the service does not preserve
 * (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape): for each URL of each input item
 * its own, also where several items request it.
 */
export function arrange(results: Result[], context: ReadContext): Result[] {
	const { pages, others, byOrder } = pair(results, ({ json }) => json, context);
	if (byOrder > 1) {
		context.notice(
			`${byOrder} pages name other URLs than the requested ones. They are linked to input items in the order of the response.`,
		);
	}
	return [
		...rowsOf(context).flatMap(({ key, itemIndex }) =>
			(pages.get(key) ?? []).map((result) => ({ ...result, items: [itemIndex] })),
		),
		...others,
	];
}

/** The requested URLs of which there is no page; undefined without such URLs. */
export function missingIn(all: IDataObject[], context: ReadContext): string[] | undefined {
	const { pages } = pair(all, (page) => page, context);
	if (pages.size === 0) return undefined;
	return [...pages].flatMap(([key, { length }]) => (length === 0 ? [key] : []));
}

/** A URL of a batch in the message of an error. */
const namedUrl = /'URLs > entry (\d{1,7})'/;

/**
 * Attributes the error of a merged batch to the item whose URL the server rejects. Its message
 * counts the URLs of all items.
 */
export function blameItem(error: Error, requests: ReadContext['requests']): void {
	const [, entry] = namedUrl.exec(error.message) ?? [];
	const rows = rowsOf({ requests });
	const key = [...new Set(rows.map((row) => row.key))].at(Number(entry) - 1);
	const itemIndex = rows.find((row) => row.key === key)?.itemIndex;
	if (entry === undefined || itemIndex === undefined) return;
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
