/**
 * A text without the characters at its end for which `isDropped` holds. A loop, since a pattern such as
 * `/x+$/` starts anew at every run of x and takes quadratic time on text from outside.
 */
export function trimEnd(text: string, isDropped: (character: string) => boolean): string {
	let end = text.length;
	while (end > 0 && isDropped(text[end - 1])) end -= 1;
	return text.slice(0, end);
}

/** An address or path without slashes at its end. */
export const withoutSlashes = (path: string) => trimEnd(path, (character) => character === '/');
