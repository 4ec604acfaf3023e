import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest time for which nothing else could run meanwhile, in milliseconds. */
export async function longestPause(work: () => Promise<unknown>): Promise<number> {
	const delays = monitorEventLoopDelay({ resolution: 1 });
	await new Promise((resolve) => setTimeout(resolve, 20));
	delays.enable();
	await new Promise((resolve) => setTimeout(resolve, 20));
	await work();
	await new Promise((resolve) => setTimeout(resolve, 20));
	delays.disable();
	return delays.max / 1e6;
}
