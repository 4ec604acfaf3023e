import { crawls } from '../jobKinds.cjs';
import { useSleepingJobs } from '../sleepingJobs.cjs';

const url = 'https://tidewatch.example/guides';

describe('a suspended crawl', () => {
	const sleeping = useSleepingJobs(crawls);

	it('comes out with its pages so far when somebody cancels it, which the service calls completed', async () => {
		const { id, job } = await sleeping.asleep({ url, additionalFields: { maxConcurrency: 1 } });
		const ended = sleeping.executions.ended(id);
		while (job.documents.length === 0) await sleeping.testBed.service.clock.advance(50);

		sleeping.testBed.service.context.pageJobs.cancel(job);
		const run = await ended;

		expect(run.output()).toHaveLength(job.documents.length);
		expect(run.output()[0].json.request).toMatchObject({ status: 'cancelled' });
		expect(sleeping.answers('completed')).toEqual([[200]]);
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
		expect(sleeping.answers('completed')).toEqual([[200]]);
	});
});
