import './speed.cjs';

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createEngine, type Engine } from '../test/engine/harness.cjs';
import type { ClientOrder, ClientReport, ExecutionReport } from './client.cjs';
import { nodeRun, packageOf, titles, type Contender } from './contenders.cjs';
import { rawRun } from './rawRun.cjs';
import { serveOrders } from './remote.cjs';

const contender = Object.keys(titles).find(
	(name): name is Contender => name === process.env.BENCH_CONTENDER,
);

let engine: Engine | undefined;

let executions = 0;

/** Does the workload once. */
async function execute(order: ClientOrder): Promise<ExecutionReport> {
	if (!contender) throw new Error('BENCH_CONTENDER names nobody');
	executions += 1;
	const label = `${order.name ?? 'execution'} ${executions}`;
	const startedAt = Date.now();
	if (contender === 'raw' || contender === 'raw anew') {
		const answered = await rawRun(order, label, contender === 'raw');
		return {
			answered,
			results: answered,
			label,
			status: 'success',
			startedAt,
			endedAt: Date.now(),
		};
	}
	engine ??= await createEngine(packageOf(contender));
	const run = await engine.runNode(nodeRun(contender, order, label));
	const output = run.status === 'success' ? run.output() : [];
	const good = output.filter(({ error, json }) => error === undefined && !('error' in json));
	return {
		answered: new Set(good.map(({ pairedItem }) => JSON.stringify(pairedItem))).size,
		results: output.length,
		label,
		status: run.status,
		error: run.error?.message,
		startedAt,
		endedAt: Date.now(),
	};
}

async function obey(order: ClientOrder): Promise<ClientReport> {
	globalThis.gc?.();
	const memoryBefore = process.memoryUsage().rss;
	const delays = monitorEventLoopDelay({ resolution: 5 });
	delays.enable();
	const before = process.cpuUsage();
	const began = performance.now();
	const reports = await Promise.all(
		Array.from({ length: order.executions ?? 1 }, async () => await execute(order)),
	);
	const wall = performance.now() - began;
	const { user, system } = process.cpuUsage(before);
	delays.disable();
	globalThis.gc?.();
	const memoryAfter = process.memoryUsage().rss;
	return {
		executions: reports,
		wall,
		cpu: (user + system) / 1000,
		longestPause: delays.max / 1e6,
		memoryBefore,
		memoryAfter,
		memoryPeak: process.resourceUsage().maxRSS * 1024,
	};
}

process.once('exit', () => engine?.close());
process.once('SIGTERM', () => process.exit());
serveOrders(obey);
