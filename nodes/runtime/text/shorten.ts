import { rank } from './rank';
import { headingPath, select, type Passage } from './select';
import { termsOf } from './terms';

/** What stands where parts are left out. */
const gap = '\n\n[…]\n\n';

/** Characters that are looked through in all; what is longer is far more than is kept. */
const mostRead = 5_000_000;

const jsonLength = (text: string): number => JSON.stringify(text).length;

/** What is kept of the passages of a text, in its order. */
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

/** The texts, as much of each as fits into the characters that are looked through. */
function readable(texts: readonly string[]): string[] {
	let left = mostRead;
	return texts.map((text) => {
		const read = text.slice(0, left);
		left -= read.length;
		return read;
	});
}

/**
 * Texts shortened to the parts that answer a question, in their order, all together to no more than
 * `most` characters of JSON. @returns what is left of each, '' where nothing of it answers
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
		beside: () => jsonLength(gap),
	});
	return texts.map((_, place) => joined(passages.filter(({ page }) => page === place)));
}
