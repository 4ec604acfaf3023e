import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { isRecord } from '../../nodes/runtime/values/record';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { inMemory } from '../engine/file/inputFiles.cjs';
import { operationGuards, refusal, type Guard } from '../engine/guardFields.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { Fixtures, validParameters } from '../engine/validParameters.cjs';
import type { Findings } from './findings.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { defect, reported, usePlants } from './plants.cjs';

/** Expressions over an item that lacks what they ask for, or has nothing there. */
const nothings = [
	'={{ $json.absent }}',
	'={{ $json.absent?.limit }}',
	'={{ $json.list[7] }}',
	'={{ $json.nothing }}',
	'={{ $json.blank }}',
	'={{ $json.group }}',
	'={{ $json.absent ?? "" }}',
	'={{ $json.list.find((each) => each > 3) }}',
	'={{ undefined }}',
];

const item = { tag: 'a', list: [1, 2], nothing: null, blank: '', group: {} };

/** A guard that comes to nothing, on its own or beside groups with settings. */
interface Setup {
	guard: Guard;
	expression: string;
	isBesideOthers: boolean;
}

const setups: fc.Arbitrary<Setup> = fc.record({
	guard: fc.constantFrom(...operationGuards()),
	expression: fc.constantFrom(...nothings),
	isBesideOthers: fc.boolean(),
});

/** Settings of the same groups as the guard's, where there are some. */
function together(guard: INodeParameters): INodeParameters {
	const others: INodeParameters = {
		options: { maxCreditsPerExecution: 1_000, maxRetryTime: 60 },
	};
	return Object.fromEntries(
		Object.entries({ ...others, ...guard }).map(([name, value]) => [
			name,
			name in others && name in guard ? { ...Object(others[name]), ...Object(value) } : value,
		]),
	);
}

function useGuardRuns() {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const binary = { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') };

	return async ({ guard, expression, isBesideOthers }: Setup): Promise<Findings> => {
		const { resource, operation, place } = guard;
		testBed.service.reset();
		const account = testBed.account();
		const own = new Fixtures(testBed.service, account);
		const sound = await validParameters({ resource, operation }, own);
		const before = testBed.service.log.entries.length;
		const set = place.holding(expression);

		const execution = testBed.begin(
			resource,
			operation,
			{ ...sound, ...(isBesideOthers ? together(set) : set) },
			{ account, input: [{ json: item, binary }] },
		);
		const { error } = await time.drive(execution.done);

		const sent = testBed.service.log.entries.slice(before);
		return [
			...(sent.length > 0 ? [`${guard.name} came to nothing, and ${sent[0].path} was sent`] : []),
			...(refusal(place).test(error?.message ?? '') ? [] : [`${guard.name}: ${error?.message}`]),
		];
	};
}

/** Values without what is null, at any depth. */
const withoutNothing = (values: object): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(values)
			.filter(([, value]) => value !== null)
			.map(([name, value]: [string, unknown]) => [
				name,
				isRecord(value) ? withoutNothing(value) : value,
			]),
	);

/** Whatever expression a guard has: where it comes to nothing, nothing is sent. */
describe('a guard by expression', () => {
	const findingsOf = useGuardRuns();
	const countOne = useCount('guards whose expressions came to nothing');
	const plant = usePlants('dist');

	it('is never left out in silence', async () => {
		await fc.assert(
			fc.asyncProperty(setups, async (setup) => {
				countOne();
				expect(await findingsOf(setup)).toEqual([]);
			}),
			{ seed: seedOf('guards'), numRuns: scaled(300), ...replay() },
		);
	});

	it('that is left out is reported', async () => {
		plant(
			defect('execution/parameters', 'parameterReader', (original) => (context, names) => {
				const read = original(context, names);
				return (index) => withoutNothing(read(index));
			}),
		);
		expect(await reported(setups, findingsOf, /was sent$/)).toMatch(/came to nothing/);
	});
});
