import type { IDataObject } from 'n8n-workflow';
import type { Request } from '../http/client';
import { operationError } from '../api/errors';
import type { Reader } from '../operation/operation';
import { asRecord } from '../output/results';
import { monotonicNow } from '../values/clock';
import { pluralize } from '../values/pluralize';

/** How much of a list is read: services name next pages for ever. */
export interface Bounds {
	pages: number;
	milliseconds: number;
	/** Whether what was read by then is enough; otherwise the list is an error, for a shorter one would look whole. */
	isPartEnough: boolean;
}

/** Lists for workflows. */
const wholeList: Bounds = { pages: 1_000, milliseconds: 60 * 60_000, isPartEnough: false };

/** Lists in which the editor's users choose: nobody can cancel them. */
export const editorList: Bounds = { pages: 10, milliseconds: 10_000, isPartEnough: true };

/** How a list is divided into pages. */
export interface List<Entry> {
	/** The entries of a page, in its body. A page without any is the end: some lists name a next one for ever. */
	entriesOf(body: IDataObject): Entry[];
	/** The request for the next page, from the body of one, its request, and how many entries were read; undefined at the end. */
	after(body: IDataObject, request: Request, read: number): Request | undefined;
}

/** Says that a list cannot be read on, and how to get the part that can. */
export const cannotGoOn = (message: string, read: number, { errorSource }: Reader) =>
	operationError(
		message,
		`Set 'Limit' to ${read} or less to get what stands on the pages before.`,
		errorSource,
	);

/**
 * Reads the pages of a list until `limit` entries are there or none is left.
 * @throws NodeOperationError when the list passes its bounds, or repeats a page or a request
 */
export async function readList<Entry>(
	first: Request,
	{ entriesOf, after }: List<Entry>,
	limit: number,
	call: Reader,
	bounds: Bounds = wholeList,
): Promise<Entry[]> {
	const entries: Entry[] = [];
	const refuse = (message: string) => cannotGoOn(message, entries.length, call);
	const asked = new Set<string>();
	const begin = monotonicNow();
	let before: string | undefined;
	let request: Request | undefined = first;
	while (request) {
		const isOver = monotonicNow() - begin >= bounds.milliseconds || asked.size >= bounds.pages;
		if (isOver && bounds.isPartEnough) break;
		const read = `${pluralize(asked.size, 'page')} with ${pluralize(entries.length, 'result')}`;
		if (isOver) throw refuse(`The list has no end: ${read} were read`);
		asked.add(JSON.stringify(request));
		const body = asRecord((await call.send(request)).body);
		const page = entriesOf(body);
		const text = JSON.stringify(page);
		if (text === before && page.length > 0) throw refuse('The service names the same page again');
		before = text;
		for (const entry of page) entries.push(entry);
		if (page.length === 0 || entries.length >= limit) break;
		request = after(body, request, entries.length);
		if (request && asked.has(JSON.stringify(request)))
			throw refuse('The service names the same page again');
	}
	return entries.slice(0, limit);
}
