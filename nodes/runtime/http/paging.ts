import type { IDataObject } from 'n8n-workflow';
import { type ErrorSource, missingInResponse, operationError } from '../errors/webDataError';
import type { ApiResponse } from '../errors/response';
import { monotonicNow } from '../values/time';
import { parseUrl, pluralize } from '../values/text';
import { isRecord, fieldOf, isUnset } from '../values/record';
import { pathOf, type Request } from './client';

/** Sends requests, with the source of their errors. */
export interface Sender {
	readonly errorSource: ErrorSource;
	send(request: Request): Promise<ApiResponse>;
}

/** Limits of a list: services return next pages for ever. */
interface ListBounds {
	pages: number;
	milliseconds: number;
	/** Whether a part is enough; otherwise an unfinished list, which would seem complete, is an error. */
	isPartEnough: boolean;
}

/** Lists for workflows. */
const wholeList: ListBounds = { pages: 1_000, milliseconds: 60 * 60_000, isPartEnough: false };

/** The request for the next page, by a page's body, its request, and the entries read; or why there is none. */
type NextPage = (
	body: IDataObject,
	request: Request,
	count: number,
) => Request | string | undefined;

/** The paging of a list. */
interface List<Entry> {
	/** The entries of a page. An empty page is the end: some lists return a next page for ever. */
	entriesOf(body: IDataObject): Entry[];
	next: NextPage;
}

/** Requires the list of a response. @throws WebDataError without one, since [] would seem complete */
export function requireArray(value: unknown, errorSource: ErrorSource): unknown[] {
	if (Array.isArray(value)) return value;
	throw missingInResponse('a list', errorSource);
}

/**
 * Fetches the pages of a list until it has `limit` entries or ends. The only loop for lists.
 * @throws WebDataError if the list exceeds its bounds, or repeats a request
 */
export async function readList<Entry>(
	first: Request,
	{ entriesOf, next }: List<Entry>,
	limit: number,
	{ send, errorSource }: Sender,
	bounds: ListBounds = wholeList,
): Promise<Entry[]> {
	const entries: Entry[] = [];
	const broken = (reason: string) =>
		operationError(
			reason,
			`Set 'Limit' to ${entries.length} or less to get the entries of the earlier pages.`,
			errorSource,
		);
	const requested = new Set<string>();
	const begin = monotonicNow();
	let request: Request | undefined = first;
	while (request) {
		const isOver = monotonicNow() - begin >= bounds.milliseconds || requested.size >= bounds.pages;
		if (isOver && bounds.isPartEnough) break;
		const read = `${pluralize(requested.size, 'page')} with ${pluralize(entries.length, 'result')}`;
		if (isOver) throw broken(`The list has no end: ${read} were fetched`);
		requested.add(JSON.stringify(request));
		const response = await send(request);
		const body = isRecord(response.body) ? (response.body as IDataObject) : {};
		const page = entriesOf(body);
		for (const entry of page) entries.push(entry);
		if (page.length === 0 || entries.length >= limit) break;
		const following = next(body, request, entries.length);
		if (typeof following === 'string') throw broken(following);
		if (following && requested.has(JSON.stringify(following)))
			throw broken('The server returned the same next page again');
		request = following;
	}
	return entries.slice(0, limit);
}

/**
 * The path and query of a `next` URL, relative to the API's. Its host is ignored: the credential's
 * is requested, so that the key stays there and a wrong host behind a proxy has no effect.
 * Undefined if it is no URL of the list at `path`: a response must not choose other requests of the
 * API. A proxy may change or remove the prefix of the list's path, but another version of the API
 * is another list.
 */
export function nextPath(next: unknown, path: string): string | undefined {
	if (typeof next !== 'string' || next === '') return undefined;
	const url = parseUrl(next, 'http://localhost');
	if (!url) return undefined;
	const { pathname, search } = url;
	if (!pathname.endsWith(path)) return undefined;
	const before = pathname.slice(0, -path.length);
	const isElsewhere = /\/v\d{1,9}(?:\/|$)|\/\//.test(before);
	return before.endsWith('/v2') || !isElsewhere ? path + search : undefined;
}

/** Follows the `next` URL of a page (docs/api-notes.md, Jobs and their status). */
export const byUrl =
	(first: Request): NextPage =>
	({ next }) => {
		const nextPage = nextPath(next, pathOf(first));
		if (nextPage !== undefined) return { ...first, nextPage, query: undefined };
		return isUnset(next)
			? undefined
			: 'The server returned a next page that is not a URL of its API';
	};

/** Most entries per page of the service (https://docs.firecrawl.dev/features/monitoring). */
export const longestPage = 100;

/**
 * Fetches up to `limit` entries of the list in `data`, by `limit` and `offset`. Returns each entry
 * once, even if the list grows meanwhile. A page of known entries is the end, and one that `isLast`
 * accepts.
 * @throws WebDataError as `readList`, and for a page without a list
 */
export async function readByOffset(
	first: Request,
	limit: number,
	sender: Sender,
	bounds?: ListBounds,
	isLast: (entries: unknown[]) => boolean = () => false,
): Promise<IDataObject[]> {
	const known = new Set<unknown>();
	const pageAt = (offset: number, count: number): Request => ({
		...first,
		query: { ...first.query, limit: Math.min(longestPage, limit - count), offset },
	});
	const listIn = ({ data }: IDataObject) => requireArray(data, sender.errorSource);
	const isNew = (entry: unknown) => {
		const before = known.size;
		return known.add(fieldOf(entry, 'id') ?? entry).size > before;
	};
	return await readList(
		pageAt(0, 0),
		{
			entriesOf: (body) =>
				listIn(body)
					.filter(isNew)
					.map((entry) => (isRecord(entry) ? entry : { value: entry }) as IDataObject),
			next(body, { query }, count) {
				const entries = listIn(body);
				const isEnd = entries.length < Number(query?.limit) || isLast(entries);
				return isEnd ? undefined : pageAt(Number(query?.offset) + entries.length, count);
			},
		},
		limit,
		sender,
		bounds,
	);
}
