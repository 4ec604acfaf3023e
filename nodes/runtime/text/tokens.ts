/**
 * Tokens of a text in the tokenizers of common models, by what it consists of: those of o200k_base
 * fitted to documents in five languages, and 5 % more, to stay below a limit. The first character of
 * a run of ASCII letters, digits or signs takes the most; other alphabets are split into smaller parts.
 */
const tokens = {
	word: 0.33,
	letter: 0.15,
	number: 1.02,
	digit: 0.11,
	signs: 1,
	sign: 0.09,
	otherLetter: 0.6,
	/** A character of a script without spaces, or a syllable. */
	unspaced: 0.76,
};

/** Characters of a token: fewest for digits between signs, most for a long word. */
export const charactersPerToken = { fewest: 0.8, most: 7 };

const isLetter = (code: number): boolean => {
	// ASCII letters differ from their capitals in one bit.
	const lower = code | 0x20;
	return lower >= 0x61 && lower <= 0x7a;
};
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isSign = (code: number): boolean =>
	code < 0x80 && code !== 0x20 && !isLetter(code) && !isDigit(code);

function tokensAt(code: number, before: number): number {
	if (code === 0x20) return 0;
	if (isLetter(code)) return tokens.letter + (isLetter(before) ? 0 : tokens.word);
	if (isDigit(code)) return tokens.digit + (isDigit(before) ? 0 : tokens.number);
	if (code < 0x80) return tokens.sign + (isSign(before) ? 0 : tokens.signs);
	return code >= 0x0e00 && code < 0xfb00 ? tokens.unspaced : tokens.otherLetter;
}

/** Estimates the number of tokens of a text. */
export function tokensOf(text: string): number {
	let total = 0;
	let before = 0x20;
	for (let index = 0; index < text.length; index += 1) {
		const code = text.charCodeAt(index);
		total += tokensAt(code, before);
		before = code;
	}
	return Math.ceil(total);
}
