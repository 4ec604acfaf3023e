import fc from 'fast-check';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { inWords, operationNames } from '../engine/operationNames.cjs';
import { Possessions, soundParameters } from '../engine/soundParameters.cjs';
import { useWorkbench, type Account } from '../engine/workbench.cjs';
import type { FaultInput } from '../service/faults.cjs';
import { replay, scaled, seedOf, useCount } from './campaign.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { chaosFindings, comeOut, taggedItems } from './chaosFindings.cjs';
import { chosenOperations, itemWithFile } from './directRuns.cjs';
import { drawnFaults } from './drawnFaults.cjs';
import type { Findings } from './findings.cjs';
import { addressFindings, foreignFindings, secretFindings, useWrittenLines } from './secrets.cjs';
import { useForeignHost } from './useForeignHost.cjs';

/** Runs of all operations together, shared out evenly. */
const runs = Math.ceil(scaled(2_000) / operationNames.length);

/** Input items of a run at the most. */
const most = 4;

/** How a run is set up. */
interface Setup {
	count: number;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	options: Record<string, number | boolean>;
	faults: FaultInput[];
}

/** Numbers in [0, 1) that are the same for the same seed: the node's jitter is part of what is drawn. */
function seededRandom(from: number): () => number {
	let state = from >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

/** Every operation in n8n's engine, while the service and the network misbehave in every way at random. */
describe('chaos', () => {
	const bench = useWorkbench();
	const time = useDrivenTime(() => bench.service);
	const written = useWrittenLines();
	const countOne = useCount('runs of operations under faults');
	const elsewhere = useForeignHost();

	const account = (): Account => canaryAccount(bench.service);

	const setups = (): fc.Arbitrary<Setup> =>
		fc.record({
			count: fc.integer({ min: 1, max: most }),
			onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
			options: fc.record(
				{
					requestsInFlight: fc.integer({ min: 1, max: 5 }),
					maxTries: fc.integer({ min: 1, max: 6 }),
					maxRetryTime: fc.constantFrom(0, 5, 60, 600),
					maxBackOff: fc.constantFrom(1, 30),
				},
				{ requiredKeys: [] },
			),
			faults: drawnFaults(elsewhere.url),
		});

	it.each(chosenOperations)('does no harm to $resource: $operation', async (name) => {
		const { service } = bench;
		const seed = seedOf(inWords(name));
		jest.spyOn(Math, 'random').mockImplementation(seededRandom(seed));
		let isEmpty: boolean | undefined;

		const runOf = async ({ count, onError, options, faults }: Setup) => {
			service.reset();
			// A run that has begun has a trace, however long the node waits for its turn.
			service.context.agents.script.set({ queueMs: 0 });
			const owner = account();
			const sound = await time.drive(soundParameters(name, new Possessions(service, owner)));
			await time.pass(1);
			service.log.clear();
			service.faults.add(...faults.map((fault) => ({ ...fault })));
			const input = taggedItems(count).map((json) => ({ ...itemWithFile(), json }));
			const parameters = { ...sound, options };
			const { resource, operation } = name;
			const run = await time.drive(
				bench.operate(resource, operation, parameters, { account: owner, input, onError }),
			);
			await time.untilSilent();
			return run;
		};

		const findingsOf = async (setup: Setup): Promise<Findings> => {
			countOne();
			isEmpty ??= !comeOut(await runOf({ ...setup, count: most, options: {}, faults: [] }), most);
			const run = await runOf(setup);
			const { entries } = service.log;
			return [
				...chaosFindings({ isEmpty, count: setup.count, run, entries }),
				...secretFindings('the run', run.data),
				...addressFindings(entries),
				...written.findings(),
				...foreignFindings(elsewhere.requests),
				...elsewhere.requests.map(({ method, path }) => `went elsewhere: ${method} ${path}`),
			];
		};

		await fc.assert(
			fc.asyncProperty(setups(), async (setup) => {
				expect(await findingsOf(setup)).toEqual([]);
			}),
			{ seed, numRuns: runs, ...replay() },
		);
	});
});
