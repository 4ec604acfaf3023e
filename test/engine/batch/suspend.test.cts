import type { IDataObject } from 'n8n-workflow';
import { nowhere, pairsOf, sourcesOf, storms, tables, tides } from '../documentJobs.cjs';
import { batches } from '../jobKinds.cjs';
import { teamSecret, useSleepingJobs } from '../sleepingJobs.cjs';

const minute = 60_000;
const urls = '={{ $json.url }}';
const itemsOf = (...given: string[]): IDataObject[] => given.map((url) => ({ url }));

describe('a suspended batch', () => {
	const sleeping = useSleepingJobs(batches);
	const { testBed } = sleeping;
	const read = { method: 'GET', path: '/v2/batch/scrape/*' };

	it('has no number for credits that the service does not know', async () => {
		const { id, job } = await sleeping.asleep({ urls: tides });
		const page = { markdown: '# Tides', metadata: { sourceURL: tides, creditsUsed: -1 } };
		testBed.service.faults.add({
			...read,
			kind: 'status',
			status: 200,
			body: {
				success: true,
				status: 'completed',
				total: 1,
				completed: 1,
				creditsUsed: -1,
				data: [page],
			},
			count: 3,
		});

		const run = await sleeping.ended(id, job);

		expect(run.output().map(({ json }) => json)).toMatchObject([
			{
				metadata: { sourceURL: tides, creditsUsed: null },
				request: { status: 'completed', creditsUsed: null },
			},
		]);
	});

	it('links the pages of several items to them', async () => {
		const {
			id,
			run: first,
			job,
		} = await sleeping.asleep({ urls }, { input: itemsOf(storms, tides, storms, tables) });
		expect(first.output()).toHaveLength(1);

		const run = await sleeping.ended(id, job);

		expect(sleeping.starts.map(({ body }) => body)).toMatchObject([
			{ urls: [storms, tides, tables] },
		]);
		expect(sourcesOf(run.output())).toEqual([storms, tides, tables]);
		expect(pairsOf(run.output())).toEqual([[{ item: 0 }, { item: 2 }], { item: 1 }, { item: 3 }]);
	});

	it('comes out as the options say', async () => {
		const { id, job } = await sleeping.asleep(
			{
				urls,
				returnFailed: true,
				outputOptions: { keepFields: 'metadata.sourceURL, failed' },
			},
			{ input: itemsOf(nowhere, tides) },
		);

		const run = await sleeping.ended(id, job);

		expect(run.output().map(({ json }) => json)).toEqual([
			{ failed: 'error' },
			{ metadata: { sourceURL: tides } },
		]);
		expect(pairsOf(run.output())).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('brings back the items that were refused, as error items', async () => {
		const { id, job } = await sleeping.asleep(
			{ urls },
			{ input: itemsOf(tides, 'nohost', storms), onError: 'continueErrorOutput' },
		);

		const run = await sleeping.ended(id, job);

		expect(sourcesOf(run.output())).toEqual([tides, storms]);
		expect(pairsOf(run.output())).toEqual([{ item: 0 }, { item: 2 }]);
		expect(run.output(undefined, 1)).toMatchObject([
			{
				json: { error: expect.stringMatching(/nohost.*\[item 1\]/) },
				pairedItem: { item: 1 },
			},
		]);
		expect(sleeping.starts).toHaveLength(1);
	});

	it.each([
		['the second', [tides, 'nohost'], 0],
		['the first', ['nohost', tides], 1],
	])('sleeps for the one item that is left when %s was refused', async (_name, given, item) => {
		const { id, job } = await sleeping.asleep(
			{ urls },
			{ input: itemsOf(...given), onError: 'continueErrorOutput' },
		);

		const run = await sleeping.ended(id, job);

		expect(sourcesOf(run.output())).toEqual([tides]);
		expect(pairsOf(run.output())).toEqual([{ item }]);
		expect(run.output(undefined, 1)).toMatchObject([
			{ json: { error: expect.stringContaining('nohost') }, pairedItem: { item: 1 - item } },
		]);
	});

	it('sleeps for several batches, whose pages are linked to the items that asked for them', async () => {
		const { id, done } = sleeping.start(
			{ urls, inputItems: 'each' },
			{ input: itemsOf(tides, storms) },
		);
		expect((await done).status).toBe('waiting');
		const jobs = sleeping.underWay;
		const ended = sleeping.executions.ended(id);

		for (const job of jobs) await sleeping.finish(job);

		const run = await ended;
		expect(jobs).toHaveLength(2);
		expect(sourcesOf(run.output())).toEqual([tides, storms]);
		expect(pairsOf(run.output())).toEqual([{ item: 0 }, { item: 1 }]);
		expect(sleeping.starts).toHaveLength(2);
	});

	it('is answered at once and reads a large result afterwards', async () => {
		const { id, job } = await sleeping.asleep({ urls: tides });
		// The poll of the job passes, the reading of its pages takes longer than the service waits.
		testBed.service.faults.add({ ...read, skip: 1, kind: 'delay', delayMs: minute });
		const ended = sleeping.executions.ended(id);

		await sleeping.finish(job);

		expect(sleeping.answers('completed')).toEqual([[200]]);
		expect(sleeping.status(id)).toBe('running');
		await testBed.service.clock.untilWaiting(1);
		await testBed.service.clock.advance(minute);
		expect(sourcesOf((await ended).output())).toEqual([tides]);
		expect(sleeping.deliveries('completed')).toHaveLength(1);
	});

	describe('that failed', () => {
		const failing = async (afterPages: number) => {
			testBed.service.context.pageJobs.paces.add({
				failure: { afterPages, error: 'The worker died.' },
			});
			return await sleeping.asleep(
				{ urls, additionalFields: { maxConcurrency: 1 } },
				{ input: itemsOf(tides, storms), onError: 'continueErrorOutput' },
			);
		};

		it('is not called by the service; a call brings the pages that were read', async () => {
			const { id, job } = await failing(1);

			const ended = sleeping.executions.ended(id);
			await sleeping.finish(job);

			// The service takes the event `failed` in a request and never sends it: the call is somebody else's.
			expect(sleeping.deliveries('failed')).toEqual([]);
			expect(sleeping.status(id)).toBe('waiting');
			expect(await sleeping.call(job, teamSecret, { type: 'batch_scrape.failed' })).toBe(200);
			const run = await ended;
			expect(sourcesOf(run.output())).toEqual([tides]);
			expect(run.output()[0].json.request).toMatchObject({
				status: 'failed',
				error: 'The worker died.',
			});
		});

		it('without a page is an error item, linked to all', async () => {
			const { id, job } = await sleeping.asleep(
				{ urls },
				{ input: itemsOf(tides, storms), onError: 'continueErrorOutput' },
			);
			const cancelled = sleeping.executions.ended(id);
			testBed.service.context.pageJobs.cancel(job);

			const run = await cancelled;

			expect(run.output()).toEqual([]);
			expect(run.output(undefined, 1)).toMatchObject([
				{
					json: { error: expect.stringMatching(new RegExp(`cancelled.*${job.id}`)) },
					pairedItem: [{ item: 0 }, { item: 1 }],
				},
			]);
		});
	});
});
