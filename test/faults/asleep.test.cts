import fc from 'fast-check';
import type { EngineRun } from '../engine/harness.cjs';
import { agents } from '../engine/jobKinds.cjs';
import { teamSecret, useSleepingJobs } from '../engine/sleepingJobs.cjs';
import { freshEngine } from '../engine/trigger/triggers.cjs';
import { WaitingExecutions } from '../engine/waiting.cjs';
import type { AgentJob } from '../mock-server/agent/job.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';

/** What becomes of the call that the service makes for a job that has ended. */
type Call = 'comes' | 'comes twice' | 'is forged before' | 'is lost';

const randomJob = fc.record({
	seconds: fc.integer({ min: 10, max: 60 }),
	outcome: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
	call: fc.constantFrom<Call>(
		'comes',
		'comes',
		'comes',
		'comes twice',
		'is forged before',
		'is lost',
	),
});

const randomStep = fc.record({
	seconds: fc.integer({ min: 5, max: 40 }),
	/** By which the calls that are due are put in order. */
	order: fc.nat(),
	restart: fc.constantFrom(true, false, false, false),
	/** Whether the service cannot be asked at first. */
	isBlind: fc.constantFrom(true, false, false, false),
});

/** The same order for the same number. */
const shuffled = <Entry,>(entries: Entry[], order: number): Entry[] =>
	entries
		.map((entry, index) => ({ entry, place: Math.imul(index + 1, order | 1) >>> 0 }))
		.sort((one, other) => one.place - other.place)
		.map(({ entry }) => entry);

/** In whatever order calls come, come again, are forged or lost, each job comes out once, beside its item. */
describe('executions that sleep for one job or several', () => {
	const sleeping = useSleepingJobs(agents);
	const countOne = useCount('executions asleep for one job or several');

	it('give one result of each, linked to its item', async () => {
		const count = { byCall: 0, byTime: 0, restarts: 0, unfinished: 0, failed: 0 };
		await fc.assert(
			fc.asyncProperty(
				fc.array(randomJob, { minLength: 1, maxLength: 12 }),
				fc.array(randomStep, { minLength: 1, maxLength: 5 }),
				async (drawn, steps) => {
					countOne();
					await sleeping.executions.close();
					sleeping.testBed.service.reset();
					sleeping.testBed.service.clock.hold();
					await sleeping.open();
					const { service } = sleeping.testBed;
					service.context.webhooks.held = true;
					const { script } = service.context.agents;
					drawn.forEach(({ seconds, outcome }) =>
						script.add({ durationMs: seconds * 1000, outcome, error: 'It broke' }),
					);
					const topics = drawn.map((_, index) => `topic ${String(index).padStart(2, '0')}`);
					const { id, jobs } = await sleeping.asleep(
						{ prompt: '={{ $json.topic }}', limits: { maxConcurrency: 1 } },
						{ input: topics.map((topic) => ({ topic })) },
					);
					const isAsleep = () => sleeping.status(id) === 'waiting';
					let ended: Promise<EngineRun> = sleeping.executions.ended(id);

					const called = new Set<AgentJob>();
					/** One call of the service's, which calls again later where it is not answered with 200. */
					const callOnce = async (job: AgentJob, index: number) => {
						const polls = jobs.map((each) => sleeping.polls(each));
						const type = `agent.${drawn[index].outcome === 'failed' ? 'failed' : 'completed'}`;
						const status = await sleeping.call(job, teamSecret, { type });
						if (isAsleep()) {
							expect([200, 503]).toContain(status);
							// While asleep, no job is looked at twice for one call.
							jobs.forEach((each, at) =>
								expect(sleeping.polls(each) - polls[at]).toBeLessThanOrEqual(1),
							);
						}
						return status === 200;
					};
					for (const { seconds, order, restart, isBlind } of steps) {
						if (!isAsleep()) break;
						await service.clock.advance(seconds * 1000);
						if (restart) {
							count.restarts += 1;
							const stored = sleeping.executions.get(id);
							const { port } = sleeping.executions;
							await sleeping.executions.close();
							sleeping.executions = new WaitingExecutions(
								await freshEngine(),
								sleeping.credentials,
							);
							await sleeping.executions.open(port);
							sleeping.executions.adopt(stored);
							ended = sleeping.executions.ended(id);
						}
						if (isBlind) {
							service.faults.add({ method: 'GET', kind: 'status', status: 403 });
						}
						const due = jobs.flatMap((job, index) =>
							job.finished && !called.has(job) && drawn[index].call !== 'is lost'
								? [{ job, index }]
								: [],
						);
						for (const { job, index } of shuffled(due, order)) {
							if (!isAsleep()) break;
							const { call } = drawn[index];
							if (call === 'is forged before') {
								expect(await sleeping.call(job, 'another secret')).toBe(401);
							}
							if (await callOnce(job, index)) called.add(job);
							if (call === 'comes twice' && isAsleep()) await callOnce(job, index);
						}
						service.faults.clear();
					}
					count[isAsleep() ? 'byTime' : 'byCall'] += 1;
					const run = isAsleep() ? await sleeping.executions.passDeadline(id) : await ended;

					expect(sleeping.starts).toHaveLength(drawn.length);
					if (jobs.every(({ finished, outcome }) => finished && outcome === 'failed')) {
						count.failed += 1;
						expect(run.error?.message).toContain('It broke');
						return;
					}
					expect(run.status).toBe('success');
					expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(
						jobs.map((_, item) => ({ item })),
					);
					run.output().forEach(({ json }, index) => {
						if (!jobs[index].finished) count.unfinished += 1;
						if (jobs[index].outcome === 'failed') expect(json.error).toContain('It broke');
						else expect(json.jobId).toBe(jobs[index].id);
					});
				},
			),
			{ seed: seedOf('asleep'), numRuns: scaled(200), ...replay() },
		);
		// None of them may be what never happens.
		expect(count.byCall).toBeGreaterThan(0);
		expect(count.byTime).toBeGreaterThan(0);
		expect(count.restarts).toBeGreaterThan(0);
		expect(count.unfinished).toBeGreaterThan(0);
		expect(count.failed).toBeGreaterThan(0);
	});
});
