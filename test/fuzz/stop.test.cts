import fc from 'fast-check';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import {
	inWords,
	operationNames,
	waitsForJob,
	type OperationName,
} from '../engine/operationNames.cjs';
import { addressOf, page, urlsOf, watcher } from '../engine/pollingTrigger/watching.cjs';
import { useTestBed, type Account } from '../engine/testBed.cjs';
import { Fixtures, validParameters } from '../engine/validParameters.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { taggedItems } from './chaosFindings.cjs';
import { chosenOperations, itemWithFile } from './directRuns.cjs';
import { errorFindings, type Findings } from './findings.cjs';
import { replay, scaled, seed, seedOf } from './fuzzRun.cjs';
import { addressFindings, secretFindings, useWrittenLines } from './secrets.cjs';

/** When something is stopped, and how the service is meanwhile. */
interface Moment {
	/** Milliseconds after the start. */
	stopAt: number;
	/** How long the service takes to answer each request, in milliseconds. */
	delay: number;
	/** Whether requests are refused for a while at first. */
	refused: number;
}

/** What is drawn for a moment. */
const moment = {
	stopAt: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 60_000 })),
	delay: fc.constantFrom(0, 200, 1_500, 20_000),
	refused: fc.nat({ max: 4 }),
};

/** How an execution is stopped. */
interface StopSetup extends Moment {
	count: number;
	/** What waits for a batch, a crawl or an agent. */
	wait: 'poll' | 'none';
}

const stopSetups: fc.Arbitrary<StopSetup> = fc.record({
	...moment,
	count: fc.integer({ min: 1, max: 4 }),
	wait: fc.constantFrom('poll', 'poll', 'poll', 'none'),
});

/** Moments at which the check of a trigger is stopped. */
const moments: fc.Arbitrary<Moment> = fc.record(moment);

/** Long enough for all that an execution leaves to be done after its end, in milliseconds. */
const aftermath = 600_000;

/** Executions that are stopped at random moments, for the tests of a file. */
function useStopRuns() {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();

	const account = (): Account => canaryAccount(testBed.service);

	/** Timers that are not the service's own. */
	const ownTimers = () => jest.getTimerCount() - testBed.service.clock.waiting;

	/** Makes the service slow and busy from now on. */
	const disturb = ({ refused, delay }: Moment): void => {
		const { faults } = testBed.service;
		if (refused > 0) faults.add({ kind: 'status', status: 503, retryAfter: 5, count: refused });
		if (delay > 0) faults.add({ kind: 'delay', delayMs: delay, count: 1_000 });
	};

	/** What there is before something begins that is stopped. */
	const before = async () => {
		const sockets = await testBed.service.connections();
		return { sockets, timers: ownTimers() };
	};

	/** What is left of timers, connections and requests when there was time for all to end. */
	const leftovers = async (had: Awaited<ReturnType<typeof before>>): Promise<Findings> => {
		const { service } = testBed;
		await time.pass(aftermath);
		const sent = service.log.entries.length;
		await time.pass(aftermath);
		const sockets = (await service.connections()) - had.sockets;
		const timers = ownTimers() - had.timers;
		return [
			...(service.log.entries.length > sent ? ['requests long after the end'] : []),
			...(timers > 0 ? [`${timers} timers left`] : []),
			...(sockets > 0 ? [`${sockets} connections left`] : []),
			...addressFindings(service.log.entries),
			...written.findings(),
		];
	};

	/** What still runs at the service for an account. */
	const runningFor = ({ team }: Account): string[] => {
		const { agents, pageJobs, sessions } = testBed.service.context;
		return [
			...agents.active(team.id),
			...pageJobs.active(team.id),
			...sessions.active(team.id),
		].map(({ id }) => id);
	};

	return {
		/** Stops an execution of an operation, and looks for what it leaves. */
		async ofOperation(name: OperationName, setup: StopSetup): Promise<Findings> {
			const { service } = testBed;
			const { resource, operation } = name;
			const isJob = waitsForJob(name);
			service.reset();
			const stopped = account();
			const sound = await time.drive(validParameters(name, new Fixtures(service, stopped)));
			// Jobs go on for an hour unless they are cancelled.
			service.context.agents.set({ durationMs: 3_600_000 });
			service.context.pageJobs.set({ pageMs: 3_600_000 });
			const running = new Set(runningFor(stopped));
			const had = await before();
			service.log.clear();
			disturb(setup);

			const { count, stopAt, refused, delay, wait } = setup;
			const execution = testBed.begin(
				resource,
				operation,
				{ ...sound, ...(isJob && { options: { wait } }) },
				{
					account: stopped,
					input: taggedItems(count).map((json) => ({ ...itemWithFile(), json })),
				},
			);
			let stoppedAt = Infinity;
			setTimeout(() => {
				stoppedAt = Date.now();
				execution.cancel();
			}, stopAt);
			const run = await time.drive(execution.done);

			const begun = () => runningFor(stopped).filter((id) => !running.has(id));
			const wanted = resource === 'batch' ? 1 : count;
			// A start is not broken off, and what it started may have to be ended: both are repeated when refused.
			const isStart = isJob || operation === 'start' || resource === 'session';
			const isRefused = service.faults.pending.some(({ kind }) => kind === 'status');
			const mayRepeat = isRefused || (refused > 0 && begun().length < wanted);
			const mayLast = isStart && (mayRepeat || delay > 0);
			const lasted = run.status === 'canceled' && !mayLast ? Date.now() - stoppedAt : 0;
			const left = await leftovers(had);

			const jobs = begun();
			const goesOn = operation === 'start' || (isJob && wait !== 'poll');
			return [
				...(lasted > 1_000 ? [`went on for ${lasted} ms after the stop`] : []),
				...left,
				...(jobs.length > 0 && !goesOn ? [`left running: ${jobs.join(' ')}`] : []),
				...(run.error === undefined || run.status === 'canceled' ? [] : errorFindings(run.error)),
				...secretFindings('the run', run.data),
			];
		},

		/** Stops the check of a trigger, and looks for what it leaves and what the next one finds. */
		async ofCheck(stop: Moment): Promise<Findings> {
			const { service } = testBed;
			service.reset();
			const workflow = watcher(testBed, {}, { account: account(), keeping: 'staged' });
			await time.drive(workflow.activate());
			await time.drive(workflow.poll());
			service.site.add(page('find'));
			const had = await before();
			disturb(stop);

			setTimeout(() => workflow.deactivate(), stop.stopAt);
			await time.drive(workflow.poll());
			const left = await leftovers(had);

			service.faults.clear();
			await time.drive(workflow.activate());
			const fired = urlsOf(workflow.fired);
			return [
				...left,
				...(fired.join() === addressOf('find') ? [] : [`fired for ${fired.join() || 'nothing'}`]),
				...workflow.errors.flatMap((error) => secretFindings('an error', error)),
			];
		},
	};
}

/** Stopped executions of all operations together, shared out evenly; those that wait for a job are stopped more often. */
const runs = Math.ceil(scaled(300) / operationNames.length);

/** Executions of every operation, stopped at random moments. */
describe('a stopped execution', () => {
	const stopped = useStopRuns();

	it.each(chosenOperations)('leaves nothing of $resource: $operation', async (name) => {
		await fc.assert(
			fc.asyncProperty(stopSetups, async (setup) => {
				expect(await stopped.ofOperation(name, setup)).toEqual([]);
			}),
			{ seed: seedOf(inWords(name)), numRuns: waitsForJob(name) ? 5 * runs : runs, ...replay() },
		);
	});

	it('leaves nothing of the check of a trigger, and what it had found comes with the next', async () => {
		await fc.assert(
			fc.asyncProperty(moments, async (stop) => {
				expect(await stopped.ofCheck(stop)).toEqual([]);
			}),
			{ seed, numRuns: scaled(20), ...replay() },
		);
	});
});
