/** Cuts a text and says at the cut how much is missing, in the words of `mark`. */
export function cutText(text: string, max: number, mark: (missing: number) => string): string {
	if (text.length <= max) return text;
	// A cut between the halves of a surrogate pair would leave a broken character.
	const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
	return `${text.slice(0, end)}\n\n${mark(text.length - end)}`;
}
