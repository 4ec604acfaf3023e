import { Semaphore } from '../../../../nodes/runtime/values/semaphore';

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
