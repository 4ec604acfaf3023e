import { crawlRequest, crawlStart } from '../../../../../nodes/WebData/resources/crawl/request';
import { accepted } from '../../../verdict.cjs';

const url = 'https://a.example/';

describe("a crawl's start", () => {
	it.each([
		[{}, 100],
		[{ limit: '' }, 100],
		[{ limit: 3 }, 3],
		[{ limit: '3' }, 3],
	])('of %j always has a limit', (rest, limit) => {
		expect(crawlStart(accepted(crawlRequest, { url, ...rest })).body).toEqual({ url, limit });
	});

	it('has a key in its header: its own, or a new one each', () => {
		const idempotencyKey = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
		const keyOf = (rest: object) => {
			const { headers, body, cost } = crawlStart(accepted(crawlRequest, { url, ...rest }));
			expect(cost).toBe('keyed start');
			expect(body).not.toHaveProperty('idempotencyKey');
			return headers?.['x-idempotency-key'];
		};

		expect(keyOf({ idempotencyKey })).toBe(idempotencyKey);
		expect(keyOf({})).not.toBe(keyOf({}));
	});
});
