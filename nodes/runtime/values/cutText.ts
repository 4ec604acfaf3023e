/** A place of a text, or the one before it where it is between the halves of a surrogate pair: a cut there would leave a broken character. */
export const cutPlace = (text: string, place: number): number =>
	/[\uD800-\uDBFF]/.test(text.charAt(place - 1)) ? place - 1 : place;

/** Cuts a text and says at the cut how much is missing, in the words of `mark`. */
export function cutText(text: string, max: number, mark: (missing: number) => string): string {
	if (text.length <= max) return text;
	const end = cutPlace(text, max);
	return `${text.slice(0, end)}\n\n${mark(text.length - end)}`;
}

/** Cuts a text of one line, with an ellipsis in the place of what is missing. */
export const cutLine = (text: string, max: number): string =>
	text.length <= max ? text : `${text.slice(0, cutPlace(text, max))}…`;
