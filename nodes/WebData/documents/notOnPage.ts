import { fieldOf, isRecord } from '../../runtime/values/record';
import { parseUrl } from '../../runtime/values/text';
import { completesTurn, delay } from '../../runtime/values/time';

/** Finds the values that a model extracted and that the page does not have. */

/** Characters of a page that are compared at once, and those again for values across the cut. */
const partLength = 25_000;
const overlap = 400;

/** Longest text that is judged: a longer one is rarely a quotation. */
const longestText = 200;

/** Most characters of values that are judged: more than a model writes. */
const mostCharacters = 200_000;

/** A text in lower case, with the same characters for the same letters and digits. */
const comparable = (text: string): string =>
	text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '');

/** What readers see of a page in Markdown or HTML. */
const visible = (page: string): string =>
	page
		.replace(/\]\((?!mailto:|tel:)[^()\s]*(?:\([^()\s]*\)[^()\s]*){0,3}(?:\s"[^"\n]*")?\)/g, '] ')
		.replace(/<\/?[a-z!][^<>]*>|&#?\w{1,10};/gi, ' ');

// Texts: their letters and digits in this order, whatever is between them.

/** Kinds of characters. A word ends where the kind changes, and at each sign of a script without spaces. */
const [between, letter, digit, sign] = [1, 2, 3, 4];

function kindOfCharacter(character: string): number {
	if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}ー]/u.test(character)) return sign;
	if (/\p{N}/u.test(character)) return digit;
	return /[\p{L}\p{M}]/u.test(character) ? letter : between;
}

/** The kinds by UTF-16 code, as far as they were needed. */
const kinds = new Uint8Array(65_536);

const kindOf = (code: number): number =>
	kinds[code] || (kinds[code] = kindOfCharacter(String.fromCharCode(code)));

/** The letters and digits of a text, and where words begin among them. */
function lettersOf(text: string) {
	const letters = new Uint16Array(text.length);
	const begins = new Uint8Array(text.length + 1);
	let length = 0;
	let before = between;
	for (let index = 0; index < text.length; index += 1) {
		const code = text.charCodeAt(index);
		const kind = kindOf(code);
		if (kind !== between) {
			if (kind !== before || kind === sign) begins[length] = 1;
			letters[length] = code;
			length += 1;
		}
		before = kind;
	}
	begins[length] = 1;
	return { letters: letters.subarray(0, length), begins };
}

/** Texts by their letters: a tree with a letter a step, and the values that end there. */
class Texts {
	private readonly next = new Map<number, Texts>();
	private readonly ending: Value[] = [];

	add(text: string, value: Value): void {
		let node: Texts = this;
		for (const code of lettersOf(comparable(text)).letters) {
			const step = node.next.get(code) ?? new Texts();
			node.next.set(code, step);
			node = step;
		}
		node.ending.push(value);
	}

	/** Notes the values that a text has, from the beginning of a word to the end of one. */
	findIn(text: string): void {
		const { letters, begins } = lettersOf(text);
		for (let from = 0; from < letters.length; from += 1) {
			if (begins[from] === 0) continue;
			let node = this.next.get(letters[from]);
			for (let end = from + 1; node; end += 1) {
				if (begins[end] === 1) for (const value of node.ending) value.isThere = true;
				node = end < letters.length ? node.next.get(letters[end]) : undefined;
			}
		}
	}
}

// Numbers: the same number, in whatever notation.

/** What a number before a sign or word is multiplied by. */
const multipliers = new Map(
	[
		[0.01, '%'],
		[1e3, 'k tsd thousand tausend mille mil 千'],
		[1e4, '万 萬'],
		[1e6, 'm mio mln million millions millionen millones milhões milioni млн'],
		[1e8, '億 亿'],
		[1e9, 'b bn mrd mld billion billions milliarden milliards miliardi млрд'],
	].flatMap(([times, names]) =>
		String(names)
			.split(' ')
			.map((name) => [name, Number(times)]),
	),
);

const numeral =
	/(?:\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d.,])|\d(?:[\d.,'’]*\d)?)(?: ?(?:[%千万萬億亿]|\p{L}{1,10}))?/gu;

/** The numbers that a numeral may mean: `1,299` is either of two, `12.05.2024` has three. */
function readingsOf(given: string): number[] {
	const figures = given.replaceAll(' ', '');
	const parts = figures.split(/[.,'’]/);
	const separators = figures.match(/[.,'’]/g) ?? [];
	const [last = ''] = parts.slice(-1);
	const whole = parts.slice(0, -1);
	const isGrouped = (groups: string[]) => groups.slice(1).every((each) => /^\d{2,3}$/.test(each));
	const isAlike = (signs: string[]) => new Set(signs).size <= 1;
	const readings: number[] = [];
	if (isAlike(separators) && isGrouped(parts) && (last.length === 3 || parts.length === 1))
		readings.push(Number(parts.join('')));
	const point = separators.at(-1);
	const isDecimal = separators.filter((each) => each === point).length === 1 && point !== '’';
	if (isDecimal && isAlike(separators.slice(0, -1)) && isGrouped(whole))
		readings.push(Number(`${whole.join('')}.${last}`));
	return readings.length > 0 ? readings : parts.map(Number);
}

/** Rounds what multiplying by a power of ten leaves. */
const rounded = (number: number): number => Number(number.toPrecision(12));

/** The numbers in a text. */
function numbersIn(text: string): number[] {
	return (text.match(numeral) ?? []).flatMap((found) => {
		const figures = /^[\d .,'’]*\d/.exec(found)?.[0] ?? '';
		const times = multipliers.get(found.slice(figures.length).trim());
		const readings = readingsOf(figures).map(rounded);
		return times === undefined
			? readings
			: [...readings, ...readings.map((each) => rounded(each * times))];
	});
}

// Dates: the same day or month.

/** The languages of the web's most pages. */
const languages = ['en', 'es', 'de', 'ja', 'fr', 'pt', 'ru', 'it', 'nl', 'zh', 'pl', 'tr'];

let months: Map<string, number> | undefined;

/** The months by their names in these languages, in full and shortened, also as in a date. */
function monthsByName(): Map<string, number> {
	if (months) return months;
	months = new Map();
	for (const language of languages) {
		for (const month of ['long', 'short'] as const) {
			for (const day of [undefined, 'numeric'] as const) {
				const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' });
				for (let index = 0; index < 12; index += 1) {
					const parts = format.formatToParts(Date.UTC(2024, index, 15));
					const name = parts.find(({ type }) => type === 'month')?.value ?? '';
					months.set(comparable(name).replace(/\.$/, ''), index + 1);
				}
			}
		}
	}
	return months.set('sept', 9);
}

const inFigures = /(?<!\d)(\d{1,4}) ?[./年-] ?(\d{1,2})(?: ?[./月-] ?(\d{1,4}))?(?!\d)/g;
const year = /(?<!\d)\d{4}(?!\d)/g;
const beforeYear =
	/(?:(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|[.º])? ?(?:de |of )?)?(?<!\p{L})(\p{L}{3,12})\.?,? ?(?:(\d{1,2})(?:st|nd|rd|th)?,? )?(?:de |del )?$/u;

/** Most characters of a day and a month before their year. */
const longestDay = 40;

/** A day as in ISO 8601, or a month without a day; none if there is no such. */
function isoDate(year: string, month: string | number, day = ''): string[] {
	const fullYear = year.length === 2 ? `20${year}` : year;
	const digits = (part: string | number) => String(part).padStart(2, '0');
	const isDate = fullYear.length === 4 && Number(month) >= 1 && Number(month) <= 12;
	if (!isDate || (day !== '' && (day.length > 2 || Number(day) > 31))) return [];
	return [[fullYear, digits(month), ...(day === '' ? [] : [digits(day)])].join('-')];
}

/** The days and months in a text. */
function datesIn(text: string): string[] {
	const figures = [...text.matchAll(inFigures)].flatMap(([, one, two, three]) => {
		if (one.length === 4) return [...isoDate(one, two, three), ...isoDate(one, two)];
		if (three === undefined || (three.length !== 4 && three.length !== 2)) return [];
		return [
			...isoDate(three, two, one),
			...isoDate(three, one, two),
			...isoDate(three, two),
			...isoDate(three, one),
		];
	});
	const named = [...text.matchAll(year)].flatMap(({ 0: found, index }) => {
		const start = text.slice(Math.max(0, index - longestDay), index);
		const [, before, name = '', after = before] = beforeYear.exec(start) ?? [];
		const month = monthsByName().get(name);
		if (month === undefined) return [];
		return [...isoDate(found, month), ...(after === undefined ? [] : isoDate(found, month, after))];
	});
	return [...figures, ...named];
}

// Links: the same page, also without its host.

const link = /https?:\/\/[^\s<>"')\]]+|(?<=\]\()[^)\s]+|(?<=(?:href|src)=["'])[^"'\s]+/gi;

/** A URL without scheme, `www` and a final slash, and its path alone. */
function formsOf(url: string, base?: string): string[] {
	const parsed = parseUrl(url, base);
	if (!parsed) return [];
	const path = `${parsed.pathname.replace(/\/$/, '')}${parsed.search}`;
	const whole = parsed.host.replace(/^www\./, '') + path;
	return path === '' ? [whole] : [whole, path];
}

// Values.

/** A value to find: by its text, or in another notation. */
interface Value {
	path: string;
	isThere: boolean;
	numbers?: number[];
	dates?: string[];
	urls?: string[];
	/** The sign of a currency, beside a number. */
	currency?: RegExp;
}

/** Signs of currencies that `Intl` does not name. */
const localSigns: Readonly<Record<string, string>> = { JPY: '円', CNY: '元' };

/** The pattern of a currency's sign beside a number, by its code; undefined for another text. */
function currencyOf(text: string): RegExp | undefined {
	if (!/^[A-Z]{3}$/.test(text)) return undefined;
	const style = { style: 'currency', currency: text, currencyDisplay: 'narrowSymbol' } as const;
	const parts = new Intl.NumberFormat('en', style).formatToParts(0);
	const symbol = parts.find(({ type }) => type === 'currency')?.value ?? text;
	const literal = (characters: string) =>
		[...comparable(characters)].map((each) => `\\u{${each.codePointAt(0)?.toString(16)}}`).join('');
	const signs = [symbol, localSigns[text] ?? symbol].map(literal).join('|');
	return new RegExp(`\\d ?(?:${signs})|(?:${signs}) ?\\d`, 'u');
}

/** A text that is a number with at most a currency or a unit. */
const isNumeral = (text: string) => /^[^\p{L}\d]{0,3}\d[\d.,'’ ]*[^\p{L}\d]{0,4}$/u.test(text);

function valueOf(given: unknown, path: string, counts: ReadonlySet<number>): Value | undefined {
	const value = { path, isThere: false };
	if (typeof given === 'number') {
		return counts.has(given) ? undefined : { ...value, numbers: [rounded(Math.abs(given))] };
	}
	if (typeof given !== 'string' || given.length > longestText) return undefined;
	const text = comparable(given.trim());
	if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
	const dates = text.length <= 35 ? datesIn(text).slice(0, 1) : [];
	return {
		...value,
		...(isNumeral(text) && { numbers: numbersIn(text) }),
		...(dates.length > 0 && { dates }),
		...(/^https?:\/\//.test(text) && { urls: formsOf(given.trim()) }),
		currency: currencyOf(given.trim()),
	};
}

/** Whether a schema lists a value's choices: a model chooses one, and need not quote it. */
const isChoice = (schema: unknown): boolean => Array.isArray(fieldOf(schema, 'enum'));

/**
 * The values in an extraction that are judged. A number that counts the entries of a list is
 * concluded from them.
 */
function valuesIn(json: unknown, schema: unknown) {
	const counts = new Set<number>();
	const leaves: Array<{ given: unknown; path: string }> = [];
	const open = [{ given: json, path: '', rule: schema }];
	for (const { given, path, rule } of open) {
		if (Array.isArray(given)) {
			counts.add(given.length);
			const each = fieldOf(rule, 'items');
			for (const [index, entry] of given.entries())
				open.push({ given: entry, path: `${path}[${index}]`, rule: each });
		} else if (isRecord(given)) {
			const rules = fieldOf(rule, 'properties');
			for (const [name, field] of Object.entries(given)) {
				const inside = path === '' ? name : `${path}.${name}`;
				open.push({ given: field, path: inside, rule: fieldOf(rules, name) });
			}
		} else if (!isChoice(rule)) leaves.push({ given, path });
	}
	const texts = new Texts();
	const values: Value[] = [];
	let characters = 0;
	for (const { given, path } of leaves) {
		const value = valueOf(given, path, counts);
		if (!value) continue;
		characters += typeof given === 'string' ? given.length : 1;
		if (characters > mostCharacters) break;
		values.push(value);
		if (typeof given === 'string') texts.add(given, value);
	}
	return { texts, values };
}

/**
 * The paths of the values that a page, in Markdown or HTML, does not have. `url` is the page's own,
 * and `schema` that of the values, if there is one.
 */
export async function valuesNotOnPage(
	json: unknown,
	page: string,
	url?: string,
	schema?: unknown,
): Promise<string[]> {
	const { texts, values } = valuesIn(json, schema);
	const wants = (name: 'numbers' | 'dates' | 'urls') => values.some((value) => value[name]);
	const numbers = new Set<number>();
	const dates = new Set<string>();
	const urls = new Set<string>(url === undefined ? [] : formsOf(url));
	const [hasNumbers, hasDates, hasUrls] = [wants('numbers'), wants('dates'), wants('urls')];
	const currencies = values.filter(({ currency }) => currency);
	for (let from = 0; from < page.length && values.length > 0; from += partLength) {
		const part = page.slice(Math.max(0, from - overlap), from + partLength);
		const text = comparable(visible(part));
		texts.findIn(text);
		if (hasNumbers) for (const each of numbersIn(text)) numbers.add(each);
		if (hasDates) for (const each of datesIn(text)) dates.add(each);
		if (hasUrls) {
			for (const each of part.match(link) ?? [])
				for (const form of formsOf(each, url)) urls.add(form);
		}
		for (const value of currencies) value.isThere ||= value.currency?.test(text) === true;
		if (completesTurn(part.length)) await delay(0);
	}
	return values
		.filter(
			(value) =>
				!value.isThere &&
				!value.numbers?.some((each) => numbers.has(each)) &&
				!value.dates?.some((each) => dates.has(each)) &&
				!value.urls?.some((each) => urls.has(each)),
		)
		.map(({ path }) => path);
}
