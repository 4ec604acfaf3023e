import { sleep } from 'n8n-workflow';
import { statusOf, WebDataError } from '../../../../nodes/runtime/errors/webDataError';
import type { HttpFunctions, Exchange, Request } from '../../../../nodes/runtime/http/client';
import type { Endpoint } from '../../../../nodes/runtime/http/endpoint';
import { limitersFor } from '../../../../nodes/runtime/http/connection';
import { Limiter } from '../../../../nodes/runtime/http/limiter';
import type { RetrySafety, RetryPolicy } from '../../../../nodes/runtime/http/retry';
import { sendWithRetries, type RequestContext } from '../../../../nodes/runtime/http/send';
import { monotonicNow } from '../../../../nodes/runtime/values/time';
import { errorSource, defaultPolicy } from '../../schemaAssertions.cjs';
import { useDrivenClock } from '../../drivenClock.cjs';

useDrivenClock(0);

const good: Exchange = { success: { status: 200, headers: {}, body: { success: true, data: {} } } };
const refused = (
	status: number,
	headers = {},
	body: unknown = { success: false, error: `refused ${status}` },
) => ({ failure: { response: { status, headers, body } } });
/** As the service refuses by its window: `Retry-After` is what a proxy may add. */
const tooMany = (seconds: number) => {
	const error = `Rate limit exceeded, please retry after ${seconds}s, resets at the end of the minute`;
	return refused(429, { 'retry-after': String(seconds) }, { success: false, error });
};
const lost = (code: string): Exchange => ({
	failure: { networkError: { code, message: `lost: ${code}` } },
});

/** A service that gives these replies in turn, the last one for ever, and notes when it was asked. */
function service(...replies: Exchange[]) {
	const askedAt: number[] = [];
	const exchangeOnce = async () => {
		askedAt.push(Date.now());
		return await Promise.resolve(replies[Math.min(askedAt.length, replies.length) - 1]);
	};
	return { askedAt, exchangeOnce };
}

// `sendWithRetries` sends nothing itself: the exchange is given.
const context = {} as HttpFunctions;

const requestContext = (rest: Partial<RequestContext> = {}): RequestContext => ({
	context,
	errorSource: errorSource(),
	policy: defaultPolicy,
	...rest,
});

const through = (limiter: Limiter) => ({ limiters: () => limiter });

/** A request with these members of the policy, and one that goes through a rate limiter, too. */
const within = (policy: Partial<RetryPolicy>, rest: Partial<RequestContext> = {}) =>
	requestContext({ ...rest, policy: { ...defaultPolicy, ...policy } });
const at = (limiter: Limiter, policy: Partial<RetryPolicy> = {}) =>
	within(policy, through(limiter));

/** A request of this retry safety. */
const requestOf = (retrySafety: RetrySafety, method: Endpoint['method'] = 'POST'): Request => ({
	endpoint: { method, path: '/x', bucket: 'other', retrySafety },
});

/** Sends a request that may be repeated, and waits for nothing. */
const begin = ({ exchangeOnce }: ReturnType<typeof service>, given: RequestContext) =>
	sendWithRetries(exchangeOnce, given);

/** What came of it, once everything that was to come has come. */
async function outcomeOf(
	{ exchangeOnce }: ReturnType<typeof service>,
	retrySafety: RetrySafety = 'mayChargeTwice',
	given: RequestContext = requestContext(),
) {
	const outcome = sendWithRetries(exchangeOnce, given, requestOf(retrySafety)).then(
		(answer) => answer.status,
		(error: unknown) => error as Error,
	);
	await jest.runAllTimersAsync();
	return await outcome;
}

async function errorOf(...given: Parameters<typeof outcomeOf>): Promise<WebDataError> {
	const outcome = await outcomeOf(...given);
	if (outcome instanceof WebDataError) return outcome;
	throw new Error(`no WebDataError: ${String(outcome)}`);
}

describe('Attempts', () => {
	it.each<[string, Exchange[], number[]]>([
		['end with the first success', [good], [0]],
		[
			'wait longer and longer',
			[refused(503), refused(503), refused(503), good],
			[0, 2000, 6000, 14_000],
		],
		[
			'wait as long as the service says',
			[
				refused(503, { 'retry-after': '7' }),
				refused(408, {}, { details: { retryAfterSeconds: 40 } }),
				good,
			],
			[0, 7000, 47_000],
		],
	])('%s', async (_, replies, times) => {
		const asked = service(...replies);
		expect(await outcomeOf(asked)).toBe(200);
		expect(asked.askedAt).toEqual(times);
	});

	it.each<[Exchange, RetrySafety, number]>([
		[refused(503), 'mayChargeTwice', 5],
		[refused(500), 'mayStartTwice', 1],
		[tooMany(150), 'mayStartTwice', 5],
		[lost('ECONNRESET'), 'free', 5],
	])('follow %j as the request is %s: %i in all', async (reply, retrySafety, times) => {
		const asked = service(reply);
		await errorOf(asked, retrySafety);
		expect(asked.askedAt).toHaveLength(times);
	});

	it('end if the pause exceeds the time, counted from the first to the last', async () => {
		const asked = service(tooMany(250));
		const error = await errorOf(asked);
		expect(asked.askedAt).toEqual([0, 250_000, 500_000]);
		const exact = service(tooMany(250));
		await errorOf(exact, 'free', within({ budget: 500_000 }));
		expect(exact.askedAt).toHaveLength(3);
		expect(error.description).toMatch(
			/due in 250 s, which exceeds 'Max Retry Time'.*none before 1970-01-01 00:12:30 UTC/,
		);
	});

	it('end if the pause exceeds the deadline', async () => {
		const asked = service(refused(503, { 'retry-after': '20' }), good);
		const error = await errorOf(
			asked,
			'free',
			requestContext({ deadline: monotonicNow() + 9_000 }),
		);
		expect(asked.askedAt).toEqual([0]);
		expect(error.description).toMatch(/due in 20 s/);
	});

	it('do not count rejections by the rate, only their time', async () => {
		for (const given of [within({ maxAttempts: 2 }), at(new Limiter(), { maxAttempts: 2 })]) {
			const asked = service(...Array.from({ length: 6 }, () => tooMany(10)), refused(503), good);
			expect(await outcomeOf(asked, 'free', given)).toBe(200);
		}
		const error = await errorOf(service(refused(429)), 'free', within({ budget: 15_000 }));
		expect(error.description).toMatch(/attempts in 1[45]/);
	});

	it('have the same time for each of several requests', async () => {
		const limiter = new Limiter();
		const endings = [1, 2, 3].map(async () => {
			await errorOf(service(tooMany(4)), 'free', at(limiter, { budget: 15_000 }));
			return Date.now();
		});
		for (const endedAt of await Promise.all(endings)) expect(endedAt).toBeLessThanOrEqual(15_000);
	});

	it('do not count the wait for a turn at the rate limiter', async () => {
		const limiter = new Limiter();
		const first = service(tooMany(9), good);
		const slowAtLast = async () => {
			const reply = await first.exchangeOnce();
			if ('success' in reply) await sleep(100_000);
			return reply;
		};
		void sendWithRetries(slowAtLast, at(limiter));
		await jest.advanceTimersByTimeAsync(0);
		const asked = service(refused(503, { 'retry-after': '20' }), good);
		expect(await outcomeOf(asked, 'free', at(limiter, { budget: 30_000 }))).toBe(200);
		expect(asked.askedAt).toEqual([109_000, 129_000]);
	});
});

describe('with a rate limiter', () => {
	it('a 429 pauses everybody, and the repeat goes first', async () => {
		const limiter = new Limiter();
		const [refusedOnce, other] = [service(tooMany(9), good), service(good)];
		const first = outcomeOf(refusedOnce, 'free', at(limiter));
		await jest.advanceTimersByTimeAsync(0);
		const second = outcomeOf(other, 'free', at(limiter));
		expect(await Promise.all([first, second])).toEqual([200, 200]);
		expect(refusedOnce.askedAt).toEqual([0, 9000]);
		expect(other.askedAt).toEqual([9000]);
	});

	it('a 503 pauses only its own request', async () => {
		const limiter = new Limiter();
		const other = service(good);
		const first = outcomeOf(service(refused(503), good), 'free', at(limiter));
		await outcomeOf(other, 'free', at(limiter));
		await first;
		expect(other.askedAt).toEqual([0]);
	});

	describe("another's pause budget", () => {
		it('beyond two minutes holds up nobody but itself', async () => {
			const limiter = new Limiter();
			const patient = service(tooMany(7_200), good);
			const done = begin(patient, at(limiter, { budget: 86_400_000 }));
			await jest.advanceTimersByTimeAsync(0);
			const other = service(good);
			expect(await outcomeOf(other, 'free', at(limiter))).toBe(200);
			await done;
			expect(other.askedAt).toEqual([0]);
			expect(patient.askedAt).toEqual([0, 7_200_000]);
		});

		it('does not hold up a request that has less: it fails with the refusal, and nothing is sent', async () => {
			const limiter = new Limiter();
			void begin(service(tooMany(60), good), at(limiter));
			await jest.advanceTimersByTimeAsync(10_000);
			const other = service(good);
			const outcome = errorOf(other, 'mayStartTwice', at(limiter, { budget: 49_000 }));
			await jest.advanceTimersByTimeAsync(0);
			const error = await outcome;
			expect(other.askedAt).toEqual([]);
			expect(statusOf(error)).toBe(429);
			expect(error.message).toMatch(/^Rate limit exceeded.* \(HTTP 429\)$/);
			expect(error.description).toMatch(/Not sent.*due in 50 s, which exceeds 'Max Retry Time'/);
		});

		it('is counted over all pauses, for those who wait already too', async () => {
			const limiter = new Limiter();
			const patient = service(tooMany(8), tooMany(8), tooMany(8), good);
			void begin(patient, at(limiter));
			await jest.advanceTimersByTimeAsync(0);
			const other = service(good);
			let failedAt: number | undefined;
			const outcome = begin(other, at(limiter, { budget: 20_000 })).catch((error: unknown) => {
				failedAt = Date.now();
				return error;
			});
			await jest.runAllTimersAsync();
			expect(await outcome).toMatchObject({ request: { status: 429 } });
			expect([other.askedAt, failedAt]).toEqual([[], 16_000]);
			expect(patient.askedAt).toEqual([0, 8_000, 16_000, 24_000]);
			expect(jest.getTimerCount()).toBe(0);
		});
	});

	it('a refusal after a pause of its own still reaches those who come later', async () => {
		const limiters = limitersFor('sleeper');
		const asked = service(refused(503), tooMany(9), good);
		const outcome = begin(asked, requestContext({ limiters }));
		await jest.advanceTimersByTimeAsync(1000);
		limitersFor('other')('read');
		await jest.advanceTimersByTimeAsync(1000);
		expect(asked.askedAt).toEqual([0, 2000]);
		const later = service(good);
		const second = begin(later, requestContext({ limiters }));
		await jest.runAllTimersAsync();
		await Promise.all([outcome, second]);
		expect(later.askedAt).toEqual([11_000]);
	});
});

describe('ending something', () => {
	const ending = async (...replies: Exchange[]) => {
		const asked = service(...replies);
		const request = requestOf('free', 'DELETE');
		const outcome = sendWithRetries(asked.exchangeOnce, requestContext(), request).catch(
			(error: unknown) => error,
		);
		await jest.runAllTimersAsync();
		return await outcome;
	};

	it.each([404, 409, 410])(
		'has succeeded when a repeat is told %i after a lost answer',
		async (status) => {
			for (const first of [lost('ECONNRESET'), refused(502)]) {
				expect(await ending(first, refused(status))).toMatchObject({ body: { success: true } });
			}
		},
	);

	it('is not what another request does that finds nothing', async () => {
		const error = await errorOf(service(lost('ECONNRESET'), refused(404)), 'free');
		expect(statusOf(error)).toBe(404);
	});

	it.each<[string, Exchange[]]>([
		['it is gone at once', [refused(404)]],
		['only a refusal went before', [refused(429), refused(404)]],
		['the request never arrived before', [lost('ECONNREFUSED'), refused(404)]],
		['the repeat is refused for another reason', [lost('ECONNRESET'), refused(403)]],
	])('has failed when %s', async (_, replies) => {
		expect(await ending(...replies)).toBeInstanceOf(WebDataError);
	});
});

describe('stopping the execution', () => {
	/** Aborts once the request waits, and says what came of it without any time having passed. */
	async function stopped(given: Partial<RequestContext>, asked: ReturnType<typeof service>) {
		const stop = new AbortController();
		const outcome = begin(asked, requestContext({ ...given, signal: stop.signal })).catch(
			(error: unknown) => error,
		);
		await jest.advanceTimersByTimeAsync(100);
		const abortedAt = Date.now();
		stop.abort(new Error('stop'));
		const error = await outcome;
		expect(Date.now()).toBe(abortedAt);
		expect(jest.getTimerCount()).toBe(0);
		return error;
	}

	it.each<[string, Exchange, Partial<RequestContext>]>([
		['a pause', refused(503), {}],
		['a pause at the rate limiter', tooMany(60), through(new Limiter())],
	])('ends %s at once, is told as such and leaves no timer', async (_, reply, given) => {
		const asked = service(reply);
		const error = await stopped(given, asked);
		await jest.runAllTimersAsync();
		expect(asked.askedAt).toEqual([0]);
		expect(error).toBeInstanceOf(WebDataError);
		expect(String(error)).toContain('canceled');
	});

	it('before the first request sends nothing', async () => {
		const asked = service(good);
		const signal = AbortSignal.abort(new Error('stop'));
		await expect(begin(asked, requestContext({ signal }))).rejects.toThrow('canceled');
		expect(asked.askedAt).toEqual([]);
	});
});
