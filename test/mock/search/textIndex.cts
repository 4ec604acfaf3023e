import MiniSearch from 'minisearch';

const stopWords = new Set(
	(
		'a an and are as at be but by can do does for from has have how i in into is it its me my no not of on ' +
		'or our so such that the their then there these they this to was we what when where which who why ' +
		'will with you your'
	).split(' '),
);

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
		this.index = new MiniSearch({ fields, tokenize: wordsOf, processTerm: (word) => word });
		this.index.addAll(items.map((item, id) => ({ ...textOf(item), id })));
	}

	/** Best matches first, the higher the score the better, with at least half of the words, or close ones; without a word everything in its order. */
	search(text: string): Array<{ item: T; score: number }> {
		const asked = new Set(wordsOf(text)).size;
		if (asked === 0) return this.items.map((item) => ({ item, score: 1 }));
		const results = this.index.search(text, {
			boost: this.boost,
			prefix: (word) => word.length > 3,
			weights: { prefix: 0.4, fuzzy: 0 },
		});
		return results
			.filter((result) => result.queryTerms.length >= Math.ceil(asked / 2))
			.map(({ id, score, queryTerms }) => ({
				item: this.items[Number(id)],
				score: score * queryTerms.length,
			}))
			.sort((a, b) => b.score - a.score);
	}
}

/** The sentences of a text, without Markdown marks. */
export function sentencesOf(markdown: string): string[] {
	return plainText(markdown)
		.split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}"“(])|\n{2,}/u)
		.map((sentence) => sentence.replace(/\s+/g, ' ').trim())
		.filter((sentence) => sentence.length > 0);
}

/** Markdown as readable text: marks, images and link targets gone, paragraphs kept apart. */
export function plainText(markdown: string): string {
	return markdown
		.replace(/^```.*$/gm, '')
		.replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/^\s*\|?[\s|:-]+\|[\s|:-]*$/gm, '')
		.replace(/^\s{0,3}(#{1,6}|>|[-*+]|\d+\.)\s+(.*)$/gm, '$2\n')
		.replace(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/g, '$1')
		.replace(/\|/g, ' ');
}

/** The `count` sentences that hold most of the words, in the text's order; none when none holds any. */
export function bestSentences(
	sentences: readonly string[],
	words: readonly string[],
	count: number,
): string[] {
	const ranked = sentences
		.map((sentence, place) => {
			const lower = sentence.toLowerCase();
			const hits = words.filter((word) => lower.includes(word)).length;
			return { sentence, place, score: hits + Math.min(sentence.length, 200) / 1000, hits };
		})
		.filter(({ hits }) => hits > 0)
		.sort((a, b) => b.score - a.score || a.place - b.place)
		.slice(0, count);
	return ranked.sort((a, b) => a.place - b.place).map(({ sentence }) => sentence);
}
