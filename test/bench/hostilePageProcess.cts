import { hostileWorks } from '../hostileWorks.cjs';
import { hostilePages } from '../site/hostilePages.cjs';
import { longestPause } from './longestPause.cjs';
import { serveOrders } from './remote.cjs';

export interface HostilePageOrder {
	/** One of `hostilePages`. */
	kind: string;
	/** Characters. */
	size: number;
}

/** What a page costs that is made into passages, chunks and a tool result, in milliseconds. */
export interface HostilePageCost {
	cpu: number;
	/** The longest time for which nothing else could run. */
	pause: number;
}

serveOrders<HostilePageOrder, HostilePageCost>(async ({ kind, size }) => {
	const markdown = hostilePages[kind](size);
	let cpu = 0;
	let pause = 0;
	for (const work of Object.values(hostileWorks)) {
		const before = process.cpuUsage();
		await work(markdown);
		const { user, system } = process.cpuUsage(before);
		cpu += (user + system) / 1000;
		pause = Math.max(pause, await longestPause(async () => await work(markdown)));
	}
	return { cpu, pause };
});
