import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { properties as pollFields } from '../../nodes/WebDataPollingTrigger/properties';
import { triggerFields } from '../../nodes/WebDataTrigger/settings';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { inWords, operationNames, type OperationName } from '../engine/operationNames.cjs';
import { useTestBed, type TestBed } from '../engine/testBed.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { only, replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { chosenOperations, DirectRuns, fieldsOf } from './directRuns.cjs';
import { DirectTriggers } from './directTriggers.cjs';
import {
	errorFindings,
	errorsIn,
	passedOn,
	prototypes,
	requestFindings,
	triggerErrorFindings,
	type Findings,
} from './findings.cjs';
import { randomParameters, type Drawn, type RandomParameters } from './randomParameters.cjs';
import { routeFindingsOf } from './routes.cjs';
import { addressFindings, secretFindings, useWrittenLines } from './secrets.cjs';

/** What a node does with its parameters, and what these are. */
interface Work {
	name: string;
	fields: INodeProperties[];
	/** Cases of it: those of all operations together are shared out evenly. */
	cases: number;
	/** Whether its errors have no item to name. */
	isTrigger?: boolean;
	/** What comes out; a failure is an item with its error, or thrown. */
	run(testBed: TestBed, parameters: Drawn): Promise<INodeExecutionData[]>;
}

const workOf = (name: OperationName): Work => ({
	name: inWords(name),
	fields: fieldsOf(name),
	cases: Math.ceil(scaled(20_000) / operationNames.length),
	run: async (testBed, parameters) => await new DirectRuns(testBed).run(name, parameters),
});

const polls = (name: string, mode: 'trigger' | 'manual'): Work => ({
	name: `Web Data Polling Trigger: ${name}`,
	fields: pollFields,
	cases: scaled(250),
	isTrigger: true,
	run: async (testBed, parameters) =>
		(await new DirectTriggers(testBed).poll(parameters, mode))?.flat() ?? [],
});

const activation: Work = {
	name: 'Web Data Trigger: activation',
	fields: triggerFields,
	cases: scaled(250),
	isTrigger: true,
	async run(testBed, parameters) {
		await new DirectTriggers(testBed).activate(parameters);
		return [];
	},
};

const triggerWorks = [polls('by the schedule', 'trigger'), polls('by hand', 'manual'), activation];

/** All that the nodes do, or what the fuzz run is about. */
const works: Work[] = [
	...chosenOperations.map(workOf),
	...(only === undefined ? triggerWorks : []),
];

/** Further cases to draw until one is sent and one is refused. */
const mostFurther = 500;

/** Whatever the parameters hold: the service is sent what it accepts, or there is a clear error before any request. */
describe('the contract of every operation and trigger', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();
	const countOne = useCount('cases of parameters');

	it.each(works)('of $name', async ({ name, fields, cases, isTrigger = false, run }) => {
		const { service } = testBed;
		const routeFindings = routeFindingsOf(service.context);
		const inherited = prototypes();
		/** Cases that were refused before any request, and those that were sent. */
		const count = { refused: 0, sent: 0 };

		/** Does the work with these parameters, and looks for what is wrong. */
		const findingsOf = async ({ parameters }: RandomParameters): Promise<Findings> => {
			countOne();
			service.reset();
			canaryAccount(service, { concurrency: 1e6 });
			const items = await time.drive(
				run(testBed, parameters).catch((error): INodeExecutionData[] => [{ json: {}, error }]),
			);
			await time.untilSilent();
			const { entries } = service.log;
			const errors = errorsIn(items);
			count[entries.length === 0 ? 'refused' : 'sent'] += 1;
			// A trigger for others' events asks for nothing.
			const isBusy = items.length > 0 || (isTrigger && parameters.source !== 'webhookEvents');
			const isQuiet = entries.length === 0 && errors.length === 0 && isBusy;
			return [
				...requestFindings(entries, errors, passedOn(parameters)),
				...routeFindings(entries),
				...errors.flatMap(isTrigger ? triggerErrorFindings : errorFindings),
				...secretFindings('the items', items),
				...addressFindings(entries),
				...written.findings(),
				...(isQuiet ? ['neither a request nor an error'] : []),
			];
		};

		const drawn = randomParameters(fields);
		await fc.assert(
			fc.asyncProperty(drawn, async (each) => {
				expect(await findingsOf(each)).toEqual([]);
			}),
			{ seed: seedOf(name), numRuns: cases, ...replay() },
		);

		// Neither way may be one that nothing takes; of few cases, none may have been drawn yet.
		const hasInput = fields.some((field) => !field.name.startsWith('output'));
		const takesBoth = () => count.sent > 0 && (!hasInput || count.refused > 0);
		for (const each of fc.sample(drawn, { seed: seedOf(name), numRuns: mostFurther })) {
			if (takesBoth()) break;
			expect(await findingsOf(each)).toEqual([]);
		}
		expect(takesBoth()).toBe(true);
		expect(isDeepStrictEqual(prototypes(), inherited)).toBe(true);
	});
});
