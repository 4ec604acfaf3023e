import type { IDataObject } from 'n8n-workflow';
import type { Result } from '../../runtime/operation/operation';
import { questionOf } from './question';
import { repeatedTitle, repeatedUrl } from './repeatedTexts';
import { rank, type SourceText } from '../../runtime/text/rank';
import { headingPath, select, tokenBudget } from '../../runtime/text/select';
import { termsOf } from '../../runtime/text/terms';
import { tokensOf } from '../../runtime/text/tokens';
import { isUnparsedPdf } from './unparsedPdf';
import { fieldOf } from '../../runtime/values/record';

/** A page whose passages are wanted. */
export interface SourcePage extends SourceText {
	/** What each of its passages says of it: its address, and how to read more of it. */
	about: IDataObject;
}

/** How well a passage must answer beside the best one. */
const leastShare = 0.3;

/** Characters of an ID. */
const longestId = 200;

/** The number of a passage with more digits than most have, for the measure of its tokens. */
const someNumber = 100;

/** What the service says of a page or a request, where it is no list or object and as short as an ID. */
const short = (value: unknown): unknown =>
	typeof value === 'object' || (typeof value === 'string' && value.length > longestId)
		? undefined
		: value;

const withoutUnset = (record: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** What the service read of a page; undefined where it could not, or where the page answered with an error. */
export function markdownOf(document: IDataObject): string | undefined {
	const { markdown, metadata } = document;
	const status = fieldOf(metadata, 'statusCode');
	if (typeof markdown !== 'string' || markdown.trim() === '') return undefined;
	if ((typeof status === 'number' && status >= 400) || isUnparsedPdf(markdown, document)) {
		return undefined;
	}
	return markdown;
}

/** What a passage says of the request: what else an answer holds would take the tokens of passages. */
const paid = (request: unknown) => ({
	id: short(fieldOf(request, 'id')),
	creditsUsed: short(fieldOf(request, 'creditsUsed')),
});

/** A document of the service as a page with passages. */
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

/** A passage as an item, with what its page says of itself. */
function asResult(number: number, { about }: SourcePage, headings: string, text: string): Result {
	const { title, url, ...rest } = about;
	return { json: withoutUnset({ number, title, url, headingPath: headings, text, ...rest }) };
}

/** Tokens of what stands beside the text of a passage, but its headings. */
const tokensBeside = (page: SourcePage): number =>
	tokensOf(JSON.stringify(asResult(someNumber, page, '', '').json));

/** The passages of pages that answer a question, the best first, each with a number to cite it by; `maxTokens` counts all that they hold. */
export async function passageResults(
	pages: readonly SourcePage[],
	question: string,
	maxTokens: number,
): Promise<Result[]> {
	const besides = pages.map(tokensBeside);
	const candidates = await rank(pages, termsOf(questionOf(question)), leastShare);
	const fitting = await select(
		candidates,
		tokenBudget(maxTokens, (page) => besides[page]),
	);
	// Where not even what stands beside the best fits, it comes out all the same: it answers, and is paid for.
	const passages =
		fitting.length > 0 ? fitting : await select(candidates.slice(0, 1), tokenBudget(maxTokens));
	return passages.map(({ page, headings, text }, index) =>
		asResult(index + 1, pages[page], headingPath(headings), text),
	);
}

/** The pages themselves as passages, as many from the first on as come to no more than so many tokens, and one in any case: it is paid for. Those without text only where none has any. */
export function wholePassages(pages: readonly SourcePage[], maxTokens: number): Result[] {
	let left = maxTokens;
	const worded = pages.filter(({ text }) => text !== '');
	const fitting = (worded.length > 0 ? worded : pages).filter((page, index) => {
		left -= tokensBeside(page) + tokensOf(JSON.stringify(page.text));
		return index === 0 || left >= 0;
	});
	return fitting.map((page, index) => asResult(index + 1, page, '', page.text));
}
