import { PerformanceObserver } from 'node:perf_hooks';
import { hostileWorks } from '../test/hostileWorks.cjs';
import { hostilePages } from '../test/mock/site/hostilePages.cjs';
import { longestPause } from './longestPause.cjs';
import { serveOrders } from './remote.cjs';

export interface HostilePageOrder {
	/** One of `hostilePages`. */
	kind: string;
	/** Characters. */
	size: number;
	/** Number of pages, one after the other. */
	count: number;
}

/** The cost of pages that are made into passages, chunks and tool results, in milliseconds. */
export interface HostilePageCost {
	/** CPU time of each page, with all threads of the process. */
	cpu: number;
	/** Garbage collections meanwhile. */
	collections: number;
	/** The longest time for which nothing else could run. */
	pause: number;
}

let collections = 0;
new PerformanceObserver((list) => {
	collections += list.getEntries().length;
}).observe({ entryTypes: ['gc'] });

/** Lets the observer report what happened before. */
const observed = async () => await new Promise((resolve) => setTimeout(resolve, 5));

serveOrders<HostilePageOrder, HostilePageCost>(async ({ kind, size, count }) => {
	const cost: HostilePageCost = { cpu: 0, collections: 0, pause: 0 };
	for (const work of Object.values(hostileWorks)) {
		const pages = Array.from({ length: count }, () => hostilePages[kind](size));
		// Only where node was started with --expose-gc.
		globalThis.gc?.();
		await observed();
		const collectedBefore = collections;
		const before = process.cpuUsage();
		for (const page of pages) await work(page);
		const { user, system } = process.cpuUsage(before);
		await observed();
		cost.cpu += (user + system) / 1000 / count;
		cost.collections += collections - collectedBefore;
		cost.pause = Math.max(cost.pause, await longestPause(async () => await work(pages[0])));
	}
	return cost;
});
