import type { IDataObject } from 'n8n-workflow';
import { deepest } from '../values/json';
import { isRecord, setField } from '../values/record';
import { withoutEmbedded } from './embeddedUrls';
import { withoutHidden } from './hiddenElements';
import { withoutInvisible } from './invisible';
import type { Removed } from './removed';

/** A text that is a URL which holds what it leads to (RFC 2397), and nothing else. */
const dataUrl = /^\s*data:[a-z]+\/[\w.+-]+[;,]\S*\s*$/i;

/** A text from the web without what a reader of it does not see. Only HTML is read as HTML: in other texts, tags are text. */
export async function cleanedText(text: string, removed: Removed, isHtml = false): Promise<string> {
	if (dataUrl.test(text)) {
		removed.add('embedded file', text.length);
		return '[embedded data left out]';
	}
	const visible = await withoutInvisible(text, removed);
	return isHtml ? await withoutHidden(visible, removed) : await withoutEmbedded(visible, removed);
}

/** A name that a record does not have yet, numbered where it has; `numbers` are those used so far. */
function unusedName(record: object, name: string, numbers: Map<string, number>): string {
	let unused = name;
	while (Object.hasOwn(record, unused)) {
		const number = (numbers.get(name) ?? 1) + 1;
		numbers.set(name, number);
		unused = `${name} (${number})`;
	}
	return unused;
}

/** A value from the web, all its texts and names cleaned; what lies deeper than an answer can is left as it is. */
async function cleanedValue(
	value: unknown,
	htmlNames: ReadonlySet<string>,
	removed: Removed,
	isHtml: boolean,
	levels: number,
): Promise<unknown> {
	if (typeof value === 'string') return await cleanedText(value, removed, isHtml);
	if (levels === 0) return value;
	if (Array.isArray(value)) {
		const entries: unknown[] = [];
		for (const entry of value) {
			entries.push(await cleanedValue(entry, htmlNames, removed, isHtml, levels - 1));
		}
		return entries;
	}
	if (!isRecord(value)) return value;
	const clean: IDataObject = {};
	const numbers = new Map<string, number>();
	for (const [name, member] of Object.entries(value)) {
		const visible = await withoutInvisible(name, removed);
		const isOfHtml = htmlNames.has(name);
		setField(
			clean,
			unusedName(clean, visible, numbers),
			await cleanedValue(member, htmlNames, removed, isOfHtml, levels - 1),
		);
	}
	return clean;
}

/**
 * A result without what nobody sees of it: invisible characters, embedded data and tracking images, and in
 * texts of `htmlNames`, which are HTML, comments and hidden elements. What is removed is counted.
 */
export const cleaned = async (
	json: IDataObject,
	htmlNames: ReadonlySet<string>,
	removed: Removed,
): Promise<IDataObject> =>
	(await cleanedValue(json, htmlNames, removed, false, 2 * deepest)) as IDataObject;
