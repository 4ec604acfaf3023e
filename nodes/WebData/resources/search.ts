import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import type { ApiResponse } from '../../runtime/errors/response';
import {
	anyKnown,
	anyOf,
	boolean,
	integer,
	list,
	string,
	withDefault,
	type Choices,
} from '../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../runtime/form/form';
import {
	discriminatedUnion,
	listSchema,
	objectSchema,
	stringSchema,
	unsetIfEmpty,
	type Reject,
} from '../../runtime/form/schema';
import { settingsFields } from '../../runtime/form/settings';
import { creditsIn } from '../../runtime/http/credits';
import { endpoint } from '../../runtime/http/endpoint';
import {
	operation,
	type ReadContext,
	type Resource,
	type Result,
	type Values,
} from '../../runtime/operation';
import {
	asRecord,
	label,
	missingInPaidResponse,
	resultOfEach,
	without,
	workPerResult,
} from '../../runtime/execution/results';
import { fieldsNamed, isRecord, type JsonRecord } from '../../runtime/values/record';
import { parseUrl, pluralize } from '../../runtime/values/text';
import { mapInTurns } from '../../runtime/values/time';
import { withRequest } from '../documents/document';
import { judge, noticeMissingFormats, withPageText } from '../documents/judge';
import { country, domains, limitAlone, queryField } from '../fields/common';
import { costOf, prices } from '../fields/prices';
import { requestJson, withRequestJson } from '../fields/requestJson';
import { defaultScrapeTimeout, scrapeOptionNames, searchReading } from '../fields/scrapeOptions';
import { tbs } from '../fields/time';

/** Searches the web (https://docs.firecrawl.dev/api-reference/endpoint/search). */
export const searchWeb = endpoint('POST', '/search', 'search', 'mayChargeTwice');

/** Most results of a source. */
const maxLimit = 100;

/** Longest query, in characters. */
const longestQuery = 500;

/** The service's default timeout of a search, in milliseconds. */
const defaultTimeout = 60_000;

/** Hint of a query: the operators that a search understands. */
const operatorsHint = 'Operators: intitle:, inurl:, filetype:, "exact phrase", -word, OR';

/** Price of a search as text. */
const tenResults = `${costOf('tenResults')} per 10 results`;

const sourceKinds = {
	images: 'Images',
	news: 'News',
	alexandria: [
		'Tool Catalogue',
		'Data tools that match the query; free, must be enabled for the team',
	],
	web: 'Web',
} as const;

/** A choice of kinds by their names; an expression may also give objects with a `type`. */
const kindsOf = (choices: Choices<string>, set: 'open' | 'closed') => {
	const kinds = Object.keys(choices).map((kind) => [kind, objectSchema({})]);
	return listSchema(discriminatedUnion(Object.fromEntries(kinds), set));
};

/** The sources in the editor; its default is the service's own, and is not sent. */
const chosenSources = ({ sources: chosen }: Values): unknown =>
	Array.isArray(chosen) && chosen.length === 1 && chosen[0] === 'web' ? undefined : chosen;

/** A source in the API's form. */
type Source = string | (JsonRecord & { type: string });

const typeOf = (source: Source) => (typeof source === 'string' ? source : source.type);

/** The sources of a search: strings if none has fields, because the API rejects a mix. */
const sources = {
	...anyKnown(
		'Sources',
		"Where to search; web if empty. 'Limit' applies per source.",
		unsetIfEmpty(kindsOf(sourceKinds, 'closed')).transform((entries): Source[] | undefined =>
			entries?.every((entry) => Object.keys(entry).length === 1)
				? entries.map(({ type }) => type)
				: entries,
		),
		{ default: ['web'], options: sourceKinds },
	),
	read: chosenSources,
};

const categoryKinds = {
	developer: [
		'Developer',
		'Issues, merged pull requests, READMEs and documentation; cannot be combined',
	],
	github: ['GitHub', 'Pages of repositories, code and issues'],
	gov: ['Government', 'Laws and regulations of the United States; cannot be combined'],
	pdf: 'PDF',
	research: [
		'Research',
		'Records of scientific papers; for their pages, set Include Domains instead',
	],
} as const;

/** The filters of a search of the web, sorted by name. */
const searchFilters = {
	categories: anyKnown(
		'Categories',
		'Categories to restrict the search to',
		kindsOf(categoryKinds, 'open'),
		{ options: categoryKinds },
	),
	country: country('Country to search from, as a code; US if neither country nor location is set'),
	excludeDomains: domains(
		'Exclude Domains',
		'Comma-separated domains, as by -site: in the query; not together with Include Domains',
	),
	includeDomains: domains(
		'Include Domains',
		'Comma-separated domains, as by site: in the query; not together with Exclude Domains',
	),
	location: string(
		'Location',
		'Region or city to search from; works best together with its Country',
		{ placeholder: 'e.g. Munich,Bavaria,Germany' },
	),
	tbs,
};

interface Filters {
	includeDomains?: string[];
	excludeDomains?: string[];
	categories?: Array<{ type: string }>;
}

/** Validates combinations of filters that exclude one another. */
function searchFilterRules(filters: Filters, reject: Reject): void {
	if (filters.includeDomains && filters.excludeDomains)
		reject(`cannot be used together with 'Exclude Domains'`, 'includeDomains');
	const chosen = (filters.categories ?? []).map(({ type }) => type);
	for (const kind of ['developer', 'gov'] as const) {
		if (chosen.includes(kind) && chosen.length > 1)
			reject(
				`does not allow ${categoryKinds[kind][0]} together with other categories`,
				'categories',
			);
	}
}

const request = form(
	{
		query: queryField('Search query, up to 500 characters', {
			max: longestQuery,
			placeholder: 'e.g. heat pump subsidies 2026',
			hint: operatorsHint,
		}),
		limit: limitAlone(`Max number of results per source, 1 to 100; ${tenResults}`, {
			default: 10,
			max: maxLimit,
		}),
		...searchReading,
		...additionalFields({
			...searchFilters,
			sources,
			enterprise: {
				...anyOf(
					'Enterprise',
					`Data retention mode; zero retention costs ${costOf('tenResultsZdr')} per 10 results; must be enabled for the team`,
					{
						emptyIsUnset: true,
						options: {
							anon: ['Anonymized', 'Anonymized zero data retention'],
							default: ['Default', "Team's default data retention"],
							zdr: ['Zero Data Retention', 'End to end'],
						},
					},
				),
				// As for numbers: an expression without a value must not count as the team's default.
				blank: 'rejected',
			},
			highlights: boolean(
				'Highlight Descriptions',
				'Whether descriptions are passages that match the query; free',
				{ default: true },
			),
			ignoreInvalidURLs: boolean(
				'Ignore Invalid URLs',
				'Whether to exclude URLs that other operations do not support',
			),
			requestJson,
			timeout: integer('Timeout', 'Max time for the search, in milliseconds', {
				min: 1,
				unit: 'milliseconds',
				default: defaultTimeout,
			}),
		}),
	},
	searchFilterRules,
);

/** Sends the filters of the web source at the top level too, where alone the service reads them. */
function withFiltersOfWeb(body: SearchRequest): SearchRequest {
	const web = body.sources?.find((source) => typeOf(source) === 'web');
	return { ...(isRecord(web) && fieldsNamed(web, 'tbs', 'location')), ...body };
}

/** The scrape options that a search has only for its results, unlike its own location and timeout. */
const optionsOfResults = scrapeOptionNames.filter(
	(name) => name !== 'location' && name !== 'timeout',
);

type SearchRequest = z.output<typeof request.schema>;

/** Sends a search, whose response is charged. */
async function sendSearch(body: SearchRequest, context: ReadContext): Promise<ApiResponse> {
	const { limit: most = 10, scrapeOptions, timeout = defaultTimeout } = body;
	const pages = scrapeOptions === undefined ? 0 : most;
	return await context.send({
		endpoint: searchWeb,
		body: withPageText(body, context.settings.output),
		serviceTimeout: timeout + (scrapeOptions?.timeout ?? defaultScrapeTimeout),
		price: Math.ceil(most / 10) * prices.tenResults.credits + pages * prices.page.credits,
	});
}

/** Returns one result per entry of every list in `data`, also unknown ones, with `source` (the list's name) and `position` in it. */
export async function splitData({ data }: IDataObject): Promise<Result[]> {
	// Some servers respond with a list, as v1 did.
	const fields = Object.entries(Array.isArray(data) ? { web: data } : asRecord(data ?? {}));
	const results: Result[][] = [];
	for (const [source, entries] of fields) {
		if (!Array.isArray(entries)) continue;
		const ofList = await resultOfEach(entries, (record, index) => {
			const position = typeof record.position === 'number' ? record.position : index + 1;
			return label(record, { source, position });
		});
		results.push(ofList);
	}
	return results.flat();
}

/** Whether a response has the data of a search: lists by source, or nothing without results. */
function holdsResults(data: unknown): boolean {
	if (!isRecord(data)) return Array.isArray(data);
	const fields = Object.values(data);
	return fields.length === 0 || fields.some((list) => list === null || Array.isArray(list));
}

/** Shows notices of what a search lacks: results, pages of papers, or sources that the server replaced. */
function noticeMissing(
	results: Result[],
	response: IDataObject,
	body: SearchRequest,
	context: ReadContext,
): void {
	const found = new Set(results.map(({ json }) => String(json.source)));
	if (found.size === 0) {
		const credits = creditsIn(response);
		const cost = credits === undefined ? 'credits unknown' : pluralize(credits, 'credit');
		const id = typeof response.id === 'string' ? `search ${response.id}, ` : '';
		context.notice(`Item ${context.errorSource.itemIndex} returned no results (${id}${cost})`);
		return;
	}
	if (body.scrapeOptions && found.has('research'))
		context.notice(
			"Results of the category Research are records of papers and are not scraped. To scrape pages about them, remove the category and set 'Include Domains', such as arxiv.org.",
		);
	// Results of a category have its name as their source.
	const isByCategory = (body.categories ?? []).length > 0;
	const missing = (body.sources ?? [])
		.map((source) => (typeOf(source) === 'alexandria' ? 'tools' : typeOf(source)))
		.filter((name) => !found.has(name) && !(name === 'web' && isByCategory));
	if (missing.length > 0)
		context.notice(
			`No results from ${missing.join(' or ')}, only from ${[...found].join(', ')}. Some servers do not support every source.`,
		);
}

/** The results of a search, with notices. @throws WebDataError with the charge if there are none */
async function searchResults(
	response: ApiResponse,
	body: SearchRequest,
	context: ReadContext,
): Promise<Result[]> {
	const payload = asRecord(response.body);
	if (!holdsResults(payload.data))
		throw missingInPaidResponse('results', response.body, context.errorSource);
	const results = await splitData(payload);
	noticeMissing(results, payload, body, context);
	return results;
}

/** Whether a result is of one of some domains, itself or a subdomain. */
function isOf({ url }: IDataObject, wanted: readonly string[]): boolean {
	const host = parseUrl(String(url))?.hostname;
	const names = wanted.map((domain) => domain.replace(/^www\./, ''));
	return names.some((name) => host === name || host?.endsWith(`.${name}`));
}

/** The results of a search, each judged, without other domains, which some servers return anyway. */
async function askedFor(
	results: Result[],
	{ includeDomains, excludeDomains }: SearchRequest,
	context: ReadContext,
): Promise<Result[]> {
	const asked = results.filter(
		({ json }) =>
			typeof json.url !== 'string' ||
			((!includeDomains || isOf(json, includeDomains)) &&
				(!excludeDomains || !isOf(json, excludeDomains))),
	);
	const foreign = results.length - asked.length;
	if (foreign > 0)
		context.notice(
			`${pluralize(foreign, 'result')} of other domains ${foreign === 1 ? 'is' : 'are'} omitted, except in raw output: the server does not filter by 'Include Domains' and 'Exclude Domains'.`,
		);
	const pages = await judge(
		asked.map(({ json }) => json),
		context,
	);
	return pages.map((json) => ({ json }));
}

/** The fields that a simplified result omits, by its source: web and news together fit a table. */
const omittedOf: Record<string, string[]> = { news: ['imageUrl'], tools: ['id', 'matchedBy'] };

const simplify = ({ json }: Result): Result => ({
	json: without(json, 'position', ...(omittedOf[String(json.source)] ?? [])),
});

/** POST /search (https://docs.firecrawl.dev/api-reference/endpoint/search). */
export const query = operation({
	name: 'Query',
	value: 'query',
	action: 'Search web',
	description: `Searches web, news, images, papers, US law or code and returns title, URL and description of results. ${tenResults}, and ${costOf('page')} or more for each page that is scraped as well.`,
	costs: `${tenResults} unless the organization has another price, and each page as a scrape`,
	request: mapSchema(request, (schema) =>
		withRequestJson(schema.transform(withFiltersOfWeb), optionsOfResults),
	),
	settings: settingsFields('output', 'downloadFiles', 'maxCreditsPerExecution', 'maxRetryTime'),
	async run(body, context: ReadContext) {
		const response = await sendSearch(body, context);
		const payload = asRecord(response.body);
		const isWhole = context.settings.output === 'raw' && isRecord(response.body);
		const listed = isWhole
			? await splitData(payload)
			: await searchResults(response, body, context);
		const asked = await askedFor(listed, body, context);
		const results = context.settings.output === 'simplified' ? asked.map(simplify) : asked;
		const pages = listed.filter(({ json: { source } }) => source === 'web' || source === 'news');
		noticeMissingFormats(
			body,
			pages.map(({ json }) => json),
			context,
		);
		return isWhole
			? [{ json: payload }]
			: withRequest(results, { creditsUsed: payload.creditsUsed });
	},
});

/** Styles by which a page hides an element from its readers. */
const hidingStyles = ['display:none', 'visibility:hidden', 'font-size:0px', 'font-size:0;'];

/** What is scraped for passages: without hidden text, which may be meant only for models. */
const passageScrape = {
	formats: [{ type: 'markdown' }],
	excludeTags: [
		'[hidden]',
		...hidingStyles.flatMap((style) =>
			[style, style.replace(':', ': ')].map((text) => `[style*="${text}"]`),
		),
	],
};

const passageRequest = form(
	{
		query: queryField('Search query that the passages must answer, up to 500 characters', {
			max: longestQuery,
			placeholder: 'e.g. How high are heat pump subsidies in 2026?',
			hint: operatorsHint,
		}),
		alsoAsk: list(
			'Also Ask',
			'Comma-separated other phrasings with likely terms and synonyms, up to 5 of 500 characters',
			{
				emptyIsUnset: true,
				entry: stringSchema({ max: 500 }),
				max: 5,
				placeholder: 'e.g. grants for heat pumps, funding of heating systems',
			},
		),
		limit: limitAlone(
			`Max number of pages per source, 1 to 100; ${costOf('page')} or more each, and ${tenResults}`,
			{ default: 5, max: maxLimit },
		),
		...additionalFields({
			...searchFilters,
			maxTokens: withDefault(
				integer(
					'Max Tokens',
					'Max number of tokens for all passages, 100 to 20,000; a token is about 4 characters',
					{ min: 100, max: 20_000, unit: 'tokens', default: 1_500 },
				),
			),
			sources: {
				...anyOf('Sources', "Where to search; web if empty. 'Limit' applies per source.", {
					emptyIsUnset: true,
					default: ['web'],
					options: { news: 'News', web: 'Web' },
				}),
				read: chosenSources,
			},
		}),
	},
	searchFilterRules,
);

/** The description of a result that was not scraped. */
const descriptionOf = ({ description, snippet, abstract }: IDataObject): string =>
	[description, snippet, abstract].find((each): each is string => typeof each === 'string') ?? '';

/** POST /search, with results as markdown (https://docs.firecrawl.dev/api-reference/endpoint/search). */
export const passages = operation({
	name: 'Passages',
	value: 'passages',
	action: 'Search web for passages',
	description: `Searches the web and returns the passages that answer the query, with URL and number to cite. Ask with words that the answer would contain; call again with synonyms. ${tenResults}, ${costOf('page')} or more for each page.`,
	costs: `${tenResults}, and each page as a scrape`,
	request: passageRequest,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime'),
	async run({ maxTokens: most, alsoAsk: phrasings = [], ...narrowed }, context: ReadContext) {
		const { markdownOf, passageResults, sourcePage, wholePassages } = await import(
			'../documents/passage'
		);
		const body = { ...narrowed, scrapeOptions: passageScrape };
		const response = await sendSearch(body, context);
		const found = await searchResults(response, body, context);
		const results = (await askedFor(found, body, context)).filter(
			({ json }) => json.blocked === undefined,
		);
		const pagesOf = async (texts: Array<string | undefined>) =>
			await mapInTurns(results, workPerResult, ({ json }, index) =>
				sourcePage(json, texts[index] ?? descriptionOf(json)),
			);
		const texts = await mapInTurns(results, workPerResult, ({ json }) => markdownOf(json));
		const pages = await pagesOf(texts);
		const unread = texts.filter((text) => text === undefined).length;
		if (unread > 0)
			context.notice(
				`${pluralize(unread, 'page')} could not be scraped: the description of the result is returned instead.`,
			);
		const passagesFound = await passageResults(pages, [body.query, ...phrasings], most);
		const cost = { creditsUsed: asRecord(response.body).creditsUsed };
		if (passagesFound.length > 0 || results.length === 0) return withRequest(passagesFound, cost);
		context.notice(
			'No passage matches the query: the descriptions of the results are returned instead.',
		);
		return withRequest(wholePassages(await pagesOf([]), most), cost);
	},
});

export const search: Resource = { name: 'Search', value: 'search', operations: [query, passages] };
