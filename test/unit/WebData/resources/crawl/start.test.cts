import { retrySafetyOf } from '../../../../../nodes/runtime/http/client';
import { crawlStart } from '../../../../../nodes/WebData/documents/crawlStart';
import { crawlRequest } from '../../../../../nodes/WebData/resources/crawl/request';
import { accepted, refusals } from '../../../schemaAssertions.cjs';

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

	const own = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
	const keyOf = (headers?: Record<string, string>) => headers?.['x-idempotency-key'];

	it('has a key of its own making for the hosted service, and another for each repeat that needs one', () => {
		const { headers, freshHeaders, retrySafety, body } = start({}, true);

		expect(retrySafety).toBe('idempotencyKey');
		expect(keyOf(headers)).toMatch(/^[0-9a-f-]{36}$/);
		expect(keyOf(freshHeaders?.())).not.toBe(keyOf(headers));
		expect(keyOf(start({}, true).headers)).not.toBe(keyOf(headers));
		expect(body).not.toHaveProperty('idempotencyKey');
	});

	it("has the user's key wherever it goes, which is never replaced", () => {
		for (const isHosted of [true, false]) {
			const { headers, freshHeaders, body } = start({ idempotencyKey: own }, isHosted);
			expect([keyOf(headers), keyOf(freshHeaders?.())]).toEqual([own, own]);
			expect(body).not.toHaveProperty('idempotencyKey');
		}
	});

	it('has no key for another server, which then knows no repeat', () => {
		const request = start({}, false);
		const { headers, freshHeaders } = request;

		expect([headers, freshHeaders]).toEqual([undefined, undefined]);
		expect(retrySafetyOf(request)).toBe('mayStartTwice');
		expect(retrySafetyOf(start({ idempotencyKey: own }, false))).toBe('mayStartTwice');
	});

	it.each([
		'again',
		'7c9e6679-7425-40de-944b-e07fc1f90aex',
		'7c9e6679-7425-00de-944b-e07fc1f90ae7',
		'7c9e6679-7425-40de-c44b-e07fc1f90ae7',
	])('refuses the key %s, which the service takes for one that was used', (idempotencyKey) => {
		expect(refusals(crawlRequest.schema, { url, idempotencyKey })).toEqual([
			expect.stringMatching(/^idempotencyKey must be a UUID/),
		]);
	});
});
