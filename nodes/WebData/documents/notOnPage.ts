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

/** A step in a tree of texts: the steps by the next letter, and the values that end here. */
interface Step {
	next: Map<number, Step>;
	ending: Value[];
}

const newStep = (): Step => ({ next: new Map(), ending: [] });

/** Adds a text to a tree. */
function addText(tree: Step, text: string, value: Value): void {
	let step = tree;
	for (const code of lettersOf(comparable(text)).letters) {
		const next = step.next.get(code) ?? newStep();
		step.next.set(code, next);
		step = next;
	}
	step.ending.push(value);
}

/** Notes the values of a tree that a text has, from the beginning of a word to the end of one. */
function findTexts(tree: Step, text: string): void {
	const { letters, begins } = lettersOf(text);
	for (let from = 0; from < letters.length; from += 1) {
		if (begins[from] === 0) continue;
		let step = tree.next.get(letters[from]);
		for (let end = from + 1; step; end += 1) {
			// Each value is noted once, however often it stands there.
			if (begins[end] === 1) for (const value of step.ending.splice(0)) value.isThere = true;
			step = end < letters.length ? step.next.get(letters[end]) : undefined;
		}
	}
}

// Numbers: the same number, in whatever notation.

/** What a number before a sign or a word is multiplied by. */
const multipliers: ReadonlyArray<[RegExp, number]> = [
	[/^%$/, 0.01],
	[/^(?:k|tsd|thousand|tausend|mille|mil|千)$/, 1e3],
	[/^[万萬]$/, 1e4],
	[/^(?:m|mio|mln|millions?|millionen|millones|milhões|milioni|млн)$/, 1e6],
	[/^[億亿]$/, 1e8],
	[/^(?:bn?|mrd|mld|billions?|milliarden|milliards?|miliardi|млрд)$/, 1e9],
];

const numeral =
	/((?:\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d.,])|\d(?:[\d.,'’]*\d)?))(?: ?([%千万萬億亿]|\p{L}{1,10}))?/gu;

/** The numbers that a numeral may mean: `1,299` is either of two, `12.05.2024` has three. */
function readingsOf(figures: string): number[] {
	const [, whole, point, last] = /^(.*)([.,'’])(\d+)$/.exec(figures) ?? [];
	if (whole === undefined) return [Number(figures)];
	const groups = whole.split(/[.,'’]/);
	const isGrouped = groups.slice(1).every((each) => /^\d{2,3}$/.test(each));
	const isAlike = new Set(whole.match(/[.,'’]/g)).size <= 1;
	const readings = [
		...(last.length === 3 && (groups.length === 1 || whole.includes(point)) ? [''] : []),
		...(point !== '’' && !whole.includes(point) ? ['.'] : []),
	].map((sign) => Number(`${groups.join('')}${sign}${last}`));
	return isGrouped && isAlike && readings.length > 0 ? readings : [...groups, last].map(Number);
}

/** Rounds what multiplying by a power of ten leaves. */
const rounded = (number: number): number => Number(number.toPrecision(12));

/** The numbers in a text. */
const numbersIn = (text: string): number[] =>
	[...text.matchAll(numeral)].flatMap(([, figures, unit = '']) => {
		const readings = readingsOf(figures.replaceAll(' ', ''));
		const times = multipliers.find(([name]) => name.test(unit))?.[1] ?? 1;
		return [...readings, ...readings.map((each) => each * times)].map(rounded);
	});

// Dates: the same day or month.

/** The languages of the web's most pages. */
const languages = ['en', 'es', 'de', 'ja', 'fr', 'pt', 'ru', 'it', 'nl', 'zh', 'pl', 'tr'];

const months = new Map<string, number>();

/** The months by their names in these languages, in full and shortened, also as in a date. */
function monthsByName(): ReadonlyMap<string, number> {
	if (months.size > 0) return months;
	for (const language of languages) {
		for (const [month, day] of [
			['long'],
			['short'],
			['long', 'numeric'],
			['short', 'numeric'],
		] as const) {
			const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' });
			for (let index = 0; index < 12; index += 1) {
				const parts = format.formatToParts(Date.UTC(2024, index, 15));
				const name = parts.find(({ type }) => type === 'month')?.value ?? '';
				months.set(comparable(name).replace(/\.$/, ''), index + 1);
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

/** A day as in ISO 8601, and its month; none if there is no such. */
function isoDates(given: string, month: string | number, day = ''): string[] {
	const [y, m, d] = [given.length === 2 ? `20${given}` : given, String(month), day];
	if (y.length !== 4 || Number(m) < 1 || Number(m) > 12 || Number(d) > 31) return [];
	const start = `${y}-${m.padStart(2, '0')}`;
	return d === '' || d.length > 2 ? [start] : [`${start}-${d.padStart(2, '0')}`, start];
}

/** The days in a text, each with its month, and the months without a day. */
const datesIn = (text: string): string[] => [
	...[...text.matchAll(inFigures)].flatMap(([, one, two, three = '']) =>
		one.length === 4
			? isoDates(one, two, three)
			: [...isoDates(three, two, one), ...isoDates(three, one, two)],
	),
	...[...text.matchAll(year)].flatMap(({ 0: found, index }) => {
		const start = text.slice(Math.max(0, index - longestDay), index);
		const [, before, name = '', after = before] = beforeYear.exec(start) ?? [];
		const month = monthsByName().get(name);
		return month === undefined ? [] : isoDates(found, month, after);
	}),
];

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

/** A value to find: by its text, or by a key of another notation: number, date, URL or currency. */
interface Value {
	path: string;
	isThere: boolean;
	keys: string[];
}

const keyed = (kind: string, values: ReadonlyArray<string | number>) =>
	values.map((value) => `${kind} ${value}`);

/** Signs beside numbers. */
const currencySign = /(\p{Sc}|\p{L}{1,3}) ?\d|\d ?(\p{Sc}|\p{L}{1,3})(?!\p{L})/gu;

/** The signs of a currency by its code; none for another text. */
function signsOf(code: string): string[] {
	if (!/^[A-Z]{3}$/.test(code)) return [];
	const style = { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' } as const;
	const parts = new Intl.NumberFormat('en', style).formatToParts(0);
	const signs = parts.flatMap(({ type, value }) => (type === 'currency' ? [value] : []));
	return [...signs, ...(code === 'JPY' ? ['円'] : []), ...(code === 'CNY' ? ['元'] : [])].map(
		comparable,
	);
}

/** A text that is a number with at most signs around it. */
const isNumeral = /^[^\p{L}\d]{0,3}\d[\d.,'’ ]*[^\p{L}\d]{0,4}$/u;

/** The keys of a value beside its text; undefined if it is not judged. */
function keysOf(given: unknown, counts: ReadonlySet<number>): string[] | undefined {
	if (typeof given === 'number')
		return counts.has(given) ? undefined : keyed('number', [rounded(Math.abs(given))]);
	if (typeof given !== 'string' || given.length > longestText) return undefined;
	const text = comparable(given.trim());
	if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
	return [
		...keyed('number', isNumeral.test(text) ? numbersIn(text) : []),
		...keyed('date', text.length <= longestDay ? datesIn(text).slice(0, 1) : []),
		...keyed('url', /^https?:/.test(text) ? formsOf(given.trim()) : []),
		...keyed('currency', signsOf(given.trim())),
	];
}

/**
 * The values in an extraction that are judged: no choice of the schema, which a model need not
 * quote, and no number that counts the entries of a list.
 */
function valuesIn(json: unknown, schema: unknown) {
	const counts = new Set<number>();
	const open = [{ given: json, path: '', rule: schema }];
	for (const { given, path, rule } of open) {
		if (Array.isArray(given)) {
			counts.add(given.length);
			for (const [index, entry] of given.entries())
				open.push({ given: entry, path: `${path}[${index}]`, rule: fieldOf(rule, 'items') });
		} else if (isRecord(given)) {
			for (const [name, field] of Object.entries(given)) {
				const inside = path === '' ? name : `${path}.${name}`;
				open.push({ given: field, path: inside, rule: fieldOf(fieldOf(rule, 'properties'), name) });
			}
		}
	}
	const texts = newStep();
	const values: Value[] = [];
	let characters = 0;
	for (const { given, path, rule } of open) {
		const keys = Array.isArray(fieldOf(rule, 'enum')) ? undefined : keysOf(given, counts);
		if (!keys) continue;
		characters += String(given).length;
		if (characters > mostCharacters) break;
		const value = { path, isThere: false, keys };
		values.push(value);
		if (typeof given === 'string') addText(texts, given, value);
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
	const wanted = new Set(values.flatMap(({ keys }) => keys.map((key) => key.split(' ', 1)[0])));
	const found = new Set(keyed('url', url === undefined ? [] : formsOf(url)));
	const note = (kind: string, valuesOf: () => Array<string | number>) => {
		if (wanted.has(kind)) for (const key of keyed(kind, valuesOf())) found.add(key);
	};
	for (let from = 0; from < page.length && values.length > 0; from += partLength) {
		const part = page.slice(Math.max(0, from - overlap), from + partLength);
		const text = comparable(visible(part));
		findTexts(texts, text);
		note('number', () => numbersIn(text));
		note('date', () => datesIn(text));
		note('url', () => (part.match(link) ?? []).flatMap((each) => formsOf(each, url)));
		note('currency', () =>
			[...text.matchAll(currencySign)].map(([, before, after]) => before ?? after),
		);
		if (completesTurn(part.length)) await delay(0);
	}
	return values
		.filter(({ isThere, keys }) => !isThere && !keys.some((key) => found.has(key)))
		.map(({ path }) => path);
}
