import type { IDataObject } from 'n8n-workflow';
import { byUrl, nextPath, readList } from '../../../../../nodes/runtime/http/paging';
import { recordedCall } from '../../../calls.cjs';
import { asRequest } from '../../../requests.cjs';

describe('the path of the next page', () => {
	it.each([
		['https://api.firecrawl.dev/v2/agent?before=17', '/agent?before=17'],
		['http://localhost:3002/v2/crawl/1?skip=10&limit=5', '/crawl/1?skip=10&limit=5'],
		['https://evil.example/v2/agent?before=1', '/agent?before=1'],
		['https://api.example.com/web-data/v2/agent?before=1', '/agent?before=1'],
		['https://api.example.com/v2/proxy/v2/agent?before=1', '/agent?before=1'],
		['//evil.example/v2/agent?before=1', '/agent?before=1'],
		['/v2/agent?before=1', '/agent?before=1'],
		['https://user:pass@evil.example/v2/agent', '/agent'],
		['https://api.example.com/v2/agent?q=a%20b&url=https%3A%2F%2Fx.example', undefined],
		['https://api.example.com/v2/agent?before=1#part', '/agent?before=1'],
		['https://api.example.com/v2/../v2/agent', '/agent'],
		// Behind a proxy that takes the API's prefix away, or puts its own there.
		['https://api.example.com/agent?before=1', '/agent?before=1'],
		['http://firecrawl:3002/internal/api/agent?before=1', '/agent?before=1'],
	])('%s', (next, path = '/agent?q=a%20b&url=https%3A%2F%2Fx.example') => {
		const [list] = path.split('?');
		expect(nextPath(next, list)).toBe(path);
	});

	it.each([
		[undefined],
		[null],
		[''],
		[5],
		[{}],
		['https://api.example.com/v1/agent'],
		['https://api.example.com/v1/web/agent'],
		['https://api.example.com/v2/team/agent'],
		['https://api.example.com/my-agent'],
		['https://api.example.com/v20/agent'],
		['https://api.example.com/'],
		['?before=1'],
		['http://'],
		['javascript:alert(1)'],
		['file:///v2/agent/x'],
		['https://api.example.com/v2/team/credit-usage'],
		['https://api.example.com/v2/agent/../monitor'],
		['https://api.example.com/v2/agent/'],
		['https://api.example.com/v2//evil.example/agent'],
		['https://api.example.com/v2/https://evil.example'],
	])('%j is none', (next) => {
		expect(nextPath(next, '/agent')).toBeUndefined();
	});
});

describe('reading pages', () => {
	const first = asRequest({ method: 'GET', path: '/agent', query: { before: 9 } });
	const page = (ids: number[], next?: unknown): IDataObject => ({
		success: true,
		agents: ids,
		...(next !== undefined && { next: next as string }),
	});
	const entriesOf = ({ agents }: IDataObject) => agents as number[];
	const list = { entriesOf, next: byUrl(first) };

	it('reads a page of any length', async () => {
		const agents = Array.from({ length: 500_000 }, (_, index) => index);
		const entries = await readList(first, list, Infinity, recordedCall(page(agents)));
		expect(entries).toHaveLength(agents.length);
	});

	it('goes on to the last page, with the query of each', async () => {
		const call = recordedCall(
			page([1, 2], 'https://elsewhere.example/v2/agent?before=2'),
			page([3], '/v2/agent?before=3'),
			page([4]),
		);
		expect(await readList(first, list, Infinity, call)).toEqual([1, 2, 3, 4]);
		expect(call.sent.map(({ path, query, retrySafety }) => [path, query, retrySafety])).toEqual([
			['/agent', { before: 9 }, 'free'],
			['/agent?before=2', undefined, 'free'],
			['/agent?before=3', undefined, 'free'],
		]);
	});

	it('takes no page that the limit does not need', async () => {
		const call = recordedCall(
			page([1, 2], '/v2/agent?before=2'),
			page([3, 4], '/v2/agent?before=4'),
		);
		expect(await readList(first, list, 3, call)).toEqual([1, 2, 3]);
		const exact = recordedCall(page([1, 2], '/v2/agent?before=2'));
		expect(await readList(first, list, 2, exact)).toEqual([1, 2]);
		expect([call.sent.length, exact.sent.length]).toEqual([2, 1]);
	});

	it('fails with a page that cannot be read: a shorter list would look whole', async () => {
		const broken = new Error('Bad Gateway (HTTP 502)');
		const call = recordedCall(page([1, 2], '/v2/agent?before=2'), broken);
		await expect(readList(first, list, Infinity, call)).rejects.toBe(broken);
	});

	it('is content with an empty first page', async () => {
		expect(await readList(first, list, 10, recordedCall(page([])))).toEqual([]);
	});

	// While a job runs, `next` may lead from empty page to empty page.
	it('ends when a page brings nothing, though it names a next one', async () => {
		const call = recordedCall(page([1], '/v2/agent?before=1'), page([], '/v2/agent?before=1'));
		expect(await readList(first, list, Infinity, call)).toEqual([1]);
	});

	it('fails when the next page has an address that cannot be followed', async () => {
		const call = recordedCall(page([1], 'https://api.example.com/agent?before=1'));
		await expect(readList(first, list, Infinity, call)).rejects.toThrow();
	});

	it('fails when a page names itself as the next one', async () => {
		const again = page([1], '/v2/agent?before=1');
		const call = recordedCall(again, again, again);
		await expect(readList(first, list, Infinity, call)).rejects.toThrow(
			/^The server returned the same next page again/,
		);
		expect(call.sent).toHaveLength(2);
	});
});
