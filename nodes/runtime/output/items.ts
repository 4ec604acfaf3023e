import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { cutText } from '../values/cutText';
import { deepest } from '../values/json';
import type { Result } from '../operation/operation';
import { attempt } from '../values/settle';
import { pageItem } from './pageItem';
import { isRecord, memberOf, setMember } from '../values/record';
import { isUnparsedPdf } from './unparsedPdf';

/** How a result is trimmed before it becomes an item. */
export interface Trim {
	/** Dotted paths to keep; all when empty. */
	keepFields: string[];
	/** Longest markdown in characters. */
	maxMarkdownLength?: number;
	/** Whether a page's metadata has what people use alone, unless fields are chosen. */
	simplify: boolean;
}

const markdownMark = (missing: number) =>
	`[… cut here, ${missing} more characters; raise 'Max Markdown Length' to get them]`;

/** The same value with every text under a key `markdown` cut, at any depth that an answer has; a cut file could not be opened. */
function cutMarkdown(value: unknown, max: number, levels = 2 * deepest): unknown {
	if (levels === 0) return value;
	if (Array.isArray(value)) return value.map((entry) => cutMarkdown(entry, max, levels - 1));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [
			key,
			key === 'markdown' && typeof member === 'string' && !isUnparsedPdf(member, value)
				? cutText(member, max, markdownMark)
				: cutMarkdown(member, max, levels - 1),
		]),
	);
}

function copyPath(from: IDataObject, to: IDataObject, [step, ...rest]: string[]): void {
	if (!Object.hasOwn(from, step)) return;
	const value = from[step];
	if (rest.length === 0) {
		setMember(to, step, value);
	} else if (isRecord(value)) {
		const inner = memberOf(to, step);
		const target: IDataObject = isRecord(inner) ? (inner as IDataObject) : {};
		copyPath(value as IDataObject, target, rest);
		if (Object.keys(target).length > 0) setMember(to, step, target);
	}
}

function keep(json: IDataObject, paths: string[]): IDataObject {
	const kept: IDataObject = {};
	for (const path of paths) copyPath(json, kept, path.split('.'));
	return kept;
}

/** A link to the input items that a result belongs to. */
export const pairedWith = (items: number[]) =>
	items.length === 1 ? { item: items[0] } : items.map((item) => ({ item }));

/** A result as the user wants it: long markdown cut, a page's fields in their order, and the fields to keep. */
function trimmed(
	json: IDataObject,
	{ keepFields, maxMarkdownLength, simplify }: Trim,
): IDataObject {
	// Cut first: what the markdown is may be said by a field that is not kept.
	const cut =
		maxMarkdownLength === undefined ? json : (cutMarkdown(json, maxMarkdownLength) as IDataObject);
	return keepFields.length === 0 ? pageItem(cut, simplify) : keep(pageItem(cut, false), keepFields);
}

/**
 * The results of a request as items, each linked to the input items that asked for it: those of the
 * request unless it names its own. One that cannot be trimmed comes out whole, with a notice: it is paid for.
 */
export function toItems(
	results: Result[],
	trim: Trim,
	askedFor: number[],
	notice: (text: string) => void = () => undefined,
): INodeExecutionData[] {
	return results.map(({ json, binary, items = askedFor }) => {
		const outcome = attempt(() => trimmed(json, trim));
		if (!outcome.ok) {
			notice(`A result could not be shortened and came out whole: ${outcome.error.message}`);
		}
		return {
			json: outcome.ok ? outcome.value : json,
			...(binary && { binary }),
			pairedItem: pairedWith(items),
		};
	});
}
