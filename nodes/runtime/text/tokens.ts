/**
 * Tokens of a text, about, in the tokenizers of common models, by what it consists of. A word of
 * ASCII letters is one token and a bit more for each letter; other alphabets are split into smaller
 * parts, and IDs of mixed digits and letters into single characters.
 */
const tokens = {
	word: 0.35,
	letter: 0.19,
	number: 1.1,
	digit: 0.25,
	sign: 0.34,
	otherLetter: 0.6,
	/** A character of a script without spaces, or a syllable. */
	unspaced: 0.83,
};

const isLetter = (code: number): boolean => {
	// ASCII letters differ from their capitals in one bit.
	const lower = code | 0x20;
	return lower >= 0x61 && lower <= 0x7a;
};
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

function tokensAt(code: number, before: number): number {
	if (code === 0x20) return 0;
	if (isLetter(code)) return tokens.letter + (isLetter(before) ? 0 : tokens.word);
	if (isDigit(code)) return tokens.digit + (isDigit(before) ? 0 : tokens.number);
	if (code < 0x80) return tokens.sign;
	return code >= 0x0e00 && code < 0xfb00 ? tokens.unspaced : tokens.otherLetter;
}

/** Estimates the number of tokens of a text. */
export function tokensOf(text: string): number {
	let total = 0;
	let before = 0;
	for (let index = 0; index < text.length; index += 1) {
		const code = text.charCodeAt(index);
		total += tokensAt(code, before);
		before = code;
	}
	return Math.ceil(total);
}
