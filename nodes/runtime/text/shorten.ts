import { rank } from './rank';
import { select } from './select';

/** Most characters searched in all; far more than are returned. */
const mostRead = 5_000_000;

const jsonLength = (text: string): number => JSON.stringify(text).length;

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
	const selected = await select(await rank(pages, [question]), {
		most,
		sizeOf: jsonLength,
		perPage: () => 0,
	});
	const shortened = texts.map(() => '');
	for (const { page, text } of selected) shortened[page] = text;
	return shortened;
}
