import { delay } from '../../../../nodes/runtime/host/delay';

describe('a delay', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('ends when its time is over, and leaves no timer', async () => {
		const ended = delay(300_000, new AbortController().signal);
		await jest.advanceTimersByTimeAsync(300_000);

		await ended;
		expect(jest.getTimerCount()).toBe(0);
	});

	it('ends with its signal, and leaves no timer', async () => {
		const stop = new AbortController();
		const ended = expect(delay(300_000, stop.signal)).rejects.toThrow();
		stop.abort();

		await ended;
		expect(jest.getTimerCount()).toBe(0);
	});
});
