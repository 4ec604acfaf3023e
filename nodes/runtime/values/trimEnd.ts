/**
 * Removes trailing characters that satisfy `isDropped`. A loop, because patterns such as `/x+$/`
 * take quadratic time on foreign text.
 */
export function trimEnd(text: string, isDropped: (character: string) => boolean): string {
	let end = text.length;
	while (end > 0 && isDropped(text[end - 1])) end -= 1;
	return text.slice(0, end);
}

/** Removes trailing slashes. */
export const withoutSlashes = (path: string) => trimEnd(path, (character) => character === '/');
