import type { IDataObject } from 'n8n-workflow';
import { nowhere, pairsOf, sourcesOf, storms, tables, tides } from '../documentJobs.cjs';
import { OtherProcess } from '../otherProcess.cjs';
import { teamSecret, useSleepingJobs } from '../sleepingJobs.cjs';

const minute = 60_000;
const urls = '={{ $json.url }}';
const itemsOf = (...given: string[]): IDataObject[] => given.map((url) => ({ url }));

describe('a suspended batch', () => {
	const sleeping = useSleepingJobs('batch');
	const { testBed } = sleeping;
	const read = { method: 'GET', path: '/v2/batch/scrape/*' };

	it('hands its resume address over, sleeps, and holds nothing open', async () => {
		const { id, job } = await sleeping.asleep({ urls: tides });

		const { executions } = sleeping;
		expect(executions.get(id).status).toBe('waiting');
		expect(sleeping.starts.map(({ body }) => body)).toEqual([
			{
				urls: [tides],
				webhook: {
					url: expect.stringMatching(new RegExp(`^${executions.url}/${id}(\\?signature=\\w+)?$`)),
					events: ['completed', 'failed'],
				},
			},
		]);
		expect(sleeping.requests).toEqual(['POST /v2/batch/scrape']);
		expect(job.status).toBe('scraping');
	});

	it('goes on with the pages when the signed call comes', async () => {
		const { id, job } = await sleeping.asleep({ urls: `${tides}, ${storms}` });

		const run = await sleeping.ended(id, job);

		expect(run.status).toBe('success');
		expect(sourcesOf(run.output())).toEqual([tides, storms]);
		for (const { json } of run.output()) {
			expect(json).toMatchObject({
				markdown: expect.any(String),
				jobId: job.id,
				request: { status: 'completed', completed: 2, creditsUsed: 2 },
			});
		}
		expect(sleeping.answers('batch_scrape.completed')).toEqual([[200]]);
		expect(sleeping.starts).toHaveLength(1);
	});

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

	it('tells of several batches what they have read when the wait ends by time', async () => {
		const { id, done } = sleeping.start(
			{ urls, inputItems: 'each' },
			{ input: itemsOf(tides, storms) },
		);
		await done;
		const jobs = sleeping.underWay;

		const run = await sleeping.executions.passDeadline(id);

		expect(run.status).toBe('success');
		expect(new Set(run.output().map(({ json }) => json.jobId))).toEqual(
			new Set(jobs.map((job) => job.id)),
		);
		expect(sleeping.underWay).toEqual(jobs);
	});

	it('is answered at once and reads a large result afterwards', async () => {
		const { id, job } = await sleeping.asleep({ urls: tides });
		// The look at the job passes, the reading of its pages takes longer than the service waits.
		testBed.service.faults.add({ ...read, skip: 1, kind: 'delay', delayMs: minute });
		const ended = sleeping.executions.ended(id);

		await sleeping.finish(job);

		expect(sleeping.answers('batch_scrape.completed')).toEqual([[200]]);
		expect(sleeping.executions.get(id).status).toBe('running');
		await testBed.service.clock.untilWaiting(1);
		await testBed.service.clock.advance(minute);
		expect(sourcesOf((await ended).output())).toEqual([tides]);
		expect(sleeping.deliveries('batch_scrape.completed')).toHaveLength(1);
	});

	it('asks for the call again while the job cannot be read', async () => {
		const { id, job } = await sleeping.asleep({ urls: tides });
		testBed.service.faults.add({ ...read, kind: 'status', status: 403 });

		await sleeping.finish(job);
		expect(sleeping.answers('batch_scrape.completed')).toEqual([[503]]);
		expect(sleeping.executions.get(id).status).toBe('waiting');

		const ended = sleeping.executions.ended(id);
		await testBed.service.clock.advance(minute);
		expect(sourcesOf((await ended).output())).toEqual([tides]);
		await testBed.service.context.webhooks.idle();
		expect(sleeping.answers('batch_scrape.completed')).toEqual([[503, 200]]);
	});

	describe('refuses, and sleeps on,', () => {
		it.each([
			['a call without signature', undefined, 401],
			['a call signed with another key', 'another secret', 401],
			['a true call before the end', teamSecret, 503],
		])('%s', async (_name, key, status) => {
			const { id, job } = await sleeping.asleep({ urls: tides });

			expect(await sleeping.call(job, 'batch_scrape.completed', key)).toBe(status);

			expect(sleeping.executions.get(id).status).toBe('waiting');
			expect((await sleeping.ended(id, job)).status).toBe('success');
		});

		it('a call that reports a page', async () => {
			const { id, job } = await sleeping.asleep({ urls: tides });

			expect(await sleeping.call(job, 'batch_scrape.page', teamSecret)).toBe(200);

			expect(sleeping.executions.get(id).status).toBe('waiting');
			expect(sleeping.requests).toHaveLength(1);
		});
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
			expect(sleeping.deliveries('batch_scrape.failed')).toEqual([]);
			expect(sleeping.executions.get(id).status).toBe('waiting');
			expect(await sleeping.call(job, 'batch_scrape.failed', teamSecret)).toBe(200);
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

	it('tells what it has read when the wait ends by time, and goes on', async () => {
		const { id, job } = await sleeping.asleep({ urls }, { input: itemsOf(tides, storms) });

		const run = await sleeping.executions.passDeadline(id);

		expect(run.output().map(({ json }) => json)).toMatchObject([
			{ jobId: job.id, request: { status: 'scraping', completed: 0, total: 2 } },
		]);
		expect(pairsOf(run.output())).toEqual([[{ item: 0 }, { item: 1 }]]);
		expect(job.status).toBe('scraping');
		expect(sleeping.starts).toHaveLength(1);
	});

	it('does not take the webhook that the user asked for', async () => {
		const webhook = { url: 'https://hooks.example/batch' };
		const run = await sleeping.start({ urls: tides, additionalFields: { webhook } }).done;

		expect(run.error?.message).toMatch(/^'Webhook' cannot be used/);
		expect(sleeping.requests).toEqual([]);
	});

	it('goes on in a fresh process that knows nothing but what was stored', async () => {
		const { id, job } = await sleeping.asleep(
			{ urls, output: '={{ "results" }}' },
			{ input: itemsOf(storms, 'nohost', tides), onError: 'continueRegularOutput' },
		);
		const { executions, credentials } = sleeping;
		const execution = executions.get(id);
		const { port } = executions;
		await executions.close();
		const other = new OtherProcess();
		try {
			await other.takeOver({ execution, credentials, port });
			expect(await sleeping.call(job, 'batch_scrape.completed')).toBe(401);

			await sleeping.finish(job);
			const { stored, items } = await other.ended();

			expect(stored).toMatchObject({ id, status: 'success', finished: true });
			expect(sourcesOf(items.slice(0, 2))).toEqual([storms, tides]);
			expect(items).toHaveLength(3);
			expect(items[2].json.error).toEqual(expect.stringContaining('nohost'));
			expect(sleeping.answers('batch_scrape.completed')).toEqual([[200]]);
			expect(sleeping.starts).toHaveLength(1);
		} finally {
			other.kill();
		}
	});
});
