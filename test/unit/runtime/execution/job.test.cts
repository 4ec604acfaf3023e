import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { HttpFunctions, Request } from '../../../../nodes/runtime/http/client';
import { endpoint } from '../../../../nodes/runtime/http/endpoint';
import {
	isFinished,
	isJobState,
	nextPollDelay,
	poll,
} from '../../../../nodes/runtime/execution/job';
import type { RequestContext } from '../../../../nodes/runtime/http/send';
import { errorSource, defaultPolicy } from '../../schemaAssertions.cjs';
import { propertySeed } from '../../../seededRandom.cjs';
import { useDrivenClock } from '../../drivenClock.cjs';

useDrivenClock(0);

const second = 1000;
const minute = 60 * second;

type Response = { statusCode: number; body: unknown; headers?: Record<string, unknown> };
const state = (status: string, more: IDataObject = {}): Response => ({
	statusCode: 200,
	body: { success: true, status, ...more },
});
const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** n8n's functions, of which a poll uses one. */
const contextOf = (
	request: (type: string, options: { timeout: number; url: string }) => Promise<unknown>,
) => ({ helpers: { httpRequestWithAuthentication: request } }) as unknown as HttpFunctions;

/** A service that answers a poll by its time and number, and notes when it was polled. */
function service(answer: (at: number, count: number) => Response | Error) {
	const polls: number[] = [];
	const context = contextOf(async () => {
		polls.push(Date.now());
		const response = answer(Date.now(), polls.length);
		if (response instanceof Error) throw response;
		return await Promise.resolve({ headers: {}, ...response });
	});
	return { polls, context };
}

/** A job that ends at this time. */
const endingAt = (end: number) =>
	service((at) => (at >= end ? state('completed', { data: at }) : state('processing')));

const requestContext = (context: HttpFunctions, signal?: AbortSignal): RequestContext => ({
	context,
	errorSource: errorSource({ job: { id: 'job-7', noun: 'agent run' } }),
	policy: defaultPolicy,
	signal,
});

const statusOf = (id: string): Request => ({
	endpoint: endpoint('GET', '/agent/{id}', 'agentStatus'),
	ids: { id },
});

/** What comes of the wait for a job. */
const outcomeOf = async (context: HttpFunctions, deadline: number, signal?: AbortSignal) =>
	await poll(statusOf('job-7'), deadline, requestContext(context, signal)).catch(
		(error: unknown) => error as Error,
	);

/** What came of the wait, with all the time it needs. */
async function waited(
	{ context }: ReturnType<typeof service>,
	deadline = 24 * 60 * minute,
): Promise<Awaited<ReturnType<typeof poll>> | Error> {
	const outcome = outcomeOf(context, deadline);
	await jest.runAllTimersAsync();
	return await outcome;
}

/** Between one poll and the next. */
const pausesOf = ({ polls }: ReturnType<typeof service>) =>
	polls.slice(1).map((at, index) => at - polls[index]);

describe('when a job is polled', () => {
	it('notices the end of any job within 1.5 seconds or a tenth of its time, and within 15 seconds', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 0, max: 2 * 60 * minute }), async (length) => {
				const start = Date.now();
				const job = endingAt(start + length);
				await waited(job, start + 24 * 60 * minute);
				const late = job.polls[job.polls.length - 1] - start - length;
				// The first poll is no earlier than a second after the start.
				expect(late).toBeLessThanOrEqual(Math.min(15_000, Math.max(1500, length / 10)));
			}),
			{ seed: propertySeed, numRuns: 30 },
		);
	});

	it('is never less than a second after the start, nor 1.5 seconds after the last poll', async () => {
		const job = endingAt(20 * minute);
		await waited(job);
		expect(job.polls[0]).toBeGreaterThanOrEqual(1000);
		const pauses = pausesOf(job);
		expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1500);
		expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
		expect(nextPollDelay(0)).toBe(1500);
		expect(nextPollDelay(60 * minute)).toBe(15_000);
	});
});

describe('the end of a job', () => {
	it.each(['completed', 'failed', 'cancelled', 'canceled', 'COMPLETED', 'Failed'])(
		'is %s',
		async (status) => {
			const job = service((_, count) => (count < 3 ? state('processing') : state(status)));
			expect(await waited(job)).toEqual({ body: { success: true, status }, finished: true });
			expect(job.polls).toHaveLength(3);
		},
	);

	const running =
		'active in_progress pending processing queued running scraping started waiting initializing';

	it.each([...running.split(' '), 'PROCESSING', 'cancelling', 'a state of tomorrow'])(
		'is not %s',
		(status) => {
			expect(isFinished({ status })).toBe(false);
		},
	);
});

test.each([[{}], [{ success: true }], [{ status: 7 }], [{ status: null }]])(
	'an answer that says no state ends no wait: %j',
	async (body) => {
		const job = service((_at, count) =>
			count === 1 ? { statusCode: 200, body } : state('completed', { data: 1 }),
		);

		expect(await waited(job)).toMatchObject({ finished: true, body: { data: 1 } });
		expect(job.polls).toHaveLength(2);
	},
);

describe('what passes by itself does not end the wait', () => {
	it.each<[string, Response | Error]>([
		['408', { statusCode: 408, body: { success: false, error: 'Request Timeout' } }],
		['429', { statusCode: 429, body: { success: false, error: 'Rate limit exceeded' } }],
		['500', { statusCode: 500, body: '' }],
		['502 of a gateway', { statusCode: 502, body: '<html>Bad gateway</html>' }],
		['503', { statusCode: 503, body: '' }],
		['504', { statusCode: 504, body: '' }],
		['a lost connection', lost],
	])('%s, however often', async (_, trouble) => {
		const job = service((_at, count) =>
			count <= 20 ? trouble : state('completed', { data: { a: 1 } }),
		);
		expect(await waited(job)).toEqual({
			body: { success: true, status: 'completed', data: { a: 1 } },
			finished: true,
		});
		expect(job.polls).toHaveLength(21);
	});

	it.each([
		['90', 91_000],
		['7200', 7_201_000],
		// At the end of the wait, not before.
		['86400', 86_400_000],
	])('waits as long as the service names: %s s', async (seconds, next) => {
		const busy: Response = { statusCode: 429, body: {}, headers: { 'retry-after': seconds } };
		const job = service((_at, count) => (count === 1 ? busy : state('completed')));
		await waited(job);
		expect(job.polls).toEqual([1000, next]);
	});

	it('backs off while the trouble lasts, and comes back when it is over', async () => {
		const down: Response = { statusCode: 503, body: '' };
		const job = service((_at, count) =>
			count <= 4 ? down : state(count < 7 ? 'active' : 'completed'),
		);
		await waited(job);
		expect(pausesOf(job)).toEqual([2000, 4000, 8000, 16_000, 3100, 3410]);
	});
});

describe('a job that says it has completed before it begins', () => {
	/** As recorded of a self-hosted server: a batch of six pages, and a crawl. */
	const empty = [
		{
			completed: 0,
			total: 6,
			next: 'https://api.example/v2/batch/scrape/job-7?skip=0',
			duration: 0,
		},
		{ completed: 0, total: 0, duration: 0 },
		{ completed: 0, total: 0 },
	];

	it.each(empty)('is polled on: %j', async (numbers) => {
		const whole = { completed: 6, total: 6, duration: 6.69 };
		const job = service((at) => state('completed', at < 20_000 ? numbers : whole));

		expect(await waited(job)).toMatchObject({ finished: true, body: { completed: 6 } });
	});

	it.each(empty)('is believed after half a minute: %j', async (numbers) => {
		const job = service(() => state('completed', numbers));

		expect(await waited(job)).toMatchObject({ finished: true });
		expect(Date.now()).toBeLessThan(35_000);
	});

	it.each([
		{ completed: 0, total: 6, duration: 6.2 },
		{ completed: 1, total: 1, duration: 0 },
	])('is believed at once where the numbers fit: %j', async (numbers) => {
		const job = service(() => state('completed', numbers));

		expect(await waited(job)).toMatchObject({ finished: true });
		expect(job.polls).toHaveLength(1);
	});
});

describe('an answer that cannot be of the job', () => {
	const html = '<html><title>Sign in</title></html>';
	const odd: Array<[string, Response | Error]> = [
		['401', { statusCode: 401, body: { success: false, error: 'Unauthorized' } }],
		['404 in the middle', { statusCode: 404, body: { success: false, error: 'Job not found' } }],
		['a page with 200', { statusCode: 200, body: html }],
		['a page with 404', { statusCode: 404, body: html }],
		['nothing with 200', { statusCode: 200, body: '' }],
		['a redirect', { statusCode: 302, body: '', headers: { location: '/signin' } }],
		['a failure without a state', { statusCode: 200, body: { success: false, error: 'Oops' } }],
		['an error of TLS', Object.assign(new Error('bad certificate'), { code: 'CERT_HAS_EXPIRED' })],
	];

	it.each(odd)('does not end the wait when it passes: %s', async (_, trouble) => {
		const job = service((_at, count) => {
			if (count === 20) return state('completed', { data: 1 });
			return count > 10 && count % 5 > 0 ? trouble : state('processing');
		});

		expect(await waited(job)).toMatchObject({ finished: true, body: { data: 1 } });
		expect(job.polls).toHaveLength(20);
	});

	it.each(odd)('ends the wait when it comes five times in a row: %s', async (_, trouble) => {
		const job = service((_at, count) => (count > 10 ? trouble : state('processing')));

		const error = await waited(job);

		expect(error).toMatchObject({ request: { mayHaveCost: expect.any(Boolean) } });
		expect(Reflect.get(Object(error), 'message')).toContain('(agent run job-7)');
		expect(job.polls).toHaveLength(15);
	});

	it('is no answer at all to a job that the service does not know in its first ten seconds', async () => {
		const unknown: Response = { statusCode: 404, body: { success: false, error: 'Not found' } };
		const job = service((at) => (at < 9_000 ? unknown : state('completed')));

		expect(await waited(job)).toMatchObject({ finished: true });
		expect(job.polls).toEqual([1000, 2500, 4000, 5500, 7000, 8500, 10_000]);
	});
});

describe('a poll under way', () => {
	it('is ended by the deadline, and so is the wait', async () => {
		const polls: number[] = [];
		const context = contextOf(async (_type, { timeout }) => {
			polls.push(timeout);
			await new Promise((resolve) => setTimeout(resolve, timeout));
			throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
		});
		const before = Date.now();

		const end = await waited({ polls, context }, before + 20 * second);

		expect(end).toEqual({ body: {}, finished: false });
		expect(Date.now() - before).toBe(20 * second);
		expect(polls).toEqual([19 * second]);
	});

	it('has five seconds at least: the job may have ended with the wait', async () => {
		const context = contextOf(async () => {
			await new Promise((resolve) => setTimeout(resolve, 4 * second));
			return { headers: {}, ...state('completed') };
		});

		const end = await waited({ polls: [], context }, Date.now() + 2 * second);

		expect(end).toMatchObject({ finished: true });
	});
});

it.each([
	[{ status: 200, headers: {}, body: { success: false, status: 'failed' } }, true],
	[{ status: 200, headers: {}, body: { success: false, error: 'No' } }, false],
	[{ status: 404, headers: {}, body: { status: 'failed' } }, false],
])('a state is one also when the service marks it as failed: %j', (given, good) => {
	expect(isJobState(given)).toBe(good);
});

describe('what ends the wait', () => {
	it('the deadline, with the last answer and not a moment later', async () => {
		const job = service((at) => state('processing', { at }));
		const before = Date.now();
		const end = await waited(job, 10 * second);
		expect(end).toEqual({
			body: { success: true, status: 'processing', at: job.polls[job.polls.length - 1] },
			finished: false,
		});
		expect(Date.now() - before).toBe(10 * second);
		// The time left is used: the job may have ended with it.
		expect(job.polls[job.polls.length - 1]).toBe(10 * second);
	});

	it('a deadline that is over at once: nothing is asked', async () => {
		const job = endingAt(0);
		expect(await waited(job, 0)).toEqual({ body: {}, finished: false });
		expect(job.polls).toEqual([]);
	});

	it('the last answer is that of a poll that succeeded', async () => {
		const job = service((_at, count) =>
			count === 1 ? state('processing', { creditsUsed: 3 }) : lost,
		);
		expect(await waited(job, 60 * second)).toEqual({
			body: { success: true, status: 'processing', creditsUsed: 3 },
			finished: false,
		});
	});
});

describe('a stopped execution', () => {
	it('ends in the middle of a pause, at once and without a timer left', async () => {
		const stop = new AbortController();
		const job = endingAt(60 * minute);
		const wait = outcomeOf(job.context, 60 * minute, stop.signal);
		await jest.advanceTimersByTimeAsync(3 * minute);
		const [polls, now] = [job.polls.length, Date.now()];
		stop.abort(new Error('stop'));
		const error = await wait;
		expect(error).toMatchObject({ message: 'The execution was canceled' });
		expect(String(error)).toContain('canceled');
		expect(Date.now()).toBe(now);
		expect(jest.getTimerCount()).toBe(0);
		expect(job.polls).toHaveLength(polls);
	});

	it('ends when it is stopped during a poll, whatever the answer', async () => {
		const stop = new AbortController();
		const job = service(() => {
			stop.abort(new Error('stop'));
			return state('completed');
		});
		const wait = outcomeOf(job.context, 60 * minute, stop.signal);
		await jest.runAllTimersAsync();
		expect(String(await wait)).toContain('canceled');
	});
});
