import type { Failure } from '../../../../nodes/runtime/errors/response';
import { ConcurrencyLimit } from '../../../../nodes/runtime/limits/concurrencyLimit';
import type { Outcome } from '../../../../nodes/runtime/limits/outcome';
import {
	nextQueuePosition,
	PauseTooLong,
	RateLimiter,
	rateLimitersFor,
	type Permit,
} from '../../../../nodes/runtime/limits/rateLimiter';
import numbers = require('../../../../nodes/runtime/values/numbers');

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
	// Not Math.random: the sort of the source maps behind a stack overflows when that is always 0.
	jest.spyOn(numbers, 'jitter').mockReturnValue(0);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const failureOf = (pause: number): Failure => ({
	response: { status: 429, headers: {}, body: { error: `pause ${pause}` } },
});
const accepted: Outcome = { kind: 'accepted', bytes: 0 };
const unrelated: Outcome = { kind: 'unrelated' };
const rejected = (pause: number, endsWindow = false): Outcome => ({
	kind: 'rejected',
	rejection: { pause, endsWindow },
	failure: failureOf(pause),
});

/** Requests through a rate limiter that the test responds to. */
class Traffic {
	/** Names in the order of sending. */
	readonly sent: string[] = [];
	private readonly permits = new Map<string, Permit>();

	constructor(readonly limiter = new RateLimiter(new ConcurrencyLimit(100))) {}

	/** Asks for permits; `outcomes` holds how each wait ended. */
	async ask(names: string[], turn: Partial<Parameters<RateLimiter['acquire']>[0]> = {}) {
		const waits = names.map(async (name) => {
			const queuePosition = nextQueuePosition();
			const given = { queuePosition, pauseBudget: Infinity, ...turn };
			const permit = await this.limiter.acquire(given);
			this.sent.push(name);
			this.permits.set(name, permit);
			return permit.paused;
		});
		const settled = Promise.allSettled(waits);
		await jest.advanceTimersByTimeAsync(0);
		return { outcomes: settled };
	}

	/** Responds to requests in flight: to these, or to all. */
	async respond(outcome: Outcome, names = this.inFlight): Promise<void> {
		for (const name of names) {
			this.permits.get(name)?.release(outcome);
			this.permits.delete(name);
		}
		await jest.advanceTimersByTimeAsync(0);
	}

	get inFlight(): string[] {
		return [...this.permits.keys()];
	}
}

const namesOf = (count: number, prefix = 'r') =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A rate limiter whose requests were all rejected after 20 ms. */
async function rejectedTraffic(pause: number, endsWindow = false) {
	const traffic = new Traffic();
	await traffic.ask(namesOf(3, 'rejected'));
	await jest.advanceTimersByTimeAsync(20);
	await traffic.respond(rejected(pause, endsWindow));
	traffic.sent.length = 0;
	return traffic;
}

describe('A rate limiter that knows of no limit', () => {
	it('permits everything at once, in order, and leaves no timer', async () => {
		const traffic = new Traffic();
		await traffic.ask(namesOf(30));
		await traffic.respond(accepted);
		expect(traffic.sent).toEqual(namesOf(30));
		expect(jest.getTimerCount()).toBe(0);
	});

	it('permits as many in flight as the concurrency limit, which grows', async () => {
		const traffic = new Traffic(new RateLimiter());
		await traffic.ask(namesOf(300));
		expect(traffic.inFlight).toHaveLength(5);
		for (let round = 0; round < 6; round += 1) {
			await jest.advanceTimersByTimeAsync(100);
			await traffic.respond(accepted);
		}
		expect(traffic.inFlight.length).toBeGreaterThan(50);
	});

	it('takes a permit back once, whatever is reported later', async () => {
		const limiter = new RateLimiter(new ConcurrencyLimit(1));
		const permit = await limiter.acquire({ queuePosition: 1, pauseBudget: 0 });
		permit.release(unrelated);
		permit.release(rejected(60_000));
		const traffic = new Traffic(limiter);
		await traffic.ask(['first', 'second']);
		expect(traffic.sent).toEqual(['first']);
	});

	it('lets other items take the place of those that wait for their own repeat', async () => {
		const traffic = new Traffic(new RateLimiter());
		await traffic.ask(['repeat'], { notBefore: 1000 });
		expect([traffic.limiter.itemLimit, traffic.sent]).toEqual([6, []]);
		await jest.advanceTimersByTimeAsync(1000);
		expect([traffic.limiter.itemLimit, traffic.sent]).toEqual([5, ['repeat']]);
	});
});

describe('One rejection, where no limit is known,', () => {
	/** Eight requests in flight, of which the last is rejected after 20 ms, and ten more in the queue. */
	async function suspicion() {
		const traffic = new Traffic();
		await traffic.ask(namesOf(8, 'burst'));
		await jest.advanceTimersByTimeAsync(20);
		await traffic.respond(rejected(5000), ['burst7']);
		await traffic.ask(namesOf(10));
		traffic.sent.length = 0;
		return traffic;
	}

	it('pauses nobody: the others go on one by one until one is not rejected in time', async () => {
		const traffic = await suspicion();
		await jest.advanceTimersByTimeAsync(10);
		expect(traffic.sent).toEqual(['r0']);
		await jest.advanceTimersByTimeAsync(29);
		expect(traffic.sent).toEqual(['r0']);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.sent).toEqual(namesOf(10));
	});

	it('is forgotten when a request that was sent later is accepted', async () => {
		const traffic = await suspicion();
		await jest.advanceTimersByTimeAsync(10);
		await traffic.respond(accepted, ['r0']);
		expect(traffic.sent).toEqual(namesOf(10));
	});

	it('is one of the rate once two others are rejected: everybody pauses', async () => {
		const traffic = await suspicion();
		for (const name of ['r0', 'r1']) {
			await jest.advanceTimersByTimeAsync(10);
			await traffic.respond(rejected(5000), [name]);
			await jest.advanceTimersByTimeAsync(20);
		}
		await jest.advanceTimersByTimeAsync(4979);
		expect(traffic.sent).toEqual(['r0', 'r1']);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.sent).toEqual(['r0', 'r1', 'r2']);
	});

	it('is never confirmed by repeats of the same request', async () => {
		const traffic = new Traffic();
		for (let count = 0; count < 5; count += 1) {
			await traffic.ask(['stubborn'], { queuePosition: 1 });
			await jest.advanceTimersByTimeAsync(40);
			await traffic.respond(rejected(60_000), ['stubborn']);
		}
		await traffic.ask(['other']);
		await jest.advanceTimersByTimeAsync(100);
		expect(traffic.sent.at(-1)).toBe('other');
	});

	it.each([
		['it names the reset of a window', rejected(5000, true)],
		[
			'it is trusted',
			{ ...rejected(5000), rejection: { pause: 5000, endsWindow: false, isTrusted: true } },
		],
	] as Array<[string, Outcome]>)('is believed when %s', async (_, outcome) => {
		const traffic = new Traffic();
		await traffic.ask(['rejected']);
		await traffic.respond(outcome);
		await traffic.ask(['next']);
		await jest.advanceTimersByTimeAsync(4999);
		expect(traffic.sent).toEqual(['rejected']);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.sent).toEqual(['rejected', 'next']);
	});
});

describe('A pause', () => {
	it.each([0, -3_600_000, 3_600_000])(
		'is as long as the service named, though the clock is set by %i ms',
		async (by) => {
			const traffic = await rejectedTraffic(5000);
			await traffic.ask(['next']);
			jest.setSystemTime(Date.now() + by);
			await jest.advanceTimersByTimeAsync(4999);
			expect(traffic.sent).toEqual([]);
			await jest.advanceTimersByTimeAsync(1);
			expect(traffic.sent).toEqual(['next']);
		},
	);

	it('is the longest that the requests of a burst were given', async () => {
		const traffic = new Traffic();
		await traffic.ask(namesOf(8, 'burst'));
		for (const [index, pause] of [1000, 9000, 2000, 1000].entries()) {
			await traffic.respond(rejected(pause), [`burst${index}`]);
		}
		traffic.sent.length = 0;
		await traffic.ask(['next']);
		await jest.advanceTimersByTimeAsync(8999);
		expect(traffic.sent).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.sent).toEqual(['next']);
	});

	it('keeps the order of the queue, also for requests that are repeated', async () => {
		const early = nextQueuePosition();
		const traffic = await rejectedTraffic(1000, true);
		await traffic.ask(['new']);
		await traffic.ask(['repeat'], { queuePosition: early });
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.sent).toEqual(['repeat', 'new']);
	});

	it('ends in a single request, and a slow start from there', async () => {
		const traffic = await rejectedTraffic(1000);
		await traffic.ask(namesOf(40));
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.sent).toEqual(['r0']);
		for (let tenths = 0; tenths < 20; tenths += 1) {
			await traffic.respond(accepted);
			await jest.advanceTimersByTimeAsync(100);
		}
		expect(traffic.sent.length).toBeGreaterThan(20);
	});

	it('is repeated when the first request after it is rejected, too', async () => {
		const traffic = await rejectedTraffic(1000);
		await traffic.ask(['again', 'next']);
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.respond(rejected(5000));
		await jest.advanceTimersByTimeAsync(4999);
		expect(traffic.sent).toEqual(['again']);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.sent).toEqual(['again', 'next']);
	});

	it('is never much longer than named, however often it is repeated', async () => {
		jest.spyOn(numbers, 'jitter').mockReturnValue(1);
		const traffic = await rejectedTraffic(1000);
		for (let count = 1; count <= 20; count += 1) {
			await traffic.ask([`r${count}`]);
			await jest.advanceTimersByTimeAsync(61_000);
			expect(traffic.sent).toHaveLength(count);
			await traffic.respond(rejected(1000));
		}
	});

	it('is told apart from the rejection of one request while others were accepted shortly before', async () => {
		const traffic = new Traffic();
		await traffic.ask(['accepted']);
		await traffic.respond(accepted);
		expect(traffic.limiter.isBackingOff).toBe(false);
		await traffic.ask(namesOf(3));
		await traffic.respond(rejected(1000));
		expect(traffic.limiter.isBackingOff).toBe(true);
		await jest.advanceTimersByTimeAsync(120_000);
		expect(traffic.limiter.isBackingOff).toBe(false);
	});
});

describe('A window of the service', () => {
	/** Four requests accepted, the fifth rejected with the reset of the window; twenty in the queue. */
	async function windowOfFour() {
		const traffic = new Traffic();
		await traffic.ask(namesOf(5, 'first'));
		await traffic.respond(accepted, namesOf(4, 'first'));
		await traffic.respond(rejected(50_000, true));
		traffic.sent.length = 0;
		await traffic.ask(namesOf(20));
		return traffic;
	}

	it('lets as many go at its reset as the last one accepted', async () => {
		const traffic = await windowOfFour();
		await jest.advanceTimersByTimeAsync(49_999);
		expect(traffic.sent).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.sent).toEqual(namesOf(4));
	});

	it('is probed for more by a slow start', async () => {
		const traffic = await windowOfFour();
		await jest.advanceTimersByTimeAsync(50_000);
		const widths: number[] = [];
		for (let round = 0; round < 4; round += 1) {
			await traffic.respond(accepted);
			widths.push(traffic.inFlight.length);
		}
		expect(widths).toEqual([1, 2, 4, 8]);
	});
});

describe('The rate', () => {
	/** Sends to a service that accepts one request a second, for so many seconds. Returns when it accepted. */
	async function against(traffic: Traffic, seconds: number) {
		const until = Date.now() + 1000 * seconds;
		const times: number[] = [];
		let rejections = 0;
		let token = Date.now();
		void traffic.ask(namesOf(400));
		while (Date.now() < until) {
			await jest.advanceTimersByTimeAsync(20);
			for (const name of traffic.inFlight) {
				const isAccepted = Date.now() >= token;
				if (isAccepted) {
					times.push(Date.now());
					token = Math.max(token + 1000, Date.now() - 2000);
				} else rejections += 1;
				await traffic.respond(isAccepted ? accepted : rejected(1000), [name]);
			}
		}
		return { times, rejections };
	}

	it('settles where the service accepts nearly all, and little is rejected', async () => {
		const traffic = new Traffic(new RateLimiter());
		await against(traffic, 30);
		const { times, rejections } = await against(traffic, 120);
		expect(times.length).toBeGreaterThan(110);
		expect(rejections).toBeLessThan(0.1 * times.length);
	});

	it('is unlimited again after minutes without a request', async () => {
		const traffic = await rejectedTraffic(1000);
		await traffic.ask(['once', 'twice']);
		await jest.advanceTimersByTimeAsync(1400);
		await traffic.respond(accepted, ['once']);
		await traffic.respond(rejected(1000), ['twice']);
		await jest.advanceTimersByTimeAsync(9 * 60_000);
		traffic.sent.length = 0;
		await traffic.ask(namesOf(80));
		await jest.advanceTimersByTimeAsync(100);
		expect(traffic.sent).toHaveLength(80);
	});
});

describe('The pause budget of a request', () => {
	it('ends it at once where the pause is longer, with the response and the rest of the pause', async () => {
		const traffic = await rejectedTraffic(5000);
		await jest.advanceTimersByTimeAsync(1000);
		const { outcomes } = await traffic.ask(['hasty'], { pauseBudget: 3999 });
		const [{ reason }] = (await outcomes) as [PromiseRejectedResult];
		expect(reason).toBeInstanceOf(PauseTooLong);
		expect(reason).toMatchObject({ pause: 4000, failure: failureOf(5000) });
		expect(jest.getTimerCount()).toBe(0);
	});

	it('lets it wait where the pause is as long, and says how long it was held up', async () => {
		const traffic = await rejectedTraffic(5000);
		await jest.advanceTimersByTimeAsync(1000);
		const { outcomes } = await traffic.ask(['patient'], { pauseBudget: 4000 });
		await jest.advanceTimersByTimeAsync(4000);
		expect(await outcomes).toEqual([{ status: 'fulfilled', value: 4000 }]);
	});

	it('is spent by repeated pauses together, while nobody gets through', async () => {
		const traffic = await rejectedTraffic(1000);
		await traffic.ask(['tries']);
		const { outcomes } = await traffic.ask(['waits'], { pauseBudget: 1500 });
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.respond(rejected(1000));
		expect((await outcomes)[0].status).toBe('rejected');
	});

	it('is whole again when another request is accepted', async () => {
		const traffic = await rejectedTraffic(1000);
		await traffic.ask(['tries']);
		const { outcomes } = await traffic.ask(['waits'], { pauseBudget: 1500 });
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.respond(accepted);
		await traffic.ask(['between'], { queuePosition: 0 });
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.respond(rejected(1000), ['between']);
		await jest.advanceTimersByTimeAsync(5000);
		expect((await outcomes)[0].status).toBe('fulfilled');
	});
});

describe('A stop', () => {
	it('ends the wait at once, and costs the others nothing', async () => {
		const traffic = await rejectedTraffic(5000, true);
		const stop = new AbortController();
		await traffic.ask(['before']);
		const { outcomes } = await traffic.ask(['stopped'], { signal: stop.signal });
		await traffic.ask(['after']);
		stop.abort(new Error('stop'));
		expect(await outcomes).toMatchObject([{ reason: { message: 'stop' } }]);
		await jest.advanceTimersByTimeAsync(5000);
		await traffic.respond(accepted);
		expect(traffic.sent).toEqual(['before', 'after']);
	});

	it('leaves no timer behind when nobody else waits', async () => {
		const traffic = await rejectedTraffic(60_000);
		const stop = new AbortController();
		await traffic.ask(['stopped'], { signal: stop.signal });
		expect(jest.getTimerCount()).toBe(1);
		stop.abort(new Error('stop'));
		expect(jest.getTimerCount()).toBe(0);
	});

	it('before the wait sends nothing', async () => {
		const traffic = new Traffic();
		const { outcomes } = await traffic.ask(['late'], {
			signal: AbortSignal.abort(new Error('stop')),
		});
		expect(await outcomes).toMatchObject([{ reason: { message: 'stop' } }]);
		expect(traffic.sent).toEqual([]);
	});
});

describe('The rate limiters of a credential', () => {
	it('are one for each bucket', () => {
		const limiter = rateLimitersFor('one')('search');
		expect(rateLimitersFor('one')('search')).toBe(limiter);
		expect(rateLimitersFor('one')('scrape')).not.toBe(limiter);
		expect(rateLimitersFor('two')('search')).not.toBe(limiter);
	});

	it('are forgotten after ten minutes without use, but not while a request waits or is in flight', async () => {
		const traffic = new Traffic(rateLimitersFor('kept')('search'));
		await traffic.ask(['slow']);
		await jest.advanceTimersByTimeAsync(30 * 60_000);
		expect(rateLimitersFor('kept')('search')).toBe(traffic.limiter);
		await traffic.respond(accepted);
		await jest.advanceTimersByTimeAsync(10 * 60_000);
		expect(rateLimitersFor('kept')('search')).toBe(traffic.limiter);
		await jest.advanceTimersByTimeAsync(1);
		expect(rateLimitersFor('kept')('search')).not.toBe(traffic.limiter);
	});

	it('are forgotten as soon as another is used, where the service never limited them', async () => {
		const [unlimited, limited] = ['unlimited', 'limited'].map(
			(name) => new Traffic(rateLimitersFor(name)('search')),
		);
		await unlimited.ask(['accepted']);
		await limited.ask(namesOf(5));
		await unlimited.respond(accepted);
		await limited.respond(rejected(1000));
		await jest.advanceTimersByTimeAsync(60_000);
		expect(rateLimitersFor('limited')('search')).toBe(limited.limiter);
		expect(rateLimitersFor('unlimited')('search')).not.toBe(unlimited.limiter);
	});
});
