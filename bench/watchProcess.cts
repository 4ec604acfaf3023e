import type { INodeParameters } from 'n8n-workflow';
import { createEngine } from '../test/engine/harness.cjs';
import { PolledWorkflow } from '../test/engine/polledWorkflow.cjs';
import { longestPause } from './longestPause.cjs';
import { serveOrders } from './remote.cjs';

export interface WatchOrder {
	/** Base URL with its version. */
	url: string;
	key: string;
	/** Parameters of the trigger. */
	parameters: INodeParameters;
}

/** The cost of a check that finds nothing. */
export interface WatchCost {
	/** Processor time in milliseconds. */
	cpu: number;
	/** Longest pause of the event loop in milliseconds. */
	pause: number;
	/** Resident memory before the first check, and the most there ever was. Bytes. */
	memoryBefore: number;
	memoryPeak: number;
	/** The trigger's static data in bytes. */
	stored: number;
}

/** Checks twice, so that there is something to compare with, and measures the third check. */
serveOrders<WatchOrder, WatchCost>(async ({ url, key, parameters }) => {
	const engine = await createEngine();
	const trigger = (own: INodeParameters) =>
		new PolledWorkflow(engine, {
			type: 'webDataPollingTrigger',
			credentials: { webDataApi: { baseUrl: url, apiKey: key } },
			keeping: 'staged',
			parameters: own,
		});
	// What is loaded once is no part of it.
	await trigger({ watch: 'credits', remainingBelow: 1 }).activate();
	const watched = trigger(parameters);
	globalThis.gc?.();
	const memoryBefore = process.memoryUsage().rss;
	await watched.activate();
	await watched.poll();
	const before = process.cpuUsage();
	const pause = await longestPause(async () => await watched.poll());
	const { user, system } = process.cpuUsage(before);
	engine.close();
	const [error] = watched.errors;
	if (error) throw error;
	if (watched.executions.length > 0) throw new Error('A page changed that nobody changed');
	return {
		cpu: (user + system) / 1000,
		pause,
		memoryBefore,
		memoryPeak: process.resourceUsage().maxRSS * 1024,
		stored: Buffer.byteLength(JSON.stringify(watched.stored)),
	};
});
