import type { z } from 'zod/v3';
import type { Endpoint } from '../../../runtime/api/endpoint';
import type { Refuse } from '../../../runtime/form/schema';
import { anyOf, boolean, guard, integer, string } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import type { ReadContext, Result } from '../../../runtime/operation/operation';
import { missingInPaidResponse } from '../../../runtime/output/paidResponse';
import { fixedPrice, sumOf, type Price } from '../../../runtime/limits/price';
import { isRecord, type JsonRecord } from '../../../runtime/values/record';
import { asRecord, splitData } from '../../../runtime/output/results';
import type { ApiResponse } from '../../../runtime/api/retry';
import { creditsIn } from '../../../runtime/limits/budget';
import { callerMembers } from '../../fields/caller';
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

/** The service's own time for a search when the request names none, in milliseconds. */
const defaultTimeout = 60_000;

/** The type of a source, of whichever shape. */
const typeOf = (source: string | { type: string }) =>
	typeof source === 'object' ? source.type : source;

/** The fields of a search that few users need. */
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

/** Where a search looks, as far as its parts forbid one another. */
export function narrowingRules(
	{
		includeDomains,
		excludeDomains,
		categories = [],
	}: {
		includeDomains?: string[];
		excludeDomains?: string[];
		categories?: Array<{ type: string }>;
	},
	refuse: Refuse,
): void {
	if (includeDomains && excludeDomains) {
		refuse(`cannot be used together with 'Exclude Domains'`, 'includeDomains');
	}
	const isAsked = (category: string) => categories.some(({ type }) => type === category);
	if (categories.length > 1 && isAsked('developer')) {
		refuse('does not allow Developer together with other categories', 'categories');
	}
	if (categories.length > 1 && isAsked('gov')) {
		refuse('does not allow Government together with other categories', 'categories');
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
		...callerMembers,
	},
	(search, refuse) => {
		const { sources: given = [] } = search;
		// The tools keep what they are asked (docs/api-notes.md, Requests).
		const isPrivate = search.enterprise?.some((mode) => mode !== 'default') === true;
		if (isPrivate && search.domainTools) {
			refuse(`cannot be used together with 'Enterprise'`, 'domainTools');
		}
		if (isPrivate && given.map(typeOf).includes('alexandria')) {
			refuse(`cannot include Tool Catalogue together with 'Enterprise'`, 'sources');
		}
		narrowingRules(search, refuse);
	},
);

export type SearchRequest = z.output<typeof request.schema>;

/** What a search may ask for (https://docs.firecrawl.dev/api-reference/endpoint/search). */
export const searchRequest = mapSchema(request, (schema) =>
	withRequestJson(withQueryOperators(schema), scrapeOptionNames),
);

/** What a web source and a request can both name. */
const shared = ['tbs', 'location', 'country', 'lang', 'filter'];

/** What something names of that. */
const sharedOf = (named: object): JsonRecord =>
	Object.fromEntries(Object.entries(named).filter(([name]) => shared.includes(name)));

/**
 * The time filter, the place and the language of the web source and those of the request stand for one
 * another: some servers read only the request's own (docs/api-notes.md, Requests), others, of sources given
 * as objects, only the source's (https://docs.firecrawl.dev/api-reference/endpoint/search).
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

/** What a search can cost: its results by tens, the scan of each, and each page that is read (docs/api-notes.md, Credits). */
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
		// Each URL is scanned as a result, and where it leads elsewhere once more.
		const page = pagePrice({ ...reading, threatProtection: undefined }, kind);
		const pages = limit * read;
		prices.push(pagesPrice(pages, page), xPagesAmong, ...scanPrice(protection, pages));
	}
	return sumOf(prices);
}

/** Whether the data of an answer are those of a search: lists by source, and none at all when nothing was found. */
function holdsResults(data: unknown): boolean {
	if (!isRecord(data)) return Array.isArray(data);
	const members = Object.values(data);
	return members.length === 0 || members.some((member) => member === null || Array.isArray(member));
}

/** A source's name where its results stand. */
const listOf = (source: string | { type: string }) => {
	const type = typeOf(source);
	return type === 'alexandria' ? 'tools' : type;
};

/** What to say when an asked source brought nothing but others did: a server without that source answers with others. */
function missingSources(
	{ sources: given = [], categories = [] }: SearchRequest,
	results: Result[],
): string | undefined {
	const found = new Set(results.map(({ json }) => String(json.source)));
	// Results of a category stand under its own name.
	const asked = given.map(listOf).filter((name) => name !== 'web' || categories.length === 0);
	const missing = asked.filter((name) => !found.has(name));
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

/** Sends a search; its answer is what is paid for. */
export const sendSearch = async (body: SearchRequest, context: ReadContext): Promise<ApiResponse> =>
	await context.send({
		endpoint: searchWeb,
		body: withInheritance(body),
		serviceTimeout:
			(body.timeout ?? defaultTimeout) + (body.scrapeOptions?.timeout ?? defaultScrapeTimeout),
		price: searchPrice(body),
	});

/**
 * The results of a search, with notices of what it did not find.
 * @throws NodeOperationError that says what was charged when the answer has no results
 */
export function searchResults(
	response: ApiResponse,
	body: SearchRequest,
	context: ReadContext,
): Result[] {
	const payload = asRecord(response.body);
	if (!holdsResults(payload.data))
		throw missingInPaidResponse('results', response.body, context.errorSource);
	const results = splitData(payload);
	// Without an item, nothing else would show what the search cost.
	if (results.length === 0) {
		const credits = creditsIn(payload);
		const cost = credits === undefined ? 'credits unknown' : `${credits} credits`;
		context.notice(
			`Item ${context.errorSource.itemIndex} returned no results (search ${payload.id}, ${cost})`,
		);
	}
	const missing = missingSources(body, results);
	if (missing !== undefined) context.notice(missing);
	return results;
}
