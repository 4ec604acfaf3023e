import fc from 'fast-check';
import { inWords, operationNames } from '../engine/operationNames.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { useChaosRuns } from './chaosRuns.cjs';
import { chosenOperations } from './directRuns.cjs';

/** Runs of all operations together, shared out evenly. */
const runs = Math.ceil(scaled(2_000) / operationNames.length);

/** Every operation in n8n's engine, while the service and the network misbehave in every way at random. */
describe('chaos', () => {
	const chaos = useChaosRuns();
	const countOne = useCount('runs of operations under faults');

	it.each(chosenOperations)('does no harm to $resource: $operation', async (name) => {
		const findingsOf = chaos.of(name);

		await fc.assert(
			fc.asyncProperty(chaos.setups(), async (setup) => {
				countOne();
				expect(await findingsOf(setup)).toEqual([]);
			}),
			{ seed: seedOf(inWords(name)), numRuns: runs, ...replay() },
		);
	});
});
