import { Gate, gatesOf } from '../../../nodes/runtime/pace';

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
	jest.useRealTimers();
});

/** Lets everything run that needs no time. */
const settle = () => jest.advanceTimersByTimeAsync(0);

type Answer = 'good' | { pause: number };

/** Requests through a gate whose answers the test gives. */
class Traffic {
	/** Names in the order in which they were let in. */
	readonly begun: string[] = [];
	private readonly answers = new Map<string, (answer: Answer) => void>();

	constructor(private readonly gate: Gate) {}

	ask(name: string, options: { first?: boolean; signal?: AbortSignal } = {}): Promise<Answer> {
		return this.gate.pass(
			async () => {
				this.begun.push(name);
				return await new Promise<Answer>((resolve) => this.answers.set(name, resolve));
			},
			(answer) => (answer === 'good' ? undefined : answer.pause),
			options,
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

const names = (count: number, prefix = 'r') =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A gate that has just seen a 429 while `inFlight` requests were inside; all have left. */
async function refusedGate(inFlight: number, pause = 1000) {
	const gate = new Gate();
	const traffic = new Traffic(gate);
	const burst = names(inFlight, 'burst');
	for (const name of burst) void traffic.ask(name);
	await settle();
	for (const name of burst) await traffic.answer(name, { pause });
	traffic.begun.length = 0;
	return { gate, traffic };
}

describe('a gate that was never refused', () => {
	it('lets everybody in at once, in order, and hands the results out', async () => {
		const traffic = new Traffic(new Gate());
		const asked = names(30).map((name) => traffic.ask(name));
		await settle();
		expect(traffic.begun).toEqual(names(30));
		for (const name of names(30)) await traffic.answer(name);
		expect(await Promise.all(asked)).toEqual(names(30).map(() => 'good'));
		expect(jest.getTimerCount()).toBe(0);
	});

	it('hands the error of the work out and frees its place', async () => {
		const gate = new Gate();
		await expect(
			gate.pass(
				async () => await Promise.reject(new Error('broken')),
				() => undefined,
			),
		).rejects.toThrow('broken');
		expect(gate.idle).toBe(true);
	});
});

describe('a refusal', () => {
	it('pauses everybody for the time named, and no longer', async () => {
		const { traffic } = await refusedGate(4, 5000);
		void traffic.ask('next');
		await jest.advanceTimersByTimeAsync(4999);
		expect(traffic.begun).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.begun).toEqual(['next']);
	});

	it('halves what may be in flight', async () => {
		const { traffic } = await refusedGate(8);
		for (const name of names(10)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.begun).toEqual(names(4));
	});

	it('leaves room for one at least', async () => {
		const { traffic } = await refusedGate(1);
		for (const name of names(3)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.begun).toEqual(['r0']);
	});

	it('of one burst reduces once, and the longest pause counts', async () => {
		const gate = new Gate();
		const traffic = new Traffic(gate);
		for (const name of names(8, 'burst')) void traffic.ask(name);
		await settle();
		const pauses = [1000, 9000, 2000, 1000, 1000, 1000, 1000, 1000];
		for (const [index, pause] of pauses.entries()) await traffic.answer(`burst${index}`, { pause });
		traffic.begun.length = 0;
		for (const name of names(8)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(8999);
		expect(traffic.begun).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.begun).toHaveLength(4);
	});

	it('after the pause reduces again', async () => {
		const { traffic } = await refusedGate(8);
		for (const name of names(10)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.inside).toHaveLength(4);
		for (const name of traffic.inside) await traffic.answer(name, { pause: 1000 });
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.inside).toHaveLength(2);
	});
});

describe('the way back', () => {
	it('lets one more in after each full round of good answers', async () => {
		const { traffic } = await refusedGate(4);
		for (const name of names(20)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.inside).toHaveLength(2);
		await traffic.answer('r0');
		expect(traffic.inside).toHaveLength(2);
		await traffic.answer('r1');
		expect(traffic.inside).toHaveLength(3);
		await traffic.answer('r2');
		await traffic.answer('r3');
		expect(traffic.inside).toHaveLength(3);
		await traffic.answer('r4');
		expect(traffic.inside).toHaveLength(4);
	});

	it('ends in a gate that has forgotten', async () => {
		const { gate, traffic } = await refusedGate(2);
		let next = 0;
		await jest.advanceTimersByTimeAsync(1000);
		while (!gate.idle && next < 5000) {
			const name = `again${(next += 1)}`;
			void traffic.ask(name);
			await settle();
			await traffic.answer(name);
		}
		expect(gate.idle).toBe(true);
		for (const name of names(80)) void traffic.ask(name);
		await settle();
		expect(traffic.inside).toHaveLength(80);
	});
});

describe('the order', () => {
	it('is that of coming', async () => {
		const { traffic } = await refusedGate(1);
		for (const name of names(5)) void traffic.ask(name);
		await jest.advanceTimersByTimeAsync(1000);
		for (const name of names(5)) await traffic.answer(name);
		expect(traffic.begun).toEqual(names(5));
	});

	it('puts a repeated request before new ones', async () => {
		const { traffic } = await refusedGate(1);
		void traffic.ask('new');
		void traffic.ask('repeated', { first: true });
		await jest.advanceTimersByTimeAsync(1000);
		expect(traffic.begun).toEqual(['repeated']);
	});

	it('keeps repeated requests in the order of coming among themselves', async () => {
		const { traffic } = await refusedGate(1);
		void traffic.ask('new');
		void traffic.ask('repeated first', { first: true });
		void traffic.ask('repeated second', { first: true });
		await jest.advanceTimersByTimeAsync(1000);
		await traffic.answer('repeated first');
		await traffic.answer('repeated second');
		await traffic.answer('repeated first');
		expect(traffic.begun.slice(0, 2)).toEqual(['repeated first', 'repeated second']);
	});
});

describe('stopping while waiting', () => {
	it('ends at once and leaves neither timer nor waiter', async () => {
		const { gate, traffic } = await refusedGate(1, 60_000);
		const stop = new AbortController();
		const asked = traffic.ask('waiting', { signal: stop.signal });
		await settle();
		expect(jest.getTimerCount()).toBe(1);
		const fate = expect(asked).rejects.toThrow('stop');
		stop.abort(new Error('stop'));
		await fate;
		expect(jest.getTimerCount()).toBe(0);
		void traffic.ask('other');
		await jest.advanceTimersByTimeAsync(60_000);
		expect(traffic.begun).toEqual(['other']);
		expect(gate.idle).toBe(false);
	});

	it('costs the others nothing', async () => {
		const { traffic } = await refusedGate(1, 5000);
		const stop = new AbortController();
		void traffic.ask('before');
		const asked = traffic.ask('stopped', { signal: stop.signal });
		void traffic.ask('after');
		const fate = expect(asked).rejects.toThrow('stop');
		stop.abort(new Error('stop'));
		await fate;
		await jest.advanceTimersByTimeAsync(5000);
		await traffic.answer('before');
		expect(traffic.begun).toEqual(['before', 'after']);
	});

	it('before coming lets nobody in', async () => {
		const gate = new Gate();
		const traffic = new Traffic(gate);
		await expect(
			traffic.ask('late', { signal: AbortSignal.abort(new Error('stop')) }),
		).rejects.toThrow('stop');
		expect(traffic.begun).toEqual([]);
		expect(gate.idle).toBe(true);
	});

	it('and a newcomer in the same moment still gets in after the pause', async () => {
		const { traffic } = await refusedGate(1, 5000);
		const stop = new AbortController();
		const asked = traffic.ask('stopped', { signal: stop.signal });
		await settle();
		const fate = expect(asked).rejects.toThrow('stop');
		stop.abort(new Error('stop'));
		void traffic.ask('newcomer');
		await fate;
		await jest.advanceTimersByTimeAsync(5000);
		expect(traffic.begun).toEqual(['newcomer']);
	});
});

describe('the gates of a credential', () => {
	it('are one for each kind of request', () => {
		const gate = gatesOf('one')('read');
		expect(gatesOf('one')('read')).toBe(gate);
		expect(gatesOf('one')('paid start')).not.toBe(gate);
		expect(gatesOf('two')('read')).not.toBe(gate);
	});

	it('remember a refusal and who is inside, whoever asks for other gates meanwhile', async () => {
		const refused = gatesOf('refused')('read');
		const traffic = new Traffic(refused);
		void traffic.ask('a');
		await settle();
		gatesOf('other')('read');
		expect(gatesOf('refused')('read')).toBe(refused);
		await traffic.answer('a', { pause: 1000 });
		gatesOf('other')('read');
		expect(gatesOf('refused')('read')).toBe(refused);
	});
});
