import { sourcesOf } from '../documentJobs.cjs';
import { teamSecret, useSleepingJobs } from '../sleepingJobs.cjs';

const url = 'https://tidewatch.example/guides';

describe('a suspended crawl', () => {
	const sleeping = useSleepingJobs('crawl');

	it('asks to be called at its end, and goes on with its pages then', async () => {
		const { id, job } = await sleeping.asleep({ url, limit: 4 });

		expect(sleeping.starts.map(({ body }) => body)).toEqual([
			{
				url,
				limit: 4,
				webhook: {
					url: expect.stringMatching(new RegExp(`/${id}(\\?signature=\\w+)?$`)),
					events: ['completed', 'failed'],
				},
			},
		]);
		const run = await sleeping.ended(id, job);

		expect(run.status).toBe('success');
		expect(sourcesOf(run.output())).toEqual(
			job.documents.map(({ metadata }) => metadata.sourceURL),
		);
		expect(run.output()).toHaveLength(4);
		expect(run.output()[0].json).toMatchObject({
			jobId: job.id,
			request: { status: 'completed', creditsUsed: 4 },
		});
		expect(sleeping.answers('crawl.completed')).toEqual([[200]]);
	});

	it('comes out with its pages so far when somebody cancels it, which the service calls completed', async () => {
		const { id, job } = await sleeping.asleep({ url, additionalFields: { maxConcurrency: 1 } });
		const ended = sleeping.executions.ended(id);
		while (job.documents.length === 0) await sleeping.testBed.service.clock.advance(50);

		sleeping.testBed.service.context.pageJobs.cancel(job);
		const run = await ended;

		expect(run.output()).toHaveLength(job.documents.length);
		expect(run.output()[0].json.request).toMatchObject({ status: 'cancelled' });
		expect(sleeping.answers('crawl.completed')).toEqual([[200]]);
	});

	it('comes out as an error item when no page of it could be read', async () => {
		const { id, job } = await sleeping.asleep(
			{ url: 'https://nowhere.example' },
			{ onError: 'continueErrorOutput' },
		);

		const run = await sleeping.ended(id, job);

		expect(run.output()).toEqual([]);
		expect(run.output(undefined, 1)).toMatchObject([
			{ json: { error: expect.stringMatching(new RegExp(`${job.id}.*nowhere`)) } },
		]);
		expect(sleeping.answers('crawl.completed')).toEqual([[200]]);
	});

	it('is not woken by a call about another job', async () => {
		const { id, job } = await sleeping.asleep({ url });
		const other = await sleeping.start({ url, wait: 'none' }).done;
		const { jobId } = other.output()[0].json;

		expect(await sleeping.call(job, 'crawl.completed', teamSecret, String(jobId))).toBe(200);

		expect(sleeping.executions.get(id).status).toBe('waiting');
	});

	it('sleeps for the crawls of several items', async () => {
		const { id, done } = sleeping.start({ url }, { input: [{}, {}] });
		expect((await done).status).toBe('waiting');
		const jobs = sleeping.underWay;
		const ended = sleeping.executions.ended(id);

		for (const job of jobs) await sleeping.finish(job);

		const items = (await ended).output();
		const pages = items.filter(({ json }) => json.jobId === jobs[0].id).length;
		expect(pages).toBeGreaterThan(0);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, index) => ({ item: index < pages ? 0 : 1 })),
		);
		expect(sleeping.starts).toHaveLength(2);
	});
});
