import * as n8nWorkflow from 'n8n-workflow';

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
