import type { IDataObject } from 'n8n-workflow';
import type { Request } from '../http/client';
import type { Reader } from '../operation/operation';
import { asRecord } from '../output/results';
import { memberOf } from '../values/record';
import { readList, type Bounds } from './readList';
import { requireArray } from './requireArray';

/** Most entries that the service puts on one page (https://docs.firecrawl.dev/features/monitoring). */
export const longestPage = 100;

/**
 * Reads the list under `data`, page by page by `limit` and `offset`, up to `limit` entries. Each entry comes
 * out once, though a list that grows while it is read shows some twice; a page of nothing but known entries
 * is the end.
 * @throws NodeOperationError when a page has no list: a shorter one would look whole
 */
export async function readByOffset(
	first: Request,
	limit: number,
	call: Reader,
	bounds?: Bounds,
): Promise<IDataObject[]> {
	const known = new Set<unknown>();
	let offset = 0;
	const pageAt = (read: number): Request => ({
		...first,
		query: { ...first.query, limit: Math.min(longestPage, limit - read), offset },
	});
	const listIn = ({ data }: IDataObject) => requireArray(data, call.errorSource);
	const isNew = (entry: unknown) => {
		const key = memberOf(entry, 'id') ?? entry;
		const isNew = !known.has(key);
		known.add(key);
		return isNew;
	};
	return await readList(
		pageAt(0),
		{
			entriesOf: (body) => listIn(body).filter(isNew).map(asRecord),
			after(body, { query }, read) {
				const { length } = listIn(body);
				offset += length;
				return length < Number(query?.limit) ? undefined : pageAt(read);
			},
		},
		limit,
		call,
		bounds,
	);
}
