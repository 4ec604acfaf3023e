import { eachInTurns } from '../host/turns';

/** Letters of a word that make its term: the forms and most compounds of a word begin alike. */
const prefixLength = 5;

const none = 1;
const letter = 2;
/** Part of a script without spaces between words. */
const unspaced = 3;
/** Means something by itself. */
const han = 4;

function kindOf(character: string): number {
	if (/\p{Script=Han}/u.test(character)) return han;
	if (
		/[\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
			character,
		)
	) {
		return unspaced;
	}
	return /[\p{L}\p{N}\p{M}]/u.test(character) ? letter : none;
}

/** The kind of each UTF-16 code unit, 0 until it occurs: to find it takes most of the time. */
const kinds = new Uint8Array(0x1_0000);

function kindAt(text: string, place: number): number {
	const code = text.charCodeAt(place);
	if (kinds[code] === 0) kinds[code] = kindOf(text[place]);
	return kinds[code];
}

/** Normalizes a text for comparison. */
const normalized = (text: string): string =>
	(/[^\0-\x7f]/.test(text) ? text.normalize('NFKC') : text).toLowerCase();

/**
 * Visits the terms of a text in order: the first letters of each word; in scripts without spaces,
 * each pair of characters, and each Han character by itself.
 */
export function eachTerm(given: string, visit: (term: string) => void): void {
	const text = normalized(given);
	let last = none;
	let from = 0;
	for (let place = 0; place <= text.length; place += 1) {
		const kind = place < text.length ? kindAt(text, place) : none;
		if (last === letter && kind !== letter) {
			visit(text.slice(from, Math.min(place, from + prefixLength)));
		}
		if (kind === letter && last !== letter) from = place;
		if (kind > letter && last > letter) visit(text.slice(place - 1, place + 1));
		if (kind === han) visit(text[place]);
		last = kind;
	}
}

const isShort = (term: string): boolean => term.length < 3 && kindAt(term, 0) === letter;

/** The distinct terms of a question. Words of one or two letters count only if there are no others. */
export function termsOf(question: string): string[] {
	const terms = new Set<string>();
	eachTerm(question, (term) => terms.add(term));
	const long = [...terms].filter((term) => !isShort(term));
	return long.length > 0 ? long : [...terms];
}

/** The frequency of each term in each text, by the term and the text's index. */
export type TermCounts = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Counts terms in texts. */
export async function countTerms(
	terms: Iterable<string>,
	texts: readonly string[],
): Promise<TermCounts> {
	const counts = new Map([...terms].map((term) => [term, new Map<number, number>()]));
	await eachInTurns(texts, (text, index) => {
		eachTerm(text, (term) => {
			const ofTerm = counts.get(term);
			ofTerm?.set(index, (ofTerm.get(index) ?? 0) + 1);
		});
		return text.length;
	});
	return counts;
}
