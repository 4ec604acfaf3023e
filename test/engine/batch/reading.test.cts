import type { INodeParameters } from 'n8n-workflow';
import { asRecord, without } from '../../../nodes/runtime/output/results';
import {
	nowhere,
	pairsOf,
	sourcesOf,
	storms,
	tables,
	tides,
	unknownId,
	useDocumentJobs,
} from '../documentJobs.cjs';

const hour = 3_600_000;

/** What is read of batches that were started before. */
describe('a batch of earlier', () => {
	const jobs = useDocumentJobs('batch');
	const { testBed, time } = jobs;
	const inTurn = { additionalFields: { maxConcurrency: 1 } };
	const several = [tides, storms, tables];

	/** A batch that has come to its end, by its id. */
	const ended = async (urls: string[], account = testBed.account()) => {
		const jobId = await jobs.started({ urls: urls.join(), ...inTurn }, { account });
		await time.drive(testBed.service.context.pageJobs.ended(jobId));
		testBed.service.log.clear();
		return { jobId, account };
	};
	/** The queries of the pages that were asked for. */
	const queries = () =>
		testBed.service.log.entries
			.filter(({ path }) => !path.endsWith('/errors'))
			.map(({ query }) => query);

	describe('get', () => {
		it('gives its pages as Run does, without charging anything', async () => {
			const account = testBed.account();
			const items = await jobs.items({ urls: several.join(), ...inTurn }, { account });
			const jobId = String(items[0].json.jobId);
			const { length } = jobs.charges;

			const run = await jobs.run('get', { jobId, returnAll: true }, { account });

			// What was refused at the start is no part of what is read of it.
			const begun = items.map(({ json: { request, ...page } }) => ({
				...page,
				request: without(asRecord(request), 'invalidURLs'),
			}));
			expect(run.output().map(({ json }) => json)).toEqual(begun);
			expect(pairsOf(run.output())).toEqual(several.map(() => ({ item: 0 })));
			expect(jobs.charges).toHaveLength(length);
		});

		it.each<[string, INodeParameters, string[], object]>([
			['as many as asked for', { returnAll: false, limit: 2 }, several.slice(0, 2), { limit: '2' }],
			[
				'without as many at the beginning as asked to',
				{ returnAll: true, additionalFields: { skip: 1 } },
				several.slice(1),
				{ skip: '1', limit: '10' },
			],
			[
				'in the middle',
				{ returnAll: false, limit: 1, additionalFields: { skip: 1 } },
				several.slice(1, 2),
				{ skip: '1', limit: '1' },
			],
		])('reads %s, and says so to the service', async (_name, set, urls, query) => {
			const { jobId, account } = await ended(several);

			const run = await jobs.run('get', { jobId, ...set }, { account });

			expect(sourcesOf(run.output())).toEqual(urls);
			expect(queries()).toEqual([query]);
		});

		it('gives what a running one has read so far', async () => {
			testBed.service.context.pageJobs.paces.set({ pageMs: 10_000 });
			const account = testBed.account();
			const jobId = await jobs.started({ urls: several.join(), ...inTurn }, { account });
			await time.drive(testBed.service.clock.wait(16_000));
			const { length } = jobs.job(jobId).documents;
			expect([1, 2]).toContain(length);

			const run = await jobs.run('get', { jobId, returnAll: true }, { account });

			expect(sourcesOf(run.output())).toEqual(several.slice(0, length));
			expect(run.output()[0].json.request).toMatchObject({
				status: 'scraping',
				completed: length,
				total: 3,
			});
			expect(run.hints()).toMatchObject([
				{ message: `The batch ${jobId} still runs, ${length} of 3 pages. Get it again later.` },
			]);
		});

		it('gives the state alone of one that has read nothing yet', async () => {
			testBed.service.context.pageJobs.paces.set({ pageMs: hour });
			const account = testBed.account();
			const jobId = await jobs.started({ urls: tides }, { account });

			const run = await jobs.run('get', { jobId, returnAll: true }, { account });

			expect(run.output().map(({ json }) => json)).toMatchObject([
				{ jobId, request: { status: 'scraping', completed: 0, total: 1 } },
			]);
		});

		it('gives what a cancelled one has read, though its next page is named for ever', async () => {
			testBed.service.context.pageJobs.paces.set({ pageMs: 10_000 });
			const account = testBed.account();
			const jobId = await jobs.started({ urls: several.join(), ...inTurn }, { account });
			await time.drive(testBed.service.clock.wait(16_000));
			await jobs.run('cancel', { jobId }, { account });
			const { length } = jobs.job(jobId).documents;
			expect(length).toBeGreaterThan(0);

			for (const amount of [{ returnAll: true }, { returnAll: false, limit: 100 }]) {
				const run = await jobs.run('get', { jobId, ...amount }, { account });

				expect(sourcesOf(run.output())).toEqual(several.slice(0, length));
				expect(run.hints()).toMatchObject([
					{ message: `The result of the batch ${jobId} is partial: it ended as cancelled` },
				]);
			}
		});

		it('adds the failed ones', async () => {
			const { jobId, account } = await ended([nowhere, tides]);

			const run = await jobs.run('get', { jobId, returnAll: true }, { account });

			expect(sourcesOf(run.output())).toEqual([tides, nowhere]);
			expect(run.output()[1].json).toMatchObject({ jobId, failed: { type: 'error' } });
		});
	});

	describe('getErrors', () => {
		it('gives each page that could not be read', async () => {
			const { jobId, account } = await ended([tides, nowhere, `${nowhere}2`]);

			const run = await jobs.run('getErrors', { jobId }, { account });

			const { errors } = jobs.job(jobId);
			expect(errors).toHaveLength(2);
			expect(run.output().map(({ json }) => json)).toEqual(
				errors.map(({ url, ...failed }) => ({ url, jobId, failed: { ...failed, type: 'error' } })),
			);
			expect(pairsOf(run.output())).toEqual([{ item: 0 }, { item: 0 }]);
		});

		it('gives nothing where there is none', async () => {
			const { jobId, account } = await ended([tides]);

			const run = await jobs.run('getErrors', { jobId }, { account });

			expect(run.status).toBe('success');
			expect(run.output()).toEqual([]);
		});

		it('says that the service does not know the batch', async () => {
			const run = await jobs.run('getErrors', { jobId: unknownId });

			expect(run.error?.message).toMatch(/Job not found.*HTTP 404/);
		});
	});

	it('has an item for each input, or why there is none, if it ends before all pages were scraped', async () => {
		const urls = ['spring-tides', 'storm-surges'].map(
			(name) => `https://tidewatch.example/guides/${name}`,
		);
		testBed.service.faults.add({
			kind: 'addition',
			method: 'GET',
			path: '/v2/batch/scrape/*',
			count: Infinity,
			fields: {
				status: 'failed',
				completed: 1,
				total: 2,
				next: null,
				data: [{ markdown: 'Tides', metadata: { sourceURL: urls[0], statusCode: 200 } }],
			},
		});

		const run = await time.drive(
			testBed.run(
				'batch',
				'run',
				{ urls: '={{ $json.url }}' },
				{ input: urls.map((url) => ({ url })) },
			),
		);

		expect(run.error?.message).toBeUndefined();
		expect(run.output()).toMatchObject([
			{ json: { markdown: 'Tides' }, pairedItem: { item: 0 } },
			{
				json: {
					url: urls[1],
					failed: { error: 'The batch ended as failed before this page was scraped' },
				},
				pairedItem: { item: 1 },
			},
		]);
	});
});
