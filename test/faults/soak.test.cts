import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { useWorkbench } from '../engine/workbench.cjs';
import type { FaultInput } from '../service/faults.cjs';
import { scaled } from './campaign.cjs';

/** Executions after which memory is looked at, and how many before that do not count. */
const stride = 100;
const warmUp = 600;

/** Executions measured: a short form; WEB_DATA_FAULTS_SCALE makes it longer. */
const measured = scaled(1_200);

/** Executions of a minute at the pace that the memory's growth is stated for: 20 each second. */
const perMinute = 1_200;

/** Bytes by which memory may grow in such a minute. */
const allowed = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Refuses a request for so short a time that hardly any passes: repeats are part of what must leave nothing. */
const busy: FaultInput = { kind: 'status', status: 503, retryAfter: 0.001 };

/** The slope of the line through points, by least squares. */
function slope(points: Array<[x: number, y: number]>): number {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const meanX = mean(points.map(([x]) => x));
	const meanY = mean(points.map(([, y]) => y));
	const covariance = points.map(([x, y]) => (x - meanX) * (y - meanY));
	const variance = points.map(([x]) => (x - meanX) ** 2);
	return mean(covariance) / mean(variance);
}

/** Execution after execution, each with a credential of its own, as in an n8n that never ends. */
describe('a long time', () => {
	const bench = useWorkbench();

	const executions = async (count: number) => {
		for (let done = 0; done < count; done += 1) {
			const account = bench.account();
			if (done % 10 === 0) bench.service.faults.add(busy);
			const run = await bench.search({ query: 'tide', limit: 1 }, { account, input: [{}, {}] });
			if (run.status !== 'success') throw run.error;
		}
	};

	const memory = (): number => {
		bench.service.reset();
		collect();
		return process.memoryUsage().heapUsed;
	};
	const handles = (): number =>
		process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate|FS/.test(name)).length;

	it('takes no more memory and no more timers', async () => {
		await executions(warmUp);
		const before = handles();
		const points: Array<[number, number]> = [[0, memory()]];
		for (let done = stride; done <= measured; done += stride) {
			await executions(stride);
			points.push([done, memory()]);
		}

		expect(slope(points) * perMinute).toBeLessThan(allowed);
		expect(handles()).toBeLessThanOrEqual(before);
	});
});
