import {
	allFields,
	nowhere,
	pairsOf,
	sourcesOf,
	storms,
	tables,
	tides,
	unknownId,
	useDocumentJobs,
} from '../documentJobs.cjs';

/** What is read of batches that were started before. */
describe('a batch of earlier', () => {
	const jobs = useDocumentJobs('batch');
	const { testBed, time } = jobs;
	const several = [tides, storms, tables];
	const inTurn = { urls: several.join(), additionalFields: { maxConcurrency: 1 } };

	/** A batch that has come to its end, by its id. */
	const ended = async (urls: string[], account = testBed.account()) => {
		const jobId = await jobs.started({ ...inTurn, urls: urls.join() }, { account });
		await time.drive(testBed.service.clock.wait(10_000));
		testBed.service.log.clear();
		return { jobId, account };
	};

	/** A batch that has read one or two of its three pages. */
	const underWay = async () => {
		testBed.service.context.pageJobs.set({ pageMs: 10_000 });
		const account = testBed.account();
		const jobId = await jobs.started(inTurn, { account });
		await time.drive(testBed.service.clock.wait(16_000));
		const { length } = jobs.job(jobId).documents;
		expect([1, 2]).toContain(length);
		return { jobId, account, length };
	};

	it('has its pages as Run has them, without charging anything', async () => {
		const account = testBed.account();
		const items = await jobs.items(inTurn, { account });
		const jobId = jobs.job().id;
		const { length } = jobs.charges;

		const run = await jobs.run('get', { jobId, returnAll: true }, { account });

		expect(run.output().map(({ json }) => json)).toEqual(items.map(({ json }) => json));
		expect(pairsOf(run.output())).toEqual(several.map(() => ({ item: 0 })));
		expect(jobs.charges).toHaveLength(length);
	});

	it('that runs has what it has read so far', async () => {
		const { jobId, account, length } = await underWay();

		const whole = { returnAll: true, options: allFields };
		const run = await jobs.run('get', { jobId, ...whole }, { account });

		expect(sourcesOf(run.output())).toEqual(several.slice(0, length));
		expect(run.output()[0].json.request).toMatchObject({
			status: 'scraping',
			completed: length,
			total: 3,
		});
		expect(run.hints()).toMatchObject([
			{
				message: `The batch ${jobId} still runs, ${length} of 3 pages so far. Get it again later.`,
			},
		]);
	});

	it('that has read nothing yet is its state alone', async () => {
		testBed.service.context.pageJobs.set({ pageMs: 3_600_000 });
		const account = testBed.account();
		const jobId = await jobs.started({ urls: tides }, { account });

		const run = await jobs.run('get', { jobId, returnAll: true }, { account });

		expect(run.output().map(({ json }) => json)).toMatchObject([
			{ jobId, request: { status: 'scraping', completed: 0, total: 1 } },
		]);
	});

	it('has its failed pages behind the others, and each in Get Errors', async () => {
		const { jobId, account } = await ended([nowhere, tides, `${nowhere}2`]);

		const pages = await jobs.run('get', { jobId, returnAll: true }, { account });
		const run = await jobs.run('getErrors', { jobId }, { account });

		const { errors } = jobs.job(jobId);
		const failures = errors.map(({ url, ...failed }) => ({
			url,
			failed: { ...failed, type: 'error' },
		}));
		expect(failures).toHaveLength(2);
		expect(sourcesOf(pages.output())[0]).toBe(tides);
		expect(pages.output().slice(1)).toMatchObject(failures.map((json) => ({ json })));
		expect(run.output().map(({ json }) => json)).toEqual(failures);
		expect(pairsOf(run.output())).toEqual([{ item: 0 }, { item: 0 }]);
	});

	it('that the service does not know is an error', async () => {
		const run = await jobs.run('getErrors', { jobId: unknownId });

		expect(run.error?.message).toMatch(/Job not found.*HTTP 404/);
	});
});
