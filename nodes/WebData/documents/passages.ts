import type { IDataObject } from 'n8n-workflow';
import type { Result } from '../../runtime/operation/operation';
import { withoutSearchOperators } from './searchOperators';
import { repeatedTitle, repeatedUrl } from './repeatedTexts';
import { rank, type SourceText } from '../../runtime/text/rank';
import { headingPath, select, tokenBudget } from '../../runtime/text/select';
import { termsOf } from '../../runtime/text/terms';
import { tokensOf } from '../../runtime/text/tokens';
import { isUnparsedPdf } from './unparsedPdf';
import { fieldOf } from '../../runtime/values/record';

/** A page to select passages from. */
export interface SourcePage extends SourceText {
	/** The fields that each of its passages repeats, such as the URL and the scrape ID. */
	about: IDataObject;
}

/** Least relevance of a passage relative to the best one. */
const leastShare = 0.3;

/** Characters of an ID. */
const longestId = 200;

/** A passage number with many digits, for counting its tokens. */
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
	const { markdown, metadata } = document;
	const status = fieldOf(metadata, 'statusCode');
	if (typeof markdown !== 'string' || markdown.trim() === '') return undefined;
	if ((typeof status === 'number' && status >= 400) || isUnparsedPdf(markdown, document)) {
		return undefined;
	}
	return markdown;
}

/** The fields of a request that a passage repeats. Others would use up the tokens of passages. */
const paid = (request: unknown) => ({
	id: short(fieldOf(request, 'id')),
	creditsUsed: short(fieldOf(request, 'creditsUsed')),
});

/** Turns a document into a page to select passages from. */
export function sourcePage(document: IDataObject, text: string): SourcePage {
	const { metadata, source, position, request } = document;
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
			source: short(source),
			position: short(position),
			...(request !== undefined && { request: withoutUnset(paid(request) as IDataObject) }),
		} as IDataObject),
	};
}

/** A passage as an item, with its page's fields. */
function asResult(number: number, { about }: SourcePage, headings: string, text: string): Result {
	const { title, url, ...rest } = about;
	return { json: withoutUnset({ number, title, url, headingPath: headings, text, ...rest }) };
}

/** Tokens of a passage without its text and headings. */
const overheadOf = (page: SourcePage): number =>
	tokensOf(JSON.stringify(asResult(sampleNumber, page, '', '').json));

/**
 * The passages of pages that fit a question, the best first, each with a number for citations.
 * `maxTokens` limits all their fields together.
 */
export async function passageResults(
	pages: readonly SourcePage[],
	question: string,
	maxTokens: number,
): Promise<Result[]> {
	const overheads = new Map<number, number>();
	const overheadAt = (page: number): number => {
		const known = overheads.get(page) ?? overheadOf(pages[page]);
		overheads.set(page, known);
		return known;
	};
	const candidates = await rank(pages, termsOf(withoutSearchOperators(question)), leastShare);
	const fitting = await select(candidates, tokenBudget(maxTokens, overheadAt));
	// The best passage is returned even if its other fields exceed the limit: it is paid for.
	const passages =
		fitting.length > 0 ? fitting : await select(candidates.slice(0, 1), tokenBudget(maxTokens));
	return passages.map(({ page, headings, text }, index) =>
		asResult(index + 1, pages[page], headingPath(headings), text),
	);
}

/**
 * Whole pages as passages, from the first on, up to the limit of tokens but at least one: it is
 * paid for. Pages without text only if none has any.
 */
export function wholePassages(pages: readonly SourcePage[], maxTokens: number): Result[] {
	const withText = pages.filter(({ text }) => text !== '');
	const fitting: SourcePage[] = [];
	let left = maxTokens;
	for (const page of withText.length > 0 ? withText : pages) {
		left -= overheadOf(page) + tokensOf(JSON.stringify(page.text));
		if (fitting.length > 0 && left < 0) break;
		fitting.push(page);
	}
	return fitting.map((page, index) => asResult(index + 1, page, '', page.text));
}
