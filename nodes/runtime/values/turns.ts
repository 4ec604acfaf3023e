import { delay } from './delay';

/** Characters processed in one turn of the event loop: some milliseconds, 25 for the slowest work. */
const mostInTurn = 50_000;

/** Characters processed since the last turn. Global, because the process has one event loop. */
let processed = 0;

/** Counts processed characters; returns whether they complete a turn. */
function completesTurn(characters: number): boolean {
	processed += characters;
	if (processed < mostInTurn) return false;
	processed = 0;
	return true;
}

/** Yields to the event loop, for other executions, timers and a stop, if a turn is complete. */
export async function yieldAfter(characters: number): Promise<void> {
	if (completesTurn(characters)) await delay(0);
}

/**
 * Processes entries in order and yields to the event loop after each turn. `work` returns the number
 * of characters that it processed.
 */
export async function eachInTurns<Entry>(
	entries: Iterable<Entry>,
	work: (entry: Entry, index: number) => number,
): Promise<void> {
	let index = 0;
	for (const entry of entries) {
		const characters = work(entry, index);
		index += 1;
		if (completesTurn(characters)) await delay(0);
	}
}

/** Maps entries in turns of the event loop; `characters` is the work of each. */
export async function mapInTurns<Entry, Value>(
	entries: Iterable<Entry>,
	characters: number,
	map: (entry: Entry, index: number) => Value,
): Promise<Value[]> {
	const values: Value[] = [];
	await eachInTurns(entries, (entry, index) => {
		values.push(map(entry, index));
		return characters;
	});
	return values;
}
