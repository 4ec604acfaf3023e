/** What came of a piece of work: its value, or the error that ended it. */
export type Outcome<Value> = { value: Value } | { error: Error };

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** A promise's fate as a value: one failing item must not take the others along. */
export const settle = async <Value>(promise: Promise<Value>): Promise<Outcome<Value>> =>
	await promise.then(
		(value) => ({ value }),
		(error: unknown) => ({ error: asError(error) }),
	);

/** A function's fate as a value. */
export function attempt<Value>(work: () => Value): Outcome<Value> {
	try {
		return { value: work() };
	} catch (error) {
		return { error: asError(error) };
	}
}

/** Works on entries in their order, `width` at a time, until `halted`. Results keep the entries' places; those never begun are absent. */
export async function inOrder<Entry, Value>(
	entries: Entry[],
	width: number,
	work: (entry: Entry, index: number) => Promise<Value>,
	halted: () => boolean,
): Promise<Array<Value | undefined>> {
	const results = new Array<Value | undefined>(entries.length).fill(undefined);
	let next = 0;
	const worker = async () => {
		while (next < entries.length && !halted()) {
			const index = next;
			next += 1;
			results[index] = await work(entries[index], index);
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, entries.length) }, worker));
	return results;
}
