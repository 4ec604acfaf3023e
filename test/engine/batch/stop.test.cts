import { nowhere, sourcesOf, storms, tables, tides, useDocumentJobs } from '../documentJobs.cjs';

const hour = 3_600_000;

/** Batches that do not come to their own end: stopped, or too slow. */
describe('a batch', () => {
	const jobs = useDocumentJobs('batch');
	const { testBed } = jobs;
	const slowly = (pageMs = hour) => testBed.service.context.pageJobs.paces.set({ pageMs });
	const [one] = [{ additionalFields: { maxConcurrency: 1 } }];
	const several = { urls: [tides, storms, tables].join(), ...one };

	describe('that takes too long', () => {
		it('comes out with the pages so far when asked to, and says that it is partial', async () => {
			slowly(90_000);

			const run = await jobs.run('run', {
				...several,
				maxWait: 3,
				waiting: { onTimeout: 'item' },
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

		it('comes out with what could not be read, too', async () => {
			slowly(50_000);

			const run = await jobs.run('run', {
				urls: [nowhere, tides, storms, tables].join(),
				...one,
				returnFailed: true,
				maxWait: 2,
				waiting: { onTimeout: 'item' },
			});

			expect(sourcesOf(run.output()).slice(0, 2)).toEqual([nowhere, tides]);
			expect(run.output()[0].json).toMatchObject({ failed: 'error' });
		});

		it('comes out with the pages so far when it was left alone, too', async () => {
			slowly(90_000);

			const run = await jobs.run('run', {
				...several,
				maxWait: 3,
				waiting: { onTimeout: 'item', cancelJob: false },
			});

			expect(run.output().length).toBeGreaterThan(0);
			expect(run.output()[0].json.request).toMatchObject({ status: 'scraping' });
		});
	});
});
