import type { IDataObject } from 'n8n-workflow';
import { requireArray } from './requireArray';
import type { Request } from '../http/client';
import type { Reader } from '../operation/operation';
import { memberOf } from '../values/record';
import { asRecord } from '../output/results';

/** Most entries that the service puts on one page (https://docs.firecrawl.dev/features/monitoring). */
export const longestPage = 100;

/**
 * Reads the list under `data`, page by page by `limit` and `offset`, until `limit` entries are there
 * or none is left. Each entry comes out once, though a list that grows while it is read shows some
 * twice; a page of nothing but known entries is the end. A page that cannot be read is an error: a
 * shorter list would look whole.
 */
export async function readByOffset(
	first: Request,
	limit: number,
	call: Reader,
): Promise<IDataObject[]> {
	const known = new Map<unknown, IDataObject>();
	for (let offset = 0; known.size < limit; ) {
		const size = Math.min(longestPage, limit - known.size);
		const query = { ...first.query, limit: size, offset };
		const page = requireArray(
			memberOf((await call.send({ ...first, query })).body, 'data'),
			call.errorSource,
		);
		const before = known.size;
		for (const entry of page) known.set(memberOf(entry, 'id') ?? entry, asRecord(entry));
		if (page.length < size || known.size === before) break;
		offset += page.length;
	}
	return [...known.values()].slice(0, limit);
}
