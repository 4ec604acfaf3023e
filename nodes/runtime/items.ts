import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Result } from './operation';
import { isRecord } from './record';

/** How a result is trimmed before it becomes an item. */
export interface Trim {
	/** Dotted paths to keep; all when empty. */
	keepFields: string[];
	/** Longest markdown in characters. */
	maxMarkdownLength?: number;
}

const markdownMark = (missing: number) =>
	`[… cut here, ${missing} more characters; raise 'Max Markdown Length' to get them]`;

/** Cuts a text and says at the cut how much is missing, in the words of `mark`. */
export function cutText(text: string, max: number, mark: (missing: number) => string): string {
	if (text.length <= max) return text;
	// A cut between the halves of a surrogate pair would leave a broken character.
	const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
	return `${text.slice(0, end)}\n\n${mark(text.length - end)}`;
}

/** The same value with every text under a key `markdown` cut, at any depth. */
function cutMarkdown(value: unknown, max: number): unknown {
	if (Array.isArray(value)) return value.map((entry) => cutMarkdown(entry, max));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [
			key,
			key === 'markdown' && typeof member === 'string'
				? cutText(member, max, markdownMark)
				: cutMarkdown(member, max),
		]),
	);
}

function copyPath(from: IDataObject, to: IDataObject, [step, ...rest]: string[]): void {
	if (!Object.hasOwn(from, step)) return;
	const value = from[step];
	if (rest.length === 0) {
		to[step] = value;
	} else if (isRecord(value)) {
		const inner = to[step];
		const target: IDataObject = isRecord(inner) ? (inner as IDataObject) : {};
		copyPath(value as IDataObject, target, rest);
		if (Object.keys(target).length > 0) to[step] = target;
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

/** The results of a request as items, each linked to the input items that asked for it: those of the request unless it names its own. */
export function toItems(
	results: Result[],
	{ keepFields, maxMarkdownLength }: Trim,
	askedFor: number[],
): INodeExecutionData[] {
	return results.map(({ json, binary, items = askedFor }) => {
		const kept = keepFields.length === 0 ? json : keep(json, keepFields);
		const trimmed =
			maxMarkdownLength === undefined
				? kept
				: (cutMarkdown(kept, maxMarkdownLength) as IDataObject);
		return { json: trimmed, ...(binary && { binary }), pairedItem: pairedWith(items) };
	});
}
