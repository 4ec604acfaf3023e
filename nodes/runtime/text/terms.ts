import { eachInTurns } from '../host/turns';
import { wordPattern } from './wordPattern';

/** Scripts without spaces between words. */
const unspaced =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** A term to search for. */
export interface Term {
	text: string;
	/** Whether it must begin a word and be most of it; otherwise it matches anywhere. */
	isWord: boolean;
}

/** ASCII is already normalized; skipping it saves most of the time. */
const normalForm = (text: string): string =>
	/[^\0-\x7f]/.test(text) ? text.normalize('NFKC').toLowerCase() : text;

/** Normalizes a text for comparison. */
export const normalized = (text: string): string => normalForm(text).toLowerCase();

/** Most letters of a word after a term: endings of plurals and cases. */
const longestEnding = (term: string): number => (term.length < 4 ? 1 : 3);

/** Whether the character at a position is part of a word. */
function isPartOfWord(text: string, place: number): boolean {
	const code = text.charCodeAt(place);
	// ASCII letters differ from their capitals in one bit.
	const lower = code | 0x20;
	return code < 0x80
		? (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
		: /[\p{L}\p{N}]/u.test(text[place]);
}

/** An approximate stem that the forms of a word share, independent of language. */
function stemOf(word: string): string {
	if (/(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2);
	return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

/** Bigrams of a text without spaces. */
const pairsOf = (text: string): string[] => {
	const characters = [...text];
	return characters.length === 1
		? characters
		: characters.slice(1).map((character, index) => characters[index] + character);
};

/** The distinct terms of a question. Words of one or two letters count only if there are no others. */
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

/** Whether the rest of a word after a term is short enough for an ending. */
function isWordBut(text: string, from: number, most: number): boolean {
	for (let end = from; end <= from + most; end += 1) {
		if (end >= text.length || !isPartOfWord(text, end)) return true;
	}
	return false;
}

/** Whether the occurrence of a term at a position counts. */
function countsAt({ text: term, isWord }: Term, text: string, place: number): boolean {
	if (!isWord) return true;
	const begins = place === 0 || !isPartOfWord(text, place - 1);
	return begins && isWordBut(text, place + term.length, longestEnding(term));
}

/** Maps each term to the indexes of all terms that occur where it does: itself, and its prefixes. */
const standingWith = (terms: readonly Term[]): ReadonlyMap<string, number[]> =>
	new Map(
		terms.map(({ text }) => [
			text,
			[...terms.keys()].filter((number) => text.startsWith(terms[number].text)),
		]),
	);

/** Counts each term in each text, by the text's index. */
export async function countTerms(
	terms: readonly Term[],
	texts: readonly string[],
): Promise<Array<Map<number, number>>> {
	if (terms.length === 0) return [];
	const counts = terms.map(() => new Map<number, number>());
	// One pattern searches a text once for all terms.
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
			// Bigrams overlap.
			pattern.lastIndex = found.index + 1;
		}
		return given.length;
	});
	return counts;
}
