import fc from 'fast-check';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import {
	isFromElsewhere,
	jobKinds,
	slowDown,
	startElsewhere,
	type JobKind,
} from '../engine/jobKinds.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import type { Findings } from './findings.cjs';
import { strangerFindings } from './jobFindings.cjs';

/** A job that another client starts beside one of the node's. */
interface Foreign {
	/** Which of the requests that the lists name alike; the same one where there is none of the number. */
	likeness: number;
	/** How many milliseconds before the node's start it is started; with it where 0. */
	earlier: number;
}

/** A start whose response is lost beside jobs of other clients. */
export interface ForeignSetup {
	kind: JobKind;
	operation: 'run' | 'start';
	foreign: Foreign[];
	/** Whether the start arrives before its response is lost. */
	arrives: boolean;
	/** Whether the responses of the service name its time. */
	namesTime: boolean;
	cancelJob: boolean;
	/** When the execution is stopped, in milliseconds; not at all when left out. */
	stopAt?: number;
	/** How long a page takes at the service, or an agent. */
	duration: number;
}

export const foreignSetups: fc.Arbitrary<ForeignSetup> = fc.record(
	{
		kind: fc.constantFrom(...jobKinds),
		operation: fc.constantFrom('run', 'start'),
		foreign: fc.array(
			fc.record({
				likeness: fc.nat({ max: 4 }),
				earlier: fc.constantFrom(0, 1_500, 5_000, 45_000, 90_000),
			}),
			{ minLength: 1, maxLength: 3 },
		),
		arrives: fc.boolean(),
		namesTime: fc.boolean(),
		cancelJob: fc.boolean(),
		stopAt: fc.constantFrom(0, 1_000, 4_000, 30_000),
		duration: fc.constantFrom(100, 20_000, 3_600_000),
	},
	{
		requiredKeys: ['kind', 'operation', 'foreign', 'arrives', 'namesTime', 'cancelJob', 'duration'],
	},
);

/** Starts that are lost beside jobs of other clients, for the tests of a file. */
export function useForeignJobs() {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const count = { recovered: 0, named: 0, unseen: 0 };

	return {
		count,
		/** Loses a start, and looks for harm to the jobs of others and for own ones that nobody names. */
		async findingsOf({ kind, operation, foreign, ...setup }: ForeignSetup): Promise<Findings> {
			const { service } = testBed;
			const { resource, path, parameters, body, alike } = kind;
			service.reset();
			service.context.options.namesTime = setup.namesTime;
			slowDown(service, setup.duration);
			const account = testBed.account();
			// What was lost before is not to be confused with this start.
			await time.pass(120_000);
			const bodies = Object.values(alike);
			const ofOthers = new Map<string, object>();
			const startOther = async ({ likeness }: Foreign) => {
				const asked = bodies.at(likeness) ?? body;
				ofOthers.set(await startElsewhere(service, account.key, path, asked), asked);
			};
			const before = foreign
				.filter(({ earlier }) => earlier > 0)
				.sort((a, b) => b.earlier - a.earlier);
			for (const [index, other] of before.entries()) {
				await startOther(other);
				await time.pass(other.earlier - (before.at(index + 1)?.earlier ?? 0));
			}
			service.log.clear();
			service.faults.add({
				method: 'POST',
				path,
				kind: 'reset',
				stage: setup.arrives ? 'after' : 'before',
			});
			const execution = testBed.begin(
				resource,
				operation,
				{ ...parameters, maxWait: 1, waiting: { cancelJob: setup.cancelJob } },
				{ account },
			);
			if (setup.stopAt !== undefined) setTimeout(() => execution.cancel(), setup.stopAt);
			await time.until(() => service.log.of('POST', path).length > 0);
			for (const other of foreign) if (other.earlier === 0) await startOther(other);
			const run = await time.drive(execution.done);
			await time.pass(60_000);

			const own = service.context.activity.entries
				.map(({ id }) => id)
				.filter((id) => !ofOthers.has(id));
			const texts = `${run.error?.message} ${run.error?.description}`;
			const given = new Set(run.output().map(({ json }) => json.jobId));
			const isRecovered = own.some((id) => given.has(id) || texts.includes(id));
			if (isRecovered) count[given.size > 0 ? 'recovered' : 'named'] += 1;
			else count.unseen += 1;
			// Of an identical request, started at the same moment, nothing tells a job from the own one that never arrived.
			const toldApart = new Set(
				[...ofOthers].filter(([, asked]) => asked !== body).map(([id]) => id),
			);
			const begun = service.log.of('POST', path).filter((entry) => !isFromElsewhere(entry));
			const deletes = service.log.entries.filter(({ method }) => method === 'DELETE');
			return [
				...strangerFindings(
					run,
					service.log.entries,
					setup.arrives ? new Set(ofOthers.keys()) : toldApart,
				),
				...deletes.map(() => 'told a job to stop that no response had named'),
				...(begun.length > 1 ? ['started twice'] : []),
				...(setup.arrives && setup.stopAt === undefined && !isRecovered
					? ['an own job that nothing names']
					: []),
			];
		},
	};
}
