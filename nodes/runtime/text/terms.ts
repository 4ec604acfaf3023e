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
 * Visits the places of the terms of a normalized text in order: the first letters of each word; in
 * scripts without spaces, each pair of characters, and each Han character by itself.
 */
function eachPlace(text: string, visit: (from: number, to: number) => void): void {
	let last = none;
	let from = 0;
	for (let place = 0; place <= text.length; place += 1) {
		const kind = place < text.length ? kindAt(text, place) : none;
		if (last === letter && kind !== letter) visit(from, Math.min(place, from + prefixLength));
		if (kind === letter && last !== letter) from = place;
		if (kind > letter && last > letter) visit(place - 1, place + 1);
		if (kind === han) visit(place, place + 1);
		last = kind;
	}
}

/** Visits the terms of a text in order. */
export function eachTerm(given: string, visit: (term: string) => void): void {
	const text = normalized(given);
	eachPlace(text, (from, to) => visit(text.slice(from, to)));
}

/** Number of hashes of beginnings. */
const hashes = 0x1000;

/** Hash of the first two characters of a term. */
function beginningAt(text: string, from: number, to: number): number {
	const second = to - from > 1 ? text.charCodeAt(from + 1) : 0;
	return (text.charCodeAt(from) * 31 + second) % hashes;
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

/** Counts terms in texts. A word that begins unlike all terms is not taken out of its text. */
export async function countTerms(
	terms: Iterable<string>,
	texts: readonly string[],
): Promise<TermCounts> {
	const counts = new Map([...terms].map((term) => [term, new Map<number, number>()]));
	const beginnings = new Uint8Array(hashes);
	for (const term of counts.keys()) beginnings[beginningAt(term, 0, term.length)] = 1;
	await eachInTurns(texts, (given, index) => {
		const text = normalized(given);
		eachPlace(text, (from, to) => {
			if (beginnings[beginningAt(text, from, to)] === 0) return;
			const ofTerm = counts.get(text.slice(from, to));
			ofTerm?.set(index, (ofTerm.get(index) ?? 0) + 1);
		});
		return given.length;
	});
	return counts;
}
