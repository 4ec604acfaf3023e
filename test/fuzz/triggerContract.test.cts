import fc from 'fast-check';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { only, replay, scaled, seed, useCount } from './fuzzRun.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { DirectTriggers } from './directTriggers.cjs';
import { randomParameters, type RandomParameters } from './randomParameters.cjs';
import { prototypes, requestFindings, triggerErrorFindings, type Findings } from './findings.cjs';
import { passedOn } from './passedOn.cjs';
import { routeFindingsOf } from './routes.cjs';
import { addressFindings, secretFindings, useWrittenLines } from './secrets.cjs';
import { triggerWorks } from './triggerWorks.cjs';

/** Cases of each of the three. */
const cases = scaled(250);

/** As for operations: either the service is sent what it accepts, or there is a clear error before. */
describe('the contract of the triggers', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();
	const countOne = useCount('cases of parameters of triggers');
	const triggers = new DirectTriggers(testBed);

	const chosen = triggerWorks.filter(({ name }) => only === undefined || only === name);
	it.each(chosen)('$name', async ({ fields, work }) => {
		const { service } = testBed;
		const routeFindings = routeFindingsOf(service.context);
		const inherited = prototypes();
		const count = { refused: 0, sent: 0 };

		const findingsOf = async ({ parameters }: RandomParameters): Promise<Findings> => {
			countOne();
			service.reset();
			canaryAccount(service, { concurrency: 1e6 });
			const errors: unknown[] = [];
			const out = await time.drive(
				work(triggers, parameters).catch((error: unknown) => void errors.push(error)),
			);
			await time.untilSilent();
			const { entries } = service.log;
			if (entries.length === 0) count.refused += 1;
			else count.sent += 1;
			const isQuiet =
				entries.length === 0 && errors.length === 0 && parameters.source !== 'webhookEvents';
			return [
				...requestFindings(entries, errors, passedOn(parameters)),
				...routeFindings(entries),
				...errors.flatMap(triggerErrorFindings),
				...secretFindings('what came of it', [out, errors]),
				...addressFindings(entries),
				...written.findings(),
				...(isQuiet ? ['neither a request nor an error'] : []),
			];
		};

		await fc.assert(
			fc.asyncProperty(randomParameters(fields), async (drawn) => {
				expect(await findingsOf(drawn)).toEqual([]);
			}),
			{ seed, numRuns: cases, ...replay() },
		);

		expect(prototypes()).toEqual(inherited);
		expect(count.sent).toBeGreaterThan(0);
		expect(count.refused).toBeGreaterThan(0);
	});
});
