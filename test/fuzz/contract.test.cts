import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';
import { resources } from '../../nodes/WebData/resources';
import { properties as pollFields } from '../../nodes/WebDataPollingTrigger/properties';
import { triggerFields } from '../../nodes/WebDataTrigger/settings';
import type { Request } from '../../nodes/runtime/http/client';
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
import { defect, reported, usePlants, type Plant } from './plants.cjs';
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

/** Works with whatever parameters, for the tests of a file. */
function useContractRuns() {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();

	return {
		of({ run, isTrigger = false }: Work) {
			const { service } = testBed;
			const routeFindings = routeFindingsOf(service.context);
			const inherited = prototypes();
			const count = { refused: 0, sent: 0 };
			return {
				/** Cases that were refused before any request, and those that were sent. */
				count,

				/** Does the work with these parameters, and looks for what is wrong. */
				async findingsOf({ parameters }: RandomParameters): Promise<Findings> {
					service.reset();
					canaryAccount(service, { concurrency: 1e6 });
					const items = await time.drive(
						run(testBed, parameters).catch((error): INodeExecutionData[] => [{ json: {}, error }]),
					);
					await time.untilSilent();
					const { entries } = service.log;
					const errors = errorsIn(items);
					if (entries.length === 0) count.refused += 1;
					else count.sent += 1;
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
				},

				/** What the cases have left on objects that everybody shares. */
				pollution: (): Findings =>
					isDeepStrictEqual(prototypes(), inherited)
						? []
						: ['objects that everybody shares were changed'],
			};
		},
	};
}

/** Further cases to draw until one is sent and one is refused. */
const mostFurther = 500;

/**
 * Whatever the parameters hold: either the service is sent what it accepts, or there is a clear error
 * before any request.
 */
describe('the contract of every operation and trigger', () => {
	const contract = useContractRuns();
	const countOne = useCount('cases of parameters');

	it.each(works)('of $name', async (work) => {
		const { findingsOf, count, pollution } = contract.of(work);

		await fc.assert(
			fc.asyncProperty(randomParameters(work.fields), async (drawn) => {
				countOne();
				expect(await findingsOf(drawn)).toEqual([]);
			}),
			{ seed: seedOf(work.name), numRuns: work.cases, ...replay() },
		);

		// Neither way may be one that nothing takes; of few cases, none may have been drawn yet.
		const hasInput = work.fields.some((field) => !field.name.startsWith('output'));
		const takesBoth = () => count.sent > 0 && (!hasInput || count.refused > 0);
		for (const drawn of fc.sample(randomParameters(work.fields), {
			seed: seedOf(work.name),
			numRuns: mostFurther,
		})) {
			if (takesBoth()) break;
			expect(await findingsOf(drawn)).toEqual([]);
		}
		expect(takesBoth()).toBe(true);
		expect(pollution()).toEqual([]);
	});
});

const search = { resource: 'search', operation: 'query' };

/** The operation's schema refuses everything. */
const closedSchema: Plant = () => {
	const operation = resources
		.find(({ value }) => value === search.resource)
		?.operations.find(({ value }) => value === search.operation);
	if (!operation) throw new Error('There is no such operation');
	const { schema } = operation;
	operation.schema = z.never();
	return () => void (operation.schema = schema);
};

/** Every request goes out with a change. */
const spoiltRequests = (change: (request: Request) => Partial<Request>): Plant =>
	defect(
		'http/client',
		'exchange',
		(original) => async (context, request) =>
			await original(context, { ...request, ...change(request) }),
	);

/** One defect for each thing that the fuzz run looks for. */
const controls: Array<[what: string, plant: Plant, finding: RegExp]> = [
	[
		'a request that the service refuses',
		spoiltRequests(({ body }) => ({ body: { ...body, nonsense: true } })),
		/^400 to POST \/v2\/search/,
	],
	[
		'a request to an address that the API does not have',
		spoiltRequests(() => ({ nextPage: '/nowhere' })),
		/^no route of the API: POST \/v2\/nowhere$/,
	],
	[
		'a result that nobody was asked for',
		defect(
			'http/send',
			'send',
			() => async () =>
				await Promise.resolve({ status: 200, headers: {}, body: { data: { web: [{}] } } }),
		),
		/^neither a request nor an error$/,
	],
];

/** A detector that has never fired proves nothing. */
describe('the contract fuzz run reports', () => {
	const contract = useContractRuns();
	const plant = usePlants('.build');
	const setups = randomParameters(fieldsOf(search));

	it.each(controls)('%s', async (_what, planted, finding) => {
		const { findingsOf } = contract.of(workOf(search));
		plant(planted);
		expect(await reported(setups, findingsOf, finding)).toMatch(finding);
	});

	it('objects that everybody shares and that were changed', async () => {
		const { findingsOf, pollution } = contract.of(workOf(search));
		plant(
			defect('execution/items', 'toItems', (original) => (...args) => {
				Reflect.set(Object.prototype, 'polluted', 1);
				return original(...args);
			}),
		);
		await reported(setups, findingsOf, /^never$/);
		const found = pollution();
		Reflect.deleteProperty(Object.prototype, 'polluted');
		expect(found).toEqual(['objects that everybody shares were changed']);
	});

	it('an operation that refuses whatever it is given', async () => {
		const { findingsOf, count } = contract.of(workOf(search));
		plant(closedSchema);
		await reported(setups, findingsOf, /^never$/);
		expect(count).toMatchObject({ sent: 0 });
	});
});
