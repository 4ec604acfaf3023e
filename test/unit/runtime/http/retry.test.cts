import type { Failure } from '../../../../nodes/runtime/errors/response';
import {
	mayHaveBeenCharged,
	effectOfFailure,
	mayHaveRun,
	mayRepeat,
	mayTryAgain,
	parseRetryAfter,
	pauseAfter,
	type RetrySafety,
} from '../../../../nodes/runtime/http/retry';
import { defaultPolicy } from '../../schemaAssertions.cjs';

const answered = (
	status: number,
	body: unknown = { success: false, error: 'Failed' },
	headers: Record<string, unknown> = {},
) => ({ response: { status, headers, body } });
const silent = (code: string): Failure => ({ networkError: { code, message: code } });
const coded = (status: number, code: string) => answered(status, { success: false, code });

const page = '<html><title>upstream connect error: connection termination</title></html>';
const notSubmitted = { error: 'Failed to passthrough agent request.' };

describe('A failed request', () => {
	const [none, free, unlessStart, all] = [
		[],
		['free'],
		['free', 'mayChargeTwice'],
		['free', 'mayChargeTwice', 'mayStartTwice'],
	];
	/** Whether the request may have been carried out, and whether its response may have been charged. */
	const [undone, ran, lost] = [
		{ run: false, charged: false },
		{ run: true, charged: false },
		{ run: true, charged: true },
	];

	const rows: Array<[Failure[], string[], { run: boolean; charged: boolean }]> = [
		// Errors of the API.
		[[400, 401, 402, 403, 404, 409, 413, 422, 501].map((status) => answered(status)), none, undone],
		[[answered(200)], none, undone],
		[[answered(429), answered(503)], all, undone],
		[[answered(500, { success: false, ...notSubmitted })], all, undone],
		[[answered(408), answered(500), coded(408, 'SCRAPE_TIMEOUT')], unlessStart, ran],
		[[answered(502), answered(504)], unlessStart, lost],
		[[coded(408, 'MAP_TIMEOUT'), coded(500, 'MAP_FAILED')], unlessStart, lost],
		// Responses of something between.
		[[400, 401, 403, 404, 407].map((status) => answered(status, page)), none, undone],
		[
			[answered(429, page), answered(429, { message: 'API rate limit exceeded' })],
			unlessStart,
			ran,
		],
		[[408, 500, 502, 503, 504].map((status) => answered(status, page)), unlessStart, lost],
		[
			[answered(503, ''), answered(503, { error: 'Unavailable' }), answered(500, notSubmitted)],
			unlessStart,
			lost,
		],
		[[501, 520, 524].map((status) => answered(status, page)), none, lost],
		[[answered(200, page), answered(204, ''), answered(302, '')], none, lost],
		// No response.
		[
			['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].map(silent),
			all,
			undone,
		],
		[['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ENETDOWN'].map(silent), free, lost],
		[
			['ERR_BAD_RESPONSE', 'ERR_NETWORK', 'ERR_STREAM_PREMATURE_CLOSE', 'EPROTO'].map(silent),
			free,
			lost,
		],
		[['UNKNOWN', 'ERR_INVALID_URL', 'ERR_TOO_LARGE'].map(silent), none, lost],
		[['ERR_INVALID_PATH', 'ERR_PRIVATE_ADDRESS', 'CERT_HAS_EXPIRED'].map(silent), none, undone],
	];

	it.each(rows.flatMap(([failures, ...rest]) => failures.map((each) => [each, ...rest] as const)))(
		'%j is repeated for %j, and leaves behind %j',
		(failure, repeated, expected) => {
			const costs: RetrySafety[] = ['free', 'mayChargeTwice', 'mayStartTwice'];
			expect(costs.filter((retrySafety) => mayRepeat(failure, retrySafety))).toEqual(repeated);
			expect(mayRepeat(failure, 'idempotencyKey')).toBe(mayRepeat(failure, 'free'));
			expect({ run: mayHaveRun(failure), charged: mayHaveBeenCharged(failure) }).toEqual(expected);
		},
	);

	it('pauses the others with a rate limit, unless no retry changes it', () => {
		const kindOf = (error: string) => effectOfFailure(answered(429, { error }), 1, 1).kind;
		expect(kindOf('Slow down')).toBe('rejected');
		expect(kindOf('You have too many open browser sessions.')).toBe('unrelated');
		const kindsOf = (pause: number, budget: number) =>
			effectOfFailure(answered(429), pause, budget).kind;
		expect([kindsOf(120_000, 600_000), kindsOf(600, 600)]).toEqual(['rejected', 'rejected']);
		expect([kindsOf(120_001, 600_000), kindsOf(601, 600)]).toEqual(['unrelated', 'unrelated']);
	});

	it('is an overload with 502, 503 and 504, or if it may have run without a response', () => {
		const failures = [
			...[429, 500, 502, 503, 504].map((status) => answered(status)),
			silent('ECONNRESET'),
			silent('ENOTFOUND'),
		];
		const overloads = failures.map((each) => effectOfFailure(each, 1, 0).kind === 'overloaded');
		expect(overloads).toEqual([false, false, true, true, true, true, false]);
	});
});

const now = Date.parse('2026-11-21T12:00:00Z');
const inHalfAMinute = 'Sat, 21 Nov 2026 12:00:30 GMT';

describe('The delay that the service requests', () => {
	it.each<[Record<string, unknown>, unknown, number]>([
		[{ 'retry-after': '7' }, {}, 7000],
		[{ 'retry-after': 7 }, {}, 7000],
		[{ 'retry-after': inHalfAMinute }, {}, 30_000],
		[{}, { retry_after_seconds: 12 }, 12_000],
		[{}, { details: { retryAfterSeconds: 40 } }, 40_000],
		// Services round what they say in words.
		[{}, { error: 'Used 10, please retry after 9s, ends at 7' }, 9500],
		[{}, { message: 'Retry after 2.5 s' }, 3000],
		[{}, 'please retry after 3s', 3500],
		[{}, 'please retry after 1s', 1500],
		// The header before the body, of which the longest counts.
		[{ 'retry-after': '7' }, { retry_after_seconds: 8 }, 7000],
		[{ 'retry-after': '' }, { retry_after_seconds: 5, error: 'retry after 9s' }, 9500],
		[{ 'retry-after': '4' }, { retry_after_seconds: 'soon' }, 4000],
		// By the server's clock, if it shows one.
		[
			{ date: 'Sat, 21 Nov 2026 13:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 13:00:05 GMT' },
			{},
			5000,
		],
	])('is that of %j and %j: %i ms', (headers, body, wait) => {
		expect(parseRetryAfter({ status: 429, headers, body }, now)).toBe(wait);
	});

	it.each([
		[{ 'retry-after': '1e18' }, {}],
		[{ 'retry-after': String(1000 * now) }, {}],
		[{}, { error: 'retry after 99999999999999999999s' }],
	])('is a month at the most: %j %j', (headers, body) => {
		const wait = parseRetryAfter({ status: 429, headers, body }, now);
		expect(wait).toBe(31 * 86_400_000);
	});

	it.each<[unknown, unknown]>([
		[undefined, undefined],
		[undefined, null],
		[undefined, { error: 'retry after lunch' }],
		[undefined, { retry_after_seconds: NaN, error: ['retry after 5s'] }],
		[undefined, { retry_after_seconds: 0, error: 'retry after 0s' }],
		['soon 5', {}],
		['Infinity', {}],
		['-5', { retry_after_seconds: -5 }],
		['Sat, 21 Nov 2026 12:00:00 GMT', {}],
		['2026-11-21T12:00:30Z', {}],
		['November 21, 2027', {}],
		[['7', '9'], {}],
	])('is missing in %j and %j', (header, body) => {
		expect(
			parseRetryAfter({ status: 429, headers: { 'retry-after': header }, body }, now),
		).toBeUndefined();
	});

	const window = { isNamed: true, endsWindow: true };
	const named = { isNamed: true, endsWindow: false };

	it.each<[Record<string, unknown>, number | undefined, object]>([
		[{ 'ratelimit-reset': '30' }, 30_000, window],
		[{ 'x-ratelimit-reset': 30 }, 30_000, window],
		[{ 'x-ratelimit-reset': String(now / 1000 + 30) }, 30_000, window],
		[{ 'x-ratelimit-reset': String(now + 30_000) }, 30_000, window],
		[{ 'x-ratelimit-reset': String(1000 * (now + 30_000)) }, 30_000, window],
		[{ 'x-ratelimit-reset': inHalfAMinute }, 30_000, window],
		[{ 'x-ratelimit-reset': '3600', 'retry-after': '2' }, 2_000, named],
		[{ 'retry-after': '5' }, 5_000, named],
		[{}, undefined, { isNamed: false, endsWindow: false }],
	])('may be the reset of a window: %j', (headers, wait, hints) => {
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
		const failure = answered(429, {}, headers);
		expect(parseRetryAfter(failure.response, now)).toBe(wait);
		expect(effectOfFailure(failure, 1000, 1000)).toMatchObject({ kind: 'rejected', ...hints });
		clock.mockRestore();
	});

	it('is no reset of a window for anything but 429', () => {
		const { response } = answered(503, {}, { 'x-ratelimit-reset': '30' });
		expect(parseRetryAfter(response, now)).toBeUndefined();
	});
});

describe('The pause before a retry', () => {
	const pause = (failure: Failure, attemptCount: number, random = 0) =>
		pauseAfter(Array<Failure>(attemptCount).fill(failure), defaultPolicy, now, random);

	it('doubles from 2 seconds to the cap, with up to a second of jitter', () => {
		const each = [1, 2, 3, 4, 5, 5000].map((attemptCount) => pause(answered(500), attemptCount));
		expect(each).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
		expect(pause(answered(500), 1, 0.5)).toBe(2500);
	});

	it.each<[string, Failure, number]>([
		['requested', answered(429, {}, { 'retry-after': '90' }), 90_000],
		['in the past', answered(503, {}, { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }), 4000],
		['of a lost response', silent('ECONNRESET'), 4000],
		['after what an early retry seldom helps', coded(500, 'SCRAPE_ALL_ENGINES_FAILED'), 30_000],
	])('is that %s', (_, failure, expected) => {
		expect(pause(failure, 2)).toBe(expected);
	});
});

describe('Another attempt', () => {
	const site = coded(500, 'SCRAPE_ALL_ENGINES_FAILED');
	const others = (count: number, failure: Failure = answered(503)) =>
		Array<Failure>(count).fill(failure);

	it.each<[Failure[], RetrySafety, boolean]>([
		[[answered(503)], 'mayChargeTwice', true],
		[[answered(400)], 'mayChargeTwice', false],
		[[answered(500)], 'mayStartTwice', false],
		[others(4), 'mayChargeTwice', true],
		[others(5), 'mayChargeTwice', false],
		[[...others(2), site], 'mayChargeTwice', true],
		[[...others(1), site, site], 'mayChargeTwice', false],
		[[site, site, answered(503)], 'mayChargeTwice', true],
		[[...others(9, answered(429)), ...others(4)], 'mayChargeTwice', true],
		[[...others(9, answered(429)), ...others(5)], 'mayChargeTwice', false],
	])('%# may follow or not', (failures, retrySafety, expected) => {
		expect(mayTryAgain(failures, retrySafety, defaultPolicy)).toBe(expected);
	});
});

describe('A request that the service puts off, however often', () => {
	const processing = (status: number, body?: unknown) =>
		answered(status, body ?? { success: false, details: { state: 'processing_continues' } });

	it.each([
		['a rate limit', answered(429), true],
		['a document that is still processed', processing(408), true],
		['a timeout', answered(408), false],
		['another state', processing(408, { details: { state: 'done' } }), false],
		['the same state with another status', processing(503), false],
		['no response', silent('ETIMEDOUT'), false],
	])('is told by %s', (_, failure, is) => {
		expect(mayTryAgain(Array(9).fill(failure), 'free', defaultPolicy)).toBe(is);
	});

	it.each([
		[40, 40_000],
		[3600, 3_600_000],
		[undefined, 60_000],
		['soon', 60_000],
		[1, 5_000],
	])('with %j seconds left of a document is sent again after %i ms', (retryAfterSeconds, pause) => {
		const details = { state: 'processing_continues', retryAfterSeconds };
		const failure = processing(408, { success: false, details });
		for (const failures of [[failure], Array<Failure>(5).fill(failure)])
			expect(pauseAfter(failures, defaultPolicy, 0, 0.9)).toBe(pause);
	});
});
