/** Scripts whose words are not told apart by spaces. */
const unspaced =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** What is looked for in a text. */
export interface Term {
	text: string;
	/** Whether it has to begin a word and nearly be one; otherwise it counts anywhere. */
	isWord: boolean;
}

/** A text as terms are looked for in it. ASCII is in its normal form already, which saves most of the time. */
export const normalized = (text: string): string =>
	(/[^\0-\x7f]/.test(text) ? text.normalize('NFKC') : text).toLowerCase();

/** Most letters that a word may have behind a term of it: the endings of plurals and of cases. */
const longestEnding = (term: string): number => (term.length < 4 ? 1 : 3);

/** Whether the character at a place of a normalized text is part of a word. */
function isPartOfWord(text: string, place: number): boolean {
	const code = text.charCodeAt(place);
	return code < 0x80
		? (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
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

/** Calls `found` with each place where a term stands in a normalized text. */
export function eachPlace(
	{ text: term, isWord }: Term,
	text: string,
	found: (place: number) => void,
): void {
	for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + term.length)) {
		const begins = !isWord || at === 0 || !isPartOfWord(text, at - 1);
		const ends = !isWord || isWordBut(text, at + term.length, longestEnding(term));
		if (begins && ends) found(at);
	}
}
