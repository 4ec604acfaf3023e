import fc from 'fast-check';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { operationNames } from '../engine/operationNames.cjs';
import { Possessions, soundParameters } from '../engine/soundParameters.cjs';
import { useWorkbench, type Account } from '../engine/workbench.cjs';
import { replay, scaled, seed } from './campaign.cjs';
import { taggedItems } from './chaosFindings.cjs';
import { chosenOperations, itemWithFile } from './directRuns.cjs';
import { errorFindings, type Findings } from './findings.cjs';

/** Stopped executions of all operations together, shared out evenly. */
const runs = Math.ceil(scaled(300) / operationNames.length);

/** How an execution is stopped. */
interface Setup {
	count: number;
	/** Milliseconds after its start. */
	stopAt: number;
	/** How long the service takes to answer each request, in milliseconds. */
	delay: number;
	/** Whether requests are refused for a while at first. */
	refused: number;
	cancelJob: boolean;
}

const setups: fc.Arbitrary<Setup> = fc.record({
	count: fc.integer({ min: 1, max: 4 }),
	stopAt: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 60_000 })),
	delay: fc.constantFrom(0, 200, 1_500, 20_000),
	refused: fc.nat({ max: 4 }),
	cancelJob: fc.boolean(),
});

/** Long enough for all that an execution leaves to be done after its end, in milliseconds. */
const aftermath = 600_000;

/** Executions of every operation, stopped at random moments. */
describe('a stopped execution', () => {
	const bench = useWorkbench();
	const time = useDrivenTime(() => bench.service);

	/** Fake time that passes while nothing is asked of the node. */
	const pass = async (ms: number) =>
		await time.drive(new Promise<void>((resolve) => setTimeout(resolve, ms)));

	/** Timers that are not the service's own. */
	const ownTimers = () => jest.getTimerCount() - bench.service.clock.waiting;

	/** What still runs at the service for an account. */
	const runningFor = ({ team }: Account): string[] => {
		const { agents, pageJobs, sessions } = bench.service.context;
		return [
			...agents.jobs.filter(({ about, finished }) => about.teamId === team.id && !finished),
			...pageJobs.active(team.id, 'batch'),
			...pageJobs.active(team.id, 'crawl'),
			...sessions.of(team.id).filter(({ active }) => active),
		].map(({ id }) => id);
	};

	it.each(chosenOperations)('leaves nothing of $resource: $operation', async (name) => {
		const { service } = bench;
		const { resource, operation } = name;

		const findingsOf = async (setup: Setup): Promise<Findings> => {
			service.reset();
			const account = bench.account({ credits: 1e9 });
			const sound = await time.drive(soundParameters(name, new Possessions(service, account)));
			// Jobs go on for an hour unless they are cancelled.
			service.context.agents.script.set({ durationMs: 3_600_000 });
			service.context.pageJobs.paces.set({ pageMs: 3_600_000 });
			const before = new Set(runningFor(account));
			if (setup.refused > 0) {
				service.faults.add({ kind: 'status', status: 503, retryAfter: 5, count: setup.refused });
			}
			if (setup.delay > 0) {
				const { delay: delayMs } = setup;
				service.faults.add({ kind: 'delay', delayMs, count: 1_000 });
			}
			const timers = ownTimers();
			service.log.clear();

			const execution = bench.begin(
				resource,
				operation,
				{ ...sound, options: { cancelJob: setup.cancelJob } },
				{
					account,
					input: taggedItems(setup.count).map((json) => ({ ...itemWithFile(), json })),
				},
			);
			setTimeout(() => execution.cancel(), setup.stopAt);
			const run = await time.drive(execution.done);
			await pass(aftermath);

			const sent = service.log.entries.length;
			await pass(aftermath);
			const left = runningFor(account).filter((id) => !before.has(id));
			const isJob = ['agent', 'batch', 'crawl'].includes(resource) && operation === 'run';
			const goesOn = operation === 'start' || (isJob && !setup.cancelJob);
			const stopped = run.status === 'canceled';
			return [
				...(left.length > 0 && !goesOn ? [`left running: ${left.join(' ')}`] : []),
				...(service.log.entries.length > sent ? ['requests long after the end'] : []),
				...(ownTimers() > timers ? [`${ownTimers() - timers} timers left`] : []),
				...(run.error === undefined || stopped ? [] : errorFindings(run.error)),
			];
		};

		await fc.assert(
			fc.asyncProperty(setups, async (setup) => {
				expect(await findingsOf(setup)).toEqual([]);
			}),
			{ seed, numRuns: runs, ...replay() },
		);
	});
});
