import { eachInTurns } from '../host/turns';
import type { Removed } from './removed';

/**
 * Characters that nobody sees: controls but tab and line breaks, and what Unicode lets be ignored, such as
 * zero-width characters, marks and overrides of direction, fillers, variation selectors and tags.
 */
const invisible = /(?![\t\n\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Letters of scripts in which a character of no width joins them or keeps them apart; not their digits. */
const joining =
	/(?=[\p{L}\p{M}])[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** What an emoji of several parts has before a joiner: a picture, its colour of skin, or the selector behind it. */
const emojiPart = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const picture = /\p{Extended_Pictographic}/u;

/** What a key's picture is made of, a selector, and the character that draws the key. */
const keyFace = /[\d#*]/;
const key = '\u20e3';

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
	const next = after(text, place + 1);
	switch (character) {
		case '\ufe0e':
		case '\ufe0f':
			return picture.test(last) || (keyFace.test(last) && next === key);
		case '\u200c':
		case '\u200d':
			if (joining.test(last) && joining.test(next)) return true;
			return character === '\u200d' && emojiPart.test(last) && picture.test(next);
		default:
			return false;
	}
}

/** How many characters are worked on in the time that it takes to look around one that is invisible. */
const workPerCharacter = 10;

/** A text without characters that nobody sees, which are counted. */
export async function withoutInvisible(text: string, removed: Removed): Promise<string> {
	let visible = '';
	let done = 0;
	await eachInTurns(text.matchAll(invisible), ({ 0: character, index }) => {
		if (isSeen(character, index, text)) return workPerCharacter;
		removed.add('invisible character', character.length);
		visible += text.slice(done, index);
		done = index + character.length;
		return workPerCharacter;
	});
	return visible + text.slice(done);
}
