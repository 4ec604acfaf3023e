import { createEngine, type Engine } from '../test/engine/harness.cjs';
import { nodeRun, packageOf, type Contender, type Cost, type Workload } from './contest.cjs';
import { serveOrders } from '../test/remote.cjs';

const contenders: Contender[] = ['ours', 'peer', 'smallest'];
const contender = contenders.find((name) => name === process.env.BENCH_CONTENDER);

let engine: Engine | undefined;
let executions = 0;

process.once('exit', () => engine?.close());
process.once('SIGTERM', () => process.exit());
serveOrders(async (workload: Workload): Promise<Cost> => {
	if (!contender) throw new Error('BENCH_CONTENDER names nobody');
	executions += 1;
	globalThis.gc?.();
	const before = process.cpuUsage();
	const began = performance.now();
	engine ??= await createEngine(packageOf(contender));
	const run = await engine.runNode(nodeRun(contender, workload, `execution ${executions}`));
	const wall = performance.now() - began;
	const { user, system } = process.cpuUsage(before);
	const output = run.status === 'success' ? run.output() : [];
	const good = output.filter(({ error, json }) => error === undefined && !('error' in json));
	const answered = new Set(good.map(({ pairedItem }) => JSON.stringify(pairedItem))).size;
	if (answered < workload.items) {
		throw new Error(
			`${contender} got ${answered} of ${workload.items} responses: ${run.error?.message}`,
		);
	}
	return { wall, cpu: (user + system) / 1000 };
});
