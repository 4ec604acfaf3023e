/** What came of a piece of work: its value, or the error that ended it. */
export type Outcome<Value> = { ok: true; value: Value } | { ok: false; error: Error };

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** A promise's fate as a value: one failing item must not take the others along. */
export const settle = async <Value>(promise: Promise<Value>): Promise<Outcome<Value>> =>
	await promise.then(
		(value) => ({ ok: true, value }),
		(error: unknown) => ({ ok: false, error: asError(error) }),
	);

/** A function's fate as a value. */
export function attempt<Value>(work: () => Value): Outcome<Value> {
	try {
		return { ok: true, value: work() };
	} catch (error) {
		return { ok: false, error: asError(error) };
	}
}

/**
 * Works on entries in their order until `halted`, at most `width` at a time, which is asked for whenever
 * one might begin. Results keep the entries' places; those never begun are absent.
 */
export async function mapConcurrent<Entry, Value>(
	entries: Entry[],
	width: () => number,
	work: (entry: Entry, index: number) => Promise<Value>,
	halted: () => boolean,
): Promise<Array<Value | undefined>> {
	const results = new Array<Value | undefined>(entries.length).fill(undefined);
	let next = 0;
	let active = 0;
	await new Promise<void>((resolve, reject) => {
		const one = async (index: number) => {
			results[index] = await work(entries[index], index);
			active -= 1;
			begin();
		};
		const begin = () => {
			while (next < entries.length && active < width() && !halted()) {
				active += 1;
				next += 1;
				one(next - 1).catch(reject);
			}
			if (active === 0) resolve();
		};
		begin();
	});
	return results;
}
