import fc from 'fast-check';
import { seededRandom } from '../seededRandom.cjs';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { inWords, waitsForJob, type OperationName } from '../engine/operationNames.cjs';
import { Fixtures, validParameters } from '../engine/validParameters.cjs';
import { useTestBed, type Account } from '../engine/testBed.cjs';
import type { FaultInput } from '../mock/faults.cjs';
import { seedOf } from './fuzzRun.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { chaosFindings, comeOut, jobFindings, taggedItems } from './chaosFindings.cjs';
import { itemWithFile } from './directRuns.cjs';
import { randomFaults } from './randomFaults.cjs';
import type { Findings } from './findings.cjs';
import { addressFindings, foreignFindings, secretFindings, useWrittenLines } from './secrets.cjs';
import { useForeignHost } from './useForeignHost.cjs';

/** Input items of a run at the most. */
const most = 4;

/** How a run is set up. */
export interface ChaosSetup {
	count: number;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** The node's own settings. */
	options: { maxRetryTime?: number };
	faults: FaultInput[];
	jobs: JobCourse;
}

/** How the jobs of a run go at the service. */
interface JobCourse {
	/** How long a job is not known to the status after its start, in milliseconds. */
	unknownMs: number;
	/** The status while a job runs, where it is not the usual one. */
	runningStatus?: string;
	end: 'completed' | 'failed' | 'partial';
}

const calmJobs: JobCourse = { unknownMs: 0, end: 'completed' };

const jobCourses: fc.Arbitrary<JobCourse> = fc.record(
	{
		unknownMs: fc.constantFrom(0, 0, 2_000, 8_000),
		runningStatus: fc.constantFrom('initializing', 'PROCESSING', 'cancelling', 'paused'),
		end: fc.constantFrom('completed', 'completed', 'failed', 'partial'),
	},
	{ requiredKeys: ['unknownMs', 'end'] },
);

/** Operations of which some items come to nothing without any trouble: their lists are empty, or the first item has ended what the others ask for. */
const mayComeToNothing = new Set([
	...['monitor: delete', 'paper: search', 'session: delete', 'session: stop'],
]);

/** Runs of operations in n8n's engine, while the service and the network misbehave, for the tests of a file. */
export function useChaosRuns() {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();
	const elsewhere = useForeignHost();

	/** Says how the jobs that start from now on go. */
	const setJobs = ({ end, ...course }: JobCourse): void => {
		const { agents, pageJobs } = testBed.service.context;
		const outcome =
			end === 'partial' ? 'credit_limit_reached' : end === 'failed' ? end : 'succeeded';
		agents.set({ ...course, outcome });
		pageJobs.set({
			...course,
			...(end !== 'completed' && { failure: { afterPages: 1, error: 'The job failed' } }),
		});
	};

	/** The IDs of an account's jobs that run at the service. */
	const runningJobs = ({ team }: Account): string[] => {
		const { agents, pageJobs } = testBed.service.context;
		return [...agents.active(team.id), ...pageJobs.active(team.id)].map(({ id }) => id);
	};

	/** The IDs of an account's runs that have ended with partial data. */
	const partialRuns = ({ team }: Account): string[] =>
		testBed.service.context.agents.jobs
			.filter(
				({ about, outcome, result }) =>
					about.team.id === team.id && outcome === 'credit_limit_reached' && result?.data,
			)
			.map(({ id }) => id);

	const runOf = async (
		name: OperationName,
		{ count, onError, options, faults, jobs }: ChaosSetup,
	) => {
		const { service } = testBed;
		service.reset();
		const owner = canaryAccount(service);
		const sound = await time.drive(validParameters(name, new Fixtures(service, owner)));
		await time.pass(1);
		service.log.clear();
		setJobs(jobs);
		service.faults.add(...faults.map((fault) => ({ ...fault })));
		const input = taggedItems(count).map((json) => ({ ...itemWithFile(), json }));
		const parameters = { ...sound, options: { ...Object(sound.options), ...options } };
		const { resource, operation } = name;
		const run = await time.drive(
			testBed.run(resource, operation, parameters, { account: owner, input, onError }),
		);
		const running = runningJobs(owner);
		// What the run has given up ends at the same moment.
		await time.pass(1);
		await time.untilSilent();
		return { run, running, owner };
	};

	/** Without any trouble, items come out where there is something to come. */
	const calmFindings = async (name: OperationName, isEmpty: boolean): Promise<Findings> => {
		const calm = { count: most, onError: 'stopWorkflow', options: {}, jobs: calmJobs } as const;
		const { run } = await runOf(name, { ...calm, faults: [] });
		if (comeOut(run, most) !== isEmpty) return [];
		if (isEmpty) return ['without any trouble, every item comes out'];
		const why = run.error?.message ?? `add it to 'mayComeToNothing' if its list may be empty`;
		return [`without any trouble, not every item comes out: ${why}`];
	};

	return {
		/** What is drawn for a run. */
		setups: (): fc.Arbitrary<ChaosSetup> =>
			fc.record({
				count: fc.integer({ min: 1, max: most }),
				onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
				options: fc.record({ maxRetryTime: fc.constantFrom(0, 5, 60, 600) }, { requiredKeys: [] }),
				faults: randomFaults(elsewhere.url),
				jobs: jobCourses,
			}),

		/** Makes runs of one operation, and looks at each for what is wrong. */
		of(name: OperationName): (setup: ChaosSetup) => Promise<Findings> {
			jest.spyOn(Math, 'random').mockImplementation(seededRandom(seedOf(inWords(name))));
			const isEmpty = mayComeToNothing.has(inWords(name));
			let calm: Findings | undefined;
			return async (setup) => {
				const { service } = testBed;
				calm ??= await calmFindings(name, isEmpty);
				const { run, running, owner } = await runOf(name, setup);
				const { entries } = service.log;
				return [
					...calm,
					...chaosFindings({ isEmpty, count: setup.count, run, entries }),
					...(waitsForJob(name)
						? jobFindings({ run, running, partial: partialRuns(owner), entries })
						: []),
					...secretFindings('the run', run.data),
					...addressFindings(entries),
					...written.findings(),
					...foreignFindings(elsewhere.requests),
					...elsewhere.requests.map(({ method, path }) => `went elsewhere: ${method} ${path}`),
				];
			};
		},
	};
}
