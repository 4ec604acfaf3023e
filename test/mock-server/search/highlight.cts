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

/** Puts matched words in Markdown bold. */
export function embolden(text: string, words: readonly string[]): string {
	if (words.length === 0) return text;
	const longestFirst = [...words].sort((a, b) => b.length - a.length);
	const pattern = new RegExp(
		`(?<![\\p{L}\\p{N}])(${longestFirst.join('|')})(?![\\p{L}\\p{N}])`,
		'giu',
	);
	return text.replace(pattern, '**$1**');
}
