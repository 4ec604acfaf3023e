import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { cutText } from '../values/cutText';
import { deepest } from '../values/json';
import { shortenTexts } from '../text/shorten';
import { isRecord } from '../values/record';
import { cleaned, cleanedText } from '../text/cleaned';
import { fenced } from '../text/fence';
import { Removed } from '../text/removed';
import { sum } from '../values/sum';

/** n8n's AI Agents call a variant of the node whose type ends so. A model reads the items' JSON and nothing else. */
export const isTool = ({ type }: Pick<INode, 'type'>) => type.endsWith('Tool');

/** Texts are cut no shorter than this before entries are left out. */
const shortestText = 500;

/** How much is kept of every text, in characters, and of every list. */
interface Limits {
	text: number;
	entries: number;
	/** What is left of texts that are longer, by the text, where that is not its beginning. */
	answers?: ReadonlyMap<string, string>;
}

const textMark = (missing: number) => `[… cut here, ${missing} more characters]`;
const listMark = (missing: number) => `[… ${missing} more entries left out]`;

const deepMark = '[… nested too deep]';

/** How many levels of a result are looked at: those of an answer and what stands around it. */
const levelsOfResult = 2 * deepest;

function cut(value: unknown, room: Limits, levels = levelsOfResult): unknown {
	if (typeof value === 'string') {
		return room.answers?.get(value) ?? cutText(value, room.text, textMark);
	}
	if (!Array.isArray(value) && !isRecord(value)) return value;
	if (levels === 0) return deepMark;
	if (Array.isArray(value)) {
		const kept = value.slice(0, room.entries).map((entry) => cut(entry, room, levels - 1));
		const missing = value.length - kept.length;
		return missing === 0 ? kept : [...kept, listMark(missing)];
	}
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, cut(member, room, levels - 1)]),
	);
}

/** What JSON leaves out of records. */
const isOmitted = (value: unknown) => value === undefined || typeof value === 'function';

/** Measures values; those of a record's names are looked up once, for a search measures many times. */
class Sizes {
	private readonly names = new Map<object, string[]>();

	/**
	 * How long the JSON of a value is once it is cut to its room. A value of more than `max` characters is
	 * not looked through: its size is then any number above `max`.
	 */
	of(value: unknown, room: Limits, max: number, levels = levelsOfResult): number {
		if (typeof value === 'string') {
			const least = Math.min(value.length, room.text);
			return least > max ? least : JSON.stringify(cutText(value, room.text, textMark)).length;
		}
		const isList = Array.isArray(value);
		if (!isList && !isRecord(value)) return (JSON.stringify(value) ?? 'null').length;
		if (levels === 0) return JSON.stringify(deepMark).length;
		let size = '[]'.length;
		const add = (member: unknown, label: number) => {
			size += label + (size > '[]'.length ? ','.length : 0);
			size += this.of(member, room, max - size, levels - 1);
		};
		if (isList) {
			const kept = Math.min(value.length, room.entries);
			for (let index = 0; index < kept && size <= max; index += 1) add(value[index], 0);
			if (kept < value.length) add(listMark(value.length - kept), 0);
		} else {
			for (const name of this.namesIn(value)) {
				if (size > max) break;
				if (!isOmitted(value[name])) add(value[name], JSON.stringify(name).length + ':'.length);
			}
		}
		return size;
	}

	private namesIn(record: object): string[] {
		const known = this.names.get(record) ?? Object.keys(record);
		this.names.set(record, known);
		return known;
	}
}

/** Characters of a text that are kept where nothing of it answers. */
const begunText = 200;

/** The texts of a value that a room cuts. */
function longTexts(
	value: unknown,
	room: Limits,
	found = new Set<string>(),
	levels = levelsOfResult,
) {
	if (typeof value === 'string' && value.length > room.text) found.add(value);
	if (levels === 0 || typeof value !== 'object' || value === null) return found;
	const members = Array.isArray(value) ? value.slice(0, room.entries) : Object.values(value);
	for (const member of members) longTexts(member, room, found, levels - 1);
	return found;
}

const answerMark = (missing: number) =>
	`[… only the parts that fit what was asked, ${missing} more characters]`;

/** The same room, in which the longest texts keep what answers a question in the place of their beginnings; as it is where nothing answers. */
async function roomForAnswers(
	results: IDataObject[],
	room: Limits,
	question: string,
): Promise<Limits> {
	const texts = [...longTexts(results, room)];
	const sizeOf = (text: string) => JSON.stringify(text).length;
	const begun = texts.map((text) => cutText(text, begunText, textMark));
	const beginnings = texts.map((text) => sizeOf(cutText(text, room.text, textMark)));
	const most = sum(beginnings) - sum(begun.map(sizeOf));
	const parts = await shortenTexts(texts, question, most);
	if (parts.every((part) => part === '')) return room;
	const answers = parts.map((part, index) =>
		part === ''
			? begun[index]
			: `${part}\n\n${answerMark(Math.max(0, texts[index].length - part.length))}`,
	);
	return { ...room, answers: new Map(texts.map((text, index) => [text, answers[index]])) };
}

/** Room for everything. */
const whole: Limits = { text: Infinity, entries: Infinity };

/** The greatest whole number between the bounds for which it holds; the lower bound where it holds for none. */
function greatest(low: number, high: number, holds: (value: number) => boolean): number {
	if (low >= high) return low;
	const middle = Math.ceil((low + high) / 2);
	return holds(middle) ? greatest(middle, high, holds) : greatest(low, middle - 1, holds);
}

const asItem = (entry: unknown): IDataObject =>
	isRecord(entry) ? (entry as IDataObject) : { more: String(entry) };

/** Characters that `asItem` adds to the mark of results that are left out. */
const aroundMark = '{"more":}'.length;

/** The JSON of results, as far as `max` characters need it. */
function beginningOf(results: IDataObject[], max: number): string {
	let json = '[';
	for (const result of results) {
		if (json.length > max) return json;
		json += (json === '[' ? '' : ',') + JSON.stringify(cut(result, whole));
	}
	return `${json}]`;
}

/**
 * Results that are no longer than `max` characters as JSON: the longest texts are cut first, to the
 * parts that answer the question or, without one, all to the same length; then lists, the list of
 * results among them, lose their last entries. Each cut says how much is missing. What is large in
 * another way comes as the beginning of its JSON.
 */
export async function truncateToFit(
	results: IDataObject[],
	max: number,
	question = '',
): Promise<IDataObject[]> {
	const sizes = new Sizes();
	const fits = (room: Limits) => {
		const around = results.length > room.entries ? aroundMark : 0;
		return sizes.of(results, room, max - around) + around <= max;
	};
	if (fits(whole)) return results;
	const cutTo = (room: Limits) => (cut(results, room) as unknown[]).map(asItem);
	const inRoom = async (room: Limits) => {
		const begun = cutTo(room);
		if (question === '') return begun;
		const answers = cutTo(await roomForAnswers(results, room, question));
		return JSON.stringify(answers).length <= max ? answers : begun;
	};
	const shorterTexts = (text: number): Limits => ({ text, entries: Infinity });
	const shorterLists = (entries: number): Limits => ({ text: shortestText, entries });

	if (fits(shorterTexts(shortestText))) {
		return await inRoom(
			shorterTexts(greatest(shortestText, max, (text) => fits(shorterTexts(text)))),
		);
	}
	if (fits(shorterLists(1))) {
		return await inRoom(shorterLists(greatest(1, max, (entries) => fits(shorterLists(entries)))));
	}
	const json = beginningOf(results, max);
	const unread = sizes.of(results, whole, Infinity) - json.length;
	const begun = (length: number) => [
		{ beginning: cutText(json, length, (missing) => textMark(missing + unread)) },
	];
	return begun(greatest(0, max, (length) => JSON.stringify(begun(length)).length <= max));
}

const howToGetTheRest = (max: number) =>
	`The result was cut to ${max} characters. To get the rest, ask for less at once: fewer results, one page, or a narrower question. Whoever set up this tool can raise 'Max Tool Result Length', or name the fields that matter in 'Fields to Keep'.`;

/** How a tool's result is told to its model. */
export interface ToolResultOptions {
	/** Most characters of JSON. */
	max: number;
	/** What the model asked. */
	question?: string;
	/** The fences around what comes from the web; where there are none, it is told as it came. */
	fence?: Fence;
}

/** How what comes from the web is told apart: the mark of the fences, and the names of texts that are HTML. */
export interface Fence {
	mark: string;
	htmlTexts: ReadonlySet<string>;
}

const toItem = (json: IDataObject): INodeExecutionData => ({ json, pairedItem: { item: 0 } });

const fits = (results: IDataObject[], max: number) => new Sizes().of(results, whole, max) <= max;

const nothingFound = 'There are no results.';

/** An item of notes, if there are any. */
const noted = (notes: string[]): IDataObject[] => (notes.length === 0 ? [] : [{ notes }]);

/** Characters of JSON that an item has at the least, with what stands between it and the next. */
const leastItem = '{},'.length;

/** The items between fences, cleaned; the node's own words stand before them, those of the service in them. */
async function fencedResult(
	items: INodeExecutionData[],
	notices: string[],
	{ max, question }: ToolResultOptions,
	{ mark, htmlTexts }: Fence,
): Promise<INodeExecutionData[]> {
	const removed = new Removed();
	const cleanNotices: string[] = [];
	for (const notice of notices) cleanNotices.push(await cleanedText(notice, removed));
	const notes = noted(cleanNotices);
	// Those behind as many as there can be room for are left out in any case.
	const mostKept = Math.ceil(max / leastItem);
	const results = [...items];
	for (const [index, item] of items.slice(0, mostKept).entries()) {
		results[index] = { ...item, json: await cleaned(item.json, htmlTexts, removed) };
	}
	const own = [...(items.length === 0 ? [nothingFound] : []), ...removed.notes];
	const inner = [...notes, ...results.map(({ json }) => json)];
	if (fits([...noted(own), ...fenced(inner, mark)], max)) {
		const [begin, end] = fenced([], mark).map(toItem);
		return [...noted(own).map(toItem), begin, ...notes.map(toItem), ...results, end];
	}
	const head = noted([...own, howToGetTheRest(max)]);
	const around = JSON.stringify([...head, ...fenced([], mark)]).length;
	const kept = await truncateToFit(inner, Math.max(0, max - around), question);
	return [...head, ...fenced(kept, mark)].map(toItem);
}

/**
 * A tool's items as a model can take them: within `max` characters, between fences, and beside an item
 * with what it should know about them, if anything: the service's notices, a cut, or that nothing was found.
 */
export async function limitToolResult(
	items: INodeExecutionData[],
	notices: string[],
	options: ToolResultOptions,
): Promise<INodeExecutionData[]> {
	const { max, question, fence } = options;
	if (fence) return await fencedResult(items, notices, options, fence);
	const results = items.map(({ json }) => json);
	const notes = items.length === 0 ? [nothingFound, ...notices] : notices;
	const entries = [...noted(notes), ...results];
	const isWhole = fits(entries, max);
	if (isWhole && notes.length === 0) return items;
	const kept = isWhole
		? entries
		: await truncateToFit([{ notes: [...notes, howToGetTheRest(max)] }, ...results], max, question);
	return kept.map(toItem);
}
