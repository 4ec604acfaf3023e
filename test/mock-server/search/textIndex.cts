import MiniSearch, { type SearchResult } from 'minisearch';

/** A match: the item, how well it fits (higher is better), and the words of it that matched. */
export interface Match<T> {
	item: T;
	score: number;
	words: string[];
}

const stopWords = new Set(
	(
		'a an and are as at be but by can do does for from has have how i in into is it its me my no not of on ' +
		'or our so such that the their then there these they this to was we what when where which who why ' +
		'will with you your'
	).split(' '),
);

/** Characters of the longest word that close spellings are looked for: the work for it grows with the square. */
const longestGuess = 100;

/** Words of a text that carry meaning, in lower case. */
export function wordsOf(text: string): string[] {
	const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.filter((word) => !stopWords.has(word));
}

/** A ranked index over items of one kind. Later fields of `boost` weigh what their numbers say. */
export class TextIndex<T> {
	private readonly index: MiniSearch<{ id: number }>;

	constructor(
		private readonly items: readonly T[],
		textOf: (item: T) => Record<string, string>,
		private readonly boost: Record<string, number>,
	) {
		const fields = Object.keys(boost);
		this.index = new MiniSearch({
			fields,
			tokenize: wordsOf,
			processTerm: (word) => word,
		});
		this.index.addAll(items.map((item, id) => ({ ...textOf(item), id })));
	}

	/**
	 * Best matches first. A word also matches words that it begins and close spellings. A match holds at
	 * least half of the words asked for. A text without any word finds everything, in the index's order.
	 */
	search(text: string): Array<Match<T>> {
		const asked = new Set(wordsOf(text)).size;
		if (asked === 0) return this.items.map((item) => ({ item, score: 1, words: [] }));
		const results = this.index.search(text, {
			boost: this.boost,
			prefix: (word) => word.length > 3,
			fuzzy: (word) => (word.length > 4 && word.length <= longestGuess ? 0.15 : false),
			weights: { prefix: 0.4, fuzzy: 0.2 },
		});
		return results
			.filter((result) => result.queryTerms.length >= Math.ceil(asked / 2))
			.map((result) => this.match(result))
			.sort((a, b) => b.score - a.score);
	}

	private match(result: SearchResult): Match<T> {
		const item = this.items[result.id as number];
		return { item, score: result.score * result.queryTerms.length, words: result.terms };
	}
}
