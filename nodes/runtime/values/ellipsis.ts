/** A text of at most `max` characters and, where something is missing, an ellipsis. */
export function withEllipsis(text: string, max: number): string {
	if (text.length <= max) return text;
	// A cut between the halves of a surrogate pair would leave a broken character.
	const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
	return `${text.slice(0, end)}…`;
}
