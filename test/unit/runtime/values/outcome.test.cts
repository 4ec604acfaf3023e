import {
	attempt,
	eachConcurrent,
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
	/** Work on four entries, two at once, whose ends the test chooses. */
	function begin(halted = () => false) {
		const begun: string[] = [];
		const ends = new Map<number, () => void>();
		const work = async (entry: string, index: number) => {
			begun.push(entry);
			await new Promise<void>((resolve) => ends.set(index, resolve));
		};
		const end = async (index: number) => {
			ends.get(index)?.();
			await new Promise((resolve) => setImmediate(resolve));
		};
		return { begun, end, all: eachConcurrent(['a', 'b', 'c', 'd'], () => 2, work, halted) };
	}

	it('begins the next entry when one has ended, and ends with the last', async () => {
		const { all, begun, end } = begin();
		let isOver = false;
		void all.then(() => (isOver = true));
		expect(begun).toEqual(['a', 'b']);
		await end(1);
		expect(begun).toEqual(['a', 'b', 'c']);
		for (const index of [2, 3]) await end(index);
		expect(isOver).toBe(false);
		await end(0);
		await all;
	});

	it('begins nothing once halted', async () => {
		let isHalted = false;
		const { all, begun, end } = begin(() => isHalted);
		isHalted = true;
		for (const index of [0, 1]) await end(index);
		await all;
		expect(begun).toEqual(['a', 'b']);
	});

	it('ends without entries', async () => {
		const work = async () => await Promise.reject(new Error('never'));
		await eachConcurrent(
			[],
			() => 2,
			work,
			() => false,
		);
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
