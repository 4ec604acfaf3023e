import type { IDataObject } from 'n8n-workflow';
import { operation, type ReadContext, type Resource } from '../../runtime/operation';
import { anyOf, integer, list, withDefault } from '../../runtime/form/field';
import { additionalFields, form } from '../../runtime/form/form';
import { stringSchema } from '../../runtime/form/schema';
import { settingsFields } from '../../runtime/form/settings';
import { asRecord, workPerResult } from '../../runtime/output/results';
import { pluralize } from '../../runtime/values/text';
import { mapInTurns } from '../../runtime/values/time';
import { withRequest } from '../documents/document';
import { limitAlone, queryField } from '../fields/common';
import { costOf } from '../fields/prices';
import {
	askedFor,
	chosenSources,
	longestQuery,
	maxLimit,
	operatorsHint,
	query,
	searchFilterRules,
	searchFilters,
	searchResults,
	sendSearch,
	tenResults,
} from './search';

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
					{ min: 100, max: 20_000, unit: 'tokens', default: defaultTokens },
				),
				defaultTokens,
			),
			sources: {
				...anyOf('Sources', "Where to search; web if empty. 'Limit' applies per source.", {
					emptyIsUnset: true,
					default: ['web'],
					options: [
						{ name: 'News', value: 'news' },
						{ name: 'Web', value: 'web' },
					],
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
		const passagesFound = await passageResults(pages, [body.query, ...phrasings], most);
		const cost = { creditsUsed: asRecord(response.body).creditsUsed };
		if (passagesFound.length > 0 || results.length === 0) return withRequest(passagesFound, cost);
		context.notice(
			'No passage matches the query: the descriptions of the results are returned instead.',
		);
		return withRequest(wholePassages(await pagesOf(descriptionOf), most), cost);
	},
});

export const search: Resource = { name: 'Search', value: 'search', operations: [query, passages] };
