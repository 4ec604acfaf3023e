import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { z } from 'zod/v3';
import { resources } from '../../nodes/WebData/resources';
import type { Request } from '../../nodes/runtime/http/client';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { inWords, operationNames, type OperationName } from '../engine/operationNames.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { chosenOperations, DirectRuns, fieldsOf } from './directRuns.cjs';
import {
	errorFindings,
	errorsIn,
	prototypes,
	requestFindings,
	type Findings,
} from './findings.cjs';
import { passedOn } from './passedOn.cjs';
import { defect, reported, usePlants, type Plant } from './plants.cjs';
import { randomParameters, type RandomParameters } from './randomParameters.cjs';
import { routeFindingsOf } from './routes.cjs';
import { addressFindings, secretFindings, useWrittenLines } from './secrets.cjs';

/** Cases of all operations together, shared out evenly. */
const cases = Math.ceil(scaled(20_000) / operationNames.length);

/** Operations with whatever parameters, for the tests of a file. */
function useContractRuns() {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();
	const runs = new DirectRuns(testBed);

	return {
		of(name: OperationName) {
			const { service } = testBed;
			const routeFindings = routeFindingsOf(service.context);
			const inherited = prototypes();
			const count = { refused: 0, sent: 0 };
			return {
				/** Cases that were refused before any request, and those that were sent. */
				count,

				/** Runs the operation with these parameters, and looks for what is wrong. */
				async findingsOf({ parameters }: RandomParameters): Promise<Findings> {
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

				/** What the cases have left on objects that everybody shares. */
				pollution: (): Findings =>
					isDeepStrictEqual(prototypes(), inherited)
						? []
						: ['objects that everybody shares were changed'],
			};
		},
	};
}

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
		const hasInput = fieldsOf(name).some((field) => !field.name.startsWith('output'));
		if (hasInput) expect(count.refused).toBeGreaterThan(0);
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
const spoiltRequests = (change: Partial<Request>): Plant =>
	defect(
		'http/client',
		'exchange',
		(original) => async (context, request) => await original(context, { ...request, ...change }),
	);

interface Control {
	what: string;
	plant: Plant;
	finding: RegExp;
}

/** One defect for each thing that the fuzz run looks for. */
const controls: Control[] = [
	{
		what: 'a request that the service refuses',
		plant: defect(
			'http/client',
			'exchange',
			(original) => async (context, request) =>
				await original(context, { ...request, body: { ...request.body, nonsense: true } }),
		),
		finding: /^400 to POST \/v2\/search/,
	},
	{
		what: 'a request to an address that the API does not have',
		plant: spoiltRequests({ nextPage: '/nowhere' }),
		finding: /^no route of the API: POST \/v2\/nowhere$/,
	},
	{
		what: 'a result that nobody was asked for',
		plant: defect(
			'http/send',
			'send',
			() => async () =>
				await Promise.resolve({ status: 200, headers: {}, body: { data: { web: [{}] } } }),
		),
		finding: /^an item without a request$/,
	},
];

/** A detector that has never fired proves nothing. */
describe('the contract fuzz run reports', () => {
	const contract = useContractRuns();
	const plant = usePlants('.build');
	const setups = randomParameters(fieldsOf(search));

	it.each(controls)('$what', async ({ plant: planted, finding }) => {
		const { findingsOf } = contract.of(search);
		plant(planted);
		expect(await reported(setups, findingsOf, finding)).toMatch(finding);
	});

	it('objects that everybody shares and that were changed', async () => {
		const { findingsOf, pollution } = contract.of(search);
		plant(
			defect('output/items', 'toItems', (original) => (...args) => {
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
		const { findingsOf, count } = contract.of(search);
		plant(closedSchema);
		await reported(setups, findingsOf, /^never$/);
		expect(count).toMatchObject({ sent: 0 });
	});
});
