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
