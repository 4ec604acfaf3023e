/** Moves a position out of a surrogate pair, so that a cut there breaks no character. */
export const cutPlace = (text: string, place: number): number =>
	/[\uD800-\uDBFF]/.test(text.charAt(place - 1)) ? place - 1 : place;

/** Truncates a text; `mark` reports how much is missing. */
export function cutText(text: string, max: number, mark: (missing: number) => string): string {
	if (text.length <= max) return text;
	const end = cutPlace(text, max);
	return `${text.slice(0, end)}\n\n${mark(text.length - end)}`;
}

/** Truncates a line with an ellipsis. */
export const cutLine = (text: string, max: number): string =>
	text.length <= max ? text : `${text.slice(0, cutPlace(text, max))}…`;
