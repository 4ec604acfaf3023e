import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { pairsOf, sourcesOf, useDocumentJobs } from '../documentJobs.cjs';

const guides = 'https://tidewatch.example/guides';
const port = 'https://portoffice.example';
const registry = `${port}/internal/registry`;
const minute = 60_000;

const hintsOf = (run: { hints(): Array<{ message: string }> }) =>
	run.hints().map(({ message }) => message);

/** Crawls from their start to their last page. */
describe('a crawl', () => {
	const jobs = useDocumentJobs('crawl');
	const { testBed, time } = jobs;
	const documentsOf = ([{ json }]: INodeExecutionData[]) => jobs.job(json.jobId).documents;

	it('comes out as one item per page, each with its job', async () => {
		const items = await jobs.items({
			url: guides,
			options: { output: 'fields', outputFields: '' },
		});

		const documents = documentsOf(items);
		expect(documents.length).toBeGreaterThan(3);
		expect(sourcesOf(items)).toEqual(documents.map(({ metadata }) => metadata.sourceURL));
		const { id, creditsUsed } = jobs.job(items[0].json.jobId);
		for (const [index, { json }] of items.entries()) {
			expect(json).toMatchObject(documents[index]);
			expect(json).toMatchObject({
				jobId: id,
				request: { status: 'completed', completed: documents.length, creditsUsed },
			});
		}
		expect(pairsOf(items)).toEqual(documents.map(() => ({ item: 0 })));
		expect(jobs.charges).toHaveLength(documents.length);
		expect(jobs.cancelled).toEqual([]);
	});

	it('says which item each page belongs to', async () => {
		const folders = ['guides', 'stations'];

		const items = await jobs.items(
			{ url: '={{ "https://tidewatch.example/" + $json.folder }}' },
			{ input: folders.map((folder) => ({ folder })) },
		);

		for (const { json, pairedItem } of items) {
			const { sourceURL } = json.metadata as IDataObject;
			const item = folders.findIndex((folder) => String(sourceURL).includes(`/${folder}`));
			expect(pairedItem).toEqual({ item });
		}
		expect(new Set(items.map(({ json }) => json.jobId)).size).toBe(2);
	});

	it('names both hosts if its start page redirects to another one', async () => {
		testBed.service.site.update('https://tidewatch.example/', {
			redirect: 'https://emberroast.example/',
		});

		const run = await jobs.run('run', { url: 'https://tidewatch.example/' });

		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^The start page on tidewatch.example redirects to emberroast.example/),
		);
	});

	it('is waited for while its next page is empty', async () => {
		testBed.service.context.pageJobs.paces.set({ pageMs: 2 * minute });

		const items = await jobs.items({ url: guides });

		expect(items).toHaveLength(documentsOf(items).length);
		expect(items[0].json.request).toMatchObject({ status: 'completed' });
	});

	it('is waited for where the server says that it has completed before it begins', async () => {
		// As recorded of a self-hosted server.
		const body = { success: true, status: 'completed', completed: 0, total: 0, data: [] };
		const early = { kind: 'status', status: 200, body, count: 3 } as const;
		testBed.service.faults.add({ ...early, method: 'GET', path: '/v2/crawl/*' });

		const items = await jobs.items({ url: guides });

		expect(items).toHaveLength(documentsOf(items).length);
	});

	it('of nothing ends within a minute, with a notice that names it', async () => {
		const body = {
			success: true,
			status: 'completed',
			completed: 0,
			total: 0,
			data: [],
			errors: [],
		};
		const empty = { kind: 'status', status: 200, body, count: 99 } as const;
		testBed.service.faults.add({ ...empty, method: 'GET', path: '/v2/crawl/*' });
		const begin = Date.now();

		const run = await jobs.run('run', { url: guides });

		expect(run.output()).toEqual([]);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^The crawl [\w-]{36} completed without a page/),
		]);
		expect(Date.now() - begin).toBeLessThan(minute);
	});

	it('without a page that passes its patterns is a success without items', async () => {
		const run = await jobs.run('run', {
			url: guides,
			additionalFields: { includePaths: '^/nothing', sitemap: 'skip' },
		});

		expect(run.status).toBe('success');
		expect(run.output()).toEqual([]);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^Only 0 result\(s\) found/),
			expect.stringMatching(/^1 of 1 page of the crawl .*\/guides \(.*includePaths/),
		]);
	});

	it('says which pages failed, though the service does not count them', async () => {
		const run = await jobs.run('run', {
			url: 'https://tidewatch.example/stations',
			additionalFields: { timeout: 2_000 },
		});

		const { jobId, request } = run.output()[0].json;
		expect(run.output().length).toBeGreaterThan(2);
		expect(request).toMatchObject({ completed: run.output().length, failedPages: 1 });
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(
				new RegExp(
					`^1 of \\d+ pages of the crawl ${String(jobId)} failed: https://tidewatch.example/stations/live \\(`,
				),
			),
		]);
	});

	it('is an error when robots.txt forbids its start page, in the service’s words', async () => {
		const run = await jobs.run('run', { url: 'https://tidewatch.example/members/minutes' });

		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(
			/^1 of 1 page of the crawl [\w-]{36} failed: .*members\/minutes \(.*robots\.txt.*\) \[item 0\]$/,
		);
		expect(run.error?.description).toMatch(/'Get Errors'/);
		expect(jobs.charges).toEqual([]);
	});

	it('that failed comes out with the pages that were read, which are paid for, and says so', async () => {
		testBed.service.context.pageJobs.paces.add({
			failure: { afterPages: 2, error: 'The worker died.' },
		});

		const run = await jobs.run('run', { url: guides });

		expect(run.status).toBe('success');
		expect(sourcesOf(run.output())).toEqual(
			documentsOf(run.output()).map(({ metadata }) => metadata.sourceURL),
		);
		expect(run.output()).toHaveLength(2);
		expect(run.output()[0].json.request).toMatchObject({
			status: 'failed',
			error: 'The worker died.',
			creditsUsed: 2,
		});
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^The result of the crawl [\w-]{36} is partial: it ended as failed$/),
		]);
	});

	describe('that somebody else cancelled', () => {
		const cancelledMeanwhile = async (after: number) => {
			testBed.service.context.pageJobs.paces.set({ pageMs: 10_000 });
			const account = testBed.account();
			const run = jobs.run(
				'run',
				{ url: guides, additionalFields: { requestJson: '{"maxConcurrency":1}' } },
				{ account },
			);
			const { pageJobs } = testBed.service.context;
			await time.until(() => pageJobs.active(account.team.id, 'crawl').length > 0);
			const [job] = pageJobs.active(account.team.id, 'crawl');
			await time.until(() => job.documents.length >= after);
			pageJobs.cancel(job);
			return await run;
		};

		it('comes out with its pages so far', async () => {
			const run = await cancelledMeanwhile(1);

			expect(run.output()).toHaveLength(1);
			expect(run.output()[0].json.request).toMatchObject({ status: 'cancelled' });
			expect(hintsOf(run)).toEqual([
				expect.stringMatching(/^Only 1 result\(s\) found/),
				expect.stringMatching(/partial: it ended as cancelled/),
			]);
		});
	});

	describe('getActive', () => {
		it("gives the team's crawls under way, and nothing when there is none", async () => {
			testBed.service.context.pageJobs.paces.set({ pageMs: 60 * minute });
			const account = testBed.account();
			const none = await jobs.run('getActive', {}, { account });
			const jobId = await jobs.started({ url: guides, limit: 3 }, { account });
			await jobs.started({ url: port });

			const run = await jobs.run('getActive', {}, { account });

			expect(none.output()).toEqual([]);
			expect(none.status).toBe('success');
			expect(run.output()).toMatchObject([
				{ json: { id: jobId, url: guides, options: { limit: 3 } }, pairedItem: { item: 0 } },
			]);
		});
	});

	describe('getErrors', () => {
		it('gives what could not be read and what robots.txt forbids', async () => {
			const account = testBed.account();
			const items = await jobs.items({ url: port }, { account });
			const jobId = String(items[0].json.jobId);

			const run = await jobs.run('getErrors', { jobId }, { account });

			expect(run.output().map(({ json }) => json)).toMatchObject([
				{ url: registry, jobId, failed: { type: 'robots' } },
			]);
		});
	});

	describe('previewParams', () => {
		const url = 'https://tidewatch.example';
		/** What comes out where the service reads the prompt as these options. */
		const preview = async (options: object) => {
			const body = { success: true, data: { url, ...options } };
			testBed.service.faults.add({ path: '/v2/crawl/*', kind: 'status', status: 200, body });
			const run = await jobs.run('previewParams', { url, prompt: 'Only guides, 5 seconds apart' });
			if (run.error) throw run.error;
			return run.output();
		};

		it('gives an item that Run takes as its request', async () => {
			const excludePaths = ['^/stations(/.*)?$'];
			const crawlEntireDomain = true;
			const input = await preview({
				excludePaths,
				crawlEntireDomain,
				maxDiscoveryDepth: 2,
				maxDepth: 2,
				delay: 1000,
				limit: 6,
			});

			const items = await jobs.items(
				{ url: '={{ $json.url }}', additionalFields: { requestJson: '={{ $json }}' } },
				{ input },
			);

			expect(jobs.bodies).toEqual([input[0].json]);
			expect(input[0].json).toMatchObject({ delay: 1, limit: 6, maxDiscoveryDepth: 2 });
			expect(items).toHaveLength(6);
			expect(sourcesOf(items).join()).not.toContain('/stations');
		});

		it('takes what the service reads', async () => {
			const run = await jobs.run('previewParams', { url, prompt: 'Only guides' });

			expect(run.output()).toMatchObject([{ json: { url, includePaths: expect.any(Array) } }]);
		});
	});
});
