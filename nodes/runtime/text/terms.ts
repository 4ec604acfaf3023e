import { eachInTurns } from '../host/turns';
import { wordPattern } from './wordPattern';

/** Scripts whose words are not told apart by spaces. */
const unspaced =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** What is looked for in a text. */
export interface Term {
	text: string;
	/** Whether it has to begin a word and nearly be one; otherwise it counts anywhere. */
	isWord: boolean;
}

/** ASCII is in its normal form already, which saves most of the time. */
const normalForm = (text: string): string =>
	/[^\0-\x7f]/.test(text) ? text.normalize('NFKC').toLowerCase() : text;

/** A text in the form in which words are compared. */
export const normalized = (text: string): string => normalForm(text).toLowerCase();

/** Most letters that a word may have behind a term of it: the endings of plurals and of cases. */
const longestEnding = (term: string): number => (term.length < 4 ? 1 : 3);

/** Whether the character at a place of a text is part of a word. */
function isPartOfWord(text: string, place: number): boolean {
	const code = text.charCodeAt(place);
	// In ASCII, a letter differs from its capital in one bit.
	const lower = code | 0x20;
	return code < 0x80
		? (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
		: /[\p{L}\p{N}]/u.test(text[place]);
}

/** The part of a word that its forms have in common, as far as that can be told without its language. */
function stemOf(word: string): string {
	if (/(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2);
	return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

/** Pairs of neighbours in a text without spaces. */
const pairsOf = (text: string): string[] => {
	const characters = [...text];
	return characters.length === 1
		? characters
		: characters.slice(1).map((character, index) => characters[index] + character);
};

/** What to look for of a question, each once; of words in letters those of two or less only when there are no others. */
export function termsOf(question: string): Term[] {
	const text = normalized(question);
	const pairs = (text.match(unspaced) ?? []).flatMap(pairsOf);
	const words = text.replace(unspaced, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
	const long = words.filter((word) => word.length > 2);
	return [
		...[...new Set((long.length > 0 ? long : words).map(stemOf))].map((word) => ({
			text: word,
			isWord: true,
		})),
		...[...new Set(pairs)].map((pair) => ({ text: pair, isWord: false })),
	];
}

/** Whether a term that ends there is the word that it begins, but for an ending. */
function isWordBut(text: string, from: number, most: number): boolean {
	for (let end = from; end <= from + most; end += 1) {
		if (end >= text.length || !isPartOfWord(text, end)) return true;
	}
	return false;
}

/** Whether a term that a text has at a place counts there. */
function countsAt({ text: term, isWord }: Term, text: string, place: number): boolean {
	if (!isWord) return true;
	const begins = place === 0 || !isPartOfWord(text, place - 1);
	return begins && isWordBut(text, place + term.length, longestEnding(term));
}

/** By a term's text, the numbers of all terms that stand where it stands: itself, and those that it begins with. */
const standingWith = (terms: readonly Term[]): ReadonlyMap<string, number[]> =>
	new Map(
		terms.map(({ text }) => [
			text,
			[...terms.keys()].filter((number) => text.startsWith(terms[number].text)),
		]),
	);

/** How often each term stands in each text that has it, by the text's place. */
export async function countTerms(
	terms: readonly Term[],
	texts: readonly string[],
): Promise<Array<Map<number, number>>> {
	if (terms.length === 0) return [];
	const counts = terms.map(() => new Map<number, number>());
	// One pattern reads a text once, however many terms there are.
	const pattern = wordPattern(terms.map(({ text }) => text));
	const standing = standingWith(terms);
	await eachInTurns(texts, (given, index) => {
		const text = normalForm(given);
		pattern.lastIndex = 0;
		for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
			for (const number of standing.get(found[0].toLowerCase()) ?? []) {
				if (!countsAt(terms[number], text, found.index)) continue;
				counts[number].set(index, (counts[number].get(index) ?? 0) + 1);
			}
			// Pairs of neighbours overlap.
			pattern.lastIndex = found.index + 1;
		}
		return given.length;
	});
	return counts;
}
