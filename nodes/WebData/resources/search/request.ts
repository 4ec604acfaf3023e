import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import type { Endpoint } from '../../../runtime/api/endpoint';
import type { Reject } from '../../../runtime/form/schema';
import { anyOf, boolean, guard, integer, string } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import type { ReadContext, Result } from '../../../runtime/operation/operation';
import { missingInPaidResponse } from '../../../runtime/output/paidResponse';
import { fixedPrice, sumOf, type Price } from '../../../runtime/limits/price';
import { isRecord, type JsonRecord } from '../../../runtime/values/record';
import { asRecord, listsIn, splitData } from '../../../runtime/output/results';
import type { ApiResponse } from '../../../runtime/api/retry';
import { creditsIn } from '../../../runtime/limits/budget';
import { callerFields } from '../../fields/caller';
import { limitUpTo } from '../../fields/limit';
import {
	costOf,
	pagePrice,
	pagesPrice,
	resultsPrice,
	scanPrice,
	xPagesAmong,
} from '../../fields/prices';
import { query } from '../../fields/query';
import { queryOperators, withQueryOperators } from '../../fields/queryOperators';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { defaultScrapeTimeout, scrapeOptionNames, searchReading } from '../../fields/scrapeOptions';
import { sources } from '../../fields/sources';
import { threatProtection } from '../../fields/threatProtection';
import { toolDetail } from '../../fields/toolDetail';
import { searchFilters } from './searchFilters';

/** Most results of a source. */
export const maxLimit = 100;

/** Longest query, in characters. */
export const longestQuery = 500;

/** The service's default timeout of a search, in milliseconds. */
const defaultTimeout = 60_000;

/** The type of a source in any form. */
const typeOf = (source: string | { type: string }) =>
	typeof source === 'object' ? source.type : source;

/** The less common fields of a search. */
const searchOptions = {
	clientModel: string({
		displayName: 'Client Model',
		max: 128,
		placeholder: 'e.g. gpt-5',
		description:
			'Name of the requesting AI model, up to 128 characters; does not affect the results',
	}),
	domainTools: boolean({
		displayName: 'Domain Tools',
		default: true,
		description:
			"Whether to include data tools offered by the results' domains; free, must be enabled for the team",
	}),
	enterprise: guard(
		anyOf({
			emptyIsUnset: true,
			displayName: 'Enterprise',
			options: [
				{
					name: 'Anonymized',
					value: 'anon',
					description: `Anonymized zero data retention, ${costOf('tenResults')} per 10 results`,
				},
				{
					name: 'Default',
					value: 'default',
					description: `Team's default data retention, ${costOf('tenResults')} per 10 results`,
				},
				{
					name: 'Zero Data Retention',
					value: 'zdr',
					description: `End to end, ${costOf('tenResultsZdr')} per 10 results`,
				},
			],
			description: 'Data retention mode; must be enabled for the team',
		}),
	),
	filter: string({
		displayName: 'Filter',
		placeholder: 'e.g. 0',
		description: "Search engine filter, as in Google's parameter of the same name",
	}),
	highlights: boolean({
		displayName: 'Highlights',
		description: 'Whether descriptions show passages that match the query. Enabled by default.',
	}),
	ignoreInvalidURLs: boolean({
		displayName: 'Ignore Invalid URLs',
		default: true,
		description: 'Whether to exclude URLs that other operations do not support',
	}),
	objective: string({
		displayName: 'Objective',
		rows: 2,
		max: 5000,
		placeholder: 'e.g. Find out which subsidies a landlord can get',
		description: 'Purpose of the search, up to 5,000 characters; does not affect the results',
	}),
	safe: boolean({
		displayName: 'Safe Search',
		default: true,
		description: 'Whether to exclude explicit content',
	}),
	threatProtection,
	timeout: integer({
		displayName: 'Timeout',
		min: 1,
		unit: 'milliseconds',
		default: 60_000,
		description: 'Max time for the search, in milliseconds',
	}),
	toolDetail,
};

/** Validates combinations of search filters that exclude one another. */
export function searchFilterRules(
	{
		includeDomains,
		excludeDomains,
		categories = [],
	}: {
		includeDomains?: string[];
		excludeDomains?: string[];
		categories?: Array<{ type: string }>;
	},
	reject: Reject,
): void {
	if (includeDomains && excludeDomains) {
		reject(`cannot be used together with 'Exclude Domains'`, 'includeDomains');
	}
	const isRequested = (category: string) => categories.some(({ type }) => type === category);
	if (categories.length > 1 && isRequested('developer')) {
		reject('does not allow Developer together with other categories', 'categories');
	}
	if (categories.length > 1 && isRequested('gov')) {
		reject('does not allow Government together with other categories', 'categories');
	}
}

const request = form(
	{
		query: query({
			max: longestQuery,
			placeholder: 'e.g. heat pump subsidies 2026',
			description:
				'Search query, up to 500 characters; supports operators such as site: and quotes',
		}),
		...limitUpTo(maxLimit, {
			default: 10,
			description: `Max number of results per source, 1 to 100; ${costOf('tenResults')} per 10 results`,
		}),
		sources,
		...searchReading,
		...additionalFields({ ...searchFilters, ...searchOptions, requestJson }),
		queryOperators,
		...callerFields,
	},
	(search, reject) => {
		const { sources: given = [] } = search;
		// Tools store their requests (docs/api-notes.md, Requests).
		const isPrivate = search.enterprise?.some((mode) => mode !== 'default') === true;
		if (isPrivate && search.domainTools) {
			reject(`cannot be used together with 'Enterprise'`, 'domainTools');
		}
		if (isPrivate && given.map(typeOf).includes('alexandria')) {
			reject(`cannot include Tool Catalogue together with 'Enterprise'`, 'sources');
		}
		searchFilterRules(search, reject);
	},
);

export type SearchRequest = z.output<typeof request.schema>;

/** The fields of a search request (https://docs.firecrawl.dev/api-reference/endpoint/search). */
export const searchRequest = mapSchema(request, (schema) =>
	withRequestJson(withQueryOperators(schema), scrapeOptionNames),
);

/** The fields that web sources and requests share. */
const shared = ['tbs', 'location', 'country', 'lang', 'filter'];

/** The shared fields of a source or request. */
const sharedOf = (named: object): JsonRecord =>
	Object.fromEntries(Object.entries(named).filter(([name]) => shared.includes(name)));

/**
 * Copies the time filter, location and language between the web source and the request: some
 * servers read only the request's (docs/api-notes.md, Requests), others only the source's if
 * sources are objects (https://docs.firecrawl.dev/api-reference/endpoint/search).
 */
function withInheritance({ sources: given, ...body }: SearchRequest): SearchRequest {
	if (given === undefined) return body;
	const isWeb = (source: (typeof given)[number]) =>
		typeof source === 'object' && source.type === 'web';
	const own = given.filter(isWeb).map((source) => sharedOf(asRecord(source)));
	return {
		...own.at(0),
		...body,
		sources: given.map((source) =>
			typeof source === 'object' && isWeb(source) ? { ...sharedOf(body), ...source } : source,
		),
	};
}

/**
 * The maximum price of a search: its results by tens, the scan of each, and each scraped page
 * (docs/api-notes.md, Credits).
 */
function searchPrice({
	sources: given = ['web'],
	limit = 10,
	enterprise = [],
	categories = [],
	scrapeOptions: reading,
	threatProtection: protection = reading?.threatProtection,
}: SearchRequest): Price {
	const types = given.map(typeOf);
	const paid = types.filter((type) => type !== 'alexandria').length;
	const read = types.filter((type) => type === 'web' || type === 'news').length;
	const found = limit * paid;
	if (found === 0) return fixedPrice(0, 'Finding data tools is free');
	const prices = [
		resultsPrice(found, enterprise.includes('zdr') ? 'tenResultsZdr' : 'tenResults'),
		...scanPrice(protection, found),
	];
	if (reading?.formats?.length && read > 0) {
		const kind = categories.some(({ type }) => type === 'pdf') ? 'PDF' : 'page';
		// Each URL is scanned as a result, and again after a redirect.
		const page = pagePrice({ ...reading, threatProtection: undefined }, kind);
		const pages = limit * read;
		prices.push(pagesPrice(pages, page), xPagesAmong, ...scanPrice(protection, pages));
	}
	return sumOf(prices);
}

/**
 * Whether a response has the data of a search: lists by source, or nothing if there are no results.
 */
function holdsResults(data: unknown): boolean {
	if (!isRecord(data)) return Array.isArray(data);
	const fields = Object.values(data);
	return fields.length === 0 || fields.some((field) => field === null || Array.isArray(field));
}

/** The name of a source's list in the response. */
const listOf = (source: string | { type: string }) => {
	const type = typeOf(source);
	return type === 'alexandria' ? 'tools' : type;
};

/**
 * A notice of requested sources without results while others have some: servers replace sources
 * that they lack.
 */
function missingSources(
	{ sources: given = [], categories = [] }: SearchRequest,
	response: IDataObject,
): string | undefined {
	const lists = listsIn(response).filter(([, entries]) => entries.length > 0);
	const found = new Set(lists.map(([name]) => name));
	// Results of a category have its name as their source.
	const requested = given.map(listOf).filter((name) => name !== 'web' || categories.length === 0);
	const missing = requested.filter((name) => !found.has(name));
	if (missing.length === 0 || found.size === 0) return undefined;
	const others = [...found].join(', ');
	return `No results from ${missing.join(' or ')}, only from ${others}. Some servers do not support every source.`;
}

export const searchWeb: Endpoint = {
	method: 'POST',
	path: '/search',
	bucket: 'search',
	retrySafety: 'mayChargeTwice',
};

/** Sends a search, whose response is charged. */
export const sendSearch = async (body: SearchRequest, context: ReadContext): Promise<ApiResponse> =>
	await context.send({
		endpoint: searchWeb,
		body: withInheritance(body),
		serviceTimeout:
			(body.timeout ?? defaultTimeout) + (body.scrapeOptions?.timeout ?? defaultScrapeTimeout),
		price: searchPrice(body),
	});

/**
 * The results of a search, with notices of missing ones.
 * @throws NodeOperationError with the charge if the response has no results
 */
export async function searchResults(
	response: ApiResponse,
	body: SearchRequest,
	context: ReadContext,
): Promise<Result[]> {
	const payload = asRecord(response.body);
	if (!holdsResults(payload.data))
		throw missingInPaidResponse('results', response.body, context.errorSource);
	const results = await splitData(payload);
	// Without an item, only a notice can show the cost of the search.
	if (results.length === 0) {
		const credits = creditsIn(payload);
		const cost = credits === undefined ? 'credits unknown' : `${credits} credits`;
		context.notice(
			`Item ${context.errorSource.itemIndex} returned no results (search ${payload.id}, ${cost})`,
		);
	}
	const missing = missingSources(body, payload);
	if (missing !== undefined) context.notice(missing);
	return results;
}
