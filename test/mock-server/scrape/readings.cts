import { bestSentences, sentencesOf } from '../search/highlight.cjs';
import { wordsOf } from '../search/textIndex.cjs';

/** What is answered where a page says nothing. */
export const noAnswer = 'The page does not answer this.';

/** The first three sentences. */
export function summary(markdown: string): string {
	return proseOf(markdown).slice(0, 3).join(' ');
}

/** The sentence that answers best, or that the page says nothing. */
export function answer(markdown: string, question: string): string {
	const [best] = bestSentences(proseOf(markdown), wordsOf(question), 1);
	return best ?? noAnswer;
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
