import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { withoutItemMark, type NodeError } from '../errors/message';
import { isForMcpServer } from '../values/tool';
import { mapInTurns } from '../values/time';
import { isRecord } from '../values/record';
import { cutText } from '../values/text';
import { findPassages } from './passages';
import { cleaned, cleanedText, fenced, fencedText, newMark } from './untrusted';

/** Longest result of a tool in characters of JSON; about 10,000 tokens. */
const longestResult = 40_000;

/** Shortest length of a text as JSON before lists are truncated, too. */
const shortestText = 500;

const jsonLength = (value: unknown): number => JSON.stringify(value).length;

const textMark = (missing: number) => `[… truncated, ${missing} more characters]`;
const excerptMark = (missing: number) =>
	`[… only the parts that match the question, ${missing} more characters]`;
const listMark = (missing: number) => `[… ${missing} more entries omitted]`;

/** Truncates a text to a size as JSON. */
function cutToSize(text: string, max: number, mark = textMark): string {
	if (jsonLength(text) <= max) return text;
	let length = max;
	let short = cutText(text, length, mark);
	for (let size = jsonLength(short); size > max && length > 0; size = jsonLength(short)) {
		// JSON has at most six characters for one.
		length = Math.max(0, length - Math.ceil((size - max) / 6));
		short = cutText(text, length, mark);
	}
	return short;
}

/** Copies a value with texts replaced and all lists truncated. */
function copied(value: unknown, entries: number, textOf: (text: string) => string): unknown {
	if (typeof value === 'string') return textOf(value);
	if (Array.isArray(value)) {
		const kept = value.slice(0, entries).map((entry) => copied(entry, entries, textOf));
		const missing = value.length - kept.length;
		return missing === 0 ? kept : [...kept, listMark(missing)];
	}
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [name, copied(each, entries, textOf)]),
	);
}

/** The size to which the longest texts are truncated so that all lose `excess` together. */
function sizeWithout(excess: number, sizes: number[]): number {
	const longest = [...sizes].sort((one, other) => other - one);
	let total = 0;
	for (const [index, size] of longest.entries()) {
		total += size;
		const level = Math.floor((total - excess) / (index + 1));
		if (level >= (longest[index + 1] ?? 0)) return level;
	}
	return 0;
}

/** Results with lists of at most so many entries, and the size to which their texts must be cut. */
function limited(results: IDataObject[], entries: number, max: number) {
	const texts: string[] = [];
	const kept = results.slice(0, entries).map((result) =>
		copied(result, entries, (text) => {
			texts.push(text);
			return text;
		}),
	);
	const missing = results.length - kept.length;
	const all = (missing === 0 ? kept : [...kept, { more: listMark(missing) }]) as IDataObject[];
	const excess = jsonLength(all) - max;
	const size = excess <= 0 ? Infinity : sizeWithout(excess, texts.map(jsonLength));
	return size < shortestText ? undefined : { results: all, texts, size };
}

/** Results with the longest lists that fit with truncated texts, within a tenth. */
function longestLists(results: IDataObject[], max: number) {
	let entries = 1;
	let best = limited(results, entries, max);
	for (let step = 2; best && step > 1.1; ) {
		const more = Math.ceil(entries * step);
		const next = limited(results, more, max);
		if (next) [best, entries] = [next, more];
		else step = Math.sqrt(step);
	}
	return best;
}

/** Replaces texts that are too long by the passages that answer a question, or else their beginning. */
async function excerptsFor(question: string, texts: string[], size: number) {
	const long = [...new Set(texts.filter((text) => jsonLength(text) > size))];
	const beginnings = long.map((text) => cutText(text, 200, textMark));
	const most = beginnings.reduce((left, beginning) => left + size - jsonLength(beginning), 0);
	const found = await findPassages(
		long.map((text) => ({ text, title: '' })),
		[question],
		{ most, sizeOf: jsonLength, perPage: () => jsonLength(excerptMark(1_000_000)) },
	);
	if (found.length === 0) return undefined;
	const excerpts = new Map(long.map((text, index) => [text, beginnings[index]]));
	for (const { page, text } of found) {
		const missing = Math.max(0, long[page].length - text.length);
		excerpts.set(long[page], `${text}\n\n${excerptMark(missing)}`);
	}
	return excerpts;
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
	if (jsonLength(results) <= max) return results;
	const best = limited(results, Infinity, max) ?? longestLists(results, max);
	if (!best) {
		const around = jsonLength([{ beginning: '' }]) - jsonLength('');
		return [{ beginning: cutToSize(JSON.stringify(results), max - around) }];
	}
	const { texts, size } = best;
	if (size === Infinity) return best.results;
	const withTexts = (textOf: (text: string) => string) =>
		copied(best.results, Infinity, textOf) as IDataObject[];
	const excerpts = question === '' ? undefined : await excerptsFor(question, texts, size);
	const answer = excerpts && withTexts((text) => excerpts.get(text) ?? text);
	if (answer && jsonLength(answer) <= max) return answer;
	return withTexts((text) => cutToSize(text, size));
}

const howToGetTheRest = (max: number) =>
	`The result was truncated to ${max} characters. To get the rest, request less at once: fewer results, one page, or a narrower question. The workflow's author can set 'Output' to 'Selected Fields'.`;

/** What a model gets of a call. */
interface Told {
	items: INodeExecutionData[];
	/** The model's question. */
	question?: string;
	/** Notices of the service. */
	notices?: string[];
	/** Texts of the service in errors. */
	quotes?: string[];
	/** Notes of the node itself, before the delimiters. */
	ownNotes?: string[];
	/** Messages and advice of the node itself about failures, before the delimiters. */
	errors?: IDataObject[];
}

const toItem = (json: IDataObject): INodeExecutionData => ({ json, pairedItem: { item: 0 } });

/** An item with notes, or none. */
const noted = (notes: string[]): IDataObject[] => (notes.length === 0 ? [] : [{ notes }]);

/** Characters of a text that is cleaned in the time of an item. */
const workPerItem = 500;

/**
 * Limits a tool's items to `max` characters and puts what comes from the web between delimiters,
 * cleaned; the node's own notes and errors stand before.
 */
export async function limitToolResult(
	{ items, question, notices = [], quotes = [], ownNotes = [], errors = [] }: Told,
	max = longestResult,
): Promise<INodeExecutionData[]> {
	const mark = newMark();
	const isEmpty = items.length === 0 && errors.length === 0;
	const own = [...ownNotes, ...(isEmpty ? ['There are no results.'] : [])];
	const quoted = [
		...noted(notices.map(cleanedText)),
		...quotes.map((message) => ({ message: cleanedText(message) })),
	].map(toItem);
	const results = await mapInTurns(items, workPerItem, (item) => ({
		...item,
		json: cleaned(item.json),
	}));
	const inner = [...quoted, ...results];
	const before = [...noted(own), ...errors];
	if (inner.length === 0 && errors.length > 0) return before.map(toItem);
	const [begin, end] = fenced([], mark).map(toItem);
	const whole = [...before.map(toItem), begin, ...inner, end];
	if (jsonLength(whole.map(({ json }) => json)) <= max) return whole;
	const head = [...noted([...own, howToGetTheRest(max)]), ...errors];
	const around = jsonLength([...head, ...fenced([], mark)]);
	const texts = inner.map(({ json }) => json);
	const truncated = await truncateToFit(texts, Math.max(0, max - around), question);
	return [...head, ...fenced(truncated, mark)].map(toItem);
}

const messageOf = (error: NodeError) => withoutItemMark(error.message);

/** An error for a model. A message that may quote the service is apart, between delimiters. */
const forModel = (error: NodeError, message = messageOf(error)) => ({
	error: message,
	advice: error.description ?? 'Check the node and its credential.',
});

/** Results and failures of a call of a tool. */
interface ToolOutcome extends Pick<Told, 'question' | 'notices' | 'ownNotes'> {
	results?: INodeExecutionData[];
	/** Errors of requests: their messages may quote the service. */
	failures?: NodeError[];
	/** Errors of the node alone, before any request. */
	rejected?: NodeError[];
}

/**
 * The items of a tool: its results and its errors with advice, within the limits of a model. n8n
 * hides errors from models, which see only the JSON.
 * @throws NodeOperationError for a client of an MCP server, which gets its message alone, if there
 * are errors only
 */
export async function toolResult(
	context: IExecuteFunctions,
	{ results: items = [], failures = [], rejected = [], ...told }: ToolOutcome,
): Promise<INodeExecutionData[]> {
	const errors = [
		...rejected.map((error) => forModel(error)),
		...failures.map((error) => forModel(error, 'The request failed')),
	];
	const quotes = failures.map(messageOf);
	if (errors.length > 0 && items.length === 0 && isForMcpServer(context)) {
		const own = errors.flatMap(({ error, advice }) => [`${error}.`, advice]);
		const web = cleanedText([...(told.notices ?? []), ...quotes].join('\n'));
		const quoted = web === '' ? '' : `\n\n${fencedText(web, newMark())}`;
		throw new NodeOperationError(
			context.getNode(),
			[...own, ...(told.ownNotes ?? [])].join(' ') + quoted,
		);
	}
	return await limitToolResult({ ...told, items, errors, quotes });
}
