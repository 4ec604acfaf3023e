/** Limits concurrency; waiting calls run in their order. */
export class Semaphore {
	private readonly waiting: Array<() => void> = [];

	constructor(private free: number) {}

	async during<Value>(work: () => Promise<Value>): Promise<Value> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.free += 1;
		}
	}
}

/** The end of the last acquisition of each key. */
const turns = new Map<string, Promise<void>>();

/** Acquires the mutex of a key. @returns the idempotent release function */
export async function acquireKey(name: string): Promise<() => void> {
	const before = turns.get(name);
	let end = () => {};
	const turn = new Promise<void>((resolve) => {
		end = () => {
			if (turns.get(name) === turn) turns.delete(name);
			resolve();
		};
	});
	turns.set(name, turn);
	await before;
	return end;
}
