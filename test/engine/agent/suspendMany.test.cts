import type { INodeParameters } from 'n8n-workflow';
import { NODE_UNDER_TEST, type EngineRun, type NodeRunOptions } from '../harness.cjs';
import { agents, withoutMark } from '../jobKinds.cjs';
import { teamSecret, useSleepingJobs } from '../sleepingJobs.cjs';

const topics = ['a tides', 'b turbines', 'c lagoons'];

/** What came out, each with the item that it is for. */
const linked = (run: EngineRun) =>
	run.output().map(({ json, pairedItem }) => [json.jobId ?? json.error, pairedItem]);

describe('agent runs of several items for which the execution sleeps', () => {
	const sleeping = useSleepingJobs(agents);
	const input = topics.map((topic) => ({ topic }));
	const start = (set: INodeParameters = {}) =>
		sleeping.start({ prompt: '={{ $json.topic }}', ...set }, { input });
	/** The service's own calls are lost. */
	const asleep = async (set: INodeParameters = {}, options: Partial<NodeRunOptions> = {}) =>
		await sleeping.asleep({ prompt: '={{ $json.topic }}', ...set }, { input, ...options });
	beforeEach(() => {
		sleeping.testBed.service.context.webhooks.held = true;
	});

	it('are all started, and the execution sleeps', async () => {
		const { id, run } = await asleep();

		expect(run.status).toBe('waiting');
		expect(sleeping.status(id)).toBe('waiting');
		expect(sleeping.starts.map(({ body }) => withoutMark(body))).toEqual(
			topics.map((prompt) => ({
				prompt,
				webhook: {
					url: expect.stringContaining(`${sleeping.executions.url}/${id}`),
					events: ['completed', 'failed', 'cancelled'],
				},
			})),
		);
		expect(sleeping.testBed.service.log.entries).toHaveLength(topics.length);
	});

	it('wake it with the last call, whatever the order, each result linked to its item', async () => {
		const { id, jobs } = await asleep();
		const [first, second, third] = jobs;
		await sleeping.finish(...jobs);
		const ended = sleeping.executions.ended(id);

		expect(await sleeping.call(second, teamSecret)).toBe(200);

		const run = await ended;
		expect(run.status).toBe('success');
		expect(linked(run)).toEqual([
			[first.id, { item: 0 }],
			[second.id, { item: 1 }],
			[third.id, { item: 2 }],
		]);
		expect(sleeping.starts).toHaveLength(topics.length);
	});

	it('leave it asleep while one is under way, which alone is polled, and once', async () => {
		const { id, jobs } = await asleep();
		const [first, second, third] = jobs;

		expect(await sleeping.call(first, teamSecret)).toBe(200);
		expect(await sleeping.call(second, teamSecret)).toBe(200);
		expect(await sleeping.call(second, teamSecret)).toBe(200);

		expect(sleeping.status(id)).toBe('waiting');
		expect([first, second, third].map((job) => sleeping.polls(job))).toEqual([0, 0, 1]);

		await sleeping.finish(...jobs);
		const ended = sleeping.executions.ended(id);
		expect(await sleeping.call(third, teamSecret)).toBe(200);
		expect(linked(await ended).map(([job]) => job)).toEqual([first.id, second.id, third.id]);
		expect([first, second, third].map((job) => sleeping.polls(job))).toEqual([1, 1, 3]);
	});

	it('are polled once when the wait ends by time, and those that have not ended go on', async () => {
		sleeping.testBed.service.context.agents.script.set({ durationMs: 60_000 });
		const { id, jobs } = await asleep();
		await sleeping.testBed.service.clock.advance(3000);

		const run = await sleeping.executions.passDeadline(id);

		expect(run.status).toBe('success');
		expect(linked(run)).toEqual(jobs.map((job, item) => [job.id, { item }]));
		expect(run.hints().map(({ message }) => message)).toContainEqual(
			expect.stringContaining("within 'Max Wait'"),
		);
		expect(jobs.map((job) => sleeping.polls(job))).toEqual([1, 1, 1]);
		expect(sleeping.starts).toHaveLength(topics.length);
	});

	it('come out by time when their calls were lost', async () => {
		const { id, jobs } = await asleep({}, { node: { alwaysOutputData: true } });
		await sleeping.finish(...jobs);

		const run = await sleeping.executions.passDeadline(id);

		expect(linked(run)).toEqual(jobs.map((job, item) => [job.id, { item }]));
		expect(run.output()[0].json).toMatchObject({ request: { status: 'completed' } });
		// The input has not passed through before.
		expect(run.data.data.resultData.runData[NODE_UNDER_TEST]).toHaveLength(1);
	});

	it.each([undefined, 'continueRegularOutput'] as const)(
		'come out beside the error of one that could not be started: On Error %s',
		async (onError) => {
			sleeping.testBed.service.faults.add({
				method: 'POST',
				path: '/v2/agent',
				kind: 'status',
				status: 402,
			});
			const { id, jobs } = await asleep({ limits: { maxConcurrency: 1 } }, { onError });
			expect(jobs).toHaveLength(2);
			await sleeping.finish(...jobs);
			const ended = sleeping.executions.ended(id);
			await sleeping.call(jobs[0], teamSecret);

			const run = await ended;
			expect(linked(run)).toEqual([
				[expect.stringContaining('Insufficient credits'), { item: 0 }],
				[jobs[0].id, { item: 1 }],
				[jobs[1].id, { item: 2 }],
			]);
			expect(sleeping.starts).toHaveLength(3);
		},
	);

	it('end the execution when none can be started', async () => {
		for (const _ of topics)
			sleeping.testBed.service.faults.add({ method: 'POST', kind: 'status', status: 402 });

		const run = await start().done;

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('Insufficient credits');
	});

	it("send what failed to the error output, and are not started again by n8n's Retry on Fail", async () => {
		sleeping.testBed.service.context.agents.script.set({ outcome: 'failed', error: 'It broke' });
		const { id, jobs } = await asleep(
			{},
			{ onError: 'continueErrorOutput', node: { retryOnFail: true, waitBetweenTries: 1 } },
		);
		await sleeping.finish(...jobs);
		const ended = sleeping.executions.ended(id);
		await sleeping.call(jobs[0], teamSecret, { type: 'agent.failed' });

		const run = await ended;
		expect(run.output()).toEqual([]);
		expect(run.output(NODE_UNDER_TEST, 1).map(({ json }) => json.error)).toEqual(
			topics.map(() => expect.stringContaining('It broke')),
		);
		expect(sleeping.starts).toHaveLength(topics.length);
	});

	it('are not woken by forged calls, calls about other jobs, or events that are no end', async () => {
		const { id, jobs } = await asleep();
		const [job] = jobs;
		await sleeping.finish(...jobs);

		expect(await sleeping.call(job)).toBe(401);
		expect(await sleeping.call(job, 'another secret')).toBe(401);
		expect(await sleeping.call(job, teamSecret, { id: 'another-job' })).toBe(200);
		expect(await sleeping.call(job, teamSecret, { type: 'agent.started' })).toBe(200);

		expect(sleeping.status(id)).toBe('waiting');
		expect(sleeping.testBed.service.log.entries).toHaveLength(topics.length);
	});

	it('are polled first, and once, where a call is not signed', async () => {
		await sleeping.executions.close();
		await sleeping.open('');
		const { id, jobs } = await asleep();

		expect(await sleeping.call(jobs[0])).toBe(503);

		await sleeping.finish(...jobs);
		const ended = sleeping.executions.ended(id);
		expect(await sleeping.call(jobs[0])).toBe(200);
		expect((await ended).output()).toHaveLength(topics.length);
		// The first by the call that came too early, all by the one that woke it, and all for their results.
		expect(jobs.map((job) => sleeping.polls(job))).toEqual([3, 2, 2]);
	});

	it('are asked for again while the others cannot be polled', async () => {
		const { id, jobs } = await asleep();
		await sleeping.finish(...jobs);
		sleeping.testBed.service.faults.add({ method: 'GET', kind: 'status', status: 403 });

		expect(await sleeping.call(jobs[0], teamSecret)).toBe(503);
		expect(sleeping.status(id)).toBe('waiting');

		const ended = sleeping.executions.ended(id);
		expect(await sleeping.call(jobs[0], teamSecret)).toBe(200);
		expect((await ended).status).toBe('success');
	});

	it('are not started where one may be reused, at whose end nobody calls', async () => {
		const run = await start({ retries: { reuseJob: 'error' } }).done;

		expect(run.error?.message).toMatch(/several jobs while 'Reuse Recent Job'/);
		expect(sleeping.starts).toEqual([]);
	});

	it('sleep for all items or for none', async () => {
		const run = await start({
			wait: '={{ $itemIndex === 1 ? "none" : "suspend" }}',
		}).done;

		expect(run.error?.message).toMatch(/'Wait for Result'.*some items and not for others/);
		expect(sleeping.starts).toEqual([]);
	});
});
