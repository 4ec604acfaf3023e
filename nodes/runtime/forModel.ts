import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { cutText } from './items';
import { isRecord } from './record';

/** n8n's AI Agents call a variant of the node whose type ends so. A model reads the items' JSON and nothing else. */
export const isTool = ({ type }: Pick<INode, 'type'>) => type.endsWith('Tool');

/** Longest result of a tool in characters unless the user says otherwise; about 10,000 tokens. */
export const usualToolResult = 40_000;

/** Texts are cut no shorter than this before entries are left out. */
const shortestText = 500;

/** How much is kept of every text, in characters, and of every list. */
interface Room {
	text: number;
	entries: number;
}

const sizeOf = (value: unknown) => JSON.stringify(value).length;

const textMark = (missing: number) => `[… cut here, ${missing} more characters]`;
const listMark = (missing: number) => `[… ${missing} more entries left out]`;

function cut(value: unknown, room: Room): unknown {
	if (typeof value === 'string') return cutText(value, room.text, textMark);
	if (Array.isArray(value)) {
		const kept = value.slice(0, room.entries).map((entry) => cut(entry, room));
		const missing = value.length - kept.length;
		return missing === 0 ? kept : [...kept, listMark(missing)];
	}
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, cut(member, room)]),
	);
}

/** The greatest whole number between the bounds for which it holds; the lower bound where it holds for none. */
function greatest(low: number, high: number, holds: (value: number) => boolean): number {
	if (low >= high) return low;
	const middle = Math.ceil((low + high) / 2);
	return holds(middle) ? greatest(middle, high, holds) : greatest(low, middle - 1, holds);
}

const asItem = (entry: unknown): IDataObject =>
	isRecord(entry) ? (entry as IDataObject) : { more: String(entry) };

/**
 * Results that are no longer than `max` characters as JSON: the longest texts are cut first, all to
 * the same length; then lists, the list of results among them, lose their last entries. Each cut says
 * how much is missing. What is large in another way comes as the beginning of its JSON.
 */
export function cutToFit(results: IDataObject[], max: number): IDataObject[] {
	if (sizeOf(results) <= max) return results;
	const inRoom = (room: Room) => (cut(results, room) as unknown[]).map(asItem);
	const fits = (room: Room) => sizeOf(inRoom(room)) <= max;
	const shorterTexts = (text: number): Room => ({ text, entries: Infinity });
	const shorterLists = (entries: number): Room => ({ text: shortestText, entries });

	const byText = shorterTexts(greatest(shortestText, max, (text) => fits(shorterTexts(text))));
	if (fits(byText)) return inRoom(byText);
	const byList = shorterLists(greatest(1, max, (entries) => fits(shorterLists(entries))));
	if (fits(byList)) return inRoom(byList);
	const json = JSON.stringify(results);
	const begun = (length: number) => [{ beginning: cutText(json, length, textMark) }];
	return begun(greatest(0, max, (length) => sizeOf(begun(length)) <= max));
}

const howToGetTheRest = (max: number) =>
	`The result was cut to ${max} characters. To get the rest, ask for less at once: fewer results, one page, or a narrower question. Whoever set up this tool can raise 'Max Tool Result Length', or name the fields that matter in 'Fields to Keep'.`;

/**
 * A tool's items as a model can take them: within `max` characters, and after an item with what it
 * should know about them, if anything: the service's notices, a cut, or that nothing was found.
 */
export function forModel(
	items: INodeExecutionData[],
	notices: string[],
	max: number,
): INodeExecutionData[] {
	const results = items.map(({ json }) => json);
	const notes = items.length === 0 ? ['There are no results.', ...notices] : notices;
	const told = notes.length === 0 ? results : [{ notes }, ...results];
	const fits = sizeOf(told) <= max;
	if (fits && told === results) return items;
	const kept = fits
		? told
		: cutToFit([{ notes: [...notes, howToGetTheRest(max)] }, ...results], max);
	return kept.map((json) => ({ json, pairedItem: { item: 0 } }));
}
