import { isDeepStrictEqual } from 'node:util';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import type { OperationName } from '../engine/operationNames.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { DirectRuns } from './directRuns.cjs';
import type { RandomParameters } from './randomParameters.cjs';
import {
	errorFindings,
	errorsIn,
	prototypes,
	requestFindings,
	type Findings,
} from './findings.cjs';
import { passedOn } from './passedOn.cjs';
import { routeFindingsOf } from './routes.cjs';
import { addressFindings, secretFindings, useWrittenLines } from './secrets.cjs';

/** Cases of one operation's parameters. */
export interface ContractRuns {
	/** Runs the operation with these parameters, and looks for what is wrong. */
	findingsOf(drawn: RandomParameters): Promise<Findings>;
	/** Cases that were refused before any request, and those that were sent. */
	count: { refused: number; sent: number };
	/** What the cases have left on objects that everybody shares. */
	pollution(): Findings;
}

/** Operations with whatever parameters, for the tests of a file. */
export function useContractRuns() {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();
	const runs = new DirectRuns(testBed);

	return {
		of(name: OperationName): ContractRuns {
			const { service } = testBed;
			const routeFindings = routeFindingsOf(service.context);
			const inherited = prototypes();
			const count = { refused: 0, sent: 0 };
			return {
				count,

				async findingsOf({ parameters }) {
					service.reset();
					canaryAccount(service, { concurrency: 1e6 });
					const items = await time.drive(runs.run(name, parameters));
					await time.untilSilent();
					const { entries } = service.log;
					const errors = errorsIn(items);
					if (entries.length === 0) count.refused += 1;
					else count.sent += 1;
					return [
						...requestFindings(entries, errors, passedOn(parameters)),
						...routeFindings(entries),
						...errors.flatMap(errorFindings),
						...secretFindings('the items', items),
						...addressFindings(entries),
						...written.findings(),
						...(entries.length === 0 && errors.length === 0 && items.length > 0
							? ['an item without a request']
							: []),
					];
				},

				pollution: () =>
					isDeepStrictEqual(prototypes(), inherited)
						? []
						: ['objects that everybody shares were changed'],
			};
		},
	};
}
