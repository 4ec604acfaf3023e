import { serviceError } from '../../../../nodes/runtime/http/serviceError';
import { errorSource } from '../../schemaAssertions.cjs';

const adviceFor = (status: number, body: object, tooLong?: number) =>
	serviceError(
		{ response: { status, headers: {}, body: { success: false, ...body } } },
		{ attemptCount: 1, elapsed: 0, retrySafety: 'free', tooLong },
		errorSource(),
	).description ?? '';

describe('The advice of an error', () => {
	it.each([
		[400, 'Invalid URL: https://shop.example/suspended-lamps', /blocked|support/],
		[400, 'Invalid URL: "https://a.example/is-the-IP-allowed"', /IP addresses/],
		[400, 'Invalid URL: https://a.example/check-running-shoes', /check of this monitor/],
		[400, 'No such profile: /busy/in use', /Another session/],
		[409, 'Cannot use https://a.example/idempotency key', /used before/],
	])('ignores what the message of a %i quotes: %s', (status, error, wrong) => {
		expect(adviceFor(status, { error })).not.toMatch(wrong);
	});

	it('of a 403 blames neither key nor plan where the message names the cause', () => {
		const advice = adviceFor(403, { error: 'This website is no longer supported' });
		expect(advice).toMatch(/site is not supported/);
		expect(advice).not.toMatch(/scope|key lacks/);
	});

	it('names the time of the next attempt only if the server does', () => {
		expect(adviceFor(408, { error: 'Slow' }, 60_000)).not.toMatch(/allows none before/);
		expect(adviceFor(500, { error: 'Oh' }, 60_000)).not.toMatch(/allows none before/);
		expect(adviceFor(429, { error: 'Retry after 60s' }, 60_000)).toMatch(/allows none before/);
	});
});
