import { delay } from './delay';

/** Characters that are worked on in one turn of the event loop: some milliseconds, 25 of the most expensive work. */
const mostInTurn = 50_000;

/** Characters worked on since the last turn, counted for the process, as its event loop is one. */
let done = 0;

/**
 * Works on entries in their order, in several turns of the event loop where they are long: other executions,
 * timers and a stop go on in between. `work` returns how many characters it has worked on.
 */
export async function eachInTurns<Entry>(
	entries: Iterable<Entry>,
	work: (entry: Entry, index: number) => number,
): Promise<void> {
	let index = 0;
	for (const entry of entries) {
		done += work(entry, index);
		index += 1;
		if (done < mostInTurn) continue;
		done = 0;
		await delay(0);
	}
}
