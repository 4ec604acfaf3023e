import type { Failure } from '../../../../nodes/runtime/errors/response';
import {
	backOff,
	hintsOf,
	isOverload,
	isProcessing,
	mayHaveBeenCharged,
	mayHaveRun,
	mayRepeat,
	parseRetryAfter,
	pauseAfter,
	reasonToStop,
	type RetrySafety,
} from '../../../../nodes/runtime/http/retry';
import { defaultPolicy } from '../../schemaAssertions.cjs';

const answered = (
	status: number,
	body: unknown = { success: false, error: 'Failed' },
	headers: Record<string, unknown> = {},
) => ({
	response: { status, headers, body },
});
const page = '<html><title>upstream connect error: connection termination</title></html>';
const silent = (code: string): Failure => ({ networkError: { code, message: code } });

const costs: RetrySafety[] = ['free', 'mayChargeTwice', 'mayStartTwice'];
const repeatedFor = (failure: Failure) =>
	costs.filter((retrySafety) => mayRepeat(failure, retrySafety));

const [everything, nothing] = [costs, [] as RetrySafety[]];
const allButStarts: RetrySafety[] = ['free', 'mayChargeTwice'];

describe('what is repeated after an answer', () => {
	it.each([
		200, 201, 204, 301, 302, 307, 400, 401, 402, 403, 404, 405, 409, 410, 413, 418, 422, 451, 501,
		505, 520,
	])('%i: nothing', (status) => {
		expect(repeatedFor(answered(status))).toEqual(nothing);
	});

	it.each([429, 503])('%i: everything, for nothing was done', (status) => {
		expect(repeatedFor(answered(status))).toEqual(everything);
		expect(mayHaveRun(answered(status))).toBe(false);
	});

	it.each([408, 500, 502, 504])('%i: all but a start,', (status) => {
		expect(repeatedFor(answered(status))).toEqual(allButStarts);
		expect(mayHaveRun(answered(status))).toBe(true);
	});

	it('the 500 that says the job was rejected on submission: everything', () => {
		const failure = answered(500, {
			success: false,
			error: 'Failed to passthrough agent request.',
		});
		expect(repeatedFor(failure)).toEqual(everything);
		expect(mayHaveRun(failure)).toBe(false);
	});

	it.each<[status: number, body: unknown]>([
		[408, page],
		[429, page],
		[429, { message: 'API rate limit exceeded' }],
		[503, page],
		[503, ''],
		[503, { error: 'Service Unavailable' }],
		[500, { error: 'Failed to passthrough agent request.' }],
		[502, page],
		[504, page],
	])('a %i that is not of the API, %j: all but a start, which may have run', (status, body) => {
		expect(repeatedFor(answered(status, body))).toEqual(allButStarts);
		expect(mayHaveRun(answered(status, body))).toBe(true);
	});

	it.each([501, 520, 522, 524])(
		'a %i that is not of the API: nothing, but it may have run',
		(status) => {
			expect(mayHaveRun(answered(status, page))).toBe(true);
			expect(mayHaveBeenCharged(answered(status, page))).toBe(true);
		},
	);

	it.each([400, 401, 403, 404, 407, 413])(
		'a %i by a proxy was refused before the API had it',
		(status) => {
			expect(mayHaveRun(answered(status, page))).toBe(false);
			expect(mayHaveBeenCharged(answered(status, page))).toBe(false);
		},
	);

	it('a 200 that failed: nothing', () => {
		const failure = answered(200, { success: false, code: 'SCRAPE_DNS_RESOLUTION_ERROR' });
		expect(repeatedFor(failure)).toEqual(nothing);
	});

	it('a refusal was never carried out', () => {
		for (const status of [400, 401, 402, 403, 404, 409, 413]) {
			expect(mayHaveRun(answered(status))).toBe(false);
		}
	});
});

describe('an answer that is paid for and may have been charged', () => {
	it.each<[string, Failure]>([
		['502', answered(502, { success: false, error: 'Bad Gateway' })],
		['504', answered(504)],
		['502 with a page', answered(502, page)],
		['504 with nothing', answered(504, '')],
		['500 with a page', answered(500, page)],
		['503 with a page', answered(503, page)],
		['408 with nothing', answered(408, '')],
		[
			'a map that timed out',
			answered(408, { success: false, code: 'MAP_TIMEOUT', error: 'Timed out' }),
		],
		['a map that failed', answered(500, { success: false, code: 'MAP_FAILED', error: 'Failed' })],
	])('is repeated: %s', (_, failure) => {
		expect(mayHaveBeenCharged(failure)).toBe(true);
		expect(mayRepeat(failure, 'mayChargeTwice')).toBe(true);
		for (const retrySafety of ['free', 'idempotencyKey'] as const) {
			expect(mayRepeat(failure, retrySafety)).toBe(true);
		}
	});

	it.each<[string, Failure]>([
		['429', answered(429)],
		['429 with a page', answered(429, page)],
		['503', answered(503)],
		['a failure that the service tells itself', answered(500)],
		['a page that took too long', answered(408, { success: false, code: 'SCRAPE_TIMEOUT' })],
		['a request that never arrived', silent('ECONNREFUSED')],
	])('is none after %s', (_, failure) => {
		expect(mayHaveBeenCharged(failure)).toBe(false);
	});

	it.each<[string, Failure]>([
		['a lost connection', silent('ECONNRESET')],
		['a page in the place of an answer', answered(200, page)],
		['a redirect', answered(302)],
	])('is never repeated after %s', (_, failure) => {
		expect(mayHaveBeenCharged(failure)).toBe(true);
		expect(mayRepeat(failure, 'mayChargeTwice')).toBe(false);
	});
});

describe('what is repeated when no answer came', () => {
	it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'%s: everything, for the request never arrived',
		(code) => {
			expect(repeatedFor(silent(code))).toEqual(everything);
			expect(mayHaveRun(silent(code))).toBe(false);
		},
	);

	it.each([
		'ECONNRESET',
		'ECONNABORTED',
		'ETIMEDOUT',
		'EPIPE',
		'ERR_BAD_RESPONSE',
		'ERR_NETWORK',
		'EPROTO',
		'ENETDOWN',
		'ENETRESET',
		'EHOSTDOWN',
		'ERR_STREAM_PREMATURE_CLOSE',
	])('%s: what costs nothing', (code) => {
		expect(repeatedFor(silent(code))).toEqual(['free']);
		expect(mayHaveRun(silent(code))).toBe(true);
	});

	it.each([
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'UNKNOWN',
		'ERR_INVALID_URL',
		'ERR_INVALID_PATH',
		'ERR_PRIVATE_ADDRESS',
	])('%s: nothing, for it would fail again', (code) => {
		expect(repeatedFor(silent(code))).toEqual(nothing);
	});

	it.each(['ERR_INVALID_PATH', 'ERR_PRIVATE_ADDRESS'])(
		'%s: nothing was sent, so nothing has run and nothing is charged',
		(code) => {
			expect(mayHaveRun(silent(code))).toBe(false);
			expect(mayHaveBeenCharged(silent(code))).toBe(false);
		},
	);
});

describe('The reset of a window', () => {
	const now = Date.parse('2026-11-21T12:00:00Z');
	const rejection = (headers: Record<string, unknown>) => answered(429, {}, headers);

	it.each<[string, Record<string, unknown>, number]>([
		['RateLimit-Reset in seconds', { 'ratelimit-reset': '30' }, 30_000],
		['X-RateLimit-Reset in seconds', { 'x-ratelimit-reset': 30 }, 30_000],
		['a Unix time', { 'x-ratelimit-reset': String(now / 1000 + 30) }, 30_000],
		['a Unix time in milliseconds', { 'x-ratelimit-reset': String(now + 30_000) }, 30_000],
		['a date', { 'x-ratelimit-reset': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
	])('is waited for, and ends a window: %s', (_, headers, wait) => {
		jest.spyOn(Date, 'now').mockReturnValue(now);
		const failure = rejection(headers);
		expect(parseRetryAfter(failure.response, now)).toBe(wait);
		expect(hintsOf(failure)).toEqual({ isNamed: true, endsWindow: true });
		jest.restoreAllMocks();
	});

	it('gives way to Retry-After, and its window does not end then', () => {
		const failure = rejection({ 'x-ratelimit-reset': '3600', 'retry-after': '2' });
		expect(parseRetryAfter(failure.response, now)).toBe(2000);
		expect(hintsOf(failure)).toEqual({ isNamed: true, endsWindow: false });
	});

	it("goes by the server's clock if it shows one", () => {
		const date = 'Sat, 21 Nov 2026 13:00:00 GMT';
		const failure = rejection({ date, 'retry-after': 'Sat, 21 Nov 2026 13:00:05 GMT' });
		expect(parseRetryAfter(failure.response, now)).toBe(5000);
	});

	it('is not what Retry-After alone names', () => {
		const failure = rejection({ 'retry-after': '5' });
		expect(hintsOf(failure)).toEqual({ isNamed: true, endsWindow: false });
	});

	it('holds up nothing that was not rejected for the rate', () => {
		const failure = answered(503, {}, { 'x-ratelimit-reset': '30' });
		expect(parseRetryAfter(failure.response, now)).toBeUndefined();
	});
});

describe('the wait that the service names', () => {
	const now = Date.parse('2026-11-21T12:00:00Z');
	const named = (body: unknown, header?: unknown) =>
		parseRetryAfter(
			{ status: 429, headers: header === undefined ? {} : { 'retry-after': header }, body },
			now,
		);

	it.each<[string, unknown, unknown, number]>([
		['header in seconds', {}, '7', 7000],
		['header as a number', {}, 7, 7000],
		['header as a date', {}, 'Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
		['retry_after_seconds', { retry_after_seconds: 12 }, undefined, 12_000],
		['details.retryAfterSeconds', { details: { retryAfterSeconds: 40 } }, undefined, 40_000],
		['text in error', { error: 'Used 10, please retry after 9s, ends at 7' }, undefined, 9000],
		['text in message', { message: 'Retry after 2.5 s' }, undefined, 2500],
		['plain text', 'please retry after 3s', undefined, 3000],
		['several: header longest', { retry_after_seconds: 5, error: 'retry after 6s' }, '7', 7000],
		['the header before a longer body', { retry_after_seconds: 8 }, '7', 7000],
		['the longest of the body', { retry_after_seconds: 5, error: 'retry after 9s' }, '', 9000],
		['garbage beside a good one', { retry_after_seconds: 'soon' }, '4', 4000],
	])('%s', (_, body, header, wait) => {
		expect(named(body, header)).toBe(wait);
	});

	it.each<[string, unknown, unknown]>([
		['nothing', {}, undefined],
		['an empty body', '', undefined],
		['no body', undefined, undefined],
		['null', null, undefined],
		['a list', [], undefined],
		['header of words', {}, 'later'],
		['header of words with a figure', {}, 'soon 5'],
		['an empty header', {}, ''],
		['header Infinity', {}, 'Infinity'],
		['a text without figure', { error: 'retry after lunch' }, undefined],
		['NaN', { retry_after_seconds: NaN }, undefined],
		['a list in error', { error: ['retry after 5s'] }, undefined],
		['a zero in the header', {}, '0'],
		['a zero in the body', { retry_after_seconds: 0, error: 'retry after 0s' }, undefined],
		['a time that has passed', {}, 'Sat, 21 Nov 2026 11:59:59 GMT'],
		['this very moment', {}, 'Sat, 21 Nov 2026 12:00:00 GMT'],
		['a date that is no HTTP date', {}, '2026-11-21T12:00:30Z'],
		['an American date', {}, 'November 21, 2027'],
		['a header given twice', {}, ['7', '9']],
	])('%s names none', (_, body, header) => {
		expect(named(body, header)).toBeUndefined();
	});

	it.each<[unknown, unknown]>([
		[{}, '-5'],
		[{}, 'Sat, 21 Nov 2026 11:00:00 GMT'],
		[{ retry_after_seconds: -5 }, undefined],
	])('never lies in the past: %j %j', (body, header) => {
		expect(named(body, header) ?? 0).toBe(0);
	});
});

describe('the back-off', () => {
	it('doubles from 2 seconds to the cap, with up to a second of jitter', () => {
		expect([1, 2, 3, 4, 5, 6].map((attemptCount) => backOff(attemptCount, 30_000, 0))).toEqual([
			2000, 4000, 8000, 16_000, 30_000, 30_000,
		]);
		expect(backOff(1, 30_000, 0.5)).toBe(2500);
		expect(backOff(5000, 30_000, 0)).toBe(30_000);
		expect(backOff(1, 1000, 0)).toBe(1000);
	});

	it('gives way to the wait that the service names', () => {
		const pause = (failure: Failure) =>
			pauseAfter(failure, { attemptCount: 2, elapsed: 0 }, defaultPolicy, 0, 0);
		expect(pause(answered(429, {}, { 'retry-after': '90' }))).toBe(90_000);
		expect(pause(answered(429))).toBe(4000);
		expect(pause(silent('ECONNRESET'))).toBe(4000);
	});

	it('does not hammer a service whose clock is behind, or that names no time at all', () => {
		const now = Date.parse('2026-11-21T12:00:00Z');
		for (const header of ['Sat, 21 Nov 2026 11:00:00 GMT', '', '-1']) {
			const failure = answered(429, {}, { 'retry-after': header });
			expect(pauseAfter(failure, { attemptCount: 1, elapsed: 0 }, defaultPolicy, now, 0)).toBe(
				2000,
			);
		}
	});
});

describe('a sign that the service has too much to do', () => {
	it.each([
		[502, true],
		[503, true],
		[504, true],
		[429, false],
		[500, false],
	])('is %i: %s', (status, expected) => {
		expect(isOverload(answered(status))).toBe(expected);
	});
});

describe('why it stops', () => {
	const policy = defaultPolicy;
	const stop = (
		failure: Failure,
		attemptCount: number,
		elapsed: number,
		pause: number,
		retrySafety: RetrySafety = 'free',
	) => reasonToStop(failure, retrySafety, policy, { attemptCount, elapsed }, pause);

	it.each<[string, ReturnType<typeof stop>, ReturnType<typeof stop>]>([
		['it may go on', stop(answered(429), 1, 0, 2000), undefined],
		['it must not be repeated', stop(answered(400), 1, 0, 0), 'final'],
		['a start may be running', stop(answered(500), 1, 0, 0, 'mayStartTwice'), 'final'],
		['the fifth try failed', stop(answered(429), 5, 0, 2000), 'tries'],
		['the fourth did', stop(answered(429), 4, 0, 2000), undefined],
		['the pause leaves the budget', stop(answered(429), 1, 0, 600_001), 'budget'],
		['the pause just fits', stop(answered(429), 1, 0, 600_000), undefined],
		['the time is up', stop(answered(503), 2, 599_000, 2000), 'budget'],
	])('%s', (_, reason, expected) => {
		expect(reason).toBe(expected);
	});

	it('repeats once, later, what an early repeat seldom helps', () => {
		const failure = answered(500, { success: false, code: 'SCRAPE_ALL_ENGINES_FAILED' });
		const after = (repeatedOnce: number) =>
			reasonToStop(
				failure,
				'mayChargeTwice',
				policy,
				{ attemptCount: 3, elapsed: 0, repeatedOnce },
				0,
			);

		expect(after(1)).toBeUndefined();
		expect(after(2)).toBe('tries');
		expect(pauseAfter(failure, { attemptCount: 1, elapsed: 0 }, policy, 0, 0)).toBe(30_000);
	});
});

describe('a start that names a key', () => {
	const keyed = (failure: Failure) => mayRepeat(failure, 'idempotencyKey');

	it.each([408, 429, 500, 502, 503, 504])('may be repeated after %i', (status) => {
		expect(keyed(answered(status))).toBe(true);
	});

	it.each(['ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ERR_NETWORK', 'ECONNREFUSED'])(
		'may be repeated after %s',
		(code) => {
			expect(keyed(silent(code))).toBe(true);
		},
	);

	it.each([answered(400), answered(409), answered(200), silent('CERT_HAS_EXPIRED')])(
		'is not repeated where it would fail again: %j',
		(failure) => {
			expect(keyed(failure)).toBe(false);
		},
	);
});

describe('a document that the service is still working on', () => {
	const processing = (retryAfterSeconds?: unknown, header?: unknown) =>
		answered(
			408,
			{ success: false, details: { state: 'processing_continues', retryAfterSeconds } },
			header === undefined ? {} : { 'retry-after': header },
		);

	it('is told by its state, and by nothing else', () => {
		const { body } = processing().response;
		expect(isProcessing(processing(40))).toBe(true);
		expect(isProcessing(answered(408, { details: { state: 'done' } }))).toBe(false);
		expect(isProcessing(answered(408, { details: 'processing_continues' }))).toBe(false);
		expect(isProcessing(answered(408))).toBe(false);
		expect(isProcessing(answered(408, 'processing_continues'))).toBe(false);
		expect(isProcessing(answered(503, body))).toBe(false);
		expect(isProcessing(answered(200, body))).toBe(false);
		expect(isProcessing(silent('ETIMEDOUT'))).toBe(false);
	});

	it.each<[string, Failure, number]>([
		['as long as it names', processing(40), 40_000],
		['as long as the header names', processing(undefined, '70'), 70_000],
		['a minute when it names none', processing(), 60_000],
		['a minute when it names nonsense', processing('soon', 'later'), 60_000],
		['five seconds at least', processing(1), 5_000],
		['ten minutes at most', processing(3600), 600_000],
		['just ten minutes', processing(600), 600_000],
	])('is waited for %s', (_, failure, pause) => {
		for (const attemptCount of [1, 5]) {
			expect(pauseAfter(failure, { attemptCount, elapsed: 0 }, defaultPolicy, 0, 0.9)).toBe(pause);
		}
	});

	const policy = { ...defaultPolicy, maxAttempts: 2, budget: 1000 };
	const stop = (attemptCount: number, elapsed: number, pause: number) =>
		reasonToStop(processing(), 'mayChargeTwice', policy, { attemptCount, elapsed }, pause);

	it('has tries and time of its own', () => {
		expect(stop(5, 0, 60_000)).toBeUndefined();
		expect(stop(6, 0, 60_000)).toBe('tries');
		expect(stop(1, 1_140_000, 60_000)).toBeUndefined();
		expect(stop(1, 1_140_001, 60_000)).toBe('budget');
	});

	it('leaves an ordinary 408 its own', () => {
		const ordinary = (attemptCount: number, pause: number) =>
			reasonToStop(answered(408), 'mayChargeTwice', policy, { attemptCount, elapsed: 0 }, pause);
		expect(ordinary(1, 1000)).toBeUndefined();
		expect(ordinary(2, 1000)).toBe('tries');
		expect(ordinary(1, 1001)).toBe('budget');
	});
});
