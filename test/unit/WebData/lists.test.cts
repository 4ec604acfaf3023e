import { NodeApiError, type IHttpRequestOptions, type ILoadOptionsFunctions } from 'n8n-workflow';
import { searchMonitors, searchSessions } from '../../../nodes/WebData/methods';
import { node } from '../schemaAssertions.cjs';

/** The editor's context, whose requests get these bodies in turn, each after so many milliseconds. */
function editor(bodies: unknown[], { statusCode = 200, after = 0 } = {}) {
	const asked: IHttpRequestOptions[] = [];
	const context = {
		getNode: () => node,
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://api.example', apiKey: 'fc-secret-key' }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => {
				asked.push(options);
				if (after > 0) jest.advanceTimersByTime(after);
				const body = bodies[asked.length - 1];
				return await Promise.resolve({ statusCode, body, headers: {} });
			},
		},
	} as unknown as ILoadOptionsFunctions;
	const queries = () => asked.map(({ method, url, qs }) => [method, url, qs]);
	return { asked, context, queries };
}

const monitors = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({
		id: `id-${from + index}`,
		name: `Monitor ${from + index}`,
		status: 'active',
	}));
const list = (data: unknown) => ({ success: true, data });
/** More than anybody has. */
const pages = Array.from({ length: 40 }, (_, page) => list(monitors(100, page * 100)));

describe('the list of monitors', () => {
	it('has an end where the account has none: ten pages, of which 500 are shown', async () => {
		const { asked, context } = editor(pages);
		expect((await searchMonitors(context)).results).toHaveLength(500);
		expect(asked).toHaveLength(10);
	});

	it('ends after ten seconds', async () => {
		jest.useFakeTimers();
		const { asked, context } = editor(pages, { after: 4_000 });
		expect((await searchMonitors(context)).results).toHaveLength(300);
		expect(asked).toHaveLength(3);
		jest.useRealTimers();
	});

	it('says which are paused, leaves out deleted ones, and shows nothing that could be an expression', async () => {
		const secret = '={{ $json.secret }}';
		const there = [
			{ id: secret, name: 'A', status: 'active' },
			{ id: 5, name: 'B', status: 'active' },
			{ id: 'a', name: ` ${secret}\r\nx`, status: 'paused' },
			{ id: 'b', name: '=', status: 'active' },
			{ id: 'c', name: 'Docs', status: 'deleted' },
		];
		const { results } = await searchMonitors(editor([list(there)]).context);
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
		const { results } = await searchMonitors(editor([list(monitors(12))]).context, filter);
		expect(results.map(({ value }) => value)).toEqual(ids);
	});

	it("fails with the service's words, without the key", async () => {
		const body = { success: false, error: 'No scope for fc-secret-key' };
		const { context } = editor([body], { statusCode: 403 });
		const outcome: unknown = await searchMonitors(context).catch((error: unknown) => error);
		expect(outcome).toBeInstanceOf(NodeApiError);
		expect(outcome).toMatchObject({
			message: expect.stringMatching(/^No scope for \*\*\* \(HTTP 403\)/),
		});
	});
});

it('the list of browser sessions shows the open ones by ID and start', async () => {
	const sessions = [
		{ id: 's1', status: 'active', createdAt: '2026-11-21T12:00:00Z' },
		{ id: 's2', status: 'active', createdAt: '={{ $json.secret }}' },
		{ id: '../team', status: 'active' },
	];
	const { context, queries } = editor([{ success: true, sessions }]);
	expect((await searchSessions(context)).results).toEqual([
		{ name: 's1 (since 2026-11-21T12:00:00Z)', value: 's1' },
		{ name: 's2 (since {{ $json.secret }})', value: 's2' },
	]);
	expect(queries()).toEqual([['GET', '/interact', { status: 'active' }]]);
});
