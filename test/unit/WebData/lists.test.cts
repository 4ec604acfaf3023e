import { NodeApiError, type IHttpRequestOptions, type ILoadOptionsFunctions } from 'n8n-workflow';
import { searchMonitors, searchSessions } from '../../../nodes/WebData/methods';
import { node } from '../schemaAssertions.cjs';

/** An answer of the service: its status and its body. */
type Answer = [number, unknown];

/** The editor's context, whose requests get these answers in turn. */
function editor(...answers: Answer[]) {
	const asked: IHttpRequestOptions[] = [];
	const context = {
		getNode: () => node,
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://api.example', apiKey: 'fc-secret-key' }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => {
				asked.push(options);
				const [statusCode, body] = answers[asked.length - 1];
				return await Promise.resolve({ statusCode, body, headers: {} });
			},
		},
	} as unknown as ILoadOptionsFunctions;
	return { asked, context };
}

const monitors = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({
		id: `id-${from + index}`,
		name: `Monitor ${from + index}`,
		status: 'active',
	}));
const list = (data: unknown): [number, unknown] => [200, { success: true, data }];

describe('the list of monitors', () => {
	it('shows those that are there, page by page', async () => {
		const { asked, context } = editor(list(monitors(100)), list(monitors(2, 100)));
		const { results, paginationToken } = await searchMonitors(context);
		expect(results).toHaveLength(102);
		expect([results.at(0), results.at(-1)]).toEqual([
			{ name: 'Monitor 0', value: 'id-0' },
			{ name: 'Monitor 101', value: 'id-101' },
		]);
		expect(paginationToken).toBeUndefined();
		expect(asked.map(({ method, url, qs }) => [method, url, qs])).toEqual([
			['GET', '/monitor', { limit: 100, offset: 0 }],
			['GET', '/monitor', { limit: 100, offset: 100 }],
		]);
	});

	it('has an end where the account has none: ten pages, of which 500 are shown', async () => {
		const pages = Array.from({ length: 40 }, (_, page) => list(monitors(100, page * 100)));
		const { asked, context } = editor(...pages);
		expect((await searchMonitors(context)).results).toHaveLength(500);
		expect(asked).toHaveLength(10);
	});

	it('finds by name among all that it reads', async () => {
		const pages = Array.from({ length: 40 }, (_, page) => list(monitors(100, page * 100)));
		const { context } = editor(...pages);
		const { results } = await searchMonitors(context, 'monitor 99');
		expect(results.map(({ value }) => value)).toContain('id-999');
	});

	it('ends after ten seconds', async () => {
		jest.useFakeTimers();
		const pages = Array.from({ length: 40 }, (_, page) => list(monitors(100, page * 100)));
		const { asked, context } = editor(...pages);
		const { helpers } = context;
		const send = helpers.httpRequestWithAuthentication;
		helpers.httpRequestWithAuthentication = async function (...given) {
			jest.advanceTimersByTime(4_000);
			return (await send.apply(this, given)) as unknown;
		};
		expect((await searchMonitors(context)).results).toHaveLength(300);
		expect(asked).toHaveLength(3);
		jest.useRealTimers();
	});

	it('says which are paused and leaves out deleted ones', async () => {
		const paused = { id: 'a', name: 'Prices', status: 'paused' };
		const deleted = { id: 'b', name: 'Docs', status: 'deleted' };
		const { context } = editor(list([paused, deleted]));
		const { results } = await searchMonitors(context);
		expect(results).toEqual([{ name: 'Prices (paused)', value: 'a' }]);
	});

	it('shows no ID that is not plain, and no name that is an expression', async () => {
		const secret = '={{ $json.secret }}';
		const there = [
			{ id: secret, name: 'A', status: 'active' },
			{ id: 5, name: 'B', status: 'active' },
			{ id: 'a', name: ` ${secret}\r\nx`, status: 'paused' },
			{ id: 'b', name: '=', status: 'active' },
		];
		const { context } = editor(list(there));
		const { results } = await searchMonitors(context);
		expect(results).toEqual([
			{ name: '{{ $json.secret }} x (paused)', value: 'a' },
			{ name: 'b', value: 'b' },
		]);
	});

	it.each([
		['MONITOR 1', ['id-1', 'id-10', 'id-11']],
		[' id-7 ', ['id-7']],
		['paused', []],
	])('finds %j by name or id', async (filter, ids) => {
		const { context } = editor(list(monitors(12)));
		const { results } = await searchMonitors(context, filter);
		expect(results.map(({ value }) => value)).toEqual(ids);
	});

	it("fails with the service's words, without the key", async () => {
		const { context } = editor([403, { success: false, error: 'No scope for fc-secret-key' }]);
		const outcome: unknown = await searchMonitors(context).catch((error: unknown) => error);
		expect(outcome).toBeInstanceOf(NodeApiError);
		expect(outcome).toMatchObject({
			message: expect.stringMatching(/^No scope for \*\*\* \(HTTP 403\)/),
		});
	});
});

describe('the list of browser sessions', () => {
	it('shows the open ones by ID and start', async () => {
		const sessions = [
			{ id: 's1', status: 'active', createdAt: '2026-11-21T12:00:00Z' },
			{ id: 's2', status: 'active', createdAt: '={{ $json.secret }}' },
			{ id: '../team', status: 'active' },
		];
		const { asked, context } = editor([200, { success: true, sessions }]);

		expect((await searchSessions(context)).results).toEqual([
			{ name: 's1 (since 2026-11-21T12:00:00Z)', value: 's1' },
			{ name: 's2 (since {{ $json.secret }})', value: 's2' },
		]);
		expect(asked.map(({ method, url, qs }) => [method, url, qs])).toEqual([
			['GET', '/interact', { status: 'active' }],
		]);
	});
});
