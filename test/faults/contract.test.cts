import fc from 'fast-check';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { inWords, operationNames } from '../engine/operationNames.cjs';
import { useWorkbench } from '../engine/workbench.cjs';
import { replay, scaled, seedOf, useCount } from './campaign.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { chosenOperations, DirectRuns, fieldsOf } from './directRuns.cjs';
import { drawnParameters, type DrawnParameters } from './drawnParameters.cjs';
import {
	errorFindings,
	errorsIn,
	prototypes,
	requestFindings,
	type Findings,
} from './findings.cjs';
import { routeFindingsOf } from './routes.cjs';
import { addressFindings, secretFindings, useWrittenLines } from './secrets.cjs';

/** Cases of all operations together, shared out evenly. */
const cases = Math.ceil(scaled(20_000) / operationNames.length);

/**
 * Whatever the parameters hold: either the service is sent what it accepts, or there is a clear error
 * before any request.
 */
describe('the contract of every operation', () => {
	const bench = useWorkbench();
	const time = useDrivenTime(() => bench.service);
	const written = useWrittenLines();
	const countOne = useCount('cases of parameters of operations');
	const runs = new DirectRuns(bench);

	it.each(chosenOperations)('of $resource: $operation', async (name) => {
		const { service } = bench;
		const seed = seedOf(inWords(name));
		const routeFindings = routeFindingsOf(service.context);
		const inherited = prototypes();
		const count = { refused: 0, sent: 0 };

		const findingsOf = async ({ parameters }: DrawnParameters): Promise<Findings> => {
			countOne();
			service.reset();
			canaryAccount(service, { concurrency: 1e6 });
			const items = await time.drive(runs.run(name, parameters));
			await time.untilSilent();
			const { entries } = service.log;
			const errors = errorsIn(items);
			if (entries.length === 0) count.refused += 1;
			else count.sent += 1;
			return [
				...requestFindings(entries, errors),
				...routeFindings(entries),
				...errors.flatMap(errorFindings),
				...secretFindings('the items', items),
				...addressFindings(entries),
				...written.findings(),
				...(entries.length === 0 && errors.length === 0 && items.length > 0
					? ['an item without a request']
					: []),
			];
		};

		await fc.assert(
			fc.asyncProperty(drawnParameters(fieldsOf(name)), async (drawn) => {
				expect(await findingsOf(drawn)).toEqual([]);
			}),
			{ seed, numRuns: cases, ...replay() },
		);

		expect(prototypes()).toEqual(inherited);
		expect(Object.keys({})).toEqual([]);
		// Neither way may be one that nothing takes.
		expect(count.sent).toBeGreaterThan(0);
		expect(count.refused).toBeGreaterThan(0);
	});
});
