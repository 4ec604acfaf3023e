/** Text from outside on one line: without line breaks, control characters, direction marks and halves of characters. */
export const oneLine = (text: string): string =>
	text
		.replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
		.trim();
