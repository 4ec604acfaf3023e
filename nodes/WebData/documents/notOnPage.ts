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

/** A word: letters (the commonest first, for speed), digits, or a sign of a script without spaces. */
const word =
	/[a-zß-öø-ɏ]+|\d+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}ー]|\p{N}+|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}ー])[\p{L}\p{M}])+/gu;

/** The beginnings of a key's text, each a letter or digit longer. */
function beginningsOf(key: string): string[] {
	const [kind, text] = key.split(' ');
	if (kind !== 'text') return [];
	return text.split('').map((_, index) => text.slice(0, index + 1));
}

const wordsOf = (text: string): string[] => text.match(word) ?? [];

/** The texts of whole words in a page, each as far as a value to find begins like it. */
function textsIn(page: string, beginnings: ReadonlySet<string>): string[] {
	const words = wordsOf(page);
	const found: string[] = [];
	for (let from = 0; from < words.length; from += 1) {
		let text = '';
		for (let next = from; next < words.length; next += 1) {
			text += words[next];
			if (!beginnings.has(text)) break;
			found.push(text);
		}
	}
	return found;
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
const round = (number: number): number => Number(number.toPrecision(12));

/** The numbers in a text. */
const numbersIn = (text: string): number[] =>
	[...text.matchAll(numeral)].flatMap(([, figures, unit = '']) => {
		const readings = readingsOf(figures.replaceAll(' ', ''));
		const times = unit && multipliers.find(([name]) => name.test(unit))?.[1];
		return times ? [...readings, ...readings.map((each) => round(each * times))] : readings;
	});

// Dates: the same day or month.

/** The languages of the web's most pages. */
const languages = ['en', 'es', 'de', 'ja', 'fr', 'pt', 'ru', 'it', 'nl', 'zh', 'pl', 'tr'];

const months = new Map<string, number>();

/** The months by their names in these languages, in full and shortened, also as in a date. */
function monthsByName(): ReadonlyMap<string, number> {
	if (months.size > 0) return months;
	for (const language of languages)
		for (const month of ['long', 'short'] as const)
			for (const day of [undefined, 'numeric'] as const) {
				const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' });
				for (let index = 0; index < 12; index += 1) {
					const parts = format.formatToParts(Date.UTC(2024, index, 15));
					const name = parts.find(({ type }) => type === 'month')?.value ?? '';
					months.set(comparable(name).replace(/\.$/, ''), index + 1);
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

/** A link, or the beginning of one and its URL: lookbehinds would be tried at each character. */
const link = /(https?:\/\/[^\s<>"')\]]+)|\]\(([^)\s]+)|(?:href|src)=["']([^"'\s]+)/gi;

const linksIn = (page: string): string[] =>
	[...page.matchAll(link)].map(([, ...urls]) => urls.find(Boolean) ?? '');

/** A URL without scheme, `www` and a final slash, and its path alone. */
function formsOf(url: string, base?: string): string[] {
	const parsed = parseUrl(url, base);
	if (!parsed) return [];
	const path = `${parsed.pathname.replace(/\/$/, '')}${parsed.search}`;
	const whole = parsed.host.replace(/^www\./, '') + path;
	return path === '' ? [whole] : [whole, path];
}

// Values.

/** A value to find: its keys say of what it is one: a text, number, date, URL or currency. */
interface Value {
	path: string;
	keys: string[];
}

const keysOfKind = (kind: string, values: ReadonlyArray<string | number>) =>
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

/** The keys of a value; undefined if it is not judged. */
function keysOf(given: unknown, counts: ReadonlySet<number>): string[] | undefined {
	if (typeof given === 'number')
		return counts.has(given)
			? undefined
			: keysOfKind('number', [Math.abs(given), round(Math.abs(given))]);
	if (typeof given !== 'string' || given.length > longestText) return undefined;
	const text = comparable(given.trim());
	if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
	return [
		`text ${wordsOf(text).join('')}`,
		...keysOfKind('number', isNumeral.test(text) ? numbersIn(text) : []),
		...keysOfKind('date', text.length <= longestDay ? datesIn(text).slice(0, 1) : []),
		...keysOfKind('url', /^https?:/.test(text) ? formsOf(given.trim()) : []),
		...keysOfKind('currency', signsOf(given.trim())),
	];
}

/** The values that are judged: no choice of the schema, and no number that counts the entries of a list. */
function valuesIn(json: unknown, schema: unknown): Value[] {
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
	let characters = 0;
	return open.flatMap(({ given, path, rule }) => {
		const keys = Array.isArray(fieldOf(rule, 'enum')) ? undefined : keysOf(given, counts);
		characters += keys ? String(given).length : 0;
		return keys && characters <= mostCharacters ? [{ path, keys }] : [];
	});
}

/** The paths of values that a page (Markdown or HTML) lacks; `url` is the page's, `schema` the values'. */
export async function valuesNotOnPage(
	json: unknown,
	page: string,
	url?: string,
	schema?: unknown,
): Promise<string[]> {
	const values = valuesIn(json, schema);
	const keys = values.flatMap((value) => value.keys);
	const wanted = new Set(keys.map((key) => key.split(' ', 1)[0]));
	const beginnings = new Set(keys.flatMap(beginningsOf));
	const found = new Set(keysOfKind('url', url === undefined ? [] : formsOf(url)));
	// Pages repeat their menus.
	const links = new Set<string>();
	const isNew = (each: string) => links.size < links.add(each).size;
	const note = (kind: string, valuesOf: () => Array<string | number>) => {
		if (wanted.has(kind)) for (const key of keysOfKind(kind, valuesOf())) found.add(key);
	};
	for (let from = 0; from < page.length && values.length > 0; from += partLength) {
		const part = page.slice(Math.max(0, from - overlap), from + partLength);
		const text = comparable(visible(part));
		note('text', () => textsIn(text, beginnings));
		note('number', () => numbersIn(text));
		note('date', () => datesIn(text));
		note('url', () => linksIn(part).flatMap((each) => (isNew(each) ? formsOf(each, url) : [])));
		note('currency', () =>
			[...text.matchAll(currencySign)].map(([, before, after]) => before ?? after),
		);
		if (completesTurn(part.length)) await delay(0);
	}
	return values.filter(({ keys }) => !keys.some((key) => found.has(key))).map(({ path }) => path);
}
