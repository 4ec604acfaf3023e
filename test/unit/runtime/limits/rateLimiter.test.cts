import { ConcurrencyLimit } from '../../../../nodes/runtime/limits/concurrencyLimit';
import jitter = require('../../../../nodes/runtime/values/jitter');
import {
	nextQueuePosition,
	PauseTooLong,
	RateLimiter,
	rateLimitersFor,
	type RateLimitSignal,
} from '../../../../nodes/runtime/limits/rateLimiter';
import type { Failure } from '../../../../nodes/runtime/api/retry';

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
	// Not Math.random: the sort of the source maps behind a stack overflows when that is always 0.
	jest.spyOn(jitter, 'jitter').mockReturnValue(0);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

/** Lets everything run that needs no time. */
const settle = () => jest.advanceTimersByTimeAsync(0);

/** Good, a refusal that names a pause, or a failure that says nothing about limits. */
type Answer = 'good' | 'failed' | { pause: number; resets?: boolean };

/** The refusal that names a pause. */
const refusal = (pause: number): Failure => ({
	response: { status: 429, headers: {}, body: { error: `pause ${pause}` } },
});

function signOf(answer: Answer): RateLimitSignal {
	if (answer === 'good') return { size: 0 };
	if (answer === 'failed') return 'none';
	return { isNamed: true, resets: false, ...answer, refusal: refusal(answer.pause) };
}

/** Requests through a rate limiter whose answers the test gives. */
class Traffic {
	/** Names in the order in which they were let in. */
	readonly begun: string[] = [];
	/** How long each was held up by pauses. */
	readonly paused = new Map<string, number>();
	private readonly answers = new Map<string, (answer: Answer) => void>();

	constructor(private readonly limiter: RateLimiter) {}

	/** Asks with a place of its own in the order, or with one that it got earlier. */
	ask(
		name: string,
		{
			queuePosition = nextQueuePosition(),
			signal,
			pauseBudget = Infinity,
		}: { queuePosition?: number; signal?: AbortSignal; pauseBudget?: number } = {},
	): Promise<Answer> {
		return this.limiter.schedule(
			async (paused) => {
				this.begun.push(name);
				this.paused.set(name, paused);
				return await new Promise<Answer>((resolve) => this.answers.set(name, resolve));
			},
			signOf,
			{ queuePosition, signal, pauseBudget },
		);
	}

	async answer(name: string, answer: Answer = 'good'): Promise<void> {
		this.answers.get(name)?.(answer);
		this.answers.delete(name);
		await settle();
	}

	/** Those let in and not yet answered. */
	get inside(): string[] {
		return [...this.answers.keys()];
	}
}

/** A rate limiter that lets a hundred requests be in flight: what these tests are about is the rate. */
const wideLimiter = () => new RateLimiter(new ConcurrencyLimit(100));

const names = (count: number, prefix = 'r') =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** How many are inside once `answers` good answers were given, each to the first inside. */
async function inFlightAfter(traffic: Traffic, answers: number): Promise<number> {
	for (let count = 0; count < answers; count += 1) await traffic.answer(traffic.inside[0]);
	return traffic.inside.length;
}

/** How many are inside after each of these was answered. */
async function widthsAfter(traffic: Traffic, answered: string[]): Promise<number[]> {
	const widths: number[] = [];
	for (const name of answered) {
		await traffic.answer(name);
		widths.push(traffic.inside.length);
	}
	return widths;
}

/** A rate limiter that has just seen a 429 while `inFlight` requests were inside, and then one for another; all have left. */
async function refusedLimiter(inFlight: number, pause = 1000) {
	const limiter = wideLimiter();
	const traffic = new Traffic(limiter);
	const burst = names(inFlight, 'burst');
	for (const name of burst) void traffic.ask(name);
	await settle();
	for (const name of burst) await traffic.answer(name, { pause });
	// Where nothing is known of a limit, one refusal is believed when two more follow.
	for (let count = inFlight; count < 3; count += 1) {
		void traffic.ask(`check${count}`);
		await settle();
		await traffic.answer(`check${count}`, { pause });
	}
	traffic.begun.length = 0;
	return { limiter, traffic };
}

describe('a rate limiter that was never refused', () => {
	it('lets everybody in at once, in order, and hands the results out', async () => {
		const traffic = new Traffic(wideLimiter());
		const asked = names(30).map((name) => traffic.ask(name));
		await settle();
		expect(traffic.begun).toEqual(names(30));
		for (const name of names(30)) await traffic.answer(name);
		expect(await Promise.all(asked)).toEqual(names(30).map(() => 'good'));
		expect(jest.getTimerCount()).toBe(0);
	});

	it('lets few be in flight at first, and more with each answer', async () => {
		const traffic = new Traffic(new RateLimiter());
		for (const name of names(300)) void traffic.ask(name);
		await settle();
		expect(traffic.inside).toHaveLength(5);
		for (let round = 0; round < 6; round += 1) {
			await jest.advanceTimersByTimeAsync(100);
			for (const name of traffic.inside) await traffic.answer(name);
		}
		expect(traffic.inside.length).toBeGreaterThan(50);
	});

	it('gives those a place who wait for themselves alone', async () => {
		const limiter = new RateLimiter();
		const turn = { queuePosition: nextQueuePosition(), pauseBudget: Infinity, notBefore: 1000 };
		const work = async () => await Promise.resolve();
		const late = limiter.schedule(work, () => 'none', turn);
		expect([limiter.width, limiter.places]).toEqual([5, 6]);
		await jest.advanceTimersByTimeAsync(1000);
		await late;
		expect(limiter.places).toBe(5);
	});

	it('hands the error of the work out and frees its place', async () => {
		const limiter = wideLimiter();
		const turn = { queuePosition: nextQueuePosition(), pauseBudget: Infinity };
		const breaking = async () => await Promise.reject(new Error('broken'));
		await expect(limiter.schedule(breaking, () => 'none', turn)).rejects.toThrow('broken');
		expect(limiter.idle).toBe(true);
	});
});

describe('a refusal', () => {
	it('pauses everybody for the time named, and no longer', async () => {
		const { traffic } = await refusedLimiter(4, 5000);
		void traffic.ask('next');
		await jest.advanceTimersByTimeAsync(4999);
		expect(traffic.begun).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.begun).toEqual(['next']);
	});

	it('is followed by a single request that tries whether there is room again', async () => {
		const { traffic } = await refusedLimiter(8);
		for (const name of names(10)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.begun).toEqual(['r0']);
	});

	/** Eight requests inside, of which one is refused and all others succeed; ten more wait. */
	async function oneRefused(refused: string) {
		const traffic = new Traffic(wideLimiter());
		const burst = names(8, 'burst');
		for (const name of burst) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(20);
		await traffic.answer(refused, { pause: 1000 });
		for (const name of burst) if (name !== refused) await traffic.answer(name);
		traffic.begun.length = 0;
		for (const name of names(10)) void traffic.ask(name);
		await settle();
		return traffic;
	}

	it('is of that request alone where one that was sent later succeeds', async () => {
		const traffic = await oneRefused('burst0');
		expect(traffic.begun).toEqual(names(10));
	});

	it('lets the others through one by one where nothing is known of a limit, until one is taken on', async () => {
		const traffic = await oneRefused('burst7');
		await jest.advanceTimersByTimeAsync(10);
		expect(traffic.begun).toEqual(['r0']);
		await jest.advanceTimersByTimeAsync(29);
		expect(traffic.begun).toEqual(['r0']);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.begun).toEqual(names(10));
	});

	it('holds for everybody when two more are refused', async () => {
		const traffic = await oneRefused('burst7');
		for (const name of ['r0', 'r1']) {
			await jest.advanceTimersByTimeAsync(10);
			expect(traffic.begun.at(-1)).toBe(name);
			await jest.advanceTimersByTimeAsync(20);
			await traffic.answer(name, { pause: 1000 });
		}
		await jest.advanceTimersByTimeAsync(999);
		expect(traffic.begun).toEqual(['r0', 'r1']);
	});

	it('is of that request alone, whatever comes after, where more are taken on than refused', async () => {
		const traffic = await oneRefused('burst7');
		await jest.advanceTimersByTimeAsync(60);
		await traffic.answer('r4', { pause: 1000 });
		await traffic.answer('r9', { pause: 1000 });
		void traffic.ask('next');
		await jest.advanceTimersByTimeAsync(60);
		expect(traffic.begun).toContain('next');
	});

	/** A limiter that knows of a limit, when the last request that was sent is refused and another is under way. */
	async function doubtedTraffic() {
		const { traffic } = await refusedLimiter(8);
		for (const [name, answer, wait] of [
			['taken', 'good', 1000],
			['believed', { pause: 1000 }, 10],
			['taken again', 'good', 10_000],
		] as const) {
			void traffic.ask(name);
			await jest.advanceTimersByTimeAsync(wait);
			await traffic.answer(name, answer);
		}
		for (const name of ['slow', 'refused']) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(10_000);
		await traffic.answer('refused', { pause: 5000 });
		traffic.begun.length = 0;
		return traffic;
	}

	it('is looked into by one request that is sent in the pause', async () => {
		const traffic = await doubtedTraffic();
		for (const name of names(5)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(4999);
		expect(traffic.begun).toEqual(['r0']);
	});

	it('is of that request alone where this one succeeds: the pause is over', async () => {
		const traffic = await doubtedTraffic();
		for (const name of names(5)) void traffic.ask(name);
		await settle();
		await traffic.answer('r0');
		expect(traffic.paused.get('r0')).toBe(0);
		const hasty = traffic.ask('hasty', { pauseBudget: 0 }).catch(() => 'not let wait');
		await settle();
		expect(await Promise.race([hasty, 'waits for its turn'])).toBe('waits for its turn');
	});

	it('asks for no check any more once its pause is over, though nobody waited in it', async () => {
		const traffic = await doubtedTraffic();
		await jest.advanceTimersByTimeAsync(5000);
		for (const name of names(5)) void traffic.ask(name);
		await settle();
		expect(traffic.begun).toEqual([]);
	});

	it('that names the reset of a window is believed without a check', async () => {
		const traffic = new Traffic(wideLimiter());
		void traffic.ask('refused');
		await settle();
		await traffic.answer('refused', { pause: 1000, resets: true });
		void traffic.ask('next');
		await jest.advanceTimersByTimeAsync(999);
		expect(traffic.begun).toEqual(['refused']);
	});

	it('holds nobody for good where the pause ends while the rate limiter looks at the clock', async () => {
		const { traffic } = await refusedLimiter(1);
		void traffic.ask('next');
		await jest.advanceTimersByTimeAsync(999);
		const now = jest.spyOn(performance, 'now');
		now.mockReturnValueOnce(999).mockReturnValue(1000);
		await jest.advanceTimersByTimeAsync(1);
		await jest.advanceTimersByTimeAsync(10);
		now.mockRestore();
		expect(traffic.begun).toEqual(['next']);
	});

	it('costs the work that was under way nothing', async () => {
		const traffic = new Traffic(wideLimiter());
		const asked = names(3).map((name) => traffic.ask(name));
		await settle();
		await traffic.answer('r0', { pause: 60_000 });
		await traffic.answer('r1');
		await traffic.answer('r2');
		expect(await Promise.all(asked)).toEqual([{ pause: 60_000 }, 'good', 'good']);
	});

	it('of one burst reduces once, and the longest pause counts', async () => {
		const traffic = new Traffic(wideLimiter());
		for (const name of names(8, 'burst')) void traffic.ask(name);
		await settle();
		const pauses = [1000, 9000, 2000, 1000, 1000, 1000, 1000, 1000];
		for (const [index, pause] of pauses.entries()) await traffic.answer(`burst${index}`, { pause });
		traffic.begun.length = 0;
		for (const name of names(8)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(8999);
		expect(traffic.begun).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.begun).toEqual(['r0']);
		expect(await inFlightAfter(traffic, 3)).toBe(4);
	});

	it('of the request that tries pauses everybody again', async () => {
		const { traffic } = await refusedLimiter(8);
		for (const name of names(3)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.answer('r0', { pause: 5000 });
		await jest.advanceTimersByTimeAsync(4999);
		expect(traffic.begun).toEqual(['r0']);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.begun).toEqual(['r0', 'r1']);
	});
});

describe('the clock of the day', () => {
	it.each([
		['is set back by an hour', -3_600_000],
		['is set forward by an hour, or has gone on while the machine slept', 3_600_000],
	])('%s: the pause is as long as it was', async (_, by) => {
		const { traffic } = await refusedLimiter(4, 5000);
		void traffic.ask('next');
		await jest.advanceTimersByTimeAsync(1000);
		jest.setSystemTime(Date.now() + by);
		await jest.advanceTimersByTimeAsync(3999);
		expect(traffic.begun).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.begun).toEqual(['next']);
	});
});

describe('the way back', () => {
	it.each([
		['is quick to half of what was', 8, [1, 2, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6]],
		['is slow where only one was', 1, [1, 2, 2, 3, 3, 3, 4]],
	])('%s in flight, and from there one more for each full round', async (_, inFlight, widths) => {
		const { traffic } = await refusedLimiter(inFlight);
		for (const name of names(40)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.inside).toHaveLength(1);
		expect(await widthsAfter(traffic, names(widths.length - 1))).toEqual(widths.slice(1));
	});

	it('is not made by failures that say nothing about limits', async () => {
		const { traffic } = await refusedLimiter(8);
		for (const name of names(20)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		for (let answered = 0; answered < 10; answered += 1) {
			await traffic.answer(`r${answered}`, 'failed');
			expect(traffic.inside).toEqual([`r${answered + 1}`]);
		}
	});

	it('ends in a rate limiter that has forgotten', async () => {
		const { limiter, traffic } = await refusedLimiter(2);
		let next = 0;
		await jest.advanceTimersByTimeAsync(1000);
		while (!limiter.idle && next < 5000) {
			const name = `again${(next += 1)}`;
			void traffic.ask(name);
			await settle();
			await traffic.answer(name);
		}
		expect(limiter.idle).toBe(true);
		for (const name of names(80)) void traffic.ask(name);
		await settle();
		expect(traffic.inside).toHaveLength(80);
	});
});

describe('from the second refusal on', () => {
	/**
	 * A limiter of a service that takes one request a second and names that second: refused at 0, it let
	 * one request in at 1000 and had the next refused there, and the check as well. They are let in 1.2 s
	 * apart from there, a fifth more than the service was measured to take.
	 */
	async function measuredLimiter(pause = 1000) {
		const { limiter, traffic } = await refusedLimiter(1);
		void traffic.ask('taken');
		void traffic.ask('refused');
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.answer('taken');
		await traffic.answer('refused', { pause });
		await refuseCheck(traffic, pause);
		return { limiter, traffic };
	}

	/** Refuses the request that is sent in the pause to look into the refusal, too. */
	async function refuseCheck(traffic: Traffic, pause: number): Promise<void> {
		void traffic.ask('check');
		await settle();
		await traffic.answer('check', { pause });
		traffic.begun.length = 0;
	}

	/** When each of so many requests is let in, if each is answered at once; milliseconds. */
	async function timesOf(traffic: Traffic, count: number): Promise<number[]> {
		const times: number[] = [];
		for (const name of names(count)) void traffic.ask(name);
		await settle();
		while (times.length < count) {
			while (traffic.inside.length > 0) {
				times.push(Date.now());
				await traffic.answer(traffic.inside[0]);
			}
			await jest.advanceTimersByTimeAsync(1);
		}
		return times;
	}

	const gapsOf = (times: number[]) => times.slice(1).map((time, index) => time - times[index]);

	it('requests are let in as far apart as the service was found to take them', async () => {
		const { traffic } = await measuredLimiter();

		const times = await timesOf(traffic, 5);

		// That was 1.2 s after the refusal, and the check took a place as well.
		expect(times[0]).toBe(1000 + 2 * 1200);
		for (const gap of gapsOf(times)) {
			expect(gap).toBeGreaterThan(1180);
			expect(gap).toBeLessThanOrEqual(1200);
		}
	});

	it('they get closer with every success, ever faster', async () => {
		const { traffic } = await measuredLimiter();

		const gaps = gapsOf(await timesOf(traffic, 100));

		expect(gaps[30]).toBeGreaterThan(800);
		expect(gaps[60]).toBeLessThan(600);
		expect(gaps[97]).toBeLessThan(250);
	});

	it('those that a longer pause held back follow at once', async () => {
		const { traffic } = await measuredLimiter(10_000);

		const times = await timesOf(traffic, 12);

		expect(times.filter((time) => time === 11_000)).toHaveLength(7);
		expect(times[7]).toBeGreaterThan(11_000);
	});

	it('so do those of a time in which nobody asked', async () => {
		const { traffic } = await measuredLimiter();
		await jest.advanceTimersByTimeAsync(30_000);
		const now = Date.now();

		const times = await timesOf(traffic, 80);

		const atOnce = times.filter((time) => time === now).length;
		expect(atOnce).toBeGreaterThanOrEqual(25);
		expect(atOnce).toBeLessThan(60);
	});

	it('are forgotten after some minutes', async () => {
		const { traffic } = await measuredLimiter();
		await jest.advanceTimersByTimeAsync(5 * 60_000);
		const now = Date.now();

		expect(await timesOf(traffic, 80)).toEqual(Array.from({ length: 80 }, () => now));
	});

	it('a time in which nobody asked is no part of the measure', async () => {
		const { traffic } = await refusedLimiter(1);
		void traffic.ask('taken');
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.answer('taken');
		await jest.advanceTimersByTimeAsync(5 * 60_000);
		void traffic.ask('refused');
		await settle();
		await traffic.answer('refused', { pause: 1000 });
		await refuseCheck(traffic, 1000);
		const refusedAt = Date.now();

		expect((await timesOf(traffic, 1))[0] - refusedAt).toBe(2 * 1200);
	});

	it('where nothing was taken between two refusals, the measure goes on', async () => {
		const { traffic } = await refusedLimiter(1);
		for (const name of ['again', 'taken', 'refused']) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.answer('again', { pause: 1000 });
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.answer('taken');
		await traffic.answer('refused', { pause: 1000 });
		traffic.begun.length = 0;

		expect(await timesOf(traffic, 1)).toEqual([2000 + 2400]);
	});
});

describe('a first limit, after some were taken on', () => {
	/** Of `taken` and three more, the last three are refused at 20; forty wait. */
	async function limitAfter(taken: number) {
		const traffic = new Traffic(wideLimiter());
		const burst = names(taken + 3, 'burst');
		for (const name of burst) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(20);
		for (const name of burst.slice(taken)) await traffic.answer(name, { pause: 1000 });
		for (const name of burst.slice(0, taken)) await traffic.answer(name);
		for (const name of names(40)) void traffic.ask(name);
		traffic.begun.length = 0;
		await jest.advanceTimersByTimeAsync(1000);
		return traffic;
	}

	it('is tried by one request, and by a second once the first is not refused', async () => {
		const traffic = await limitAfter(6);
		expect(traffic.begun).toEqual(['r0']);
		await jest.advanceTimersByTimeAsync(29);
		expect(traffic.begun).toEqual(['r0']);
		await jest.advanceTimersByTimeAsync(10_000);
		expect(traffic.begun).toEqual(['r0', 'r1']);
	});

	it.each([0, 1])(
		'that holds for %i more is one by the minute: as many in a minute as were taken on before',
		async (more) => {
			const traffic = await limitAfter(6);
			if (more > 0) await jest.advanceTimersByTimeAsync(30);
			const missed = `r${more}`;
			await traffic.answer(missed, { pause: 1000 });
			const from = Date.now();
			if (more > 0) await traffic.answer('r0');
			await jest.advanceTimersByTimeAsync(9_900);
			expect(traffic.begun).toHaveLength(1 + more);
			await jest.advanceTimersByTimeAsync(200);
			expect(Date.now() - from).toBe(10_100);
			expect(traffic.begun).toHaveLength(2 + more);
		},
	);

	it('that two pass is soon tried at twice the rate, again and again', async () => {
		const traffic = await limitAfter(6);
		await jest.advanceTimersByTimeAsync(30);
		for (let seconds = 0; seconds < 5; seconds += 1) {
			for (const name of traffic.inside) await traffic.answer(name);
			await jest.advanceTimersByTimeAsync(1000);
		}
		expect(traffic.begun.length).toBeGreaterThan(20);
	});
});

describe('a window of the service', () => {
	/** A limiter that saw a window of four requests end at `reset`: four were answered, the fifth was refused. */
	async function windowOfFour() {
		const traffic = new Traffic(wideLimiter());
		for (const name of names(5, 'first')) void traffic.ask(name);
		await settle();
		for (const name of names(4, 'first')) await traffic.answer(name);
		await traffic.answer('first4', { pause: 50_000, resets: true });
		traffic.begun.length = 0;
		for (const name of names(20)) void traffic.ask(name);
		return traffic;
	}

	it('is waited for, and then as many go at once as the one before allowed', async () => {
		const traffic = await windowOfFour();
		await jest.advanceTimersByTimeAsync(49_999);
		expect(traffic.begun).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.begun).toEqual(names(4));
	});

	it('that allows more is found by a slow start', async () => {
		const traffic = await windowOfFour();
		await jest.advanceTimersByTimeAsync(50_000);
		expect(await widthsAfter(traffic, names(7))).toEqual([3, 2, 1, 1, 2, 3, 4]);
	});
});

describe('the order', () => {
	it('is that of coming', async () => {
		const { traffic } = await refusedLimiter(1);
		for (const name of names(5)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		for (const name of names(5)) await traffic.answer(name);
		expect(traffic.begun).toEqual(names(5));
	});

	it('is that of first coming, for requests that come again', async () => {
		const { traffic } = await refusedLimiter(1);
		const [first, second] = [nextQueuePosition(), nextQueuePosition()];
		void traffic.ask('new');
		void traffic.ask('second again', { queuePosition: second });
		void traffic.ask('newer');
		void traffic.ask('first again', { queuePosition: first });
		await jest.advanceTimersByTimeAsync(1000);
		for (const name of ['first again', 'second again', 'new', 'newer']) await traffic.answer(name);
		expect(traffic.begun).toEqual(['first again', 'second again', 'new', 'newer']);
	});
});

describe('the pause budget of a request', () => {
	/** What came of asking: the refusal that was not borne, or the answer. */
	const outcomeOf = async (asked: Promise<Answer>) => await asked.catch((error: unknown) => error);

	it('ends it at once where a pause is longer, with the refusal and the rest of the pause', async () => {
		const { limiter, traffic } = await refusedLimiter(1, 5000);
		await jest.advanceTimersByTimeAsync(1000);
		const outcome = await outcomeOf(traffic.ask('hasty', { pauseBudget: 3999 }));
		expect(outcome).toBeInstanceOf(PauseTooLong);
		expect(outcome).toMatchObject({ pause: 4000, refusal: refusal(5000) });
		expect(traffic.begun).toEqual([]);
		expect(jest.getTimerCount()).toBe(0);
		void traffic.ask('patient', { pauseBudget: 4000 });
		await jest.advanceTimersByTimeAsync(4000);
		expect(traffic.begun).toEqual(['patient']);
		expect(traffic.paused.get('patient')).toBe(4000);
		expect(limiter.idle).toBe(false);
	});

	it('is spent by the pauses alone, and not by the wait for a turn', async () => {
		const { traffic } = await refusedLimiter(2, 1000);
		void traffic.ask('first');
		void traffic.ask('second', { pauseBudget: 1000 });
		await jest.advanceTimersByTimeAsync(60_000);
		await traffic.answer('first');
		expect(traffic.begun).toEqual(['first', 'second']);
	});

	it('is not spent while others get through', async () => {
		const { traffic } = await refusedLimiter(2, 1000);
		void traffic.ask('first');
		const last = outcomeOf(traffic.ask('last', { pauseBudget: 1500 }));
		await jest.advanceTimersByTimeAsync(1000);
		for (const name of names(2)) void traffic.ask(name, { queuePosition: 0 });
		await traffic.answer('first');
		await traffic.answer('r0', { pause: 1000 });
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.answer('r1');
		await traffic.answer('last');
		expect(await last).toBe('good');
	});

	it('is spent by each pause once, however many refusals name it', async () => {
		const traffic = new Traffic(wideLimiter());
		for (const name of names(5)) void traffic.ask(name);
		await settle();
		for (const name of names(3)) await traffic.answer(name, { pause: 1000 });
		void traffic.ask('waiting', { pauseBudget: 3000 });
		await traffic.answer('r3', { pause: 3000 });
		await traffic.answer('r4', { pause: 2000 });
		await jest.advanceTimersByTimeAsync(3000);
		expect(traffic.begun.at(-1)).toBe('waiting');
		expect(traffic.paused.get('waiting')).toBe(3000);
	});

	it('costs the others nothing when it ends', async () => {
		const { traffic } = await refusedLimiter(1, 1000);
		void traffic.ask('tries');
		void traffic.ask('before');
		const hasty = outcomeOf(traffic.ask('hasty', { pauseBudget: 2000 }));
		void traffic.ask('after');
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.answer('tries', { pause: 1001 });
		expect(await hasty).toMatchObject({ pause: 1001, refusal: refusal(1001) });
		await jest.advanceTimersByTimeAsync(60_000);
		for (const name of ['before', 'after']) await traffic.answer(name);
		expect(traffic.begun.slice(-3)).toEqual(['tries', 'before', 'after']);
	});
});

describe('stopping while waiting', () => {
	/** Asks, and hands out what stops the request. */
	function stoppable(traffic: Traffic) {
		const stop = new AbortController();
		const outcome = expect(traffic.ask('stopped', { signal: stop.signal })).rejects.toThrow('stop');
		return async () => {
			stop.abort(new Error('stop'));
			await outcome;
		};
	}

	it('ends at once and leaves neither timer nor waiter', async () => {
		const { limiter, traffic } = await refusedLimiter(1, 60_000);
		const stop = stoppable(traffic);
		await settle();
		expect(jest.getTimerCount()).toBe(1);
		await stop();
		expect(jest.getTimerCount()).toBe(0);
		void traffic.ask('other');
		await jest.advanceTimersByTimeAsync(60_000);
		expect(traffic.begun).toEqual(['other']);
		expect(limiter.idle).toBe(false);
	});

	it('costs the others nothing', async () => {
		const { traffic } = await refusedLimiter(1, 5000);
		void traffic.ask('before');
		const stop = stoppable(traffic);
		void traffic.ask('after');
		await stop();
		await jest.advanceTimersByTimeAsync(5000);
		await traffic.answer('before');
		expect(traffic.begun).toEqual(['before', 'after']);
	});

	it('before coming lets nobody in', async () => {
		const limiter = wideLimiter();
		const traffic = new Traffic(limiter);
		const signal = AbortSignal.abort(new Error('stop'));
		await expect(traffic.ask('late', { signal })).rejects.toThrow('stop');
		expect(traffic.begun).toEqual([]);
		expect(limiter.idle).toBe(true);
	});

	it('and a newcomer in the same moment still gets in after the pause', async () => {
		const { traffic } = await refusedLimiter(1, 5000);
		const stop = stoppable(traffic);
		await settle();
		const stopping = stop();
		void traffic.ask('newcomer');
		await stopping;
		await jest.advanceTimersByTimeAsync(5000);
		expect(traffic.begun).toEqual(['newcomer']);
	});
});

describe('the rate limiters of a credential', () => {
	it('are one for each bucket', () => {
		const limiter = rateLimitersFor('one')('read');
		expect(rateLimitersFor('one')('read')).toBe(limiter);
		expect(rateLimitersFor('one')('scrape')).not.toBe(limiter);
		expect(rateLimitersFor('two')('read')).not.toBe(limiter);
	});

	it('remember a refusal and who is inside, whoever asks for other rate limiters meanwhile', async () => {
		const refused = rateLimitersFor('refused')('read');
		const traffic = new Traffic(refused);
		void traffic.ask('a');
		await settle();
		rateLimitersFor('other')('read');
		expect(rateLimitersFor('refused')('read')).toBe(refused);
		await traffic.answer('a', { pause: 1000 });
		rateLimitersFor('other')('read');
		expect(rateLimitersFor('refused')('read')).toBe(refused);
	});

	it('forget a refusal ten minutes after the end of its pause', async () => {
		const { limiter } = await refusedLimiter(3, 60_000);
		expect(limiter.idle).toBe(false);
		await jest.advanceTimersByTimeAsync(11 * 60_000);
		expect(limiter.idle).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(limiter.idle).toBe(true);
	});

	it('are kept while anybody waits, however long the pause', async () => {
		const { limiter, traffic } = await refusedLimiter(1, 3_600_000);
		void traffic.ask('patient');
		await jest.advanceTimersByTimeAsync(3_599_999);
		expect(limiter.idle).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.inside).toEqual(['patient']);
		expect(limiter.idle).toBe(false);
	});
});
