import type { IDataObject } from 'n8n-workflow';
import { yieldAfter } from '../host/turns';
import { maxDepth } from '../values/json';
import { isRecord, setField } from '../values/record';
import { withoutEmbedded } from './embeddedUrls';
import { withoutHidden } from './hiddenElements';
import { withoutInvisible } from './invisible';
import type { Removed } from './removed';

/** A text that is a `data:` URL (RFC 2397) and nothing else. */
const dataUrl = /^\s*data:[a-z]+\/[\w.+-]+[;,]\S*\s*$/i;

/**
 * Removes invisible content from a text of the web. Only HTML is parsed as HTML: in other texts,
 * tags are text.
 */
export async function cleanedText(text: string, removed: Removed, isHtml = false): Promise<string> {
	if (dataUrl.test(text)) {
		removed.add('embedded file', text.length);
		return '[embedded data omitted]';
	}
	const visible = await withoutInvisible(text, removed);
	return isHtml ? await withoutHidden(visible, removed) : await withoutEmbedded(visible, removed);
}

/**
 * A name that the object does not have yet, with a number if needed; `numbers` are the last ones
 * used.
 */
function unusedName(record: object, name: string, numbers: Map<string, number>): string {
	let unused = name;
	while (Object.hasOwn(record, unused)) {
		const number = (numbers.get(name) ?? 1) + 1;
		numbers.set(name, number);
		unused = `${name} (${number})`;
	}
	return unused;
}

/** Characters processed in the time that a short value takes. */
const workPerValue = 25;

/** Cleans all texts and names in a value of the web. Values below the maximum depth stay unchanged. */
async function cleanedValue(
	value: unknown,
	htmlNames: ReadonlySet<string>,
	removed: Removed,
	isHtml: boolean,
	levels: number,
): Promise<unknown> {
	await yieldAfter(workPerValue);
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
	for (const [name, content] of Object.entries(value)) {
		const visible = await withoutInvisible(name, removed);
		const isOfHtml = htmlNames.has(name);
		setField(
			clean,
			unusedName(clean, visible, numbers),
			await cleanedValue(content, htmlNames, removed, isOfHtml, levels - 1),
		);
	}
	return clean;
}

/**
 * Removes invisible content from a result and counts it: invisible characters, embedded data and
 * tracking images; in texts of `htmlNames`, also comments and hidden elements.
 */
export const cleaned = async (
	json: IDataObject,
	htmlNames: ReadonlySet<string>,
	removed: Removed,
): Promise<IDataObject> =>
	(await cleanedValue(json, htmlNames, removed, false, 2 * maxDepth)) as IDataObject;
