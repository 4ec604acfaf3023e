import { rank } from './rank';
import { headingPath, select, type Passage } from './select';
import { termsOf } from './terms';

/** Mark of omitted parts. */
const gap = '\n\n[…]\n\n';

/** Most characters searched in all; far more than are returned. */
const mostRead = 5_000_000;

const jsonLength = (text: string): number => JSON.stringify(text).length;

/** Joins the passages of a text in order. */
function joined(passages: readonly Passage[]): string {
	let text = '';
	let headings = '';
	for (const passage of [...passages].sort((one, other) => one.index - other.index)) {
		const path = headingPath(passage.headings);
		const head = path === '' || path === headings ? '' : `[${path}]\n`;
		text += (text === '' ? '' : gap) + head + passage.text;
		headings = path;
	}
	return text;
}

/** Truncates texts to the characters that are searched. */
function readable(texts: readonly string[]): string[] {
	let left = mostRead;
	return texts.map((text) => {
		const read = text.slice(0, left);
		left -= read.length;
		return read;
	});
}

/**
 * Shortens texts to the passages that answer a question, in order, within `most` characters of JSON
 * in all.
 * @returns the shortened texts, '' for those without a match
 */
export async function shortenTexts(
	texts: readonly string[],
	question: string,
	most: number,
): Promise<string[]> {
	const pages = readable(texts).map((text) => ({ text, title: '' }));
	const passages = await select(await rank(pages, termsOf(question)), {
		most,
		sizeOf: jsonLength,
		overhead: () => jsonLength(gap),
	});
	return texts.map((_, place) => joined(passages.filter(({ page }) => page === place)));
}
