import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../runtime/values/record';
import { fingerprint } from '../runtime/values/seenSet';
import { cutLine, fitsGlob, oneLine } from '../runtime/values/text';
import { errorStatusOf, isGone } from '../WebData/documents/document';

/** What is compared: the values that a model extracts, or the lines that no pattern ignores. */
export interface Comparison {
	compare: 'fields' | 'text';
	ignoreLines: readonly string[];
}

/** The values of an object by their paths. One that is missing or null is no value. */
function valuesOf(value: unknown, path: string[] = []): Array<[string, unknown]> {
	if (value === undefined || value === null) return [];
	if (!isRecord(value) || path.length === 5) return [[path.join('.'), value]];
	return Object.entries(value).flatMap(([name, entry]) => valuesOf(entry, [...path, name]));
}

/** The content of a document: its values by their paths, or its text in lines as a reader sees them. */
function contentOf(document: IDataObject, { compare, ignoreLines }: Comparison): IDataObject {
	if (compare === 'fields') return Object.fromEntries(valuesOf(document.json)) as IDataObject;
	const isIgnored = (line: string) => ignoreLines.some((pattern) => fitsGlob(line, pattern));
	const lines = String(document.markdown ?? '')
		.normalize('NFC')
		.split('\n')
		.map(oneLine);
	const markdown = lines.filter((line) => line !== '' && !isIgnored(line)).join('\n');
	return markdown === '' ? {} : { markdown };
}

/** The lines by which contents are equal or differ, whatever their order. */
const linesOf = (content: IDataObject, { compare }: Comparison): string[] =>
	compare === 'fields'
		? Object.entries(content).map(([path, value]) => `${path}: ${JSON.stringify(value)}`)
		: String(content.markdown).split('\n');

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

/** Most lines of a difference, and most characters of each. */
const mostLines = 100;
const longestLine = 300;

/** The removed and added lines between two contents. */
function diffOf(before: string[], now: string[]): IDataObject {
	const lines = [
		...linesBeside(before, now).map((line) => `-${line}`),
		...linesBeside(now, before).map((line) => `+${line}`),
	];
	const shown = lines.slice(0, mostLines).map((line) => cutLine(line, longestLine));
	return { text: shown.join('\n'), ...(lines.length > mostLines && { isTruncated: true }) };
}

/** Why a page has no content to compare; undefined if it is gone. */
function failureOf(document: IDataObject | undefined, { compare }: Comparison): string | undefined {
	if (!document) return 'The server returned nothing for this URL';
	if (isRecord(document.failed)) return String(document.failed.error);
	if (isGone(document)) return undefined;
	const status = errorStatusOf(document);
	if (status !== undefined) return `The page returns HTTP ${status}`;
	return compare === 'fields' ? 'No value was extracted' : 'The page has no text';
}

/** The state of a page after a check, and the fields of its item if it changed. */
interface Compared {
	next: IDataObject;
	item?: IDataObject & { change: 'changed' | 'failed' | 'new' | 'removed' };
}

/** Compares the document of a page with the page's state after the last check. */
export function comparePage(
	before: IDataObject,
	document: IDataObject | undefined,
	comparison: Comparison,
): Compared {
	const previous = isRecord(before.content) ? (before.content as IDataObject) : null;
	const isUp = document !== undefined && errorStatusOf(document) === undefined;
	const content = isUp ? contentOf(document, comparison) : {};
	if (Object.keys(content).length === 0) {
		const reason = failureOf(document, comparison);
		const change = reason === undefined ? 'removed' : 'failed';
		// The last content stays, to compare with when the page is up again.
		const next = { ...before, is: change };
		if (before.is === change) return { next };
		return { next, item: { change, reason, current: null, previous } };
	}
	// A value that a model did not find this time stays as it was: missing is no value.
	const current = comparison.compare === 'fields' ? { ...previous, ...content } : content;
	const lines = linesOf(current, comparison);
	const mark = fingerprint([...lines].sort().join('\n'), 22);
	const next = { is: 'up', mark, content: current };
	if (before.mark === undefined || before.is === 'removed')
		return { next, item: { change: 'new', current, previous } };
	if (before.mark === mark) return { next };
	const diff = previous && { diff: diffOf(linesOf(previous, comparison), lines) };
	return { next, item: { change: 'changed', current, previous, ...diff } };
}
