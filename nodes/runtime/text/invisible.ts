import { eachInTurns } from '../host/turns';
import type { Removed } from './removed';

/**
 * Invisible characters: controls except tab and line breaks, and Unicode's default ignorables, such
 * as zero-width characters, direction marks and overrides, fillers, variation selectors and tags.
 */
const invisible = /(?![\t\n\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Letters of scripts that zero-width joiners and non-joiners shape; not their digits. */
const joining =
	/(?=[\p{L}\p{M}])[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Parts of an emoji sequence before a joiner: a pictograph, a skin tone, or a variation selector. */
const emojiPart = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const picture = /\p{Extended_Pictographic}/u;

/** First characters of a keycap emoji. */
const keyFace = /[\d#*]/;
const key = '\u20e3';

/** The character before a position. */
const before = (text: string, place: number): string => {
	const pair = text.slice(Math.max(0, place - 2), place);
	return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : pair.slice(-1);
};

const after = (text: string, place: number): string =>
	String.fromCodePoint(text.codePointAt(place) ?? 0);

/** Whether an invisible character shapes a visible one: an emoji, or a word of a joining script. */
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

/** Characters processed in the time that an invisible character takes. */
const workPerCharacter = 10;

/** Removes and counts invisible characters. */
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
