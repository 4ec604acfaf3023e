import type { IDataObject } from 'n8n-workflow';
import type { Request } from '../http/client';
import { isUnset } from '../schema/schema';
import { operationError } from '../errors/errors';
import type { Reader } from '../operation/operation';
import { parseUrl } from '../values/parseUrl';
import { asRecord } from '../output/results';

/**
 * The path and query of a `next` address, relative to the API's own: it is asked for on the
 * credential's host whatever host it names, so that the key stays there and a wrong host behind a
 * proxy does no harm. Undefined when it is no address of the list at `path`:
 * an answer must not decide what else of the API is asked for. A proxy may have changed or taken away
 * what stands before the list's own path, but another version of the API is another list.
 */
export function nextPath(next: unknown, { path }: Pick<Request, 'path'>): string | undefined {
	if (typeof next !== 'string' || next === '') return undefined;
	const url = parseUrl(next, 'http://localhost');
	if (!url) return undefined;
	const { pathname, search } = url;
	const [list] = path.split('?');
	if (!pathname.endsWith(list)) return undefined;
	const before = pathname.slice(0, -list.length);
	const isElsewhere = /\/v\d{1,9}(?:\/|$)|\/\//.test(before);
	return before.endsWith('/v2') || !isElsewhere ? list + search : undefined;
}

/**
 * Reads the pages of a list until `limit` entries are there or none is left. An empty page is the end, since
 * some lists name a next page for ever (docs/api-notes.md, Jobs and their status). A page that cannot be
 * read, or that is named twice, is an error: a shorter list would look whole.
 */
export async function readPages<Entry>(
	first: Request,
	entriesOf: (body: IDataObject) => Entry[],
	limit: number,
	call: Reader,
): Promise<Entry[]> {
	const entries: Entry[] = [];
	let request: Request | undefined = first;
	while (request && entries.length < limit) {
		const body = asRecord((await call.send(request)).body);
		const page = entriesOf(body);
		for (const entry of page) entries.push(entry);
		const path = nextPath(body.next, first);
		const isStuck = path !== undefined && path === request.path && page.length > 0;
		if (isStuck || (path === undefined && !isUnset(body.next))) {
			throw operationError(
				isStuck
					? 'The service names the same page again'
					: 'The service names a next page that is no address of its API',
				`Set 'Limit' to ${entries.length} or less to get what stands on the pages before it.`,
				call.errorSource,
			);
		}
		request =
			path === undefined || page.length === 0 ? undefined : { ...first, path, query: undefined };
	}
	return entries.slice(0, limit);
}
