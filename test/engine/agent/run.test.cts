import type { IDataObject } from 'n8n-workflow';
import type { Behaviour } from '../../mock/agents.cjs';
import { prompt, useAgents } from './agents.cjs';

const minute = 60_000;

/** Runs that poll: the job's end, whatever happens on the way to it. */
describe('an agent run', () => {
	const agents = useAgents();
	const { testBed } = agents;
	/** The one job of a test. */
	const job = () => testBed.service.context.agents.jobs[0];
	const behave = (behaviour: Partial<Behaviour>) =>
		testBed.service.context.agents.script.set(behaviour);

	it('comes out with its data and what is known about it', async () => {
		const run = await agents.run('run', { prompt });

		expect(run.error?.message).toBeUndefined();
		const [item, ...more] = run.output();
		expect(more).toEqual([]);
		expect(item.pairedItem).toEqual({ item: 0 });
		expect(item.json).toMatchObject({
			...(job().result?.data as IDataObject),
			jobId: job().id,
			request: {
				status: 'completed',
				creditsUsed: job().creditsUsed,
				threadId: job().about.threadId,
				model: 'spark-2',
			},
		});
		expect(run.hints()).toEqual([]);
	});

	it('goes on with a thread, whose earlier request it inherits', async () => {
		const account = testBed.account();
		const schema = '{"type":"object","properties":{"title":{"type":"string"}}}';
		await agents.run('run', { prompt, schemaType: 'schema', schema }, { account });
		const { threadId } = job().about;

		const next = { prompt: 'storm surge', additionalFields: { threadId } };
		const run = await agents.run('run', next, { account });

		expect(agents.bodies[1]).toEqual({ prompt: 'storm surge', threadId });
		expect(run.output()[0].json).toMatchObject({
			title: expect.any(String),
			request: { threadId, threadTurn: 2 },
		});
	});

	it("is started once with n8n's Retry On Fail, though its data has an error", async () => {
		const body = { success: true, status: 'completed', data: { error: 'E17', cause: 'wind' } };
		testBed.service.faults.add({ kind: 'status', status: 200, body, path: '/v2/agent/*' });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

		const run = await agents.run('run', { prompt }, { node });

		expect(run.output()[0].json).toMatchObject({ cause: 'wind', original: { error: 'E17' } });
		expect(run.output()[0].json).not.toHaveProperty('error');
		expect(agents.bodies).toHaveLength(1);
	});

	it('is started once and polled in growing pauses of 1 to 15 seconds', async () => {
		behave({ durationMs: 20 * minute });

		await agents.run('run', { prompt });

		const entries = testBed.service.log.entries;
		expect(agents.bodies).toHaveLength(1);
		const pauses = entries.slice(1).map(({ at }, index) => at - entries[index].at);
		expect(pauses[0]).toBeLessThanOrEqual(2_500);
		for (const pause of pauses) {
			expect(pause).toBeGreaterThanOrEqual(990);
			expect(pause).toBeLessThan(16_000);
		}
		expect(pauses.at(-2)).toBeGreaterThan(14_000);
	});

	it('survives a dozen polls that fail', async () => {
		const look = { method: 'GET', path: '/v2/agent/*' };
		testBed.service.faults.add({ ...look, kind: 'empty', count: 12 });

		const run = await agents.run('run', { prompt });

		expect(run.output()[0].json).toMatchObject({ request: { status: 'completed' } });
		expect(agents.requests.filter((request) => request.startsWith('GET')).length).toBeGreaterThan(
			12,
		);
		expect(agents.bodies).toHaveLength(1);
		expect(agents.requests.filter((request) => request.startsWith('DELETE'))).toEqual([]);
	});

	it("ends with the job's ID when looking is refused for good", async () => {
		const look = { method: 'GET', path: '/v2/agent/*' };
		testBed.service.faults.add({ ...look, kind: 'status', status: 404, count: 100 });

		const { error } = await agents.run('run', { prompt });

		expect(error?.message).toMatch(/Not Found/);
		expect(error?.message).toContain(job().id);
		expect(error?.description).toMatch(/'Get'/);
	});

	it('is waited for half an hour unless told otherwise', async () => {
		behave({ durationMs: 29 * minute });
		expect((await agents.run('run', { prompt })).status).toBe('success');
		behave({ durationMs: 31 * minute });
		expect((await agents.run('run', { prompt })).error?.message).toContain('30 minutes');
		behave({ durationMs: 40 * minute });
		const longer = await agents.run('run', { prompt, options: { maxWait: 45 } });
		expect(longer.status).toBe('success');
	});

	it("that failed is an error with the service's words, the job and its price", async () => {
		behave({ outcome: 'failed', error: 'The browser crashed on page 3' });

		const { error } = await agents.run('run', { prompt });

		expect(error?.message).toMatch(
			new RegExp(`The browser crashed on page 3.*${job().id}.*\\[item 0\\]`),
		);
		expect(error?.description).toMatch(/Get Trace.*used 0 credits/);
		expect(testBed.service.ledger.entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(0);
	});

	it('at its credit limit comes out with what it has found, and says how to go on', async () => {
		behave({ outcome: 'credit_limit_reached' });
		const account = testBed.account();
		const limit = { additionalFields: { maxCredits: 25 } };

		const run = await agents.run('run', { prompt, ...limit }, { account });
		const jobId = job().id;
		const got = await agents.run('get', { jobId }, { account });
		const raw = { jobId, options: { output: 'raw' } };
		const whole = await agents.run('get', raw, { account });

		const found = job().result?.data as object;
		const { threadId } = job().about;
		const [{ message }, ...more] = run.hints();
		expect(message).toMatch(
			new RegExp(`partial.*'Thread ID' ${threadId}\\. A higher 'Max Credits' allows more\\.$`),
		);
		expect(more).toEqual([]);
		const about = { stopReason: 'credit_limit_reached', threadId, isPartial: true };
		expect(run.output()).toMatchObject([
			{ json: { ...found, jobId, request: { ...about, notice: message } } },
		]);
		expect(got.output()).toMatchObject([
			{ json: { ...found, jobId, request: { isPartial: true } } },
		]);
		expect(whole.output()).toMatchObject([
			{ json: { id: jobId, status: 'failed', partial: found, ...about, notice: message } },
		]);
	});

	it('of each item comes out in order on a plan of two starts per minute, none started twice', async () => {
		const input = Array.from({ length: 5 }, (_, place) => ({ topic: `${prompt} ${place}` }));
		const account = testBed.account({ ratePerMinute: { agent: 2 }, retryHint: 'text' });

		const run = await agents.run('run', { prompt: '={{ $json.topic }}' }, { account, input });

		expect(run.error?.message).toBeUndefined();
		const { jobs } = testBed.service.context.agents;
		const topics = input.map(({ topic }) => topic);
		expect(jobs.map(({ about }) => about.task.prompt).sort()).toEqual(topics);
		const topicOf = new Map<unknown, string>(jobs.map(({ id, about }) => [id, about.task.prompt]));
		expect(run.output().map(({ json }) => topicOf.get(json.jobId))).toEqual(topics);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(
			input.map((_, item) => ({ item })),
		);
		const starts = testBed.service.log.of('POST', '/v2/agent');
		expect(starts.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
	});
});
