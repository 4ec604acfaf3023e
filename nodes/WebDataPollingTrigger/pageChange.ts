import type { IDataObject } from 'n8n-workflow';
import { isTooDeep } from '../runtime/values/json';
import { asRecord } from '../runtime/output/results';
import { fieldOf, isRecord } from '../runtime/values/record';
import { fingerprint } from '../runtime/values/seenSet';
import { cutLine, fitsGlob, oneLine } from '../runtime/values/text';
import { errorStatusOf, isGone } from '../WebData/documents/document';
import { nameOfWall } from '../WebData/documents/judged';
import { productOf, shownProduct, variantNames } from './product';
import {
	canonical,
	compacted,
	compareValues,
	isMissing,
	shownValues,
	type Difference,
} from './valueChange';

/** What is compared: values of the page, or the lines of its text that no pattern ignores. */
export interface Comparison {
	compare: 'fields' | 'product' | 'text';
	ignoreLines: readonly string[];
	minChange: number;
}

/** The values by their paths. */
function valuesOf(value: unknown, path: string[] = []): Array<[string, unknown]> {
	if (!isRecord(value) || path.length === 5) return [[path.join('.'), value ?? null]];
	return Object.entries(value).flatMap(([name, entry]) => valuesOf(entry, [...path, name]));
}

/** The values without those that the page does not have, by their paths in `notOnPage`. */
function onPage(value: unknown, missing: ReadonlySet<unknown>, path = ''): unknown {
	if (missing.has(path)) return null;
	if (Array.isArray(value))
		return value.map((each, index) => onPage(each, missing, `${path}[${index}]`));
	if (!isRecord(value)) return value;
	const fields = Object.entries(value).map(([name, each]) => {
		return [name, onPage(each, missing, path === '' ? name : `${path}.${name}`)];
	});
	return Object.fromEntries(fields);
}

/** The lines of a text as a reader sees them, without those to ignore. */
function textOf(markdown: unknown, ignoreLines: readonly string[]): IDataObject {
	const isIgnored = (line: string) => ignoreLines.some((pattern) => fitsGlob(line, pattern));
	const lines = String(markdown ?? '')
		.normalize('NFC')
		.split('\n')
		.map(oneLine);
	const text = lines.filter((line) => line !== '' && !isIgnored(line)).join('\n');
	return text === '' ? {} : { markdown: text };
}

/** The content of a document, by default without the values that the page does not have; none if it has none. */
function contentOf(
	{ json, markdown, notOnPage, product }: IDataObject,
	{ compare, ignoreLines }: Comparison,
): IDataObject {
	if (compare === 'text') return textOf(markdown, ignoreLines);
	if (compare === 'product') return productOf(product);
	if (isTooDeep(json)) return {};
	const missing = new Set<unknown>(Array.isArray(notOnPage) ? notOnPage : []);
	const values = valuesOf(onPage(json, missing));
	return values.every(([, value]) => isMissing(value))
		? {}
		: (Object.fromEntries(values) as IDataObject);
}

/** Most lines of a difference, and most characters of each. */
const mostLines = 100;
const longestLine = 300;

/** The lines that others lack; equal ones count each. */
function linesBeside(lines: string[], others: string[]): string[] {
	const counts = new Map<string, number>();
	for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
	return lines.filter((line) => {
		const count = counts.get(line) ?? 0;
		counts.set(line, count - 1);
		return count <= 0;
	});
}

/** Removed and added lines as far as an item shows them. */
function shownLines(lines: string[]): IDataObject {
	const shown = lines.slice(0, mostLines).map((line) => cutLine(line, longestLine));
	return { text: shown.join('\n'), ...(lines.length > mostLines && { isTruncated: true }) };
}

function linesOf({ path, before, now }: Difference): string[] {
	const line = (sign: string, value: unknown) =>
		value === undefined
			? []
			: [`${sign}${path}: ${JSON.stringify(shownValues({ value: value as string })?.value)}`];
	return [...line('-', before), ...line('+', now)];
}

/** Why a page has no content to compare; undefined if it is gone. */
function failureOf(document: IDataObject | undefined, { compare }: Comparison): string | undefined {
	if (!document) return 'The server returned nothing for this URL';
	if (isRecord(document.failed)) return String(document.failed.error);
	if (document.blocked !== undefined)
		return `The server returned ${nameOfWall(document.blocked)}, not the page`;
	if (isGone(document)) return undefined;
	const status = errorStatusOf(document);
	if (status !== undefined) return `The page returns HTTP ${status}`;
	if (compare === 'product') return `No product data on the page: set 'Compare' to Fields`;
	return compare === 'fields' ? 'No value was extracted' : 'The page has no text';
}

/** The state of a page after a check, and the fields of its item if it changed. */
export interface Compared {
	next: IDataObject;
	item?: IDataObject & { change: 'changed' | 'failed' | 'new' | 'removed' };
	/** The values of the differences by their keys. */
	seen: Map<string, string>;
}

/** Whether the state of a page has its content, or a mark of it. */
export const isKnown = ({ mark, content }: IDataObject): boolean =>
	mark !== undefined || content !== undefined;

/** The content as items show it. */
const shown = (content: IDataObject, { compare }: Comparison): IDataObject | null =>
	compare === 'product' ? shownProduct(shownValues(content) ?? {}) : shownValues(content);

/** What an item of a page shows: its content now, with null for values that it had before, and the one before. */
const contents = (before: unknown, content: IDataObject, comparison: Comparison) => {
	const previous = isRecord(before) ? shown(before as IDataObject, comparison) : null;
	const current = shown(content, comparison) ?? {};
	const gone = comparison.compare === 'text' ? [] : Object.keys(previous ?? {});
	return {
		current: { ...Object.fromEntries(gone.map((name) => [name, null])), ...current },
		previous,
	};
};

/** Compares the text of a page. */
function compareText(before: IDataObject, content: IDataObject, isSeen: boolean): Compared {
	const lines = String(content.markdown).split('\n');
	const mark = fingerprint([...lines].sort().join('\n'), 22);
	const seen = new Map([['text', mark]]);
	const next = { is: 'up', mark, content };
	if (before.mark === mark) return { next, seen };
	if (!isSeen) return { next: { ...before, is: 'up' }, seen };
	const previous = isRecord(before.content) ? (before.content as IDataObject) : null;
	const linesBefore = previous && String(previous.markdown).split('\n');
	const diff = linesBefore && {
		diff: shownLines([
			...linesBeside(linesBefore, lines).map((line) => `-${line}`),
			...linesBeside(lines, linesBefore).map((line) => `+${line}`),
		]),
	};
	return { next, seen, item: { change: 'changed', current: content, previous, ...diff } };
}

/** Compares contents of values. The only variant of a product is the product. */
function compareContents(
	before: unknown,
	now: IDataObject,
	{ compare, minChange }: Comparison,
	rules: { missing: unknown; seen?: ReadonlyMap<string, string> },
) {
	const all = { ...rules, minChange, ignored: compare === 'product' ? variantNames : [] };
	const [one, other] = [before, now].map((each) => fieldOf(each, 'variants'));
	const isSingle = [one, other].every((each) => Array.isArray(each) && each.length === 1);
	if (compare === 'fields' || !isSingle) return compareValues(before, now, all);
	const compared = compareValues(Object(one)[0], Object(other)[0], all);
	return { ...compared, reported: { ...now, variants: [compared.reported] } };
}

/** Compares the values of a page. */
function compareFields(
	before: IDataObject,
	document: IDataObject,
	content: IDataObject,
	comparison: Comparison,
	seen?: ReadonlyMap<string, string>,
): Compared {
	const known = before.content;
	const fresh = { next: { is: 'up', content, missing: '' }, seen: new Map<string, string>() };
	// States of earlier versions have values that the page lacks, and nothing of long contents.
	const isOld = before.missing === undefined;
	if (isOld && known === undefined) return fresh;
	const all = isOld ? contentOf({ ...document, notOnPage: [] }, comparison) : content;
	const asBefore = compareContents(known, all, comparison, { missing: before.missing, seen });
	const isAdopted = isOld && asBefore.missing === '';
	if (isAdopted && asBefore.differences.length === 0) return fresh;
	const compared = compareContents(known, content, comparison, { missing: before.missing, seen });
	const { differences, missing, reported } = compared;
	if (differences.length === 0) return { ...fresh, next: { is: 'up', content: known, missing } };
	const previous = shown(asRecord(known), comparison);
	return {
		next: isAdopted ? fresh.next : { is: 'up', content: reported as IDataObject, missing },
		seen: new Map(differences.map(({ key, now }) => [key, canonical(now)])),
		item: {
			change: 'changed',
			...contents(known, content, comparison),
			...(previous && { diff: shownLines(differences.slice(0, mostLines + 1).flatMap(linesOf)) }),
		},
	};
}

/**
 * Compares the document of a page with the page's state after the last check. `seen` are the differences that an
 * earlier look in the same check has shown; only those count.
 */
export function comparePage(
	before: IDataObject,
	document: IDataObject | undefined,
	comparison: Comparison,
	seen?: ReadonlyMap<string, string>,
): Compared {
	const isPage =
		document !== undefined &&
		errorStatusOf(document) === undefined &&
		document.blocked === undefined;
	const content = isPage ? contentOf(document, comparison) : {};
	if (!document || Object.keys(content).length === 0) {
		const reason = failureOf(document, comparison);
		const change = reason === undefined ? 'removed' : 'failed';
		// The last content stays, to compare with when the page is up again.
		const compared: Compared = { next: { ...before, is: change }, seen: new Map() };
		if (before.is === change) return compared;
		const { previous } = contents(before.content, {}, comparison);
		return { ...compared, item: { change, reason, current: null, previous } };
	}
	const isText = comparison.compare === 'text';
	if (!isKnown(before) || before.is === 'removed') {
		const next = isText ? compareText({}, content, true).next : { is: 'up', content, missing: '' };
		const { current, previous } = contents(before.content, content, comparison);
		return { next, seen: new Map(), item: { change: 'new', current, previous } };
	}
	return isText
		? compareText(before, content, seen?.has('text') ?? true)
		: compareFields(before, document, content, comparison, seen);
}

/** Compares with a second look at a page in the same check; one that fails leaves the first as it is. */
export function confirmPage(
	before: IDataObject,
	first: Compared,
	document: IDataObject | undefined,
	comparison: Comparison,
): Compared {
	const second = comparePage(before, document, comparison, first.seen);
	const change = second.item?.change;
	if (change === undefined || change === first.item?.change) return second;
	return change === 'failed' ? first : { next: before, seen: first.seen };
}

/** A state as it is stored: of the content, at most so many bytes. */
export function storedState({ content, ...state }: IDataObject, most: number): IDataObject {
	if (!isRecord(content)) return state;
	if (state.mark === undefined)
		return { ...state, content: compacted(content as IDataObject, most) };
	const isLong = Buffer.byteLength(JSON.stringify(content)) > most;
	return isLong ? state : { ...state, content: content as IDataObject };
}

/** The item of a page as one that has changed looks, for a workflow that is built by hand. */
export function sampleOf({ current, ...item }: IDataObject): IDataObject {
	if (item.change !== 'new') return { ...item, current, isTest: true };
	return { change: 'changed', current, previous: current, diff: { text: '' }, isTest: true };
}
