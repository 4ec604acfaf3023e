/** Puts foreign text on one line, without control characters, direction marks and lone surrogates. */
export const oneLine = (text: string): string =>
	text
		.replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
		.trim();
