import type { FaultInput } from '../../mock/faults.cjs';
import { startForeignHost } from '../../mock/loopback.cjs';
import { allFields, sourcesOf, useDocumentJobs } from '../documentJobs.cjs';

const url = 'https://bulk.example/';
const megabyte = 1_000_000;

/** Results that are longer than one answer of the service. */
describe('the pages of a crawl', () => {
	const jobs = useDocumentJobs('crawl');
	const { testBed } = jobs;

	/** The start page and six documents of 3.6 MB: the first two on its answer page, one on each further one. */
	beforeEach(() => {
		testBed.service.site.addMany(6, 3.6 * megabyte);
		// The job has ended when it is first looked at.
		testBed.service.context.pageJobs.set({ pageMs: 0 });
	});
	const large = { url, limit: 7 };
	/** After the polls of the job and its first page. */
	const onSecondPage: FaultInput = {
		method: 'GET',
		path: '/v2/crawl/*',
		kind: 'status',
		status: 403,
		skip: 2,
	};
	const sourcesIn = (id: unknown) =>
		jobs.job(id).documents.map(({ metadata }) => metadata.sourceURL);

	it('are all in the whole response', async () => {
		const [{ json }] = await jobs.items({ ...large, options: { output: 'raw' } });

		expect(json.data).toHaveLength(7);
		expect(json.next).toBeUndefined();
		expect(jobs.job(json.id).documents).toEqual(json.data);
	});

	it('one of which stays unreadable are a partial result, marked on its first item, that says where to read on', async () => {
		testBed.service.faults.add(onSecondPage);
		const account = testBed.account();

		const run = await jobs.run('run', { ...large, options: allFields }, { account });

		expect(run.status).toBe('success');
		const [{ json }] = run.output();
		expect(sourcesOf(run.output())).toEqual(sourcesIn(json.jobId).slice(0, 3));
		expect(json.request).toMatchObject({
			partial: { read: 3, total: 7, reason: expect.stringContaining('HTTP 403') },
		});
		expect(run.hints().map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/result of the crawl [\w-]{36} is partial: Forbidden.*'Get' with 'Skip' 3 continues/,
			),
		]);

		const rest = await jobs.run(
			'get',
			{ jobId: String(json.jobId), returnAll: true, additionalFields: { skip: 3 } },
			{ account },
		);

		expect(sourcesOf(rest.output())).toEqual(sourcesIn(json.jobId).slice(3));
	});

	it("whose next is said to be elsewhere are asked of the credential's host, and the key of nobody else", async () => {
		const foreign = await startForeignHost();
		const account = testBed.account();
		const jobId = await jobs.started(large, { account });
		const fields = { next: `${foreign.url}/v2/crawl/${jobId}?skip=2` };
		testBed.service.faults.add({ kind: 'addition', path: '/v2/crawl/*', fields });

		const run = await jobs.run('get', { jobId, returnAll: true }, { account });
		await foreign.close();

		expect(sourcesOf(run.output())).toEqual(sourcesIn(jobId));
		expect(foreign.requests).toEqual([]);
	});
});
