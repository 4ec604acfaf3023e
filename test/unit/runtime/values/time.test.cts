import { delay, mapInTurns } from '../../../../nodes/runtime/values/time';

describe('A delay', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('ends after its time without a timer', async () => {
		const ended = delay(300_000, new AbortController().signal);
		await jest.advanceTimersByTimeAsync(300_000);

		await ended;
		expect(jest.getTimerCount()).toBe(0);
	});

	it('may be longer than any timer', async () => {
		const day = 86_400_000;
		let isOver = false;
		void delay(60 * day).then(() => (isOver = true));
		await jest.advanceTimersByTimeAsync(60 * day - 1);
		expect(isOver).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(isOver).toBe(true);
	});

	it('ends with its signal without a timer', async () => {
		const stop = new AbortController();
		const ended = expect(delay(300_000, stop.signal)).rejects.toThrow();
		stop.abort();

		await ended;
		expect(jest.getTimerCount()).toBe(0);
	});
});

/** Works on so many entries, each of so many characters; how many timers were set for it. */
async function timersFor(count: number, characters: number): Promise<number> {
	const timers = jest.spyOn(globalThis, 'setTimeout');
	await mapInTurns(Array(count).fill(''), characters, () => 0);
	const { length } = timers.mock.calls;
	timers.mockRestore();
	return length;
}

describe('Work in turns of the event loop', () => {
	it('covers all entries in order', async () => {
		const named = (entry: string, index: number) => `${index} ${entry}`;
		expect(await mapInTurns(['a', 'b', 'c'], 30_000, named)).toEqual(['0 a', '1 b', '2 c']);
	});

	it('yields after long work, and not before', async () => {
		expect(await timersFor(1_000, 10)).toBeLessThanOrEqual(1);
		const long = await timersFor(1_000, 1_000);
		expect(long).toBeGreaterThanOrEqual(19);
		expect(long).toBeLessThanOrEqual(21);
	});

	it('adds up many short entries', async () => {
		let timers = 0;
		for (let work = 0; work < 100; work += 1) timers += await timersFor(1, 5_000);

		expect(timers).toBeGreaterThanOrEqual(9);
		expect(timers).toBeLessThanOrEqual(11);
	});
});
