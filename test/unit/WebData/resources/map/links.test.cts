import { get } from '../../../../../nodes/WebData/resources/map/get';
import { perform, requestOf } from '../../../calls.cjs';

const url = 'https://a.example';

describe('the links of a map', () => {
	it.each<[string, unknown, object[]]>([
		['objects', [{ url, title: 'A' }], [{ url, title: 'A', position: 1 }]],
		[
			'bare addresses',
			[url, `${url}/b`],
			[
				{ url, position: 1 },
				{ url: `${url}/b`, position: 2 },
			],
		],
		[
			'both at once',
			[url, { url }],
			[
				{ url, position: 1 },
				{ url, position: 2 },
			],
		],
		[
			'a title of the name that the node uses',
			[{ url, position: 'left' }],
			[{ url, position: 1, original: { position: 'left' } }],
		],
	])('are items: %s', async (_, links, items) => {
		const { call, results } = await perform(get, { url }, {
			success: true,
			id: 'x',
			links,
		} as never);
		expect(results.map(({ json }) => json)).toEqual(
			items.map((item) => ({ ...item, request: { id: 'x' } })),
		);
		expect(call.notices).toEqual([]);
	});

	it('that are none are said to be none', async () => {
		const { call, results } = await perform(get, { url }, { success: true, links: [] });
		expect(results).toEqual([]);
		expect(call.notices).toEqual([expect.stringMatching(/no address/)]);
	});

	it('leave their timeout to the service, with time to spare for its answer', async () => {
		const { call } = await perform(
			get,
			{ url, additionalFields: { timeout: 5000 } },
			{ links: [url] },
		);
		expect(call.sent).toMatchObject([
			{
				path: '/map',
				serviceTimeout: 5000,
				retrySafety: 'mayChargeTwice',
				body: { url, timeout: 5000 },
			},
		]);
	});
});

it('a map asks for as many as there can be when all are wanted, also by expression', () => {
	for (const returnAll of [true, 'true']) {
		expect(requestOf(get, { url, returnAll, limit: 7 })).toEqual({ url, limit: 100_000 });
	}
});
