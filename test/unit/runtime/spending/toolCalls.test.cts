import { Charge, Spending } from '../../../../nodes/runtime/spending/budget';
import { ToolCall } from '../../../../nodes/runtime/spending/toolCalls';

const second = 1_000;

/** A service that answers each call with a body of this many characters. */
function service(length = 1) {
	let calls = 0;
	const send = async () => {
		calls += 1;
		const response = { status: 200, headers: {}, body: 'x'.repeat(length) };
		return await Promise.resolve({ response, charge: new Charge(new Spending(), 0), at: 0 });
	};
	const call = async (key: string) => {
		const made = await ToolCall.join(key, send);
		if (made.isFirst) made.call.keep();
		return made;
	};
	return { call, count: () => calls };
}

describe('The same call of a tool', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('gets the response to the first for a minute', async () => {
		const { call, count } = service();
		const [first, same] = await Promise.all([call('minute'), call('minute')]);
		await jest.advanceTimersByTimeAsync(59 * second);
		const third = await call('minute');
		expect([first, same, third].map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
		expect(count()).toBe(1);

		await jest.advanceTimersByTimeAsync(2 * second);
		await call('minute');
		expect(count()).toBe(2);
	});

	it('is sent again after a failure', async () => {
		const failing = async () => await Promise.reject(new Error('No'));
		await expect(ToolCall.join('failing', failing)).rejects.toThrow('No');
		const { call, count } = service();
		await call('failing');
		expect(count()).toBe(1);
	});

	it('is sent again once its job is gone', async () => {
		const { call, count } = service();
		(await call('gone')).call.forget();
		await call('gone');
		expect(count()).toBe(2);
	});

	it('keeps no more than 20 million characters of responses', async () => {
		const { call, count } = service(8_000_000);
		for (const key of ['a', 'b', 'c']) await call(key);
		for (const key of ['c', 'b']) await call(key);
		expect(count()).toBe(3);
		await call('a');
		expect(count()).toBe(4);
	});

	it('is forgotten by itself, with no timer left', async () => {
		await service().call('alone');
		await jest.advanceTimersByTimeAsync(61 * second);
		expect(jest.getTimerCount()).toBe(0);
	});
});
