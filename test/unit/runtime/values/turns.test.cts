import { eachInTurns } from '../../../../nodes/runtime/values/turns';

/** Works on so many entries, each of so many characters; how many timers were set for it. */
async function timersFor(count: number, characters: number): Promise<number> {
	const timers = jest.spyOn(globalThis, 'setTimeout');
	await eachInTurns(Array(count).fill(''), () => characters);
	const { length } = timers.mock.calls;
	timers.mockRestore();
	return length;
}

describe('Work in turns of the event loop', () => {
	it('covers all entries in order', async () => {
		const done: Array<[string, number]> = [];

		await eachInTurns(['a', 'b', 'c'], (entry, index) => {
			done.push([entry, index]);
			return 30_000;
		});

		expect(done).toEqual([
			['a', 0],
			['b', 1],
			['c', 2],
		]);
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

	it('stops with the error of an entry', async () => {
		const done: number[] = [];
		const work = eachInTurns([1, 2, 3], (entry) => {
			if (entry === 2) throw new Error('broken');
			done.push(entry);
			return 1;
		});

		await expect(work).rejects.toThrow('broken');
		expect(done).toEqual([1]);
	});
});
