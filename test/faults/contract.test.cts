import fc from 'fast-check';
import { inWords, operationNames } from '../engine/operationNames.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { useContractRuns } from './contractRuns.cjs';
import { chosenOperations, fieldsOf } from './directRuns.cjs';
import { randomParameters } from './randomParameters.cjs';

/** Cases of all operations together, shared out evenly. */
const cases = Math.ceil(scaled(20_000) / operationNames.length);

/**
 * Whatever the parameters hold: either the service is sent what it accepts, or there is a clear error
 * before any request.
 */
describe('the contract of every operation', () => {
	const contract = useContractRuns();
	const countOne = useCount('cases of parameters of operations');

	it.each(chosenOperations)('of $resource: $operation', async (name) => {
		const { findingsOf, count, pollution } = contract.of(name);

		await fc.assert(
			fc.asyncProperty(randomParameters(fieldsOf(name)), async (drawn) => {
				countOne();
				expect(await findingsOf(drawn)).toEqual([]);
			}),
			{ seed: seedOf(inWords(name)), numRuns: cases, ...replay() },
		);

		expect(pollution()).toEqual([]);
		// Neither way may be one that nothing takes.
		expect(count.sent).toBeGreaterThan(0);
		expect(count.refused).toBeGreaterThan(0);
	});
});
