import type { IDataObject } from 'n8n-workflow';
import { get } from '../../../../nodes/WebData/resources/map';
import { perform, requestOf } from '../../calls.cjs';

const url = 'https://a.example';

describe('the links of a map', () => {
	it.each<[string, Array<string | IDataObject>, object[]]>([
		['objects', [{ url, title: 'A' }], [{ url, title: 'A' }]],
		['bare addresses', [url, `${url}/b`], [{ url }, { url: `${url}/b` }]],
		['both at once', [url, { url }], [{ url }, { url }]],
		[
			'a title of the name that the node uses',
			[{ url, position: 'left' }],
			[{ url, original: { position: 'left' } }],
		],
	])('are items, with their position: %s', async (_, links, items) => {
		const { call, results } = await perform(get, { url }, { success: true, id: 'x', links });
		const request = { id: 'x' };
		expect(results.map(({ json }) => json)).toEqual(
			items.map((item, index) => ({ ...item, position: index + 1, request })),
		);
		expect(call.notices).toEqual([]);
	});

	it('that are none are said to be none', async () => {
		const { call, results } = await perform(get, { url }, { success: true, links: [] });
		expect(results).toEqual([]);
		expect(call.notices).toEqual([expect.stringMatching(/no URLs/)]);
	});

	it('leave their timeout to the service, with time to spare for its answer', async () => {
		const parameters = { url, additionalFields: { timeout: 5000 } };
		const { call } = await perform(get, parameters, { links: [url] });
		const body = { url, timeout: 5000 };
		expect(call.sent).toMatchObject([
			{ path: '/map', serviceTimeout: 5000, retrySafety: 'mayChargeTwice', body },
		]);
	});
});

it('a map asks for as many as there can be when all are wanted, also by expression', () => {
	for (const returnAll of [true, 'true']) {
		expect(requestOf(get, { url, returnAll, limit: 7 })).toEqual({ url, limit: 100_000 });
	}
});
