import type { IDataObject } from 'n8n-workflow';
import type { Request } from '../http/client';
import { isUnset } from '../schema/schema';
import { operationError } from '../errors/errors';
import type { Call } from '../operation/operation';
import { asRecord } from '../output/results';

/**
 * Reads the pages of a list until `limit` entries are there or none is left; each page names the next
 * by its `cursor`, and `has_more` says whether there is one. An empty page is the end.
 * @throws NodeOperationError when the list cannot be read on: a shorter one would look whole
 */
export async function readPagesByCursor<Entry>(
	first: Request,
	entriesOf: (body: IDataObject) => Entry[],
	limit: number,
	call: Call,
): Promise<Entry[]> {
	const entries: Entry[] = [];
	let request: Request | undefined = first;
	let reached: unknown;
	while (request) {
		const body = asRecord((await call.send(request)).body);
		const page = entriesOf(body);
		for (const entry of page) entries.push(entry);
		const { cursor, has_more: hasMore } = body;
		const isLast = hasMore === false || (hasMore === undefined && isUnset(cursor));
		const isEnd = isLast || page.length === 0 || entries.length >= limit;
		if (!isEnd && (isUnset(cursor) || cursor === reached)) {
			throw operationError(
				'The service says that there are more results, but not where',
				`Set 'Limit' to ${entries.length} or less to get what stands on the pages before.`,
				call.errorSource,
			);
		}
		reached = cursor;
		request = isEnd ? undefined : { ...first, query: { ...first.query, cursor } };
	}
	return entries.slice(0, limit);
}
