import { bestSentences, sentencesOf } from '../search/highlight.cjs';
import { wordsOf } from '../search/textIndex.cjs';

/** The three sentences that hold most of the page's frequent words, in the page's order. */
export function summary(markdown: string): string {
	const counts = new Map<string, number>();
	for (const word of wordsOf(markdown)) counts.set(word, (counts.get(word) ?? 0) + 1);
	const frequent = [...counts.entries()]
		.filter(([word]) => word.length > 3)
		.sort((a, b) => b[1] - a[1])
		.slice(0, 12)
		.map(([word]) => word);
	const sentences = proseOf(markdown);
	const best = bestSentences(sentences, frequent, 3);
	return (best.length > 0 ? best : sentences.slice(0, 3)).join(' ');
}

/** The sentence that answers best, or that the page says nothing. */
export function answer(markdown: string, question: string): string {
	const [best] = bestSentences(proseOf(markdown), wordsOf(question), 1);
	return best ?? 'The page does not answer this.';
}

/** The passages that have to do with the query, one per line. */
export function highlights(markdown: string, query: string): string {
	return bestSentences(proseOf(markdown), wordsOf(query), 5).join('\n');
}

const injection =
	/\b(ignore|disregard|forget)\b[^.]{0,40}\b(previous|prior|above|all)\b[^.]{0,40}\binstructions?\b/i;

/** Whether a text gives orders to a language model that reads it. */
export function holdsInjection(text: string): boolean {
	return injection.test(text);
}

function proseOf(markdown: string): string[] {
	return sentencesOf(markdown).filter((sentence) => /\s/.test(sentence) && /[.!?]$/.test(sentence));
}
