import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import type { Endpoint } from '../../runtime/http/endpoint';
import type { ApiResponse } from '../../runtime/errors/response';
import {
	anyOf,
	boolean,
	field,
	guard,
	integer,
	list,
	string,
	withDefault,
} from '../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import {
	discriminatedUnion,
	listSchema,
	objectSchema,
	stringSchema,
	unsetIfEmpty,
	type Reject,
} from '../../runtime/form/schema';
import { mapInTurns } from '../../runtime/values/time';
import { creditsIn } from '../../runtime/http/credits';
import {
	operation,
	type ReadContext,
	type Resource,
	type Result,
	type Values,
} from '../../runtime/execution/operation';
import { findPassages, tokensOf, type SourceText } from '../../runtime/output/passages';
import {
	missingInPaidResponse,
	asRecord,
	listsIn,
	splitData,
	workPerResult,
} from '../../runtime/output/results';
import { fieldOf, isRecord, type JsonRecord } from '../../runtime/values/record';
import { pluralize } from '../../runtime/values/text';
import {
	errorStatusOf,
	isUnparsedPdf,
	noticeMissingFormats,
	repeatedTitle,
	repeatedUrl,
	withoutSearchOperators,
} from '../documents/document';
import { domains, limitAlone, queryField } from '../fields/common';
import { costOf, prices } from '../fields/prices';
import { requestJson, withRequestJson } from '../fields/requestJson';
import { defaultScrapeTimeout, scrapeOptionNames, searchReading } from '../fields/scrapeOptions';
import { tbs } from '../fields/time';

/** Searches the web (https://docs.firecrawl.dev/api-reference/endpoint/search). */
export const searchWeb: Endpoint = {
	method: 'POST',
	path: '/search',
	bucket: 'search',
	retrySafety: 'mayChargeTwice',
};

/** Most results of a source. */
const maxLimit = 100;

/** Longest query, in characters. */
const longestQuery = 500;

/** The service's default timeout of a search, in milliseconds. */
const defaultTimeout = 60_000;

const operatorsHint = 'Operators: intitle:, inurl:, filetype:, "exact phrase", -word, OR';

const tenResults = `${costOf('tenResults')} per 10 results`;

const sourceKinds = [
	{ name: 'Images', value: 'images' },
	{ name: 'News', value: 'news' },
	{
		name: 'Tool Catalogue',
		value: 'alexandria',
		description: 'Data tools that match the query; free, must be enabled for the team',
	},
	{ name: 'Web', value: 'web' },
];

/** A choice of kinds by their names; an expression may also give objects with a `type`. */
const kindsOf = (choices: Array<{ value: string }>, set: 'open' | 'closed') =>
	listSchema(
		discriminatedUnion(
			Object.fromEntries(choices.map(({ value }) => [value, objectSchema({})])),
			set,
		),
	);

/** The sources in the editor; its default is the service's own, and is not sent. */
const chosenSources = ({ sources: chosen }: Values): unknown =>
	Array.isArray(chosen) && chosen.length === 1 && chosen[0] === 'web' ? undefined : chosen;

/** A source in the API's form. */
type Source = string | (JsonRecord & { type: string });

const typeOf = (source: Source) => (typeof source === 'string' ? source : source.type);

/**
 * The sources of a search (https://docs.firecrawl.dev/features/search): strings if none has fields
 * by *Request (JSON)*, because the API rejects a mix.
 */
const sources = {
	...field(
		{
			displayName: 'Sources',
			type: 'multiOptions',
			default: ['web'],
			options: sourceKinds,
			description: "Where to search; web if empty. 'Limit' applies per source.",
		},
		unsetIfEmpty(kindsOf(sourceKinds, 'closed')).transform((entries): Source[] | undefined =>
			entries?.every((entry) => Object.keys(entry).length === 1)
				? entries.map(({ type }) => type)
				: entries,
		),
	),
	read: chosenSources,
};

const categoryKinds = [
	{
		name: 'Developer',
		value: 'developer',
		description: 'Issues, merged pull requests, READMEs and documentation; cannot be combined',
	},
	{ name: 'GitHub', value: 'github', description: 'Pages of repositories, code and issues' },
	{
		name: 'Government',
		value: 'gov',
		description: 'Laws and regulations of the United States; cannot be combined',
	},
	{ name: 'PDF', value: 'pdf' },
	{
		name: 'Research',
		value: 'research',
		description: 'Records of scientific papers; for their pages, set Include Domains instead',
	},
];

/** The filters of a search of the web, sorted by name. */
const searchFilters = {
	categories: field(
		{
			displayName: 'Categories',
			type: 'multiOptions',
			default: [],
			options: categoryKinds,
			description: 'Categories to restrict the search to',
		},
		kindsOf(categoryKinds, 'open'),
	),
	country: string({
		displayName: 'Country',
		placeholder: 'e.g. DE',
		description: 'Country to search from, as a code; US if neither country nor location is set',
	}),
	excludeDomains: domains({
		displayName: 'Exclude Domains',
		description:
			'Comma-separated domains, as by -site: in the query; not together with Include Domains',
	}),
	includeDomains: domains({
		displayName: 'Include Domains',
		description:
			'Comma-separated domains, as by site: in the query; not together with Exclude Domains',
	}),
	location: string({
		displayName: 'Location',
		placeholder: 'e.g. Munich,Bavaria,Germany',
		description: 'Region or city to search from; works best together with its Country',
	}),
	tbs,
};

interface Filters {
	includeDomains?: string[];
	excludeDomains?: string[];
	categories?: Array<{ type: string }>;
}

const hasCategory = ({ categories = [] }: Filters, wanted: string) =>
	categories.some(({ type }) => type === wanted);

/** Validates combinations of filters that exclude one another. */
function searchFilterRules(filters: Filters, reject: Reject): void {
	if (filters.includeDomains && filters.excludeDomains) {
		reject(`cannot be used together with 'Exclude Domains'`, 'includeDomains');
	}
	for (const { name, value } of categoryKinds) {
		const isAlone = value === 'developer' || value === 'gov';
		if (isAlone && hasCategory(filters, value) && (filters.categories ?? []).length > 1) {
			reject(`does not allow ${name} together with other categories`, 'categories');
		}
	}
}

const request = form(
	{
		query: queryField({
			max: longestQuery,
			placeholder: 'e.g. heat pump subsidies 2026',
			hint: operatorsHint,
			description: 'Search query, up to 500 characters',
		}),
		limit: limitAlone({
			default: 10,
			max: maxLimit,
			description: `Max number of results per source, 1 to 100; ${tenResults}`,
		}),
		...searchReading,
		...additionalFields({
			...searchFilters,
			sources,
			enterprise: guard(
				anyOf({
					emptyIsUnset: true,
					displayName: 'Enterprise',
					options: [
						{
							name: 'Anonymized',
							value: 'anon',
							description: `Anonymized zero data retention, ${tenResults}`,
						},
						{
							name: 'Default',
							value: 'default',
							description: `Team's default data retention, ${tenResults}`,
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
			highlights: boolean({
				displayName: 'Highlight Descriptions',
				default: true,
				description:
					'Whether descriptions are passages that match the query; free, unlike the format Highlights',
			}),
			ignoreInvalidURLs: boolean({
				displayName: 'Ignore Invalid URLs',
				description: 'Whether to exclude URLs that other operations do not support',
			}),
			requestJson,
			timeout: integer({
				displayName: 'Timeout',
				min: 1,
				unit: 'milliseconds',
				default: defaultTimeout,
				description: 'Max time for the search, in milliseconds',
			}),
		}),
	},
	searchFilterRules,
);

type SearchRequest = z.output<typeof request.schema>;

/** Sends a search, whose response is charged. */
const sendSearch = async (body: SearchRequest, context: ReadContext): Promise<ApiResponse> =>
	await context.send({
		endpoint: searchWeb,
		body,
		serviceTimeout:
			(body.timeout ?? defaultTimeout) + (body.scrapeOptions?.timeout ?? defaultScrapeTimeout),
		price: Math.ceil((body.limit ?? 10) / 10) * prices.tenResults.credits,
	});

/** Whether a response has the data of a search: lists by source, or nothing without results. */
function holdsResults(data: unknown): boolean {
	if (!isRecord(data)) return Array.isArray(data);
	const fields = Object.values(data);
	return fields.length === 0 || fields.some((list) => list === null || Array.isArray(list));
}

/**
 * Shows notices of what a search lacks: all results, the pages of papers, or sources, which servers
 * replace if they lack them.
 */
function noticeMissing(body: SearchRequest, response: IDataObject, context: ReadContext): void {
	const lists = listsIn(response).filter(([, entries]) => entries.length > 0);
	const found = new Set(lists.map(([name]) => name));
	if (found.size === 0) {
		const credits = creditsIn(response);
		const cost = credits === undefined ? 'credits unknown' : pluralize(credits, 'credit');
		const about = [...(typeof response.id === 'string' ? [`search ${response.id}`] : []), cost];
		context.notice(
			`Item ${context.errorSource.itemIndex} returned no results (${about.join(', ')})`,
		);
		return;
	}
	if (body.scrapeOptions && found.has('research')) {
		context.notice(
			"Results of the category Research are records of papers and are not scraped. To scrape pages about them, remove the category and set 'Include Domains', such as arxiv.org.",
		);
	}
	// Results of a category have its name as their source.
	const isByCategory = (body.categories ?? []).length > 0;
	const missing = (body.sources ?? [])
		.map((source) => (typeOf(source) === 'alexandria' ? 'tools' : typeOf(source)))
		.filter((name) => !found.has(name) && !(name === 'web' && isByCategory));
	if (missing.length === 0) return;
	context.notice(
		`No results from ${missing.join(' or ')}, only from ${[...found].join(', ')}. Some servers do not support every source.`,
	);
}

/**
 * The results of a search, with notices of missing ones.
 * @throws NodeOperationError with the charge if the response has no results
 */
async function searchResults(
	response: ApiResponse,
	body: SearchRequest,
	context: ReadContext,
): Promise<Result[]> {
	const payload = asRecord(response.body);
	if (!holdsResults(payload.data))
		throw missingInPaidResponse('results', response.body, context.errorSource);
	noticeMissing(body, payload, context);
	return await splitData(payload);
}

/** POST /search (https://docs.firecrawl.dev/api-reference/endpoint/search). */
export const query = operation({
	name: 'Query',
	value: 'query',
	action: 'Search web',
	description: `Searches web, news, images, papers, US law or code and returns title, URL and description of results. ${tenResults}, and ${costOf('page')} or more for each page that is scraped as well.`,
	costs: `${tenResults} unless the organization has another price, and each page as a scrape`,
	request: mapSchema(request, (schema) => withRequestJson(schema, scrapeOptionNames)),
	settings: settingsFields('output', 'downloadFiles', 'maxCreditsPerExecution', 'maxRetryTime'),
	async run(body, context: ReadContext) {
		const response = await sendSearch(body, context);
		const payload = asRecord(response.body);
		const isWhole = context.settings.output === 'raw' && isRecord(response.body);
		const results = isWhole ? [{ json: payload }] : await searchResults(response, body, context);
		const pages = listsIn(payload)
			.filter(([source]) => source === 'web' || source === 'news')
			.flatMap(([, entries]) => entries.map(asRecord));
		noticeMissingFormats(body, pages, context);
		return results;
	},
});

/** A page to select passages from. */
export interface SourcePage extends SourceText {
	/** The fields beside its passages, such as the URL and the scrape ID. */
	about: IDataObject;
	/** ID and credits of the request that returned it. */
	request: IDataObject;
}

/** Characters of an ID. */
const longestId = 200;

/** A page number with many digits, for counting its tokens. */
const sampleNumber = 100;

/** A field of a page or a request, unless it is a list, an object or longer than an ID. */
const short = (value: unknown): unknown =>
	typeof value === 'object' || (typeof value === 'string' && value.length > longestId)
		? undefined
		: value;

const withoutUnset = (record: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** The markdown of a page; undefined if it has none, or if the page is an HTTP error. */
export function markdownOf(document: IDataObject): string | undefined {
	const { markdown } = document;
	if (typeof markdown !== 'string' || markdown.trim() === '') return undefined;
	if (errorStatusOf(document) !== undefined || isUnparsedPdf(markdown, document)) {
		return undefined;
	}
	return markdown;
}

/** Turns a document into a page to select passages from. */
export function sourcePage(document: IDataObject, text: string): SourcePage {
	const { metadata, requestId, requestCredits } = document;
	const title = document.title ?? fieldOf(metadata, 'title');
	const url = document.url ?? fieldOf(metadata, 'url') ?? fieldOf(metadata, 'sourceURL');
	const scrapeId = fieldOf(metadata, 'scrapeId');
	return {
		text,
		title: typeof title === 'string' ? title : '',
		about: withoutUnset({
			title: typeof title === 'string' ? repeatedTitle(title) : undefined,
			url: typeof url === 'string' ? repeatedUrl(url) : undefined,
			scrapeId: short(scrapeId),
		} as IDataObject),
		request: withoutUnset({
			requestId: short(requestId),
			requestCredits: short(requestCredits),
		} as IDataObject),
	};
}

/** A page with its excerpt as an item. The first item has the request of all. */
function asResult(
	number: number,
	{ about: { title, url, ...rest }, request }: SourcePage,
	text: string,
): Result {
	const paidFor = number === 1 ? request : {};
	return { json: withoutUnset({ number, title, url, text, ...rest, ...paidFor } as IDataObject) };
}

const sizeOf = (value: unknown): number => tokensOf(JSON.stringify(value));

/** Tokens of a part of a text. */
const sizeOfPart = (text: string): number => tokensOf(JSON.stringify(text).slice(1, -1));

/** Tokens of the request, which the first item has. */
const perResult = ([first]: readonly SourcePage[]): number => sizeOf(first?.request ?? {});

/** Tokens of an item without its text. */
const perPage = (page: SourcePage): number => sizeOf(asResult(sampleNumber, page, '').json);

/**
 * The passages that fit any phrasing of a question, by page, each page with a number for citations and the one with
 * the best passage first. `maxTokens` limits all fields together.
 */
export async function passageResults(
	pages: readonly SourcePage[],
	phrasings: readonly string[],
	maxTokens: number,
): Promise<Result[]> {
	const sizes = pages.map(perPage);
	const questions = phrasings.map(withoutSearchOperators);
	const budget = {
		most: maxTokens - perResult(pages),
		sizeOf: sizeOfPart,
		perPage: (page: number) => sizes[page],
	};
	const fitting = await findPassages(pages, questions, budget);
	// The best passage is returned even if its other fields exceed the limit: it is paid for.
	const excerpts =
		fitting.length > 0
			? fitting
			: (
					await findPassages(pages, questions, { ...budget, most: maxTokens, perPage: () => 0 })
				).slice(0, 1);
	return excerpts.map(({ page, text }, index) => asResult(index + 1, pages[page], text));
}

/**
 * Whole pages as passages, from the first on, up to the limit of tokens but at least one: it is
 * paid for. Pages without text only if none has any.
 */
export function wholePassages(pages: readonly SourcePage[], maxTokens: number): Result[] {
	const withText = pages.filter(({ text }) => text !== '');
	const fitting: SourcePage[] = [];
	let left = maxTokens - perResult(pages);
	for (const page of withText.length > 0 ? withText : pages) {
		left -= perPage(page) + sizeOf(page.text);
		if (fitting.length > 0 && left < 0) break;
		fitting.push(page);
	}
	return fitting.map((page, index) => asResult(index + 1, page, page.text));
}

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

/** Default tokens of all passages together. */
const defaultTokens = 1_500;

const passageRequest = form(
	{
		query: queryField({
			max: longestQuery,
			placeholder: 'e.g. How high are heat pump subsidies in 2026?',
			hint: operatorsHint,
			description: 'Search query that the passages must answer, up to 500 characters',
		}),
		alsoAsk: list({
			emptyIsUnset: true,
			displayName: 'Also Ask',
			entry: stringSchema({ max: 500 }),
			max: 5,
			placeholder: 'e.g. grants for heat pumps, funding of heating systems',
			description:
				'Comma-separated other phrasings with likely terms and synonyms, up to 5 of 500 characters',
		}),
		limit: limitAlone({
			default: 5,
			max: maxLimit,
			description: `Max number of pages per source, 1 to 100; ${costOf('page')} or more each, and ${tenResults}`,
		}),
		...additionalFields({
			...searchFilters,
			maxTokens: withDefault(
				integer({
					displayName: 'Max Tokens',
					min: 100,
					max: 20_000,
					unit: 'tokens',
					default: defaultTokens,
					description:
						'Max number of tokens for all passages, 100 to 20,000; a token is about 4 characters',
				}),
				defaultTokens,
			),
			sources: {
				...anyOf({
					emptyIsUnset: true,
					displayName: 'Sources',
					default: ['web'],
					options: [
						{ name: 'News', value: 'news' },
						{ name: 'Web', value: 'web' },
					],
					description: "Where to search; web if empty. 'Limit' applies per source.",
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

/**
 * POST /search, with its results scraped as markdown
 * (https://docs.firecrawl.dev/api-reference/endpoint/search).
 */
export const passages = operation({
	name: 'Passages',
	value: 'passages',
	action: 'Search web for passages',
	description: `Searches the web and returns the passages that answer the query, with URL and number to cite. Ask with words that the answer would contain; call again with synonyms. ${tenResults}, ${costOf('page')} or more for each page.`,
	costs: `${tenResults}, and each page as a scrape`,
	request: passageRequest,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime'),
	async run({ maxTokens: most, alsoAsk: phrasings = [], ...narrowed }, context: ReadContext) {
		const body = { ...narrowed, scrapeOptions: passageScrape };
		const results = await searchResults(await sendSearch(body, context), body, context);
		const pagesOf = async (textOf: (document: IDataObject) => string) =>
			await mapInTurns(results, workPerResult, ({ json }) => sourcePage(json, textOf(json)));
		let unread = 0;
		const pages = await pagesOf((document) => {
			const markdown = markdownOf(document);
			if (markdown === undefined) unread += 1;
			return markdown ?? descriptionOf(document);
		});
		if (unread > 0) {
			context.notice(
				`${pluralize(unread, 'page')} could not be scraped: the description of the result is returned instead.`,
			);
		}
		const found = await passageResults(pages, [body.query, ...phrasings], most);
		if (found.length > 0 || results.length === 0) return found;
		context.notice(
			'No passage matches the query: the descriptions of the results are returned instead.',
		);
		return wholePassages(await pagesOf(descriptionOf), most);
	},
});

export const search: Resource = { name: 'Search', value: 'search', operations: [query, passages] };
