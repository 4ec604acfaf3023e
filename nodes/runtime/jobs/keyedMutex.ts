/** The ends of the turns that are under way or waited for, by name. */
const turns = new Map<string, Promise<void>>();

/** Waits until nobody else has the turn of a name. @returns what ends the turn; it may be called more than once */
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
