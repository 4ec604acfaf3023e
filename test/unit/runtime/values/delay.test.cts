import { delay } from '../../../../nodes/runtime/values/delay';

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
