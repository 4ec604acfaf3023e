import type { IDataObject } from 'n8n-workflow';
import { byCursor, readList } from '../../../../../nodes/runtime/http/paging';
import { recordedCall } from '../../../calls.cjs';
import { asRequest } from '../../../requests.cjs';

const first = asRequest({ method: 'GET', path: '/list', query: { limit: 2 } });
const entriesOf = ({ data }: IDataObject) => (Array.isArray(data) ? data : []);

const all = Infinity;

/** A page of one entry, as far as it says how the list goes on. */
const page = (cursor?: string, more?: boolean): IDataObject => ({
	data: [1],
	...(cursor !== undefined && { cursor }),
	...(more !== undefined && { has_more: more }),
});

/** Reads against these answers: the entries, and the cursors that were asked for. */
async function read(limit: number, ...bodies: IDataObject[]) {
	const call = recordedCall(...bodies);
	const entries = await readList(first, { entriesOf, next: byCursor(first) }, limit, call);
	return { entries, cursors: call.sent.map(({ query }) => query?.cursor) };
}

describe('a list that is read by cursor', () => {
	it.each<[string, number, IDataObject[], unknown[], unknown[]]>([
		['says that it has no more', all, [page('a', false)], [1], [undefined]],
		['names no cursor and no more', all, [page()], [1], [undefined]],
		[
			'has an empty page',
			all,
			[page('a', true), { ...page('b', true), data: [] }],
			[1],
			[undefined, 'a'],
		],
		[
			'has reached the limit, though it goes on somewhere',
			2,
			[{ data: [1, 2, 3], has_more: true }],
			[1, 2],
			[undefined],
		],
		[
			'only names the next cursor',
			all,
			[page('a'), { data: [2], cursor: null }],
			[1, 2],
			[undefined, 'a'],
		],
	])('ends when it %s', async (_, limit, bodies, entries, cursors) => {
		expect(await read(limit, ...bodies)).toEqual({ entries, cursors });
	});

	it.each<[string, IDataObject[], string]>([
		[
			'no place to go on',
			[page(undefined, true)],
			'The server reports more results, but no next page [item 0]',
		],
		[
			'the place it has just come from',
			[page('a', true), { ...page('a', true), data: [2] }],
			'The server returned the same next page again [item 0]',
		],
	])('is an error rather than short when it names %s', async (_, bodies, message) => {
		await expect(read(Infinity, ...bodies)).rejects.toThrow(message);
	});
});
