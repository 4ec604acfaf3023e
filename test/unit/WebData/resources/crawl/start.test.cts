import { retrySafetyOf } from '../../../../../nodes/runtime/http/client';
import { crawlStart } from '../../../../../nodes/WebData/documents/crawl';
import { crawlRequest } from '../../../../../nodes/WebData/resources/crawl';
import { accepted } from '../../../schemaAssertions.cjs';

const url = 'https://a.example/';
const start = (rest: object, isHosted: boolean) =>
	crawlStart(accepted(crawlRequest.schema, { url, ...rest }), isHosted);

describe("a crawl's start", () => {
	it.each([
		[{}, 100],
		[{ limit: '' }, 100],
		[{ limit: 3 }, 3],
		[{ limit: '3' }, 3],
	])('of %j always has a limit', (rest, limit) => {
		expect(start(rest, true).body).toEqual({ url, limit });
	});

	const keyOf = (headers?: Record<string, string>) => headers?.['x-idempotency-key'];

	it('has a key of its own making for the hosted service, and another for each repeat that needs one', () => {
		const { headers, freshHeaders, retrySafety, body } = start({}, true);

		expect(retrySafety).toBe('idempotencyKey');
		expect(keyOf(headers)).toMatch(/^[0-9a-f-]{36}$/);
		expect(keyOf(freshHeaders?.())).not.toBe(keyOf(headers));
		expect(keyOf(start({}, true).headers)).not.toBe(keyOf(headers));
		expect(body).not.toHaveProperty('idempotencyKey');
	});

	it('has no key for another server, which then knows no repeat', () => {
		const request = start({}, false);
		const { headers, freshHeaders } = request;

		expect([headers, freshHeaders]).toEqual([undefined, undefined]);
		expect(retrySafetyOf(request)).toBe('mayStartTwice');
	});
});
