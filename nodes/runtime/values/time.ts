import * as n8nWorkflow from 'n8n-workflow';

/** Milliseconds on the monotonic clock of this process; only differences are meaningful. */
export const monotonicNow = (): number => performance.now();

/** Returns a random number from 0 to 1, which spreads simultaneous requests. */
export const jitter = (): number => Math.random();

type Delay = (ms: number, signal?: AbortSignal) => Promise<void>;

const isDelay = (value: unknown): value is Delay => typeof value === 'function';

const earlier: unknown = Reflect.get(n8nWorkflow, 'sleepWithAbort');

/** Host: n8n-workflow's `sleep` takes a signal from n8n 2.34 on; before, `sleepWithAbort` did. */
const sleep: Delay = isDelay(earlier) ? earlier : n8nWorkflow.sleep;

/** Longest timer of JavaScript in milliseconds, 25 days. A longer one fires at once. */
const longestTimer = 2_147_483_647;

/** Waits for some milliseconds, however many; rejects when the signal is aborted. */
export const delay: Delay = async (ms, signal) => {
	let left = ms;
	for (; left > longestTimer; left -= longestTimer) await sleep(longestTimer, signal);
	await sleep(left, signal);
};

/** Awaits work for some milliseconds, and then calls `late` for its result; the work goes on. */
export async function within<Value>(
	milliseconds: number,
	work: Promise<Value>,
	late: () => Value,
): Promise<Value> {
	const timer = new AbortController();
	return await Promise.race([work, delay(milliseconds, timer.signal).then(late)]).finally(() =>
		timer.abort(),
	);
}

/** Characters processed in one turn of the event loop: some milliseconds, 25 for the slowest work. */
const mostInTurn = 50_000;

/** Characters processed since the last turn. Global, because the process has one event loop. */
let processed = 0;

/** Counts processed characters; whether they complete a turn of the event loop, so that `delay(0)` is due. */
export function completesTurn(characters: number): boolean {
	processed += characters;
	if (processed < mostInTurn) return false;
	processed = 0;
	return true;
}

/** Maps entries in turns of the event loop; `characters` is the work of each. */
export async function mapInTurns<Entry, Value>(
	entries: Iterable<Entry>,
	characters: number,
	map: (entry: Entry, index: number) => Value | Promise<Value>,
): Promise<Value[]> {
	const values: Value[] = [];
	for (const entry of entries) {
		values.push(await map(entry, values.length));
		if (completesTurn(characters)) await delay(0);
	}
	return values;
}
