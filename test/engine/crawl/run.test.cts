import { pairsOf, sourcesOf, useDocumentJobs } from '../documentJobs.cjs';

const guides = 'https://tidewatch.example/guides';
const minute = 60_000;

const hintsOf = (run: { hints(): Array<{ message: string }> }) =>
	run.hints().map(({ message }) => message);

/** Crawls from their start to their last page. */
describe('a crawl', () => {
	const jobs = useDocumentJobs('crawl');
	const { testBed } = jobs;

	it('names both hosts if its start page redirects to another one', async () => {
		testBed.service.site.update('https://tidewatch.example/', {
			redirect: 'https://emberroast.example/',
		});

		const run = await jobs.run('run', { url: 'https://tidewatch.example/' });

		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^The start page on tidewatch.example redirects to emberroast.example/),
		);
	});

	it('that the server says has completed without a page ends within a minute, with a notice', async () => {
		// As recorded of a self-hosted server before a crawl begins.
		const nothing = { completed: 0, total: 0, data: [], errors: [] };
		const body = { success: true, status: 'completed', ...nothing };
		const fault = { kind: 'status', status: 200, body, count: 99 } as const;
		testBed.service.faults.add({ ...fault, method: 'GET', path: '/v2/crawl/*' });
		const begin = Date.now();

		const run = await jobs.run('run', { url: guides });

		expect(run.output()).toEqual([]);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^The crawl [\w-]{36} completed without a page/),
		]);
		expect(Date.now() - begin).toBeLessThan(minute);
	});

	it('without a page that passes its patterns is a success without items', async () => {
		const fields = { warning: 'Only 0 result(s) found.' };
		testBed.service.faults.add({ kind: 'addition', path: '/v2/crawl/*', count: 9, fields });
		const run = await jobs.run('run', {
			url: guides,
			additionalFields: { includePaths: '^/nothing', sitemap: 'skip' },
		});

		expect(run.status).toBe('success');
		expect(run.output()).toEqual([]);
		expect(hintsOf(run)).toEqual([
			fields.warning,
			expect.stringMatching(/^1 of 1 page of the crawl .*\/guides \(.*includePaths/),
		]);
	});

	// As recorded of a self-hosted server whose Redis was emptied while it crawled.
	it.each([
		[undefined, 'error'],
		['continueRegularOutput', 'success'],
	] as const)('that a server has partly lost is partial: On Error %s', async (onError, status) => {
		const state = { status: 'scraping', completed: 68, total: 250 };
		const notFound = { success: false, error: 'Job not found' };
		testBed.service.context.pageJobs.set({ pageMs: 200 });
		const { done } = jobs.begin('run', { url: guides, limit: 3 }, { onError });
		await jobs.time.until(() => jobs.starts.length === 1);
		const path = `/v2/crawl/${testBed.service.context.pageJobs.jobs[0].id}`;
		testBed.service.faults.add(
			{ method: 'GET', path, kind: 'addition', fields: state },
			{ path: `${path}/errors`, kind: 'status', status: 404, body: notFound },
		);

		const run = await jobs.time.drive(done);

		const message =
			/^The crawl [\w-]{36} is incomplete: the server returned 3 pages, and had counted 250 before/;
		expect(run.status).toBe(status);
		const shown = status === 'error' ? [run.error?.message] : hintsOf(run);
		expect(shown).toContainEqual(expect.stringMatching(message));
		expect(jobs.starts).toHaveLength(1);
		if (status === 'success') expect(run.output()).toHaveLength(3);
	});

	it('that counts fewer pages than before comes out, and says so', async () => {
		testBed.service.context.pageJobs.set({ pageMs: 200 });
		const { done } = jobs.begin('run', { url: guides, limit: 3 });
		await jobs.time.until(() => jobs.starts.length === 1);
		const path = `/v2/crawl/${testBed.service.context.pageJobs.jobs[0].id}`;
		const fields = { status: 'scraping', completed: 8, total: 9 };
		testBed.service.faults.add({ method: 'GET', path, kind: 'addition', fields });

		const run = await jobs.time.drive(done);

		expect(run.output()).toHaveLength(3);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/is incomplete: the server returned 3 pages, and had counted 8 before/),
		);
	});

	it('that was cancelled elsewhere comes out with the pages that the server had counted', async () => {
		testBed.service.context.pageJobs.set({ pageMs: 60_000 });
		const { done } = jobs.begin('run', { url: guides });
		await jobs.time.until(() => jobs.starts.length === 1);
		const [job] = testBed.service.context.pageJobs.jobs;
		while (job.documents.length < 2) await jobs.time.pass(2_000);
		// A poll has seen them.
		await jobs.time.pass(20_000);
		const path = `/v2/crawl/${job.id}`;
		// The list of its pages lags behind its status.
		testBed.service.faults.add({
			...{ method: 'GET', path, kind: 'addition', count: 2 },
			fields: { status: 'cancelled', completed: 0, total: 0, data: [] },
		});
		testBed.service.context.pageJobs.cancel(job);

		const run = await jobs.time.drive(done);

		expect(sourcesOf(run.output())).toEqual(
			job.documents.map(({ metadata }) => metadata.sourceURL),
		);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/ended as cancelled with 2 of \d+ pages/),
		);
	});

	it('takes the item of a preview as its request', async () => {
		const url = 'https://tidewatch.example';
		const options = { excludePaths: ['^/stations(/.*)?$'], crawlEntireDomain: true, limit: 6 };
		const read = { maxDiscoveryDepth: 2, maxDepth: 2, delay: 1000 };
		const body = { success: true, data: { url, ...options, ...read } };
		testBed.service.faults.add({ path: '/v2/crawl/*', kind: 'status', status: 200, body });
		const preview = await jobs.run('previewParams', { url, prompt: 'Only guides' });

		const items = await jobs.items(
			{ url: '={{ $json.url }}', additionalFields: { requestJson: '={{ $json }}' } },
			{ input: preview.output() },
		);

		expect(preview.output()[0].json).toEqual({ url, ...options, maxDiscoveryDepth: 2, delay: 1 });
		expect(jobs.bodies).toEqual([preview.output()[0].json]);
		expect(items).toHaveLength(6);
		expect(sourcesOf(items).join()).not.toContain('/stations');
		expect(new Set(pairsOf(items).map((pair) => JSON.stringify(pair))).size).toBe(1);
	});
});
