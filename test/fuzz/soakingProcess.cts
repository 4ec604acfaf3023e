import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { stringify } from 'flatted';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { createEngine, type Engine } from '../engine/harness.cjs';
import type { CredentialsByType } from '../engine/runCredentials.cjs';
import { serveOrders } from '../remote.cjs';
import { projectRoot } from '../root.cjs';
import { textFindings } from './secrets.cjs';

/** One execution of the soak; all of it JSON. */
export interface SoakOrder {
	credentials: CredentialsByType;
	parameters: INodeParameters;
	input: INodeExecutionData[];
}

/** Executions to begin one after the other, `every` so many milliseconds if the process keeps up. */
export interface Stride {
	orders: SoakOrder[];
	every: number;
	/** Moves the process's clock on first, by milliseconds. */
	later?: number;
}

/** What the process holds when nothing is under way. */
export interface Look {
	/** Bytes, after a garbage collection. */
	memory: number;
	/** What keeps the process alive, by its kind: timers, sockets, files. */
	handles: Record<string, number>;
	/** Rate limiters of credentials: see `nodes/runtime/http/limiter.ts`. */
	limiters: number;
}

/** Some orders fail, such as for a snapshot that there is not: errors must leave nothing either. */
async function execute(engine: Engine, order: SoakOrder): Promise<void> {
	const run = await engine.runNode({ ...order, onError: 'continueRegularOutput' });
	if (run.status !== 'success') throw run.error;
	const found = textFindings('the stored execution', stringify(run.data));
	if (found.length > 0) throw new Error(found.join());
}

const counted = (names: string[]): Record<string, number> =>
	Object.fromEntries(
		[...new Set(names)].sort().map((name) => [name, names.filter((each) => each === name).length]),
	);

/** Sockets close a little after the last answer, when both sides have had their turn; those that never do are counted. */
async function quiet(): Promise<void> {
	const open = () => process.getActiveResourcesInfo().some((name) => /TCP|Shutdown/.test(name));
	for (let waits = 0; waits < 1_000 && open(); waits += 1) await sleep(10);
}

async function look(): Promise<Look> {
	await quiet();
	const { Limiter } = require(join(projectRoot, 'dist/nodes/runtime/http/limiter.js'));
	globalThis.gc?.();
	const { heapUsed, external } = process.memoryUsage();
	return {
		memory: heapUsed + external,
		handles: counted(process.getActiveResourcesInfo()),
		limiters: queryObjects(Limiter, { format: 'count' }),
	};
}

const engineReady = createEngine();
const { now } = Date;
const elapsed = performance.now.bind(performance);
let next = 0;

/** Begins each execution when its time has come, and looks when all have ended. */
async function soak({ orders, every, later = 0 }: Stride): Promise<Look> {
	const engine = await engineReady;
	Date.now = () => now() + later;
	// The node's own clock, which nobody sets.
	performance.now = () => elapsed() + later;
	next ||= elapsed();
	const running: Array<Promise<void>> = [];
	for (const order of orders) {
		next += every;
		await sleep(Math.max(0, next - elapsed()));
		running.push(execute(engine, order));
	}
	await Promise.all(running);
	return await look();
}

serveOrders(soak);
process.once(
	'SIGTERM',
	() => void engineReady.then((engine) => engine.close()).finally(() => process.exit()),
);
