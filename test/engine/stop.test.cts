import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from './drivenTime.cjs';
import type { EngineRun } from './harness.cjs';
import { agents, jobKinds, slowDown } from './jobKinds.cjs';
import { useTestBed, type Account, type SearchOptions } from './testBed.cjs';

const hour = 3_600_000;
const unknownId = '00000000-0000-4000-8000-000000000000';

/** Jobs that do not come to their own end: stopped, too slow, or cancelled. */
describe.each(jobKinds)('a job that is not let end: $resource', (kind) => {
	const { resource, noun, path, parameters, state } = kind;
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	let account: Account;
	beforeEach(() => {
		account = testBed.account();
		slowDown(testBed.service, hour);
	});

	const begin = (operation: string, set: INodeParameters, options?: SearchOptions) =>
		testBed.begin(resource, operation, { ...parameters, ...set }, { account, ...options });
	const run = async (operation: string, set: INodeParameters = {}): Promise<EngineRun> =>
		await time.drive(begin(operation, set).done);
	const underWay = () => kind.underWay(testBed.service, account.team.id);
	const deletes = () =>
		testBed.service.log.entries
			.filter(({ method }) => method === 'DELETE')
			.map((request) => request.path);
	const pathOf = ({ id }: { id: string }) => `${path}/${id}`;

	describe('since the execution is stopped', () => {
		/** An execution that waits for the jobs of so many items. */
		const waiting = async (set: INodeParameters, items: number) => {
			testBed.service.clock.hold();
			const input = Array.from({ length: items }, () => ({}));
			const execution = begin('run', set, { input });
			await time.untilPaused(resource === 'batch' ? 1 : items);
			return { execution, jobs: underWay() };
		};

		it.each([1, 3])('is told to stop, without the clock moving: %i items', async (items) => {
			const { execution, jobs } = await waiting({}, items);
			expect(jobs).toHaveLength(resource === 'batch' ? 1 : items);

			execution.cancel();
			const { status, error } = await execution.done;
			await time.until(() => jobs.every((job) => kind.isStopped(job)));

			expect(status).toBe('canceled');
			for (const { id } of jobs) {
				expect(error?.description).toContain(`${noun} ${id} (cancelled)`);
			}
			expect(deletes().sort()).toEqual(jobs.map(pathOf).sort());
		});

		it('is told to stop also while a poll is under way', async () => {
			testBed.service.faults.add({ method: 'GET', kind: 'delay', delayMs: hour });
			const { execution, jobs } = await waiting({}, 1);
			const waits = testBed.service.clock.waiting;
			jest.advanceTimersToNextTimer();
			await time.until(() => testBed.service.clock.waiting > waits);

			execution.cancel();
			const { status } = await execution.done;
			await time.until(() => kind.isStopped(jobs[0]));

			expect(status).toBe('canceled');
			expect(deletes()).toEqual(jobs.map(pathOf));
		});

		it('is told to stop also while its start is under way', async () => {
			testBed.service.clock.hold();
			const delay = { kind: 'delay', stage: 'after', delayMs: 60_000 } as const;
			testBed.service.faults.add({ method: 'POST', path, ...delay });
			const execution = begin('run', {});
			await time.until(() => underWay().length === 1);
			const jobs = underWay();

			execution.cancel();
			expect((await execution.done).status).toBe('canceled');
			expect(deletes()).toEqual([]);

			await testBed.service.clock.advance(60_000);
			await time.until(() => deletes().length > 0);
			expect(deletes()).toEqual(jobs.map(pathOf));
		});
	});

	describe('since the wait is over', () => {
		const jobIn = ({ error }: EngineRun) => /[\da-f-]{36}/.exec(error?.message ?? '')?.[0] ?? '';

		it('is named in the error, and told to stop', async () => {
			const { error } = await run('run', { options: { maxWait: 2 } });

			const [job] = deletes();
			expect(error?.message).toBe(
				`The ${noun} ${job.slice(path.length + 1)} did not finish within 2 minutes (its last state was ${state}) [item 0]`,
			);
			expect(error?.description).toMatch(/It was cancelled.*'Max Wait'.*'Get'/);
			expect(deletes()).toHaveLength(1);
		});

		it('is named also where the service says that it has ended, and has not', async () => {
			testBed.service.faults.add({ method: 'DELETE', kind: 'status', status: 409 });

			const ended = await run('run', { options: { maxWait: 2 } });

			expect(ended.error?.message).toMatch(/did not finish within 2 minutes/);
			expect(deletes()).toEqual([`${path}/${jobIn(ended)}`]);
		});

		it('is told to stop through passing failures', async () => {
			testBed.service.faults.add({ method: 'DELETE', kind: 'status', status: 503, count: 2 });

			await run('run', { options: { maxWait: 2 } });

			expect(deletes()).toHaveLength(3);
			expect(underWay().filter((job) => !kind.isStopped(job))).toEqual([]);
		});

		it('is named even if no poll succeeds', async () => {
			testBed.service.faults.add({ method: 'GET', kind: 'reset', count: 1000 });

			const ended = await run('run', { options: { maxWait: 2 } });

			expect(ended.error?.message).toMatch(/did not finish within 2 minutes/);
			expect(deletes()).toEqual([`${path}/${jobIn(ended)}`]);
		});

		it('says so when it can neither be told to stop nor be read', async () => {
			testBed.service.faults.add({ method: 'DELETE', kind: 'reset', count: 100 });

			const { error } = await run('run', { options: { maxWait: 0.1 } });

			expect(error?.message).toMatch(/did not finish within 0.1 minutes/);
			expect(error?.description).toMatch(/could not be cancelled, and may still be running.*'Get'/);
		});

		it('comes out where it ends while the polls hang', async () => {
			slowDown(testBed.service, 1000);
			testBed.service.faults.add({ method: 'GET', kind: 'delay', delayMs: 100_000 });

			const ended = await run('run', { options: { maxWait: 0.1 } });

			expect(ended.status).toBe('success');
			expect(ended.output()[0].json).toMatchObject({ request: { status: 'completed' } });
			expect(deletes()).toHaveLength(1);
		});
	});

	it("is waited for when the machine's clock is set past 'Max Wait'", async () => {
		slowDown(testBed.service, 10_000);
		const execution = begin('run', { options: { maxWait: 60 } });
		await time.until(() => underWay().length === 1);
		await time.pass(5_000);

		time.setForward(2 * hour);
		const ended = await time.drive(execution.done);

		expect(ended.status).toBe('success');
		expect(ended.output().length).toBeGreaterThan(0);
		expect(deletes()).toEqual([]);
	});

	describe('since the user cancels it', () => {
		const started = async () => String((await run('start')).output()[0].json.jobId);

		it('is told to stop, and that again is no error', async () => {
			const jobId = await started();

			const ended = await run('cancel', { jobId });
			const again = await run('cancel', { jobId });

			expect(ended.output()).toEqual([
				expect.objectContaining({ json: { jobId, cancelled: true }, pairedItem: { item: 0 } }),
			]);
			expect(again.output()[0].json).toEqual({
				jobId,
				cancelled: true,
				...(kind === agents && { alreadyEnded: true }),
			});
			expect(deletes()).toEqual([`${path}/${jobId}`, `${path}/${jobId}`]);
			expect(underWay().filter((job) => !kind.isStopped(job))).toEqual([]);
		});

		it('has ended before', async () => {
			slowDown(testBed.service, 0);
			const jobId = await started();
			await run('get', { jobId });
			await time.pass(60_000);

			const ended = await run('cancel', { jobId });

			expect(ended.output().map(({ json }) => json)).toEqual([
				{ jobId, cancelled: false, alreadyEnded: true },
			]);
		});

		it('is not known to the service', async () => {
			const { error } = await run('cancel', { jobId: unknownId });

			expect(error?.message).toMatch(/[Jj]ob not found \(HTTP 404\).*\[item 0\]$/);
		});

		it.each(['It is already locked', 'It has not failed yet'])(
			'goes on, for all that the service says: %s',
			async (error) => {
				const jobId = await started();
				testBed.service.faults.add({ kind: 'status', status: 409, error, method: 'DELETE' });

				const ended = await run('cancel', { jobId });

				expect(ended.error?.message).toContain(`${error} (HTTP 409)`);
			},
		);

		it('is asked for in capitals and with blanks', async () => {
			const jobId = await started();

			const ended = await run('get', { jobId: `  ${jobId.toUpperCase()} ` });

			expect(ended.output()[0].json.jobId).toBe(jobId);
		});
	});
});
