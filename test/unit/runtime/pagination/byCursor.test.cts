import type { IDataObject } from 'n8n-workflow';
import { readPagesByCursor } from '../../../../nodes/runtime/pagination/byCursor';
import { recordedCall } from '../../calls.cjs';

const first = { method: 'GET', path: '/list', query: { limit: 2 }, retrySafety: 'safe' } as const;
const entriesOf = ({ data }: IDataObject) => (Array.isArray(data) ? data : []);

/** Reads against these answers: the entries, and the cursors that were asked for. */
async function read(limit: number, ...bodies: IDataObject[]) {
	const call = recordedCall(...bodies);
	const entries = await readPagesByCursor(first, entriesOf, limit, call);
	return { entries, cursors: call.sent.map(({ query }) => query?.cursor) };
}

describe('a list that is read by cursor', () => {
	it.each<[string, number, IDataObject[], unknown[], unknown[]]>([
		[
			'says that it has no more',
			Infinity,
			[{ data: [1], cursor: 'a', has_more: false }],
			[1],
			[undefined],
		],
		['names no cursor and no more', Infinity, [{ data: [1] }], [1], [undefined]],
		[
			'has an empty page',
			Infinity,
			[
				{ data: [1], cursor: 'a', has_more: true },
				{ data: [], cursor: 'b', has_more: true },
			],
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
			Infinity,
			[
				{ data: [1], cursor: 'a' },
				{ data: [2], cursor: null },
			],
			[1, 2],
			[undefined, 'a'],
		],
	])('ends when it %s', async (_, limit, bodies, entries, cursors) => {
		expect(await read(limit, ...bodies)).toEqual({ entries, cursors });
	});

	it.each<[string, IDataObject[]]>([
		['no place to go on', [{ data: [1], has_more: true }]],
		[
			'the place it has just come from',
			[
				{ data: [1], cursor: 'a', has_more: true },
				{ data: [2], cursor: 'a', has_more: true },
			],
		],
	])('is an error rather than short when it names %s', async (_, bodies) => {
		await expect(read(Infinity, ...bodies)).rejects.toThrow(
			'The service says that there are more results, but not where [item 0]',
		);
	});
});
