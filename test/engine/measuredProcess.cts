import type { INodeParameters } from 'n8n-workflow';
import { Remote, serveOrders } from '../remote.cjs';
import { createEngine } from './harness.cjs';
import type { CredentialsByType } from './runCredentials.cjs';

/** What the node is to do in the other process; all of it JSON. */
interface Order {
	credentials: CredentialsByType;
	/** A small run first, so that what loads once does not count. */
	warmUp: INodeParameters;
	parameters: INodeParameters;
}

/** What came of it. Sizes in bytes. */
interface Measured {
	error?: string;
	items: number;
	/** Length of all texts in the items' markdown. */
	size: number;
	/** Resident memory before the run, after a garbage collection. */
	baseline: number;
	/** The most resident memory that the process ever had. */
	peak: number;
}

/** Runs the node in a process of its own, which holds nothing else, and measures its memory there. */
export async function measure(order: Order): Promise<Measured> {
	const execArgv = ['--expose-gc'];
	const remote = new Remote<Order, Measured>('test/engine/measuredProcess.cjs', { execArgv });
	return await remote.ask(order).finally(async () => await remote.end());
}

/** Runs the node once small and once in earnest, and tells what the second run took. */
async function work({ credentials, warmUp, parameters }: Order): Promise<Measured> {
	const engine = await createEngine();
	await engine.runNode({ credentials, parameters: warmUp });
	globalThis.gc?.();
	const baseline = process.memoryUsage().rss;
	const run = await engine.runNode({ credentials, parameters, mode: 'trigger' });
	const items = run.status === 'success' ? run.output() : [];
	const measured: Measured = {
		error: run.error?.message,
		items: items.length,
		size: items.reduce((sum, { json }) => sum + String(json.markdown ?? '').length, 0),
		baseline,
		peak: process.resourceUsage().maxRSS * 1024,
	};
	engine.close();
	return measured;
}

if (require.main === module) serveOrders(work);
