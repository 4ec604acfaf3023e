import type { Request } from '../http/client';
import { isUnset } from '../form/schema';
import type { Reader } from '../operation/operation';
import { parseUrl } from '../values/parseUrl';
import { cannotGoOn, readList, type List } from './readList';

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
 * Reads a list whose pages name the next one by its URL, up to `limit` entries (docs/api-notes.md, Jobs and
 * their status).
 * @throws NodeOperationError when the list cannot be read on: a shorter one would look whole
 */
export async function readPages<Entry>(
	first: Request,
	entriesOf: List<Entry>['entriesOf'],
	limit: number,
	call: Reader,
): Promise<Entry[]> {
	const after: List<Entry>['after'] = ({ next }, _request, read) => {
		const path = nextPath(next, first);
		if (path !== undefined) return { ...first, path, query: undefined };
		if (isUnset(next)) return undefined;
		throw cannotGoOn('The service names a next page that is no URL of its API', read, call);
	};
	return await readList(first, { entriesOf, after }, limit, call);
}
