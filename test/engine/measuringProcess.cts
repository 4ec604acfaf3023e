import { createEngine, type EngineRun } from './harness.cjs';
import type { Measured, MeasuredOrder } from './measuredProcess.cjs';

const sizeOf = (run: EngineRun): number =>
	run.output().reduce((sum, { json }) => sum + String(json.markdown ?? '').length, 0);

/** Runs the node once small and once in earnest, and tells what the second run took. */
async function work({ credentials, warmUp, parameters }: MeasuredOrder): Promise<void> {
	const engine = await createEngine();
	await engine.runNode({ credentials, parameters: warmUp });
	globalThis.gc?.();
	const baseline = process.memoryUsage().rss;
	const run = await engine.runNode({ credentials, parameters, mode: 'trigger' });
	const measured: Measured = {
		error: run.error?.message,
		items: run.status === 'success' ? run.output().length : 0,
		size: run.status === 'success' ? sizeOf(run) : 0,
		baseline,
		peak: process.resourceUsage().maxRSS * 1024,
	};
	engine.close();
	process.send?.(measured);
}

process.once('message', (order: MeasuredOrder) => void work(order));
