import { delay } from './delay';

/** Characters processed in one turn of the event loop: some milliseconds, 25 for the slowest work. */
const mostInTurn = 50_000;

/** Characters processed since the last turn. Global, because the process has one event loop. */
let processed = 0;

/**
 * Processes entries in order and yields to the event loop after long ones, for other executions,
 * timers and a stop. `work` returns the number of characters that it processed.
 */
export async function eachInTurns<Entry>(
	entries: Iterable<Entry>,
	work: (entry: Entry, index: number) => number,
): Promise<void> {
	let index = 0;
	for (const entry of entries) {
		processed += work(entry, index);
		index += 1;
		if (processed < mostInTurn) continue;
		processed = 0;
		await delay(0);
	}
}
