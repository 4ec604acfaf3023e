import {
	attempt,
	mapConcurrent,
	Semaphore,
	settle,
} from '../../../../nodes/runtime/values/outcome';

describe('An outcome', () => {
	it('is the value or the error, thrown or rejected', async () => {
		expect(attempt(() => 5)).toEqual({ ok: true, value: 5 });
		const broken = new Error('broken');
		const breaking = () => {
			throw broken;
		};
		expect(attempt(breaking)).toEqual({ ok: false, error: broken });
		expect(await settle(Promise.resolve(5))).toEqual({ ok: true, value: 5 });
		expect(await settle(Promise.reject(broken))).toEqual({ ok: false, error: broken });
		const outcome = await settle(Promise.reject('words'));
		expect(outcome).toEqual({ ok: false, error: new Error('words') });
	});
});

describe('Concurrent work', () => {
	const four = ['a', 'b', 'c', 'd'];
	const two = () => 2;
	const never = () => false;

	/** Work whose ends the test chooses. */
	function work() {
		const begun: number[] = [];
		const ends = new Map<number, (value: string) => void>();
		return {
			begun,
			one: async (_: string, index: number) => {
				begun.push(index);
				return await new Promise<string>((resolve) => ends.set(index, resolve));
			},
			end: async (index: number) => {
				ends.get(index)?.(`done ${index}`);
				await new Promise((resolve) => setImmediate(resolve));
			},
		};
	}

	it('keeps the positions of results, and the limit', async () => {
		const { begun, one, end } = work();
		const all = mapConcurrent(four, two, one, never);
		expect(begun).toEqual([0, 1]);
		await end(1);
		expect(begun).toEqual([0, 1, 2]);
		await end(2);
		await end(3);
		await end(0);
		expect(await all).toEqual(['done 0', 'done 1', 'done 2', 'done 3']);
	});

	it('starts nothing once halted, and leaves those positions empty', async () => {
		let halted = false;
		const { begun, one, end } = work();
		const all = mapConcurrent(four, two, one, () => halted);
		halted = true;
		await end(0);
		await end(1);
		expect(await all).toEqual(['done 0', 'done 1', undefined, undefined]);
		expect(begun).toEqual([0, 1]);
	});

	it('resolves without entries', async () => {
		const { one } = work();
		expect(await mapConcurrent([], two, one, never)).toEqual([]);
	});
});

it('A semaphore limits concurrency, keeps the order, and continues after failures', async () => {
	const places = new Semaphore(2);
	const begun: number[] = [];
	const ends: Array<() => void> = [];
	const all = [0, 1, 2, 3].map(async (name) =>
		places
			.during(async () => {
				begun.push(name);
				await new Promise<void>((resolve) => ends.push(resolve));
				if (name === 0) throw new Error('broken');
			})
			.catch((error: Error) => error.message),
	);
	const turn = async () => await new Promise((resolve) => setImmediate(resolve));
	await turn();
	expect(begun).toEqual([0, 1]);
	ends[0]();
	await turn();
	expect(begun).toEqual([0, 1, 2]);
	for (const end of ends) end();
	await turn();
	for (const end of ends) end();
	expect(await Promise.all(all)).toEqual(['broken', undefined, undefined, undefined]);
	expect(begun).toEqual([0, 1, 2, 3]);
});
