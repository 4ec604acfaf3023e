import type { IDataObject } from 'n8n-workflow';
import { endpoint } from '../../runtime/http/endpoint';
import type { Explanation, Request } from '../../runtime/http/client';
import { rejectedFields, type Failure, type Problem } from '../../runtime/errors/response';
import {
	type ReadContext,
	type Result,
	operation,
	type Job,
	type Resource,
} from '../../runtime/operation';
import { fieldOf } from '../../runtime/values/record';
import { prices, costOf } from '../fields/prices';
import { comparedUrl, url, uncheckedUrls, urlsField } from '../fields/url';
import { canonical, pageUrlOf } from '../documents/document';
import { documentJob, jobOperations, runSettings } from '../documents/documentJob';
import type { DocumentJobKind } from '../documents/jobPages';
import type { z } from 'zod/v3';
import { boolean, hidden } from '../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../runtime/form/form';
import { settingsFields, type Settings } from '../../runtime/form/settings';
import { ValidationFailure } from '../../runtime/form/schema';
import { withPageText } from '../documents/judge';
import { actions } from '../fields/actions';
import { crawlOptionGroup } from '../fields/crawlOptions';
import { formats } from '../fields/formats';
import { exampleId, id } from '../fields/common';
import { requestJson, withRequestJson } from '../fields/requestJson';
import { scrapeOptionGroup, scrapeOptionRules } from '../fields/scrapeOptions';
import { documentWebhook } from '../fields/webhook';

/** Scrapes a list of URLs (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
const startBatch = endpoint('POST', '/batch/scrape', 'scrape', 'mayStartTwice');

/** The team's requests of the last 24 hours (https://docs.firecrawl.dev/api-reference/endpoint/activity). */
const getTeamActivity = endpoint('GET', '/team/activity', 'account');

/**
 * POST /batch/scrape. `ignoreInvalidURLs` is sent only if set: an explicit false lets one blocked
 * site fail the whole batch (docs/api-notes.md, Requests). Batches have no idempotency key, so a
 * start that may have succeeded is not repeated. The list omits a start that appends to a batch.
 */
export const batchStart = (
	body: { urls: string[]; appendToId?: string },
	requests: ReadContext['requests'] = [],
): Request => ({
	endpoint: startBatch,
	body: { ...body },
	explain: (failure) => explainUrl(failure, requests),
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

/** Pairs pages with the requested URLs: by URL in any form, then by order, since servers may name another. */
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

/** The pages in the order of the requested URLs, which the service does not preserve: one for each of each item. */
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

/** The place of a URL of a batch in the path of a rejected field; undefined for other fields. */
const placeOfUrl = ([name, place, ...rest]: Problem['path']): number | undefined =>
	name === 'urls' && typeof place === 'number' && rest.length === 0 ? place : undefined;

/** Attributes the error of a merged batch to the item whose URL the server rejects. */
export function explainUrl(
	failure: Failure,
	requests: ReadContext['requests'],
): Explanation | undefined {
	const problems = 'response' in failure ? rejectedFields(failure.response) : [];
	if (problems.length === 0) return undefined;
	const rows = rowsOf({ requests });
	const keys = [...new Set(rows.map((row) => row.key))];
	const keyAt = (path: Problem['path']) => keys.at(placeOfUrl(path) ?? keys.length);
	const key = problems.map(({ path }) => keyAt(path)).find((each) => each !== undefined);
	const itemIndex = rows.find((row) => row.key === key)?.itemIndex;
	if (itemIndex === undefined) return undefined;
	const request = requests.find((each) => each.itemIndex === itemIndex);
	const own: unknown[] = urlsOf(request?.body).map(canonical);
	return {
		itemIndex,
		also: `Correct the URL, or set 'Ignore Invalid URLs' to leave it out.`,
		pathOf(path) {
			const place = own.indexOf(keyAt(path));
			return place < 0 ? path : ['urls', place];
		},
	};
}

export const batchKind: DocumentJobKind = {
	noun: 'batch',
	status: endpoint('GET', '/batch/scrape/{id}', 'crawlStatus'),
	cancel: endpoint('DELETE', '/batch/scrape/{id}', 'crawlStatus'),
	errors: endpoint('GET', '/batch/scrape/{id}/errors', 'crawlStatus'),
	returnsFailed: true,
	arrange,
	missingIn,
	invalidIn: ({ requests }) =>
		requests
			.flatMap(({ body }) => urlsOf(body))
			.filter((given) => !url().safeParse(given).success)
			.map(String),
};

/** The service's maximum size of JSON (https://docs.firecrawl.dev/api-reference/introduction). */
const largestRequest = 10_000_000;

const isTooLarge = ({ urls }: { urls: string[] }) => JSON.stringify(urls).length > largestRequest;
const tooLarge = 'must be at most 10 MB in one batch; split the input into several';

const request = form(
	{
		urls: urlsField(
			'URLs to scrape, separated by commas or new lines',
			uncheckedUrls({ min: 1 }),
			`${costOf('page')} or more per URL`,
		),
		formats,
		...additionalFields({
			...scrapeOptionGroup,
			actions: hidden(actions.valueSchema),
			appendToId: id('Append to ID', 'ID of a batch that is still running, to add the URLs to', {
				placeholder: exampleId,
			}),
			ignoreInvalidURLs: boolean(
				'Ignore Invalid URLs',
				'Whether to skip invalid URLs instead of failing the batch',
				{ default: true },
			),
			maxConcurrency: crawlOptionGroup.maxConcurrency,
			requestJson,
			webhook: documentWebhook,
		}),
	},
	(body, reject) => {
		scrapeOptionRules(body, reject);
		if (isTooLarge(body)) reject(tooLarge, 'urls');
		if (body.ignoreInvalidURLs) return;
		for (const [index, each] of body.urls.entries()) {
			const [issue] = url().safeParse(each).error?.issues ?? [];
			if (issue) reject(issue.message, 'urls', index);
		}
	},
);

/** The parameters of a batch. */
export type BatchRequest = z.output<typeof request.schema>;

/** The body of POST /batch/scrape. */
export const batchRequest = mapSchema(request, (schema) =>
	withRequestJson(schema, ['scrapeOptions']),
);

/** Merges the batches of all items into one: each URL once, and all other fields and options equal. */
export function mergeBatches(
	bodies: BatchRequest[],
	settings: Settings[] = [],
): BatchRequest | ValidationFailure {
	const rests = new Set(
		bodies.map((body, index) => JSON.stringify({ ...body, urls: [], options: settings[index] })),
	);
	if (rests.size > 1) {
		return new ValidationFailure(
			`One batch for all items requires the same values in all fields except 'URLs'. Remove the expressions from the other fields, or run the node once for each item, in a loop`,
		);
	}
	const urls = new Map<string, string>();
	for (const url of bodies.flatMap((body) => body.urls)) {
		const key = canonical(url);
		if (!urls.has(key)) urls.set(key, url);
	}
	const merged = { ...bodies[0], urls: [...urls.values()] };
	return isTooLarge(merged) ? new ValidationFailure(`'URLs' of all items ${tooLarge}`) : merged;
}

const batchJob = documentJob(batchKind);

/** The batch of a request. One to which it appends may be another execution's. */
const jobOf = ({ appendToId }: BatchRequest): Job => ({
	...batchJob,
	isLeftAlone: appendToId !== undefined,
});

/** POST /batch/scrape, then its documents (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Scrape list of URLs',
	description: `Scrapes a list of URLs and returns one item per page. ${costOf('page')} per page, more for some formats. Takes seconds to minutes.`,
	request: batchRequest,
	settings: runSettings,
	costs: 'as Scrape, per page',
	mergeBodies: mergeBatches,
	run: async (body, context) =>
		await context.runJob(
			jobOf(body),
			batchStart(withPageText(body, context.settings.output), context.requests),
		),
	job: batchJob,
});

/** POST /batch/scrape (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start batch',
	description: `Starts to scrape a list of URLs and returns its job ID, by which pages can be fetched later. ${costOf('page')} per page, more for some formats.`,
	request: batchRequest,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime'),
	costs: 'as Run',
	mergeBodies: mergeBatches,
	run: async (body, context) =>
		await context.startJob(jobOf(body), batchStart(body, context.requests)),
});

export const batch: Resource = {
	name: 'Batch',
	value: 'batch',
	operations: [run, start, ...jobOperations(batchKind)],
};
