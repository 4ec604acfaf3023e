import { PauseTooLong, type Failure } from '../../../../nodes/runtime/errors/response';
import { limitersFor } from '../../../../nodes/runtime/http/connection';
import {
	Limiter,
	type Effect,
	type Release,
	type Turn,
} from '../../../../nodes/runtime/http/limiter';
import { effectOfFailure } from '../../../../nodes/runtime/http/retry';
import { useDrivenClock } from '../../drivenClock.cjs';

let lastPosition = 0;
const nextQueuePosition = () => (lastPosition += 1);

useDrivenClock(0.5);

const failureOf = (pause: number): Failure => ({
	response: { status: 429, headers: {}, body: { error: `pause ${pause}` } },
});
const accepted: Effect = { kind: 'accepted', bytes: 0 };
const rejected = (pause: number, endsWindow = false): Effect => ({
	kind: 'rejected',
	pause,
	endsWindow,
	isNamed: true,
	failure: failureOf(pause),
});

/** Requests through a limiter that the test responds to. */
class Traffic {
	/** Names in the order of sending. */
	readonly sent: string[] = [];
	private readonly open = new Map<string, Release>();

	constructor(readonly limiter = new Limiter()) {}

	/** Waits for turns; `outcomes` holds how each wait ended. */
	async ask(names: string[], turn: Partial<Turn> = {}) {
		const waits = names.map(async (name) => {
			const release = await this.limiter.acquire({
				queuePosition: nextQueuePosition(),
				notBefore: 0,
				latest: Infinity,
				deadline: Infinity,
				...turn,
			});
			this.sent.push(name);
			this.open.set(name, release);
		});
		const outcomes = Promise.allSettled(waits);
		await jest.advanceTimersByTimeAsync(0);
		return { outcomes };
	}

	/** Responds to requests in flight: to these, or to all. */
	async respond(outcome: Effect, names = this.inFlight): Promise<void> {
		for (const name of names) {
			this.open.get(name)?.(outcome);
			this.open.delete(name);
		}
		// Each request lets the next one go.
		for (let count = 0; count < 50; count += 1) await jest.advanceTimersByTimeAsync(0);
	}

	get inFlight(): string[] {
		return [...this.open.keys()];
	}
}

const namesOf = (count: number, prefix = 'r') =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A limiter whose requests were all rejected. */
async function rejectedTraffic(pause: number, endsWindow = false) {
	const traffic = new Traffic();
	await traffic.ask(namesOf(3, 'rejected'));
	await traffic.respond(rejected(pause, endsWindow));
	traffic.sent.length = 0;
	return traffic;
}

describe('A limiter that knows of no limit', () => {
	it('lets as many go as there are slots, one more for each response, in order, without a timer', async () => {
		const traffic = new Traffic();
		await traffic.ask(namesOf(300));
		expect(traffic.inFlight).toEqual(namesOf(5));
		for (let round = 0; round < 6; round += 1) await traffic.respond(accepted);
		expect(traffic.inFlight).toHaveLength(50);
		while (traffic.inFlight.length > 0) await traffic.respond(accepted);
		expect(traffic.sent).toEqual(namesOf(300));
		expect(jest.getTimerCount()).toBe(0);
	});

	it('halves the slots once for all requests of an overload, and once for large responses', async () => {
		const traffic = new Traffic();
		await traffic.ask(namesOf(20));
		await traffic.respond({ kind: 'overloaded' });
		expect(traffic.inFlight).toHaveLength(2);
		await traffic.respond({ kind: 'accepted', bytes: 1_000_000_000 });
		expect(traffic.inFlight).toHaveLength(1);
	});

	it('frees the slots of polls that get no response, and sends fewer at once', async () => {
		const traffic = new Traffic();
		await traffic.ask(namesOf(7, 'poll'));
		const failure = { networkError: { code: 'ECONNABORTED', message: 'no response' } };
		await traffic.respond(effectOfFailure(failure, 1_000, 1_000));
		expect(traffic.inFlight).toEqual(['poll5', 'poll6']);
		await traffic.respond(accepted);
		expect(traffic.sent).toEqual(namesOf(7, 'poll'));
	});

	it('lets other items take the place of those that wait for their own retry', async () => {
		const traffic = new Traffic();
		await traffic.ask(['repeat'], { notBefore: 1000 });
		expect([traffic.limiter.itemLimit, traffic.sent]).toEqual([6, []]);
		await jest.advanceTimersByTimeAsync(1000);
		expect([traffic.limiter.itemLimit, traffic.sent]).toEqual([5, ['repeat']]);
	});
});

describe('A rejection', () => {
	it('that stays alone holds up nobody, however often it is repeated', async () => {
		const traffic = new Traffic();
		for (let count = 0; count < 5; count += 1) {
			await traffic.ask(['stubborn'], { queuePosition: 1 });
			await traffic.respond(rejected(60_000));
		}
		await traffic.ask(['other']);
		expect(traffic.sent.at(-1)).toBe('other');
	});

	it('pauses all if another follows, or if it names the reset of a window', async () => {
		for (const [count, endsWindow] of [
			[2, false],
			[1, true],
		] as const) {
			const traffic = new Traffic();
			await traffic.ask(namesOf(count, 'rejected'));
			await traffic.respond(rejected(5000, endsWindow));
			await traffic.ask(['next']);
			await jest.advanceTimersByTimeAsync(4999);
			expect(traffic.inFlight).toEqual([]);
			await jest.advanceTimersByTimeAsync(1);
			expect(traffic.inFlight).toEqual(['next']);
		}
	});
});

it('Of many requests in flight, a quarter must be rejected in a row to pause all', async () => {
	const traffic = new Traffic();
	await traffic.ask(namesOf(50));
	await traffic.respond(accepted, namesOf(5));
	await traffic.respond(accepted, ['r5', 'r6']);
	expect(traffic.inFlight).toHaveLength(12);
	await traffic.respond(rejected(5000), ['r7', 'r8']);
	expect(traffic.inFlight).toHaveLength(12);
	await traffic.respond(rejected(5000), ['r9']);
	expect(traffic.inFlight).toHaveLength(11);
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
		await traffic.ask(namesOf(4, 'burst'));
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

	it('ends in one request, and one more for each that is accepted; retries go first', async () => {
		const early = nextQueuePosition();
		const traffic = await rejectedTraffic(1000, true);
		await traffic.ask(namesOf(20));
		await traffic.ask(['repeat'], { queuePosition: early });
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.sent).toEqual(['repeat']);
		const widths: number[] = [];
		for (let round = 0; round < 3; round += 1) {
			await traffic.respond(accepted);
			widths.push(traffic.inFlight.length);
		}
		expect(widths).toEqual([2, 4, 5]);
	});
});

describe('The time of a request for pauses', () => {
	it('ends it at once if the pause is longer, with the response and the rest of the pause', async () => {
		const traffic = await rejectedTraffic(5000);
		await jest.advanceTimersByTimeAsync(1000);
		const { outcomes } = await traffic.ask(['hasty'], { latest: 4999 });
		const [{ reason }] = (await outcomes) as [PromiseRejectedResult];
		expect(reason).toBeInstanceOf(PauseTooLong);
		expect(reason).toMatchObject({ pause: 4000, failure: failureOf(5000) });
		expect(jest.getTimerCount()).toBe(0);
		await traffic.ask(['patient'], { latest: 5000 });
		await jest.advanceTimersByTimeAsync(4000);
		expect(traffic.sent).toEqual(['patient']);
	});

	it('ends at the deadline, also without a pause', async () => {
		const traffic = new Traffic();
		await traffic.ask(namesOf(5));
		const { outcomes } = await traffic.ask(['late'], { deadline: 1000 });
		await jest.advanceTimersByTimeAsync(1000);
		expect((await outcomes)[0]).toMatchObject({ reason: { pause: 30_000 } });
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe('A stop', () => {
	it('ends the wait at once, costs the others nothing, and leaves no timer', async () => {
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
		await traffic.respond(accepted);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('before the wait sends nothing', async () => {
		const traffic = new Traffic();
		const signal = AbortSignal.abort(new Error('stop'));
		const { outcomes } = await traffic.ask(['late'], { signal });
		expect(await outcomes).toMatchObject([{ reason: { message: 'stop' } }]);
		expect(traffic.sent).toEqual([]);
	});
});

describe('The limiters of a credential', () => {
	it('are one for each bucket', () => {
		const limiter = limitersFor('one')('search');
		expect(limitersFor('one')('search')).toBe(limiter);
		expect(limitersFor('one')('scrape')).not.toBe(limiter);
		expect(limitersFor('two')('search')).not.toBe(limiter);
	});

	it('are forgotten after ten minutes without use, but not while a request is in flight', async () => {
		const traffic = new Traffic(limitersFor('kept')('search'));
		await traffic.ask(['slow']);
		await jest.advanceTimersByTimeAsync(30 * 60_000);
		expect(limitersFor('kept')('search')).toBe(traffic.limiter);
		await traffic.respond(accepted);
		await jest.advanceTimersByTimeAsync(10 * 60_000);
		expect(limitersFor('kept')('search')).toBe(traffic.limiter);
		await jest.advanceTimersByTimeAsync(1);
		expect(limitersFor('kept')('search')).not.toBe(traffic.limiter);
	});
});
