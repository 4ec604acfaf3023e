import type { IDataObject } from 'n8n-workflow';
import { asRecord, without } from '../runtime/execution/results';
import { fieldOf, isRecord } from '../runtime/values/record';
import { SeenSet, fingerprint } from '../runtime/values/seenSet';
import { cutLine, fitsGlob, oneLine } from '../runtime/values/text';
import { errorStatusOf, isGone } from '../WebData/documents/document';
import { nameOfWall } from '../WebData/documents/judge';

/** What of a page is compared: the lines of its text, the values of its JSON, or its product. */
type Compare = 'fields' | 'product' | 'text';

/** What counts as a change of a page. */
export interface Comparison {
	compare: Compare;
	/** Patterns of lines of its text that do not count. */
	ignoreLines: readonly string[];
	/** Percent by which a number must differ from the one last reported. */
	minChange: number;
}

// Values.

/** Whether a value is not there. */
const isMissing = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

/** The entries of a list that are there, or have a field that is. */
function entriesIn(list: unknown): unknown[] {
	const isThere = (entry: unknown) =>
		typeof entry === 'object' ? !Object.values(Object(entry)).every(isMissing) : !isMissing(entry);
	return Array.isArray(list) ? list.filter(isThere) : [];
}

/** Texts that `oneLine` leaves as they are, which takes ten times as long. */
const plainText = /^[!-~]+(?: [!-~]+)*$/;

/** A text as it is compared, and stored where contents are long: its beginning and a hash, which are themselves not long. */
function shorten(text: string): string {
	const line = plainText.test(text) ? text : oneLine(text.normalize('NFC'));
	return line.length <= 40 ? line : `${cutLine(line, 30)}#${fingerprint(line, 8)}`;
}

/** A value as it is compared, whatever the order of fields and entries; empty if nothing of it is there. */
function canonicalJson(value: unknown): string {
	if (isMissing(value)) return '';
	if (typeof value === 'string') return JSON.stringify(shorten(value));
	if (Array.isArray(value)) {
		const entries = value.map(canonicalJson).filter((each) => each !== '');
		return entries.length === 0 ? '' : `[${entries.sort().join()}]`;
	}
	if (!isRecord(value)) return JSON.stringify(value);
	const lines = Object.keys(value).flatMap((name) => {
		const text = canonicalJson(value[name]);
		return text === '' ? [] : [`${JSON.stringify(name)}:${text}`];
	});
	return lines.length === 0 ? '' : `{${lines.sort().join()}}`;
}

// The content of a page.

/** The lines of a text as a reader sees them, without those to ignore. */
function textOf(markdown: unknown, ignoreLines: readonly string[]): string {
	const isIgnored = (line: string) => ignoreLines.some((pattern) => fitsGlob(line, pattern));
	const lines = String(markdown ?? '')
		.normalize('NFC')
		.split('\n')
		.map(oneLine);
	return lines.filter((line) => line !== '' && !isIgnored(line)).join('\n');
}

/** The path of a field. */
const pathTo = (name: string, path: string): string => (path === '' ? name : `${path}.${name}`);

/** The values of JSON by their paths: null for those that the page does not have, by their paths in `notOnPage`. */
function contentValues(json: unknown, notOnPage: unknown): IDataObject {
	const absent = new Set(Array.isArray(notOnPage) ? notOnPage : []);
	const onPage = (value: unknown, path: string): unknown => {
		if (absent.has(path)) return null;
		// A copy takes long.
		if (absent.size === 0 || typeof value !== 'object' || value === null) return value ?? null;
		if (Array.isArray(value)) return value.map((each, at) => onPage(each, `${path}[${at}]`));
		const fields = Object.entries(value);
		return Object.fromEntries(
			fields.map(([name, each]) => [name, onPage(each, pathTo(name, path))]),
		);
	};
	const flat = (value: unknown, path: string, depth: number): Array<[string, unknown]> =>
		isRecord(value) && depth < 5
			? Object.entries(value).flatMap(([name, each]) => flat(each, pathTo(name, path), depth + 1))
			: [[path, onPage(value, path)]];
	return Object.fromEntries(flat(json, '', 0)) as IDataObject;
}

/** The fields that name a product and its variants, which are not compared. */
const namesOfProducts = ['title', 'id', 'sku', 'name'];

/** The amount of a price, which is a number or an object. */
const amountOf = (price: unknown): unknown => (isRecord(price) ? price.amount : price) ?? null;

/** What is compared of a variant of the service's `product` (https://docs.firecrawl.dev/features/scrape). */
function variantOf(variant: unknown): IDataObject {
	const { id, sku, title, values, price, sale, availability } = asRecord(variant);
	return {
		id,
		sku,
		name: Object.values(Object(values ?? [title])).join(', '),
		price: amountOf(price),
		currency: fieldOf(price, 'currency') ?? null,
		originalPrice: amountOf(fieldOf(sale, 'originalPrice')),
		inStock: fieldOf(availability, 'inStock') ?? null,
	} as IDataObject;
}

/** The content of a page that is compared, or why it has none; undefined if the page is gone. */
function contentOf(
	document: IDataObject | undefined,
	{ compare, ignoreLines }: Comparison,
): IDataObject | string | undefined {
	if (!document) return 'The server returned nothing for this URL';
	const { failed, blocked, json, markdown, notOnPage, product } = document;
	if (isRecord(failed)) return String(failed.error);
	if (blocked !== undefined) return `The server returned ${nameOfWall(blocked)}, not the page`;
	if (isGone(document)) return undefined;
	const status = errorStatusOf(document);
	if (status !== undefined) return `The page returns HTTP ${status}`;
	if (compare === 'text') {
		const text = textOf(markdown, ignoreLines);
		return text === '' ? 'The page has no text' : { markdown: text };
	}
	if (compare === 'product') {
		const { title, variants } = asRecord(product);
		return Array.isArray(variants) && variants.length > 0
			? { title, variants: variants.map(variantOf) }
			: `No product data on the page: set 'Compare' to Fields`;
	}
	const content = contentValues(json, notOnPage);
	return Object.values(content).every(isMissing) ? 'No value was extracted' : content;
}

/** Sorts variants: those in stock first, then the cheapest. */
const rankOf = ({ inStock, price }: IDataObject): number =>
	(typeof price === 'number' ? price : 1e12) + (inStock === true ? 0 : 1e15);

/** A content as items show it: of a product the only variant, or the cheapest in stock, and all. */
function shownContent(content: IDataObject, compare: Compare): IDataObject {
	if (compare !== 'product' || !Array.isArray(content.variants)) return content;
	const variants = content.variants.map(asRecord);
	const [first] = [...variants].sort((one, other) => rankOf(one) - rankOf(other));
	const shown = { title: content.title, ...without(first, ...namesOfProducts) };
	return { ...shown, ...(variants.length > 1 && { variants }) };
}

/** The hash that stands for a content which is too long to be stored. */
function markOf(content: IDataObject, compare: Compare): string {
	const lines = () => String(content.markdown).split('\n').sort().join('\n');
	return fingerprint(compare === 'text' ? lines() : canonicalJson(content), 22);
}

// The comparison.

/** A difference from what was last reported: one that appears is missing in `before`, one that is gone in `now`. */
interface Difference {
	/** Its place, such as `offers[sku=A1].price`. */
	path: string;
	/** Identifies it: its path, and an entry without a key by its value. */
	key: string;
	before?: unknown;
	now?: unknown;
}

/** Most values of a page whose absence is remembered until the next check: 440 kB for 100 pages. */
const mostMissing = 400;

/** The fields that may identify the entries of lists; the first that all have does. */
const keyNames = ['id', 'sku', 'url', 'name', 'title'];

/** Whether a field identifies the entries of a list. */
function identifies(name: string, list: unknown[]): boolean {
	const keys = list.map((each) => fieldOf(each, name));
	const isKey = (key: unknown) =>
		typeof key === 'number' || (typeof key === 'string' && key !== '');
	return keys.every(isKey) && new Set(keys).size === list.length;
}

/** The entries of a list by their keys, or by their values; equal ones count each. */
function entriesOf(list: unknown[], key: string | undefined): Map<string, unknown> {
	const entries = new Map<string, unknown>();
	const counts = new Map<string, number>();
	for (const entry of list) {
		const name = key === undefined ? canonicalJson(entry) : shorten(String(fieldOf(entry, key)));
		const count = counts.get(name) ?? 0;
		counts.set(name, count + 1);
		entries.set(count === 0 ? name : `${name} ${count}`, entry);
	}
	return entries;
}

const linesOf = ({ markdown }: IDataObject): string[] => String(markdown).split('\n');

/**
 * Compares a content with the one last reported. `missing` are the values that the last check missed, and `first` what an
 * earlier look in the same check has shown. Returns the values that are missing now, and what is reported now.
 */
export function compareContents(
	before: IDataObject,
	now: IDataObject,
	{ compare, minChange }: Omit<Comparison, 'ignoreLines'>,
	missing?: unknown,
	first?: Difference[],
) {
	const seen = first && new Map(first.map((each) => [each.key, canonicalJson(each.now)]));
	const differences: Difference[] = [];
	const missingBefore = new SeenSet(missing, mostMissing);
	const missingNow = new SeenSet(undefined, mostMissing);
	let isWhole = true;

	/** Notes a difference if it counts; gone, or another at each look, it must be in two checks. Returns what is reported. */
	function report(difference: Difference, isGone: boolean): unknown {
		const { key, before: old, now: fresh } = difference;
		const isSeen = seen?.has(key) ?? true;
		const isUncertain =
			isGone || (seen?.has(key) === true && seen.get(key) !== canonicalJson(fresh));
		if (isSeen && (!isUncertain || missingBefore.has(key))) {
			differences.push(difference);
			return isMissing(fresh) ? null : fresh;
		}
		if (isUncertain) missingNow.add(key);
		isWhole = false;
		return old;
	}

	/** Returns what is reported of a value: as it is now, or as before where the difference does not count. */
	function merge(one: unknown, other: unknown, path: string): unknown {
		if (one === other) return other ?? null;
		const there = [one, other].filter((each) => !isMissing(each));
		if (there.length === 0) return null;
		if (there.every(Array.isArray)) return mergeLists(entriesIn(one), entriesIn(other), path);
		if (there.every(isRecord)) return mergeRecords(one, other, path);
		const isSmall =
			typeof one === 'number' &&
			typeof other === 'number' &&
			Math.abs(other - one) * 100 < Math.abs(one) * minChange;
		if (isSmall || canonicalJson(one) === canonicalJson(other)) return other;
		return report({ path, key: path, before: one, now: other }, isMissing(other));
	}

	function mergeRecords(one: unknown, other: unknown, path: string): IDataObject {
		const names = new Set([one, other].flatMap((each) => Object.keys(Object(each))));
		const merged = [...names].map((name) => {
			const [old, fresh] = [fieldOf(one, name), fieldOf(other, name)];
			if (compare === 'product' && namesOfProducts.includes(name)) return [name, fresh ?? old];
			return [name, merge(old, fresh, pathTo(name, path))];
		});
		return Object.fromEntries(merged) as IDataObject;
	}

	function mergeLists(one: unknown[], other: unknown[], path: string): unknown[] {
		// The only variant of a product is the product.
		if (compare === 'product' && one.length === 1 && other.length === 1)
			return [merge(one[0], other[0], '')];
		const key = keyNames.find((name) => identifies(name, one) && identifies(name, other));
		const [known, found] = [entriesOf(one, key), entriesOf(other, key)];
		// Without a key, an entry with another value takes the place of one that is gone.
		const added = [...found.keys()].filter((name) => !known.has(name)).length;
		let replaced = key === undefined ? added : 0;
		return [...new Set([...known.keys(), ...found.keys()])].flatMap((name) => {
			const [old, fresh] = [known.get(name), found.get(name)];
			const place =
				key === undefined ? path : `${path}[${key}=${String(fieldOf(fresh ?? old, key))}]`;
			if (old !== undefined && fresh !== undefined)
				return [key === undefined ? fresh : merge(old, fresh, place)];
			if (fresh === undefined) replaced -= 1;
			const isGone = compare !== 'text' && fresh === undefined && replaced < 0;
			const difference = { path: place, key: `${path}[${name}]`, before: old, now: fresh };
			const entry = report(difference, isGone);
			return isMissing(entry) ? [] : [entry];
		});
	}

	const merged =
		compare === 'text'
			? { markdown: mergeLists(linesOf(before), linesOf(now), '').join('\n') }
			: mergeRecords(before, now, '');
	const changed = isWhole ? now : merged;
	const reported = differences.length > 0 ? changed : before;
	return { differences, missing: missingNow.toString(), reported };
}

// The state of a page, and its item.

/** Most lines of a difference, and most characters of each. */
const mostLines = 100;
const longestLine = 300;

/** Removed and added lines as far as an item shows them. */
function diffOf(differences: Difference[], compare: Compare): IDataObject {
	const line = (sign: string, path: string, value: unknown) => {
		if (isMissing(value)) return [];
		return [sign + (compare === 'text' ? String(value) : `${path}: ${JSON.stringify(value)}`)];
	};
	const lines = differences
		.slice(0, mostLines + 1)
		.flatMap(({ path, before, now }) => [...line('-', path, before), ...line('+', path, now)]);
	const shown = lines.slice(0, mostLines).map((each) => cutLine(each, longestLine));
	return { text: shown.join('\n'), ...(lines.length > mostLines && { isTruncated: true }) };
}

/** The outcome of a look at a page. */
export interface Look {
	document?: IDataObject;
	/** The state of the page: what it is, the content last reported or its mark, and what is missing since one check. */
	next: IDataObject;
	/** The fields of its item if it changed. */
	item?: IDataObject & { change: 'changed' | 'failed' | 'new' | 'removed' };
	/** Whether nothing was known of the page before. */
	isExisting: boolean;
	differences?: Difference[];
}

/** Compares a page with its state of the last check; what an earlier look (`first`) alone shows is no change. */
export function comparePage(
	before: IDataObject,
	document: IDataObject | undefined,
	comparison: Comparison,
	first?: Look,
): Look {
	const { compare } = comparison;
	const known = isRecord(before.content) ? (before.content as IDataObject) : undefined;
	const isKnown = known !== undefined || before.mark !== undefined;
	const about = { document, isExisting: !isKnown && before.is !== 'removed' };
	const lookOf = (next: IDataObject, item?: Look['item'], differences?: Difference[]): Look =>
		first && item && item.change !== first.item?.change
			? { ...about, next: before }
			: { ...about, next, item, differences };
	const previous = known ? shownContent(known, compare) : null;
	const found = contentOf(document, comparison);
	if (!isRecord(found)) {
		const change = found === undefined ? 'removed' : 'failed';
		if (first && change === 'failed') return first;
		const item = { change, reason: found, current: null, previous } as const;
		// The last content stays, to compare with when the page is up again.
		return lookOf({ ...before, is: change }, before.is === change ? undefined : item);
	}
	const gone = Object.keys(known ?? {}).map((name) => [name, null]);
	const content = { ...Object.fromEntries(gone), ...found } as IDataObject;
	const shown = { current: shownContent(content, compare), previous };
	const fresh = { is: 'up', content, missing: '' };
	if (!isKnown || before.is === 'removed') return lookOf(fresh, { change: 'new', ...shown });
	// The version before stored no `missing`, but values that the page lacks, and another mark of them.
	const isOld = compare !== 'text' && before.missing === undefined;
	if (!known) {
		if (before.mark === markOf(content, compare)) return lookOf({ ...before, is: 'up' });
		return lookOf(fresh, isOld ? undefined : { change: 'changed', ...shown });
	}
	const { missing: last } = before;
	const compared = compareContents(known, content, comparison, last, first?.differences);
	const { differences, reported, missing } = compared;
	const next = isOld ? fresh : { is: 'up', content: reported, missing };
	if (differences.length === 0) return lookOf(next);
	const item = { change: 'changed', ...shown, diff: diffOf(differences, compare) } as const;
	return lookOf(next, item, differences);
}

/** A state as it is stored: of a content that takes more bytes, values with long texts shortened, or its mark alone. */
export function storedState(
	{ content, ...state }: IDataObject,
	most: number,
	compare: Compare,
): IDataObject {
	if (!isRecord(content)) return state;
	const fits = (json: string) => Buffer.byteLength(json) <= most;
	if (fits(JSON.stringify(content))) return { ...state, content: content as IDataObject };
	const short = JSON.stringify(content, (_name, value: unknown) =>
		typeof value === 'string' ? shorten(value) : value,
	);
	return compare !== 'text' && fits(short)
		? { ...state, content: JSON.parse(short) as IDataObject }
		: { ...state, mark: markOf(content as IDataObject, compare) };
}
