import type { IDataObject } from 'n8n-workflow';
import {
	byUrl,
	nextPath,
	readByOffset,
	readList,
	type Sender,
} from '../../../../nodes/runtime/http/paging';
import { recordedCall } from '../../calls.cjs';
import { asRequest } from '../../requests.cjs';
import { errorSource } from '../../schemaAssertions.cjs';

const entriesOf = ({ data }: IDataObject) => (Array.isArray(data) ? data : []);
const entries = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ id: `id-${from + index}` }));

describe('The path of the next page', () => {
	it.each([
		['https://api.firecrawl.dev/v2/agent?before=17', '/agent?before=17'],
		['http://localhost:3002/v2/crawl/1?skip=10&limit=5', '/crawl/1?skip=10&limit=5'],
		['https://user:pass@evil.example/v2/agent', '/agent'],
		['https://api.example.com/v2/proxy/v2/agent?before=1#part', '/agent?before=1'],
		['//evil.example/v2/agent?before=1', '/agent?before=1'],
		['/v2/agent?before=1', '/agent?before=1'],
		['/v2/agent?q=a%20b&url=https%3A%2F%2Fx.example', '/agent?q=a%20b&url=https%3A%2F%2Fx.example'],
		['https://api.example.com/v2/../v2/agent', '/agent'],
		// Behind a proxy that removes the API's prefix, or has its own.
		['https://api.example.com/agent?before=1', '/agent?before=1'],
		['http://firecrawl:3002/internal/api/agent?before=1', '/agent?before=1'],
	])('of %s stays on the API', (next, path) => {
		expect(nextPath(next, path.split('?')[0])).toBe(path);
	});

	it.each([
		[undefined],
		[''],
		[5],
		['https://api.example.com/v1/web/agent'],
		['https://api.example.com/v2/team/agent'],
		['https://api.example.com/my-agent'],
		['https://api.example.com/v20/agent'],
		['?before=1'],
		['http://'],
		['javascript:alert(1)'],
		['https://api.example.com/v2/agent/../monitor'],
		['https://api.example.com/v2//evil.example/agent'],
		['https://api.example.com/v2/https://evil.example'],
	])('of %j is none', (next) => {
		expect(nextPath(next, '/agent')).toBeUndefined();
	});
});

describe('A list by URL', () => {
	const first = asRequest({ method: 'GET', path: '/agent', query: { before: 9 } });
	const page = (data: unknown[], rest: IDataObject = {}): IDataObject =>
		({ data, ...rest }) as IDataObject;
	const before = (id: number) => ({ next: `https://elsewhere.example/v2/agent?before=${id}` });

	/** Reads against these responses: the entries, and what was requested. */
	const read = async (limit: number, ...bodies: Array<IDataObject | Error>) => {
		const call = recordedCall(...bodies);
		const list = await readList(first, { entriesOf, next: byUrl(first) }, limit, call);
		return [list, ...call.sent.map(({ path, query }) => [path, query?.before])];
	};
	const begin = ['/agent', 9];

	it.each<[string, number, IDataObject[], unknown[]]>([
		[
			'it has no next page',
			Infinity,
			[page([1, 2], before(2)), page([3], before(3)), page([4])],
			[[1, 2, 3, 4], begin, ['/agent?before=2', undefined], ['/agent?before=3', undefined]],
		],
		['it has the entries', 2, [page([1, 2, 3], before(3))], [[1, 2], begin]],
		['the first page is empty', 9, [page([])], [[], begin]],
		[
			'a page is empty, though it names a next one',
			Infinity,
			[page([1], before(1)), page([], before(1))],
			[[1], begin, ['/agent?before=1', undefined]],
		],
	])('ends if %s', async (_, limit, bodies, expected) => {
		expect(await read(limit, ...bodies)).toEqual(expected);
	});

	const again = 'The server returned the same next page again';

	it.each<[string, Array<IDataObject | Error>]>([
		['Bad Gateway', [page([1], before(2)), new Error('Bad Gateway')]],
		[
			'The server returned a next page that is not a URL of its API',
			[page([1], { next: '/v1/other' })],
		],
		[again, [page([1], before(1)), page([1], before(1))]],
	])('is an error rather than short: %s', async (message, bodies) => {
		await expect(read(Infinity, ...bodies)).rejects.toThrow(message);
	});

	it('may have pages of any length', async () => {
		const [list] = await read(Infinity, page(Array.from({ length: 500_000 }, () => 1)));
		expect(list).toHaveLength(500_000);
	});
});

describe('A list by offset', () => {
	const first = asRequest({
		method: 'GET',
		path: '/monitor/1/checks',
		query: { status: 'failed' },
	});
	const read = async (limit: number, ...pages: unknown[]) => {
		const call = recordedCall(...pages.map((data) => ({ success: true, data }) as IDataObject));
		const list = await readByOffset(first, limit, call);
		return [list, ...call.sent.map(({ query }) => [query?.status, query?.limit, query?.offset])];
	};

	it.each<[string, number, unknown[], unknown[]]>([
		[
			'goes on until a page is not full',
			Infinity,
			[entries(100), entries(7, 100)],
			[entries(107), ['failed', 100, 0], ['failed', 100, 100]],
		],
		[
			'requests no more than the limit',
			130,
			[entries(100), entries(30, 100)],
			[entries(130), ['failed', 100, 0], ['failed', 30, 100]],
		],
		['is cut if a server knows no limit', 2, [entries(9)], [entries(2), ['failed', 2, 0]]],
		[
			'keeps entries without ID',
			5,
			[[{ a: 1 }, { a: 1 }]],
			[
				[{ a: 1 }, { a: 1 }],
				['failed', 5, 0],
			],
		],
		[
			'has each entry once if it grows meanwhile',
			Infinity,
			[entries(100), entries(100, 99), entries(5, 199)],
			[entries(204), ['failed', 100, 0], ['failed', 100, 100], ['failed', 100, 200]],
		],
		[
			'ends with a page of known entries',
			Infinity,
			[entries(100), entries(100)],
			[entries(100), ['failed', 100, 0], ['failed', 100, 100]],
		],
	])('%s', async (_, limit, pages, expected) => {
		expect(await read(limit, ...pages)).toEqual(expected);
	});

	it('is an error rather than short if a page has no list', async () => {
		await expect(read(5, undefined)).rejects.toThrow('The response lacks a list');
	});
});

describe('A list without end', () => {
	afterEach(() => jest.useRealTimers());
	const first = asRequest({ method: 'GET', path: '/list' });

	/** A sender of endless pages, which take some time each. */
	const endless = (milliseconds = 0) => {
		const sender = {
			count: 0,
			errorSource: errorSource(),
			send: async () => {
				if (milliseconds > 0) jest.advanceTimersByTime(milliseconds);
				const page = (sender.count += 1);
				const body = { data: entries(100, page * 100), next: `/v2/list?page=${page}` };
				return await Promise.resolve({ status: 200, headers: {}, body });
			},
		};
		return sender;
	};

	it.each<[string, (limit: number, sender: Sender) => Promise<unknown[]>]>([
		[
			'next',
			async (limit, sender) =>
				await readList(first, { entriesOf, next: byUrl(first) }, limit, sender),
		],
		['offset', async (limit, sender) => await readByOffset(first, limit, sender)],
	])('is read up to the limit, 1,000 pages or an hour: by %s', async (_, read) => {
		const sender = endless();
		expect(await read(250, sender)).toHaveLength(250);
		expect(sender.count).toBe(3);
		expect(await read(100_000, endless())).toHaveLength(100_000);
		await expect(read(Infinity, endless())).rejects.toThrow(
			/^The list has no end: 1000 pages with 100000 results were fetched/,
		);
		jest.useFakeTimers();
		await expect(read(Infinity, endless(60_000))).rejects.toThrow(/^The list has no end: 60 pages/);
	});
});
