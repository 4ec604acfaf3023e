/** A value, or the error that prevented it. */
export type Outcome<Value> = { ok: true; value: Value } | { ok: false; error: Error };

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** Settles a promise, so that a failed item does not stop the others. */
export const settle = async <Value>(promise: Promise<Value>): Promise<Outcome<Value>> =>
	await promise.then(
		(value) => ({ ok: true, value }),
		(error: unknown) => ({ ok: false, error: asError(error) }),
	);

/** Calls a function and catches its error. */
export function attempt<Value>(work: () => Value): Outcome<Value> {
	try {
		return { ok: true, value: work() };
	} catch (error) {
		return { ok: false, error: asError(error) };
	}
}

/** Processes entries in order until `halted`, `concurrency()` at once. */
export async function eachConcurrent<Entry>(
	entries: Entry[],
	concurrency: () => number,
	work: (entry: Entry, index: number) => Promise<void>,
	halted: () => boolean,
): Promise<void> {
	let next = 0;
	let active = 0;
	await new Promise<void>((resolve, reject) => {
		const one = async (index: number) => {
			await work(entries[index], index);
			active -= 1;
			begin();
		};
		const begin = () => {
			while (next < entries.length && active < concurrency() && !halted()) {
				active += 1;
				next += 1;
				one(next - 1).catch(reject);
			}
			if (active === 0) resolve();
		};
		begin();
	});
}

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
