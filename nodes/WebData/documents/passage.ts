import type { IDataObject } from 'n8n-workflow';
import type { Result } from '../../runtime/operation';
import { findPassages, tokensOf, type SourceText } from '../../runtime/tool/passages';
import { fieldOf, fieldsNamed } from '../../runtime/values/record';
import { firstText } from '../../runtime/values/text';
import {
	errorStatusOf,
	isUnparsedPdf,
	repeatedTitle,
	repeatedUrl,
	withoutSearchOperators,
} from './document';

/** Longest ID in characters: it counts little beside a text. */
const longestId = 200;

/** A page to select passages from. */
export interface SourcePage extends SourceText {
	/** The fields beside its passages, such as the URL and the scrape ID. */
	about: IDataObject;
}

/** The markdown of a page; undefined if it has none, or if the page is an HTTP error. */
export function markdownOf(document: IDataObject): string | undefined {
	const text = firstText(document.markdown);
	const isPage = errorStatusOf(document) === undefined && !isUnparsedPdf(text, document);
	return text !== '' && isPage ? text : undefined;
}

/** Turns a document into a page to select passages from. */
export function sourcePage(document: IDataObject, text: string): SourcePage {
	const { metadata } = document;
	const title = document.title ?? fieldOf(metadata, 'title');
	const url = document.url ?? fieldOf(metadata, 'url') ?? fieldOf(metadata, 'sourceURL');
	const scrapeId = fieldOf(metadata, 'scrapeId');
	const hasId = typeof scrapeId === 'string' && scrapeId.length <= longestId;
	return {
		text,
		title: typeof title === 'string' ? title : '',
		about: {
			title: typeof title === 'string' ? repeatedTitle(title) : undefined,
			url: typeof url === 'string' ? repeatedUrl(url) : undefined,
			scrapeId: hasId ? scrapeId : undefined,
		},
	};
}

/** A page with its excerpt as an item. */
function asResult(number: number, { about }: SourcePage, text: string): Result {
	const fields = { number, text, ...about };
	return { json: fieldsNamed(fields, 'number', 'title', 'url', 'text', 'scrapeId') as IDataObject };
}

const sizeOf = (value: unknown): number => tokensOf(JSON.stringify(value));

/** Tokens of a part of a text. */
const sizeOfPart = (text: string): number => tokensOf(JSON.stringify(text).slice(1, -1));

/** Tokens of an item without its text, with a number of many digits. */
const perPage = (page: SourcePage): number => sizeOf(asResult(100, page, '').json);

/** The passages that fit any phrasing, by page, the best first, with numbers for citations; `maxTokens` limits all fields. */
export async function passageResults(
	pages: readonly SourcePage[],
	phrasings: readonly string[],
	maxTokens: number,
): Promise<Result[]> {
	const questions = phrasings.map(withoutSearchOperators);
	const budget = {
		most: maxTokens,
		sizeOf: sizeOfPart,
		perPage: (page: number) => perPage(pages[page]),
	};
	const fitting = await findPassages(pages, questions, budget);
	// The best passage is returned even if its other fields exceed the limit: it is paid for.
	const excerpts =
		fitting.length > 0
			? fitting
			: (await findPassages(pages, questions, { ...budget, perPage: () => 0 })).slice(0, 1);
	return excerpts.map(({ page, text }, index) => asResult(index + 1, pages[page], text));
}

/** Whole pages up to the limit of tokens, but one at least; those without text only if none has any. */
export function wholePassages(pages: readonly SourcePage[], maxTokens: number): Result[] {
	const withText = pages.filter(({ text }) => text !== '');
	const fitting: SourcePage[] = [];
	let left = maxTokens;
	for (const page of withText.length > 0 ? withText : pages) {
		left -= perPage(page) + sizeOf(page.text);
		if (fitting.length > 0 && left < 0) break;
		fitting.push(page);
	}
	return fitting.map((page, index) => asResult(index + 1, page, page.text));
}
