import type { z } from 'zod/v3';
import {
	byType,
	choice,
	choices,
	fields,
	flag,
	list,
	isOn,
	membersOf,
	text,
	wholeNumber,
} from '../../../runtime/contract';
import { inquiry, type Result } from '../../../runtime/operation';
import { paidWithout } from '../../../runtime/paidAnswer';
import { isRecord, type JsonRecord } from '../../../runtime/record';
import { asRecord, noticesIn, splitData } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';
import { creditsIn } from '../../../runtime/spending';
import { callerMembers } from '../../fields/caller';
import { domains } from '../../fields/domains';
import { searchFormatFields } from '../../fields/formatFields';
import { limitFields } from '../../fields/limit';
import { outputField } from '../../fields/output';
import { pagePrice, resultsPrice, scanPrice } from '../../fields/prices';
import { queryField } from '../../fields/query';
import { queryOperatorsField, withQueryOperators } from '../../fields/queryOperators';
import { requestJsonField, withRequestJson } from '../../fields/requestJson';
import {
	defaultScrapeTimeout,
	readScrapeOptions,
	scrapeOptionMembers,
	searchScrapeOptions,
	searchScrapeOptionsField,
} from '../../fields/scrapeOptions';
import { sources, sourcesField } from '../../fields/sources';
import { tbs, tbsField } from '../../fields/tbs';
import { threatProtection, threatProtectionField } from '../../fields/threatProtection';
import { toolDetail, toolDetailField } from '../../fields/toolDetail';
import { withoutEffect } from '../../fields/withoutEffect';

const maxLimit = 100;

/** The service's own time for a search when the request names none, in milliseconds (api-v2, Limits). */
const defaultTimeout = 60_000;

/** The type of a source, of whichever shape. */
const typeOf = (source: string | { type: string }) =>
	typeof source === 'object' ? source.type : source;

const request = fields(
	{
		query: text({ max: 500 }),
		...callerMembers,
		limit: wholeNumber({ min: 1, max: maxLimit }).optional(),
		sources: sources().optional(),
		domainTools: flag().optional(),
		toolDetail: toolDetail().optional(),
		categories: list(
			byType(
				{ developer: fields({}), gov: fields({}), pdf: fields({}), research: fields({}) },
				{ set: 'open' },
			),
		).optional(),
		includeDomains: domains().optional(),
		excludeDomains: domains().optional(),
		tbs: tbs().optional(),
		location: text().optional(),
		country: text().optional(),
		lang: text().optional(),
		filter: text().optional(),
		objective: text({ max: 5000 }).optional(),
		clientModel: text({ max: 128 }).optional(),
		safe: flag().optional(),
		timeout: wholeNumber({ min: 1, unit: 'milliseconds' }).optional(),
		ignoreInvalidURLs: flag().optional(),
		highlights: flag().optional(),
		enterprise: choices(choice('anon', 'default', 'zdr')).optional(),
		scrapeOptions: searchScrapeOptions().optional(),
		threatProtection: threatProtection().optional(),
	},
	(search, refuse) => {
		const { includeDomains, excludeDomains, categories = [], sources: given = [] } = search;
		// The tools keep what they are asked (docs/api-notes.md, Requests).
		const isPrivate = search.enterprise?.some((mode) => mode !== 'default') === true;
		if (isPrivate && search.domainTools) {
			refuse(`cannot be used together with 'Enterprise'`, 'domainTools');
		}
		if (isPrivate && given.map(typeOf).includes('alexandria')) {
			refuse(`cannot have the Tool Catalogue together with 'Enterprise'`, 'sources');
		}
		if (includeDomains && excludeDomains) {
			refuse(`cannot be used together with 'Exclude Domains'`, 'includeDomains');
		}
		const isAsked = (category: string) => categories.some(({ type }) => type === category);
		if (categories.length > 1 && isAsked('developer')) {
			refuse('takes Developer only on its own', 'categories');
		}
		if (categories.length > 1 && isAsked('gov')) {
			refuse('takes Government only on its own', 'categories');
		}
	},
);

type SearchRequest = z.output<typeof request>;

/** What a web source and a request can both name. */
const shared = ['tbs', 'location', 'country', 'lang', 'filter'];

/** What something names of that. */
const narrowing = (named: object): JsonRecord =>
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
	const own = given.filter(isWeb).map((source) => narrowing(asRecord(source)));
	return {
		...own.at(0),
		...body,
		sources: given.map((source) =>
			typeof source === 'object' && isWeb(source) ? { ...narrowing(body), ...source } : source,
		),
	};
}

/** What a search costs when it finds all that it may, in credits: its results by tens, the scan of each, and each page that is read (docs/api-notes.md, Credits). */
function searchPrice({
	sources: given = ['web'],
	limit = 10,
	enterprise = [],
	scrapeOptions: reading,
	threatProtection: protection,
}: SearchRequest): number {
	const types = given.map(typeOf);
	const paid = types.filter((type) => type !== 'alexandria').length;
	const read = types.filter((type) => type === 'web' || type === 'news').length;
	const perPage = reading?.formats?.length ? pagePrice(reading) : 0;
	const found = limit * paid;
	return (
		resultsPrice(found, enterprise.includes('zdr') ? 10 : 2) +
		found * scanPrice(protection) +
		limit * read * perPage
	);
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
	return `No results came from ${missing.join(' or ')}, only from ${others}. Some servers do not have every source.`;
}

/** POST /search (api-v2). */
export const query = inquiry({
	name: 'Query',
	value: 'query',
	action: 'Search the web',
	description:
		'Searches the web, news, images, papers, US law or developer sources and returns title, address and description of each result. With Read Pages it reads the pages too. 2 credits per 10 results, and 1 or more for each page that is read.',
	fields: [
		queryField({
			placeholder: 'e.g. heat pump subsidies 2026',
			description:
				'What to search for, up to 500 characters; may use operators such as site: and quotes',
		}),
		...limitFields({
			initial: 10,
			max: maxLimit,
			description: 'Max number of results per source, 1 to 100; every 10 results cost 2 credits',
		}),
		sourcesField,
		{
			displayName: 'Read Pages',
			name: 'readPages',
			type: 'boolean',
			default: false,
			description: 'Whether to read the page of each result too, 1 credit each or more',
		},
		...searchFormatFields,
		searchScrapeOptionsField,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Categories',
					name: 'categories',
					type: 'multiOptions',
					default: [],
					options: [
						{
							name: 'Developer',
							value: 'developer',
							description:
								'Issues, merged pull requests, READMEs and documentation; only on its own',
						},
						{
							name: 'Government',
							value: 'gov',
							description: 'Law and regulation of the United States; only on its own',
						},
						{ name: 'PDF', value: 'pdf' },
						{ name: 'Research', value: 'research', description: 'Scientific papers' },
					],
					description: 'Kinds of results to restrict the search to',
				},
				{
					displayName: 'Client Model',
					name: 'clientModel',
					type: 'string',
					default: '',
					placeholder: 'e.g. gpt-5',
					description:
						'Name of the AI model that asks, up to 128 characters; for the service to know, without effect on the results',
				},
				{
					displayName: 'Country',
					name: 'country',
					type: 'string',
					default: '',
					placeholder: 'e.g. DE',
					description: 'Country code to search from; US when neither country nor location is set',
				},
				{
					displayName: 'Domain Tools',
					name: 'domainTools',
					type: 'boolean',
					default: true,
					description:
						'Whether to add data tools offered by the domains of the results; free, the team must have the feature',
				},
				{
					displayName: 'Enterprise',
					name: 'enterprise',
					type: 'multiOptions',
					default: [],
					options: [
						{
							name: 'Anonymized',
							value: 'anon',
							description: 'Anonymized zero data retention, 2 credits per 10 results',
						},
						{
							name: 'Default',
							value: 'default',
							description: 'As the team keeps its data, 2 credits per 10 results',
						},
						{
							name: 'Zero Data Retention',
							value: 'zdr',
							description: 'End to end, 10 credits per 10 results',
						},
					],
					description: 'How little the service may keep; the team must have the feature',
				},
				{
					displayName: 'Exclude Domains',
					name: 'excludeDomains',
					type: 'string',
					default: '',
					placeholder: 'e.g. example.com, example.org',
					description: 'Comma-separated domains to leave out; not together with Include Domains',
				},
				{
					displayName: 'Filter',
					name: 'filter',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0',
					description: "Filter of the search engine, as Google's parameter of that name",
				},
				{
					displayName: 'Highlights',
					name: 'highlights',
					type: 'boolean',
					default: false,
					description:
						'Whether descriptions show the passages that fit the query; they do unless told not to',
				},
				{
					displayName: 'Ignore Invalid URLs',
					name: 'ignoreInvalidURLs',
					type: 'boolean',
					default: true,
					description: 'Whether to leave out addresses that the other operations would refuse',
				},
				{
					displayName: 'Include Domains',
					name: 'includeDomains',
					type: 'string',
					default: '',
					placeholder: 'e.g. example.com, example.org',
					description: 'Comma-separated domains to search in; not together with Exclude Domains',
				},
				{
					displayName: 'Language',
					name: 'lang',
					type: 'string',
					default: '',
					placeholder: 'e.g. de',
					description: 'Code of the language to search in; en when not set',
				},
				{
					displayName: 'Location',
					name: 'location',
					type: 'string',
					default: '',
					placeholder: 'e.g. Munich,Bavaria,Germany',
					description: 'Place to search from; works best with the country set',
				},
				{
					displayName: 'Objective',
					name: 'objective',
					type: 'string',
					typeOptions: { rows: 2 },
					default: '',
					placeholder: 'e.g. Find out which subsidies a landlord can get',
					description:
						'What the results are for, up to 5,000 characters; for the service to know, without effect on the results',
				},
				requestJsonField,
				{
					displayName: 'Safe Search',
					name: 'safe',
					type: 'boolean',
					default: true,
					description: 'Whether to leave out explicit content',
				},
				threatProtectionField,
				tbsField,
				{
					displayName: 'Timeout',
					name: 'timeout',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 60000,
					description: 'Longest time for the search, in milliseconds',
				},
				toolDetailField,
			],
		},
		queryOperatorsField,
		outputField,
		...settingsFields({ answers: true, documents: true }),
	],
	costs: '2 credits per 10 results, and each page as a scrape',
	contract: withRequestJson(withQueryOperators(request), Object.keys(scrapeOptionMembers)),
	hints: ({ enterprise, scrapeOptions: reading }) => withoutEffect({ enterprise, ...reading }),
	read: ({ returnAll, limit, additionalFields, ...values }) => ({
		query: values.query,
		queryOperators: values.queryOperators,
		limit: isOn(returnAll) ? maxLimit : limit,
		sources: values.sources,
		scrapeOptions: isOn(values.readPages) ? readScrapeOptions(values) : undefined,
		...membersOf(additionalFields),
	}),
	async run(body, { output }, call) {
		const serviceTimeout =
			(body.timeout ?? defaultTimeout) + (body.scrapeOptions?.timeout ?? defaultScrapeTimeout);
		const answer = await call.send({
			method: 'POST',
			path: '/search',
			body: withInheritance(body),
			serviceTimeout,
			cost: 'paid answer',
			price: searchPrice(body),
		});
		const response = asRecord(answer.body);
		noticesIn(response).forEach(call.notice);
		if (output === 'response' && isRecord(answer.body)) return [{ json: response }];
		if (!holdsResults(response.data)) throw paidWithout('results', answer.body, call.place);
		const results = splitData(response);
		// Without an item, nothing else would show what the search cost.
		if (results.length === 0) {
			const credits = creditsIn(response);
			const cost = credits === undefined ? 'credits unknown' : `${credits} credits`;
			call.notice(`Item ${call.place.itemIndex} found nothing (search ${response.id}, ${cost})`);
		}
		const missing = missingSources(body, results);
		if (missing !== undefined) call.notice(missing);
		return results;
	},
});
