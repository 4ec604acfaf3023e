import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { yieldAfter } from '../host/turns';
import { cutText } from '../values/text';
import { maxDepth } from '../values/json';
import { isRecord } from '../values/record';
import { findPassages } from './passages';
import { cleaned, cleanedText, fenced } from './untrusted';
import { sum } from '../values/numbers';

/** Shortest length of a text before lists are truncated, too. */
const shortestText = 500;

/** Limits of every text, in characters, and of every list. */
interface Limits {
	text: number;
	entries: number;
	/** Excerpts that replace long texts, by text; others keep their beginning. */
	excerpts?: ReadonlyMap<string, string>;
}

const textMark = (missing: number) => `[… truncated, ${missing} more characters]`;
const listMark = (missing: number) => `[… ${missing} more entries omitted]`;

const deepMark = '[… nested too deep]';

/** Most levels of a result: those of a response and the fields around it. */
const levelsOfResult = 2 * maxDepth;

function cut(value: unknown, limits: Limits, levels = levelsOfResult): unknown {
	if (typeof value === 'string') {
		return limits.excerpts?.get(value) ?? cutText(value, limits.text, textMark);
	}
	if (!Array.isArray(value) && !isRecord(value)) return value;
	if (levels === 0) return deepMark;
	if (Array.isArray(value)) {
		const entries = value.slice(0, limits.entries).map((entry) => cut(entry, limits, levels - 1));
		const missing = value.length - entries.length;
		return missing === 0 ? entries : [...entries, listMark(missing)];
	}
	return Object.fromEntries(
		Object.entries(value).map(([name, value]) => [name, cut(value, limits, levels - 1)]),
	);
}

/** Whether JSON omits the value. */
const isOmitted = (value: unknown) => value === undefined || typeof value === 'function';

/** Measures values. Caches the names of objects, because a binary search measures them repeatedly. */
class Sizes {
	private readonly names = new Map<object, string[]>();

	/** Length of a value as JSON within limits. Stops above `max` and returns any larger number. */
	of(value: unknown, limits: Limits, max: number, levels = levelsOfResult): number {
		if (typeof value === 'string') {
			const least = Math.min(value.length, limits.text);
			return least > max ? least : JSON.stringify(cutText(value, limits.text, textMark)).length;
		}
		const isList = Array.isArray(value);
		if (!isList && !isRecord(value)) return (JSON.stringify(value) ?? 'null').length;
		if (levels === 0) return JSON.stringify(deepMark).length;
		let size = '[]'.length;
		const add = (value: unknown, label: number) => {
			size += label + (size > '[]'.length ? ','.length : 0);
			size += this.of(value, limits, max - size, levels - 1);
		};
		if (isList) {
			const count = Math.min(value.length, limits.entries);
			for (let index = 0; index < count && size <= max; index += 1) add(value[index], 0);
			if (count < value.length) add(listMark(value.length - count), 0);
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

/** Characters of a long text without an excerpt. */
const fallbackLength = 200;

/** Finds the texts that exceed the limits. */
function longTexts(
	value: unknown,
	limits: Limits,
	found = new Set<string>(),
	levels = levelsOfResult,
) {
	if (typeof value === 'string' && value.length > limits.text) found.add(value);
	if (levels === 0 || typeof value !== 'object' || value === null) return found;
	const children = Array.isArray(value) ? value.slice(0, limits.entries) : Object.values(value);
	for (const value of children) longTexts(value, limits, found, levels - 1);
	return found;
}

const excerptMark = (missing: number) =>
	`[… only the parts that match the question, ${missing} more characters]`;

/** Adds excerpts that answer a question to the limits; unchanged if no text has any. */
async function limitsForQuestion(
	results: IDataObject[],
	limits: Limits,
	question: string,
): Promise<Limits> {
	const texts = [...longTexts(results, limits)];
	const sizeOf = (text: string) => JSON.stringify(text).length;
	const truncated = texts.map((text) => cutText(text, fallbackLength, textMark));
	const beginnings = texts.map((text) => sizeOf(cutText(text, limits.text, textMark)));
	const most = sum(beginnings) - sum(truncated.map(sizeOf));
	const pages = texts.map((text) => ({ text, title: '' }));
	const found = await findPassages(pages, [question], { most, sizeOf, perPage: () => 0 });
	const excerptOf = new Map(found.map(({ page, text }) => [page, text]));
	const parts = texts.map((_, index) => excerptOf.get(index) ?? '');
	if (parts.every((part) => part === '')) return limits;
	const excerpts = parts.map((part, index) =>
		part === ''
			? truncated[index]
			: `${part}\n\n${excerptMark(Math.max(0, texts[index].length - part.length))}`,
	);
	return { ...limits, excerpts: new Map(texts.map((text, index) => [text, excerpts[index]])) };
}

/** No limits. */
const unlimited: Limits = { text: Infinity, entries: Infinity };

/** Binary search for the greatest integer that satisfies a condition; the lower bound if none does. */
async function greatest(
	low: number,
	high: number,
	holds: (value: number) => Promise<boolean>,
): Promise<number> {
	if (low >= high) return low;
	const middle = Math.ceil((low + high) / 2);
	return (await holds(middle))
		? await greatest(middle, high, holds)
		: await greatest(low, middle - 1, holds);
}

const asItem = (entry: unknown): IDataObject =>
	isRecord(entry) ? (entry as IDataObject) : { more: String(entry) };

/** Characters that `asItem` adds to the mark of omitted results. */
const aroundMark = '{"more":}'.length;

/** The JSON of the first results, up to about `max` characters. */
function beginningOf(results: IDataObject[], max: number): string {
	let json = '[';
	for (const result of results) {
		if (json.length > max) return json;
		json += (json === '[' ? '' : ',') + JSON.stringify(cut(result, unlimited));
	}
	return `${json}]`;
}

/**
 * Truncates results to `max` characters of JSON. Shortens the longest texts first, to excerpts that
 * answer the question or else to equal lengths; then lists, including the list of results. Each cut
 * reports how much is missing. Other large results become the beginning of their JSON.
 */
export async function truncateToFit(
	results: IDataObject[],
	max: number,
	question = '',
): Promise<IDataObject[]> {
	const sizes = new Sizes();
	const fits = async (limits: Limits) => {
		const around = results.length > limits.entries ? aroundMark : 0;
		const size = sizes.of(results, limits, max - around);
		await yieldAfter(size);
		return size + around <= max;
	};
	if (await fits(unlimited)) return results;
	const cutTo = (limits: Limits) => (cut(results, limits) as unknown[]).map(asItem);
	const truncatedTo = async (limits: Limits) => {
		const truncated = cutTo(limits);
		if (question === '') return truncated;
		const excerpts = cutTo(await limitsForQuestion(results, limits, question));
		return JSON.stringify(excerpts).length <= max ? excerpts : truncated;
	};
	const shorterTexts = (text: number): Limits => ({ text, entries: Infinity });
	const shorterLists = (entries: number): Limits => ({ text: shortestText, entries });

	if (await fits(shorterTexts(shortestText))) {
		const text = await greatest(shortestText, max, async (text) => await fits(shorterTexts(text)));
		return await truncatedTo(shorterTexts(text));
	}
	if (await fits(shorterLists(1))) {
		const entries = await greatest(1, max, async (entries) => await fits(shorterLists(entries)));
		return await truncatedTo(shorterLists(entries));
	}
	const json = beginningOf(results, max);
	const unread = sizes.of(results, unlimited, Infinity) - json.length;
	const truncated = (length: number) => [
		{ beginning: cutText(json, length, (missing) => textMark(missing + unread)) },
	];
	const longest = await greatest(0, max, async (length) => {
		const size = JSON.stringify(truncated(length)).length;
		await yieldAfter(size);
		return size <= max;
	});
	return truncated(longest);
}

const howToGetTheRest = (max: number) =>
	`The result was truncated to ${max} characters. To get the rest, request less at once: fewer results, one page, or a narrower question. The workflow's author can raise 'Max Tool Result Length', or restrict 'Fields to Keep'.`;

/** Options for a tool's result. */
export interface ToolResultOptions {
	/** Most characters of JSON. */
	max: number;
	/** The model's question. */
	question?: string;
	/** Notes of the node itself, before the delimiters. */
	ownNotes?: string[];
	/** Messages and advice of the node itself about failures, before the delimiters. */
	errors?: IDataObject[];
	/** Texts of the service in those errors. */
	quotes?: string[];
	/** Mark of the delimiters around web content; none if undefined. */
	fence?: string;
}

const toItem = (json: IDataObject): INodeExecutionData => ({ json, pairedItem: { item: 0 } });

const fits = (results: IDataObject[], max: number) =>
	new Sizes().of(results, unlimited, max) <= max;

const nothingFound = 'There are no results.';

/** An item with notes, or none. */
const noted = (notes: string[]): IDataObject[] => (notes.length === 0 ? [] : [{ notes }]);

/** Characters of the shortest item as JSON, with its separator. */
const leastItem = '{},'.length;

/**
 * Cleans items and puts them between delimiters: the node's own notes before, the service's notices
 * inside.
 */
async function fencedResult(
	items: INodeExecutionData[],
	notices: string[],
	{ max, question, ownNotes = [], errors = [], quotes = [] }: ToolResultOptions,
	mark: string,
): Promise<INodeExecutionData[]> {
	const notes = noted(notices.map(cleanedText));
	// Items beyond this number never fit.
	const mostFitting = Math.ceil(max / leastItem);
	const results = [...quotes.map((message) => toItem({ message })), ...items];
	for (const [index, item] of results.slice(0, mostFitting).entries()) {
		results[index] = { ...item, json: cleaned(item.json) };
	}
	const isEmpty = items.length === 0 && errors.length === 0;
	const own = [...ownNotes, ...(isEmpty ? [nothingFound] : [])];
	const inner = [...notes, ...results.map(({ json }) => json)];
	const before = [...noted(own), ...errors];
	if (inner.length === 0 && errors.length > 0) return before.map(toItem);
	if (fits([...before, ...fenced(inner, mark)], max)) {
		const [begin, end] = fenced([], mark).map(toItem);
		return [...before.map(toItem), begin, ...notes.map(toItem), ...results, end];
	}
	const head = [...noted([...own, howToGetTheRest(max)]), ...errors];
	const around = JSON.stringify([...head, ...fenced([], mark)]).length;
	const truncated = await truncateToFit(inner, Math.max(0, max - around), question);
	return [...head, ...fenced(truncated, mark)].map(toItem);
}

/**
 * Limits a tool's items to `max` characters and puts them between delimiters. Adds an item with
 * notes if there are any: notices of the service, a truncation, or that there are no results.
 */
export async function limitToolResult(
	items: INodeExecutionData[],
	notices: string[],
	options: ToolResultOptions,
): Promise<INodeExecutionData[]> {
	const { max, question, ownNotes = [], errors = [], fence } = options;
	if (fence) return await fencedResult(items, notices, options, fence);
	const results = [...errors, ...items.map(({ json }) => json)];
	const notes = [...ownNotes, ...(results.length === 0 ? [nothingFound] : []), ...notices];
	const entries = [...noted(notes), ...results];
	const isWhole = fits(entries, max);
	if (isWhole && entries.length === items.length) return items;
	const truncated = isWhole
		? entries
		: await truncateToFit([{ notes: [...notes, howToGetTheRest(max)] }, ...results], max, question);
	return truncated.map(toItem);
}
