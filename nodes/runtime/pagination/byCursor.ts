import type { Request } from '../http/client';
import type { Reader } from '../operation/operation';
import { isUnset } from '../form/schema';
import { cannotGoOn, readList, type List } from './readList';

/**
 * Reads a list whose pages name the next one by `cursor`, and say by `has_more` whether there is one, up to
 * `limit` entries.
 * @throws NodeOperationError when the list cannot be read on: a shorter one would look whole
 */
export async function readPagesByCursor<Entry>(
	first: Request,
	entriesOf: List<Entry>['entriesOf'],
	limit: number,
	call: Reader,
): Promise<Entry[]> {
	const after: List<Entry>['after'] = ({ cursor, has_more: hasMore }, _request, read) => {
		if (hasMore === false || (hasMore === undefined && isUnset(cursor))) return undefined;
		if (!isUnset(cursor)) return { ...first, query: { ...first.query, cursor } };
		throw cannotGoOn('The service says that there are more results, but not where', read, call);
	};
	return await readList(first, { entriesOf, after }, limit, call);
}
