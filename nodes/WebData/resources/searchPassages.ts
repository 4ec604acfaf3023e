import type { IDataObject } from 'n8n-workflow';
import {
	operation,
	type ReadContext,
	type Resource,
	type Result,
} from '../../runtime/execution/operation';
import { anyOf, integer, list, withDefault } from '../../runtime/form/field';
import { additionalFields, form } from '../../runtime/form/form';
import { stringSchema } from '../../runtime/form/schema';
import { settingsFields } from '../../runtime/form/settings';
import { findPassages, tokensOf, type SourceText } from '../../runtime/output/passages';
import { workPerResult } from '../../runtime/output/results';
import { fieldOf } from '../../runtime/values/record';
import { pluralize } from '../../runtime/values/text';
import { mapInTurns } from '../../runtime/values/time';
import {
	errorStatusOf,
	isUnparsedPdf,
	repeatedTitle,
	repeatedUrl,
	withoutSearchOperators,
} from '../documents/document';
import { limitAlone, queryField } from '../fields/common';
import { costOf } from '../fields/prices';
import {
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
