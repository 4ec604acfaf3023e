import { sendOnce } from '../../../../nodes/runtime/jobs/toolCalls';

const second = 1_000;

/** A service that answers each call with a body of this many characters. */
function service(length = 1) {
	let calls = 0;
	const send = async () => {
		calls += 1;
		return await Promise.resolve({ status: 200, headers: {}, body: 'x'.repeat(length) });
	};
	return { send, count: () => calls };
}

describe('The same call of a tool', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('gets the response to the first for a minute', async () => {
		const { send, count } = service();
		let shared = 0;
		const call = async () => await sendOnce('minute', send, () => (shared += 1));
		await Promise.all([call(), call()]);
		await jest.advanceTimersByTimeAsync(59 * second);
		await call();
		expect([count(), shared]).toEqual([1, 2]);

		await jest.advanceTimersByTimeAsync(2 * second);
		await call();
		expect(count()).toBe(2);
	});

	it('is sent again after a failure', async () => {
		const failing = async () => await Promise.reject(new Error('No'));
		await expect(sendOnce('failing', failing, () => undefined)).rejects.toThrow('No');
		const { send, count } = service();
		await sendOnce('failing', send, () => undefined);
		expect(count()).toBe(1);
	});

	it('keeps no more than 20 million characters of responses', async () => {
		const { send, count } = service(8_000_000);
		for (const key of ['a', 'b', 'c']) await sendOnce(key, send, () => undefined);
		for (const key of ['c', 'b']) await sendOnce(key, send, () => undefined);
		expect(count()).toBe(3);
		await sendOnce('a', send, () => undefined);
		expect(count()).toBe(4);
	});

	it('is forgotten by itself, with no timer left', async () => {
		await sendOnce('alone', service().send, () => undefined);
		await jest.advanceTimersByTimeAsync(61 * second);
		expect(jest.getTimerCount()).toBe(0);
	});
});
