import type { FaultInput } from '../mock/faults.cjs';
import type { EngineRun } from './harness.cjs';
import { agents, jobKinds, slowDown, useJobs } from './jobKinds.cjs';

const hour = 3_600_000;
const [batches, crawls] = jobKinds;
const unknownId = '00000000-0000-4000-8000-000000000000';

/** Jobs that do not come to their own end: stopped, too slow, or cancelled. */
describe.each(jobKinds)('a job that is not let end: $resource', (kind) => {
	const { resource, noun, path, state } = kind;
	const jobs = useJobs(kind);
	const { testBed, time } = jobs;
	beforeEach(() => slowDown(testBed.service, hour));
	const running = () => jobs.underWay.filter((job) => !kind.isStopped(job));

	describe('since the execution is stopped', () => {
		beforeEach(() => testBed.service.clock.hold());
		/** Stops an execution. @returns it when it has ended, and the jobs that it had */
		const stopped = async (execution: ReturnType<typeof jobs.begin>) => {
			const before = jobs.underWay;
			execution.cancel();
			return { ended: await execution.done, before };
		};

		it.each([1, 3])('is told to stop, without the clock moving: %i items', async (items) => {
			const count = resource === 'batch' ? 1 : items;
			const execution = jobs.begin('run', {}, { input: Array(items).fill({}) });
			await time.untilPaused(count);

			const { ended, before } = await stopped(execution);
			await time.until(() => running().length === 0);

			expect(ended.status).toBe('canceled');
			expect(before).toHaveLength(count);
			for (const { id } of before) {
				expect(ended.error?.description).toContain(
					`${noun} ${id} (cancellation sent, not confirmed)`,
				);
			}
			expect([...jobs.deletes].sort()).toEqual(before.map(({ id }) => `${path}/${id}`).sort());
		});

		it('is told to stop also while a poll is under way', async () => {
			testBed.service.faults.add({ method: 'GET', kind: 'delay', delayMs: hour });
			const execution = jobs.begin('run');
			await time.untilPaused();
			const waits = testBed.service.clock.waiting;
			jest.advanceTimersToNextTimer();
			await time.until(() => testBed.service.clock.waiting > waits);

			const { ended, before } = await stopped(execution);
			await time.until(() => running().length === 0);

			expect(ended.status).toBe('canceled');
			expect(jobs.deletes).toEqual([`${path}/${before[0].id}`]);
		});

		it('is told to stop also while its start is under way', async () => {
			const delay = { kind: 'delay', stage: 'after', delayMs: 60_000 } as const;
			testBed.service.faults.add({ method: 'POST', path, ...delay });
			const execution = jobs.begin('run');
			await time.until(() => jobs.underWay.length === 1);

			const { ended, before } = await stopped(execution);
			expect([ended.status, jobs.deletes]).toEqual(['canceled', []]);

			await testBed.service.clock.advance(60_000);
			await time.until(() => jobs.deletes.length > 0);
			expect(jobs.deletes).toEqual([`${path}/${before[0].id}`]);
		});
	});

	describe('since the wait is over', () => {
		const jobIn = ({ error }: EngineRun) => /[\da-f-]{36}/.exec(error?.message ?? '')?.[0] ?? '';

		it.each<[string, FaultInput[], deletes: number]>([
			['named in the error, and told to stop', [], 1],
			[
				'told to stop through passing failures',
				[{ method: 'DELETE', kind: 'status', status: 503, count: 2 }],
				3,
			],
			['named even if no poll succeeds', [{ method: 'GET', kind: 'reset', count: 1000 }], 1],
		])('is %s', async (_name, faults, deletes) => {
			testBed.service.faults.add(...faults);

			const ended = await jobs.run('run', { options: { maxWait: 2, maxRetryTime: 0 } });

			const id = jobIn(ended);
			expect(ended.error?.message).toMatch(
				new RegExp(
					`^The ${noun} did not finish within 2 minutes(; its last state was ${state})? \\(${noun} ${id}\\) \\[item 0\\]$`,
				),
			);
			expect(ended.error?.description).toMatch(/It was cancelled.*'Max Wait'.*'Get'/);
			expect(jobs.deletes).toEqual(Array(deletes).fill(`${path}/${id}`));
			expect(running()).toEqual([]);
		});

		it('is named also where the service says that it has ended, and has not', async () => {
			testBed.service.faults.add({ method: 'DELETE', kind: 'status', status: 409 });

			const ended = await jobs.run('run', { options: { maxWait: 2 } });

			expect(ended.error?.message).toMatch(/did not finish within 2 minutes/);
			expect(jobs.deletes).toEqual([`${path}/${jobIn(ended)}`]);
		});

		it('says so when it can neither be told to stop nor be read', async () => {
			testBed.service.faults.add({ method: 'DELETE', kind: 'reset', count: 100 });

			const { error } = await jobs.run('run', { options: { maxWait: 0.1 } });

			expect(error?.message).toMatch(/did not finish within 0.1 minutes/);
			expect(error?.description).toMatch(/could not be cancelled, and may still be running.*'Get'/);
		});

		it('comes out where it ends while the polls hang', async () => {
			slowDown(testBed.service, 1000);
			testBed.service.faults.add({ method: 'GET', kind: 'delay', delayMs: 100_000 });

			const ended = await jobs.run('run', { options: { maxWait: 0.1 } });

			expect(ended.status).toBe('success');
			expect(ended.output()[0].json.creditsUsed).toEqual(expect.any(Number));
			expect(jobs.deletes).toHaveLength(1);
		});
	});

	it("is waited for when the machine's clock is set past 'Max Wait'", async () => {
		slowDown(testBed.service, 10_000);
		const execution = jobs.begin('run', { options: { maxWait: 60 } });
		await time.until(() => jobs.underWay.length === 1);
		await time.pass(5_000);

		time.setForward(2 * hour);
		const ended = await time.drive(execution.done);

		expect(ended.status).toBe('success');
		expect(ended.output().length).toBeGreaterThan(0);
		expect(jobs.deletes).toEqual([]);
	});

	describe('since the user cancels it', () => {
		const started = async () => String((await jobs.run('start')).output()[0].json.jobId);

		it('is told to stop, and that again is no error', async () => {
			const jobId = await started();

			const ended = await jobs.run('cancel', { jobId });
			const again = await jobs.run('cancel', { jobId });

			const cancelled = { jobId, cancelled: true };
			expect(ended.output()).toEqual([
				expect.objectContaining({ json: cancelled, pairedItem: { item: 0 } }),
			]);
			expect(again.output()[0].json).toEqual({
				...cancelled,
				...(kind === agents && { alreadyEnded: true }),
			});
			expect(jobs.deletes).toEqual([`${path}/${jobId}`, `${path}/${jobId}`]);
			expect(running()).toEqual([]);
		});

		it.each<[string, FaultInput[]]>([
			['', []],
			[', though a gateway failed first', [{ method: 'DELETE', kind: 'html', status: 502 }]],
		])('has ended before%s', async (_, faults) => {
			slowDown(testBed.service, 0);
			const jobId = await started();
			await jobs.run('get', { jobId });
			await time.pass(60_000);
			testBed.service.faults.add(...faults);

			const ended = await jobs.run('cancel', { jobId });

			expect(ended.output().map(({ json }) => json)).toEqual([
				{ jobId, cancelled: false, alreadyEnded: true },
			]);
		});

		it('is not known to the service', async () => {
			const { error } = await jobs.run('cancel', { jobId: unknownId });

			expect(error?.message).toMatch(/[Jj]ob not found \(HTTP 404\).*\[item 0\]$/);
		});

		it.each(['It is already locked', 'It has not failed yet'])(
			'goes on, for all that the service says: %s',
			async (error) => {
				const jobId = await started();
				testBed.service.faults.add({ kind: 'status', status: 409, error, method: 'DELETE' });

				const ended = await jobs.run('cancel', { jobId });

				expect(ended.error?.message).toContain(`${error} (HTTP 409)`);
			},
		);
	});
});

/** It may be another execution's, which still waits for it. */
describe('a batch to which URLs are appended', () => {
	const jobs = useJobs(batches);
	const { testBed, time } = jobs;
	beforeEach(() => slowDown(testBed.service, hour));
	const appending = async () => {
		const [{ json }] = (await jobs.run('start')).output();
		return { additionalFields: { appendToId: String(json.jobId) } };
	};

	it.each([
		['while it is waited for', 0],
		['while its start is under way', 60_000],
	])('goes on when the execution is stopped %s', async (_, delayMs) => {
		const set = await appending();
		testBed.service.faults.add({ method: 'POST', kind: 'delay', stage: 'after', delayMs });
		const execution = jobs.begin('run', set);
		await time.until(() => jobs.starts.length === 2);
		if (delayMs === 0) await time.pass(5_000);

		execution.cancel();
		expect((await execution.done).status).toBe('canceled');
		await time.pass(2 * delayMs + 5_000);

		expect(jobs.deletes).toEqual([]);
	});

	it("goes on after 'Max Wait'", async () => {
		const { error } = await jobs.run('run', { ...(await appending()), options: { maxWait: 1 } });

		expect(error?.description).toMatch(/^It is still running/);
		expect(jobs.deletes).toEqual([]);
	});
});

/** Jobs that others of the run pay for, and whose results it does not return. */
describe('a run that ends early', () => {
	const jobs = useJobs(crawls);
	const { testBed, time } = jobs;
	const unnamed = ({ error }: EngineRun) =>
		crawls.begun(testBed.service).filter(({ id }) => !error?.description?.includes(id));

	it.each(['run', 'start'])('names them in the error of an item: %s', async (operation) => {
		slowDown(testBed.service, 5_000);
		testBed.service.faults.add({ method: 'POST', kind: 'status', status: 402, delayMs: 1_000 });

		const ended = await jobs.run(operation, {}, { input: [{}, {}, {}] });

		expect(ended.error?.message).toMatch(/402/);
		expect(crawls.begun(testBed.service)).toHaveLength(2);
		expect(unnamed(ended)).toEqual([]);
	});

	it('names them when it is stopped while it starts others', async () => {
		slowDown(testBed.service, hour);
		testBed.service.faults.add({ method: 'POST', kind: 'delay', delayMs: 60_000, skip: 2 });
		const execution = jobs.begin('start', {}, { input: [{}, {}, {}] });
		await time.until(() => crawls.begun(testBed.service).length === 2);
		await time.pass(1_000);

		execution.cancel();

		expect(unnamed(await execution.done)).toEqual([]);
		await time.pass(60_000);
	});

	it('starts nothing more once an item has failed', async () => {
		slowDown(testBed.service, 20_000);
		testBed.service.faults.add({ method: 'POST', kind: 'status', status: 400, delayMs: 5_000 });
		const options = { maxCreditsPerExecution: 2 };

		const ended = await jobs.run('run', { options }, { input: [{}, {}, {}] });

		expect(jobs.starts).toHaveLength(1);
		expect(ended.error?.message).toMatch(/HTTP 400/);
	});
});
