/**
 * Tokens per character, about, in the tokenizers of common models: ASCII, other scripts with
 * spaces, scripts without.
 */
const perCharacter = { ascii: 0.25, other: 0.5, unspaced: 1 };

/** Estimates the number of tokens of a text. */
export function tokensOf(text: string): number {
	let tokens = 0;
	for (let index = 0; index < text.length; index += 1) {
		const code = text.charCodeAt(index);
		if (code < 0x80) tokens += perCharacter.ascii;
		else tokens += code >= 0x0e00 && code < 0xfb00 ? perCharacter.unspaced : perCharacter.other;
	}
	return Math.ceil(tokens);
}
