import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { INodeParameters } from 'n8n-workflow';
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
	const stdio: Array<'ignore' | 'inherit' | 'ipc'> = ['ignore', 'inherit', 'inherit', 'ipc'];
	const child = fork(__filename, { execArgv: ['--expose-gc'], stdio });
	const failed = once(child, 'exit').then(([code]: unknown[]): never => {
		throw new Error(`The process ended with ${String(code)} before it said anything`);
	});
	child.send(order);
	const [measured]: Measured[] = await Promise.race([once(child, 'message'), failed]);
	child.kill();
	return measured;
}

/** Runs the node once small and once in earnest, and tells what the second run took. */
async function work({ credentials, warmUp, parameters }: Order): Promise<void> {
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
	process.send?.(measured);
}

if (require.main === module) process.once('message', (order: Order) => void work(order));
