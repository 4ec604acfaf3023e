import { failureResults, invalidResults } from '../../../../nodes/WebData/documents/failures';
import { recordedCall } from '../../calls.cjs';

const failed = { id: 'e1', url: 'https://a.example/', code: 'SCRAPE_TIMEOUT', error: 'Too slow' };

describe('pages that could not be read', () => {
	it.each([
		['at the top', { errors: [failed], robotsBlocked: ['https://b.example/'] }],
		['in data', { data: { errors: [failed], robotsBlocked: ['https://b.example/'] } }],
	])('are one result each: %s', async (_name, body) => {
		const call = recordedCall(body);

		const results = await failureResults('/crawl/1', 'j1', call);

		expect(call.sent).toMatchObject([{ method: 'GET', path: '/crawl/1/errors', cost: 'read' }]);
		expect(results.map(({ json }) => json)).toEqual([
			{ ...failed, jobId: 'j1', failed: 'error' },
			{
				url: 'https://b.example/',
				jobId: 'j1',
				failed: 'robots',
				error: "The site's robots.txt does not allow it",
			},
		]);
	});

	it.each([[{}], [{ errors: null, robotsBlocked: 'none' }], [{ data: [] }]])(
		'are none in %j',
		async (body) => {
			expect(await failureResults('/crawl/1', 'j1', recordedCall(body))).toEqual([]);
		},
	);

	it('are those that the start left out', () => {
		expect(invalidResults(['nohost', 7], 'j1').map(({ json }) => json)).toEqual([
			expect.objectContaining({ url: 'nohost', jobId: 'j1', failed: 'invalid' }),
			expect.objectContaining({ url: '7', failed: 'invalid' }),
		]);
		expect(invalidResults(undefined, 'j1')).toEqual([]);
	});
});
