import fc from 'fast-check';
import { inWords, operationNames, waitsForJob } from '../engine/operationNames.cjs';
import { replay, scaled, seed, seedOf } from './fuzzRun.cjs';
import { chosenOperations } from './directRuns.cjs';
import { moments, stopSetups, useStopRuns } from './stopRuns.cjs';

/** Stopped executions of all operations together, shared out evenly; those that wait for a job are stopped more often. */
const runs = Math.ceil(scaled(300) / operationNames.length);

/** Executions of every operation, stopped at random moments. */
describe('a stopped execution', () => {
	const stopped = useStopRuns();

	it.each(chosenOperations)('leaves nothing of $resource: $operation', async (name) => {
		await fc.assert(
			fc.asyncProperty(stopSetups, async (setup) => {
				expect(await stopped.ofOperation(name, setup)).toEqual([]);
			}),
			{ seed: seedOf(inWords(name)), numRuns: waitsForJob(name) ? 5 * runs : runs, ...replay() },
		);
	});

	it('leaves nothing of the check of a trigger, and what it had found comes with the next', async () => {
		await fc.assert(
			fc.asyncProperty(moments, async (stop) => {
				expect(await stopped.ofCheck(stop)).toEqual([]);
			}),
			{ seed, numRuns: scaled(20), ...replay() },
		);
	});
});
