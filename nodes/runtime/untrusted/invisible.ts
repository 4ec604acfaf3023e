/**
 * Characters that nobody sees: controls but tab and line breaks, and what Unicode lets be ignored, such as
 * zero-width characters, marks and overrides of direction, fillers, variation selectors and tags.
 */
const invisible = /(?![\t\n\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Scripts whose letters are joined or kept apart by a character of no width. */
const joining =
	/[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** What an emoji of several parts has on both sides of a joiner; a variation selector may stand before it. */
const emoji = /\p{Emoji}|\ufe0f/u;

/** The character that ends at a place of a text. */
const before = (text: string, place: number): string => {
	const pair = text.slice(Math.max(0, place - 2), place);
	return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : pair.slice(-1);
};

const after = (text: string, place: number): string =>
	String.fromCodePoint(text.codePointAt(place) ?? 0);

/** Whether an invisible character is part of what is seen around it: of an emoji, or of a word of a script that joins. */
function isSeen(character: string, place: number, text: string): boolean {
	const last = before(text, place);
	if (character === '\ufe0e' || character === '\ufe0f') return /\p{Emoji}/u.test(last);
	if (character !== '\u200c' && character !== '\u200d') return false;
	const next = after(text, place + 1);
	const isBetween = (kind: RegExp) => kind.test(last) && kind.test(next);
	return isBetween(joining) || (character === '\u200d' && isBetween(emoji));
}

/** A text without characters that nobody sees. */
export const withoutInvisible = (text: string): string =>
	text.replace(invisible, (character, place: number) =>
		isSeen(character, place, text) ? character : '',
	);
