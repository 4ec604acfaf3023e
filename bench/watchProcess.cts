import { createEngine } from '../test/engine/harness.cjs';
import { PolledWorkflow } from '../test/engine/polledWorkflow.cjs';
import { longestPause } from './longestPause.cjs';
import { serveOrders } from './remote.cjs';

export interface WatchOrder {
	/** Base URL with its version. */
	url: string;
	key: string;
	/** The URLs of the pages to watch. */
	pages: string[];
}

/** The cost of a check that finds nothing. */
export interface WatchCost {
	/** Processor time in milliseconds. */
	cpu: number;
	/** Longest pause of the event loop in milliseconds. */
	pause: number;
	/** The trigger's static data in bytes. */
	stored: number;
}

/** Checks twice, so that there is something to compare with, and measures the third check. */
serveOrders<WatchOrder, WatchCost>(async ({ url, key, pages }) => {
	const engine = await createEngine();
	const watched = new PolledWorkflow(engine, {
		credentials: { webDataApi: { baseUrl: url, apiKey: key } },
		keeping: 'staged',
		parameters: { watch: 'page', urls: pages.join('\n') },
	});
	await watched.activate();
	await watched.poll();
	const before = process.cpuUsage();
	const pause = await longestPause(async () => await watched.poll());
	const { user, system } = process.cpuUsage(before);
	engine.close();
	const [error] = watched.errors;
	if (error) throw error;
	if (watched.executions.length > 0) throw new Error('A page changed that nobody changed');
	const stored = Buffer.byteLength(JSON.stringify(watched.stored));
	return { cpu: (user + system) / 1000, pause, stored };
});
