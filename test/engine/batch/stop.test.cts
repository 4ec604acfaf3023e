import { nowhere, sourcesOf, storms, tables, tides, useDocumentJobs } from '../documentJobs.cjs';

const hour = 3_600_000;

/** Batches that do not come to their own end: stopped, or too slow. */
describe('a batch', () => {
	const jobs = useDocumentJobs('batch');
	const { testBed, time } = jobs;
	const slowly = (pageMs = hour) => testBed.service.context.pageJobs.paces.set({ pageMs });
	const [one] = [{ additionalFields: { maxConcurrency: 1 } }];
	const several = { urls: [tides, storms, tables].join(), ...one };

	describe('that is stopped', () => {
		it('is cancelled, and ends without the clock moving', async () => {
			testBed.service.clock.hold();
			const account = testBed.account();
			const execution = jobs.begin('run', { urls: tides }, { account });
			await time.untilPaused();
			const [job] = testBed.service.context.pageJobs.active(account.team.id, 'batch');

			execution.cancel();
			const run = await execution.done;
			await time.until(() => job.status === 'cancelled');

			expect(run.status).toBe('canceled');
			expect(jobs.cancelled).toEqual([job.id]);
			expect(jobs.charges).toEqual([]);
		});

		it('goes on when the user said so', async () => {
			testBed.service.clock.hold();
			const account = testBed.account();
			const parameters = { urls: tides, waiting: { cancelJob: false } };
			const execution = jobs.begin('run', parameters, { account });
			await time.untilPaused();

			execution.cancel();
			await execution.done;
			// A request after it arrives after it.
			await fetch(`${testBed.service.url}/v2/team/credit-usage`);

			expect(jobs.cancelled).toEqual([]);
			expect(testBed.service.context.pageJobs.active(account.team.id, 'batch')).toHaveLength(1);
		});

		it('is cancelled for every item that has one of its own', async () => {
			testBed.service.clock.hold();
			const account = testBed.account();
			const execution = jobs.begin(
				'run',
				{ urls: tides, inputItems: 'each' },
				{ account, input: [{}, {}, {}] },
			);
			await time.untilPaused(3);
			const active = testBed.service.context.pageJobs.active(account.team.id, 'batch');
			expect(active).toHaveLength(3);

			execution.cancel();
			await execution.done;
			await time.until(() => active.every(({ status }) => status === 'cancelled'));

			expect([...jobs.cancelled].sort()).toEqual(active.map(({ id }) => id).sort());
		});
	});

	describe('that takes too long', () => {
		it('is named in the error, and told to stop', async () => {
			slowly();

			const run = await jobs.run('run', { urls: tides, maxWait: 2 });

			const [id] = jobs.cancelled;
			expect(run.error?.message).toMatch(
				new RegExp(
					`The batch ${id} did not finish within 2 minutes \\(its last state was scraping\\) \\[item 0\\]`,
				),
			);
			expect(run.error?.description).toMatch(/told to stop.*'Max Wait'.*'Get'/);
			expect(jobs.job(id).status).toBe('cancelled');
		});

		it('goes on when the user said so', async () => {
			slowly();
			const account = testBed.account();
			const waiting = { cancelJob: false };

			const run = await jobs.run('run', { urls: tides, maxWait: 2, waiting }, { account });

			expect(run.error?.description).toMatch(/It goes on/);
			expect(jobs.cancelled).toEqual([]);
			expect(testBed.service.context.pageJobs.active(account.team.id, 'batch')).toHaveLength(1);
		});

		it('comes out with the pages so far when asked to, and says that it is partial', async () => {
			slowly(90_000);

			const run = await jobs.run('run', {
				...several,
				maxWait: 3,
				waiting: { onDeadline: 'item' },
			});

			const { id, documents, creditsUsed } = jobs.job(jobs.cancelled[0]);
			expect(run.status).toBe('success');
			expect(documents.length).toBeGreaterThan(0);
			expect(documents.length).toBeLessThan(3);
			expect(sourcesOf(run.output())).toEqual([tides, storms, tables].slice(0, documents.length));
			for (const { json } of run.output()) {
				expect(json).toMatchObject({
					jobId: id,
					request: { status: 'cancelled', completed: documents.length, creditsUsed },
				});
			}
			expect(run.hints().map(({ message }) => message)).toEqual([
				`The result of the batch ${id} is partial: it ended as cancelled`,
			]);
		});

		it('comes out as its job alone when no page is there yet', async () => {
			slowly();

			const run = await jobs.run('run', {
				urls: tides,
				maxWait: 1,
				waiting: { onDeadline: 'item', cancelJob: false },
			});

			expect(run.output()).toMatchObject([
				{
					json: { jobId: expect.any(String), request: { status: 'scraping', completed: 0 } },
					pairedItem: { item: 0 },
				},
			]);
			expect(run.output()[0].json).not.toHaveProperty('markdown');
		});

		it('comes out with what could not be read, too', async () => {
			slowly(50_000);

			const run = await jobs.run('run', {
				urls: [nowhere, tides, storms, tables].join(),
				...one,
				returnFailed: true,
				maxWait: 2,
				waiting: { onDeadline: 'item' },
			});

			expect(sourcesOf(run.output()).slice(0, 2)).toEqual([nowhere, tides]);
			expect(run.output()[0].json).toMatchObject({ failed: 'error' });
		});

		it('comes out when the cancellation finds it ended', async () => {
			// The looks hang, and the batch ends meanwhile.
			testBed.service.faults.add({ method: 'GET', kind: 'delay', delayMs: 100_000, count: 2 });

			const run = await jobs.run('run', { urls: tides, maxWait: 0.1 });

			expect(sourcesOf(run.output())).toEqual([tides]);
			expect(jobs.cancelled).toHaveLength(1);
		});

		it.each([404, 409, 410])(
			'is named in the error when the cancellation finds it ended and its state does not: %i',
			async (status) => {
				slowly();
				testBed.service.faults.add({ method: 'DELETE', kind: 'status', status });

				const run = await jobs.run('run', { urls: tides, maxWait: 2 });

				expect(run.error?.message).toMatch(/did not finish within 2 minutes/);
				expect(jobs.cancelled).toHaveLength(1);
			},
		);

		it('comes out with the pages so far when it was left alone, too', async () => {
			slowly(90_000);

			const run = await jobs.run('run', {
				...several,
				maxWait: 3,
				waiting: { onDeadline: 'item', cancelJob: false },
			});

			expect(run.output().length).toBeGreaterThan(0);
			expect(run.output()[0].json.request).toMatchObject({ status: 'scraping' });
		});
	});
});
