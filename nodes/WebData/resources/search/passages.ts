import type { IDataObject } from 'n8n-workflow';
import { mapInTurns } from '../../../runtime/host/turns';
import { pluralize } from '../../../runtime/values/text';
import { anyOf } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import { readOnlyOperation, type Result } from '../../../runtime/operation/operation';
import { hidingStyles } from '../../../runtime/text/hiddenElements';
import { asRecord, workPerResult } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import {
	markdownOf,
	passageResults,
	sourcePage,
	wholePassages,
	type SourcePage,
} from '../../documents/passages';
import { limitAlone } from '../../fields/limit';
import { alsoAsk, maxTokens } from '../../fields/passages';
import { query } from '../../fields/query';
import { queryOperators, withQueryOperators } from '../../fields/queryOperators';
import { noticeLoweredLimit } from './loweredLimit';
import { searchFilters } from './searchFilters';
import {
	longestQuery,
	maxLimit,
	searchFilterRules,
	searchResults,
	sendSearch,
	type SearchRequest,
} from './request';
import { costOf } from '../../fields/prices';

/** Styles that hide an element where the service removes it, with or without a unit. */
const excludedStyles = [...Object.entries(hidingStyles), ['font-size', '0px'], ['font-size', '0;']];

/**
 * Selectors of a page's hidden elements: their text is irrelevant to readers, and may be meant only
 * for models.
 */
const hiddenElements = [
	'[hidden]',
	...excludedStyles.flatMap(([property, value]) =>
		['', ' '].map((space) => `[style*="${property}:${space}${value}"]`),
	),
];

const scrapeOptions = { formats: [{ type: 'markdown' }], excludeTags: hiddenElements };

const sources = anyOf({
	emptyIsUnset: true,
	displayName: 'Sources',
	options: [
		{ name: 'News', value: 'news' },
		{ name: 'Web', value: 'web' },
	],
	description: "Where to search; web if empty. 'Limit' applies per source.",
});

const request = form(
	{
		query: query({
			max: longestQuery,
			placeholder: 'e.g. How high are heat pump subsidies in 2026?',
			description:
				'Search query that the passages must answer, up to 500 characters; supports operators such as site: and quotes',
		}),
		alsoAsk: alsoAsk(),
		limit: limitAlone({
			default: 5,
			max: maxLimit,
			description: `Max number of pages to scrape per source, 1 to 100; ${costOf('page')} or more each, and ${costOf('tenResults')} per 10 results`,
		}),
		maxTokens: maxTokens(),
		sources,
		...additionalFields(searchFilters),
		queryOperators,
	},
	searchFilterRules,
);

/** The description of a result that was not scraped. */
const descriptionOf = ({ description, snippet, abstract }: IDataObject): string =>
	[description, snippet, abstract].find((each): each is string => typeof each === 'string') ?? '';

/** The results as pages, each with a text. */
const pagesOf = async (
	results: Result[],
	textOf: (document: IDataObject) => string,
): Promise<SourcePage[]> =>
	await mapInTurns(results, workPerResult, ({ json }) => sourcePage(json, textOf(json)));

/**
 * POST /search, with its results scraped as markdown
 * (https://docs.firecrawl.dev/api-reference/endpoint/search).
 */
export const passages = readOnlyOperation({
	name: 'Passages',
	value: 'passages',
	action: 'Search the web for passages',
	description: `Searches the web and returns the passages that answer the query, with URL and a number to cite. Ask with words that the answer would contain; call again with synonyms. ${costOf('tenResults')} per 10 results, ${costOf('page')} or more for each page.`,
	costs: `${costOf('tenResults')} per 10 results, and each page as a scrape`,
	request: mapSchema(request, withQueryOperators),
	settings: settingsFields({ responds: true }),
	async run({ maxTokens: most, alsoAsk: phrasings = [], ...narrowed }, context): Promise<Result[]> {
		const body: SearchRequest = { ...narrowed, scrapeOptions };
		const response = await sendSearch(body, context);
		const results = await searchResults(response, body, context);
		await noticeLoweredLimit(body.limit, asRecord(response.body), context);
		let unread = 0;
		const pages = await pagesOf(results, (document) => {
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
		return wholePassages(await pagesOf(results, descriptionOf), most);
	},
});
