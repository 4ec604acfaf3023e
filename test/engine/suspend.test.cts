import { setImmediate as turn } from 'node:timers/promises';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { pairsOf, sourcesOf, storms, tides } from './documentJobs.cjs';
import { NODE_UNDER_TEST, type EngineRun } from './harness.cjs';
import { OtherProcess } from './otherProcess.cjs';
import { agents, batches, crawls, type JobKind, withoutMark } from './jobKinds.cjs';
import { teamSecret, useSleepingJobs } from './sleepingJobs.cjs';
import { signed } from './trigger/triggers.cjs';

const minute = 60_000;
const prompt = 'tidal lagoon energy storage';
const url = 'https://tidewatch.example/guides';
const unknownId = '00000000-0000-4000-8000-000000000000';

/** What is asked of every kind of job: its parameters, what is sent for them, and what comes out. */
interface Row {
	kind: JobKind;
	parameters: INodeParameters;
	body: object;
	/** The events to be called at. */
	events: string[];
	/** Of the same family, and no end. */
	otherEvent: string;
	/** What tells the items apart, in their order. */
	facts(items: INodeExecutionData[]): unknown[];
	expected: unknown[];
}

const pageJob = { events: ['completed', 'failed'], facts: sourcesOf };
const rows: Row[] = [
	{
		kind: agents,
		parameters: { prompt },
		body: { prompt },
		events: ['completed', 'failed', 'cancelled'],
		otherEvent: 'started',
		facts: (items) => items.map(({ json }) => [typeof json.answer, Array.isArray(json.findings)]),
		expected: [['string', true]],
	},
	{
		kind: batches,
		parameters: { urls: `${tides}, ${storms}` },
		body: { urls: [tides, storms] },
		otherEvent: 'page',
		expected: [tides, storms],
		...pageJob,
	},
	{
		kind: crawls,
		parameters: { url, limit: 2 },
		body: { url, limit: 2 },
		otherEvent: 'page',
		expected: [url, expect.stringContaining(`${url}/`)],
		...pageJob,
	},
];

/** Executions that sleep until the service calls back. */
describe.each(rows.map((row): [string, Row] => [row.kind.resource, row]))(
	'a suspended execution: %s',
	(_resource, { kind, parameters, body, events, otherEvent, facts, expected }) => {
		const sleeping = useSleepingJobs(kind);
		const { testBed } = sleeping;
		const read = { method: 'GET', path: `${kind.path}/*` };

		it('hands its resume address over, sleeps, and holds nothing open', async () => {
			const { id, run, job } = await sleeping.asleep(parameters);

			expect(sleeping.status(id)).toBe('waiting');
			expect(sleeping.starts.map((start) => withoutMark(start.body))).toEqual([
				{
					...body,
					webhook: {
						url: expect.stringMatching(
							new RegExp(`^${sleeping.executions.url}/${id}(\\?signature=\\w+)?$`),
						),
						events,
					},
				},
			]);
			expect(sleeping.requests).toEqual([`POST ${kind.path}`]);
			expect(run.output().map(({ json }) => json.jobId)).toEqual([job.id]);
		});

		it.each(['signed', 'unsigned, as the credential holds no secret'])(
			'goes on with the result when the call comes, %s',
			async (call) => {
				if (call !== 'signed') {
					await sleeping.executions.close();
					await sleeping.open('');
				}
				const { id, job } = await sleeping.asleep(parameters);

				const run = await sleeping.ended(id, job);

				expect(run.status).toBe('success');
				expect(facts(run.output())).toEqual(expected);
				for (const { json, pairedItem } of run.output()) {
					expect(pairedItem).toEqual({ item: 0 });
					expect(json).toMatchObject({
						jobId: job.id,
						request: { status: 'completed', creditsUsed: expect.any(Number) },
					});
				}
				expect(sleeping.answers('completed')).toEqual([[200]]);
				expect(sleeping.starts).toHaveLength(1);
			},
		);

		it('asks for the call again while the job cannot be read, and goes on with the next one', async () => {
			const { id, job } = await sleeping.asleep(parameters);
			testBed.service.faults.add({ ...read, kind: 'status', status: 403 });

			await sleeping.finish(job);
			expect(sleeping.answers('completed')).toEqual([[503]]);
			expect(sleeping.status(id)).toBe('waiting');

			const ended = sleeping.executions.ended(id);
			await testBed.service.clock.advance(minute);
			expect(facts((await ended).output())).toEqual(expected);
			await testBed.service.context.webhooks.idle();
			expect(sleeping.answers('completed')).toEqual([[503, 200]]);
		});

		const type = (event: string) => ({ type: `${kind.endpoint}.${event}` });
		it.each<[string, string | undefined, object, number]>([
			['without signature', undefined, {}, 401],
			['signed with another key', 'another secret', {}, 401],
			['signed with nothing', '', {}, 401],
			['that is true and comes before the end', teamSecret, {}, 503],
			['of another event', teamSecret, type(otherEvent), 200],
			['of an event of none', teamSecret, { type: 'nothing' }, 200],
			['about another job', teamSecret, { id: unknownId }, 200],
			['about a job whose ID leads elsewhere', teamSecret, { id: '../team/credit-usage' }, 400],
			['that makes no sense', teamSecret, { id: 7 }, 400],
			['without a type', teamSecret, { type: undefined }, 400],
		])('refuses a call, and sleeps on: %s', async (_name, key, change, status) => {
			const { id, job } = await sleeping.asleep(parameters);

			expect(await sleeping.call(job, key, change)).toBe(status);

			expect(sleeping.status(id)).toBe('waiting');
			expect(sleeping.requests).toHaveLength(status === 503 ? 2 : 1);
			expect((await sleeping.ended(id, job)).status).toBe('success');
		});

		it('tells what there is when the wait ends by time, and the job goes on', async () => {
			const { id, job } = await sleeping.asleep(parameters);

			const run = await sleeping.executions.passDeadline(id);

			expect(run.status).toBe('success');
			expect(run.output()).toMatchObject([
				{ json: { jobId: job.id, request: { status: kind.state } }, pairedItem: { item: 0 } },
			]);
			expect(run.hints().map(({ message }) => message)).toContainEqual(
				expect.stringContaining("within 'Max Wait'"),
			);
			expect(sleeping.requests.filter((request) => !request.startsWith('GET'))).toEqual([
				`POST ${kind.path}`,
			]);
			expect(sleeping.underWay).toEqual([job]);
		});

		it('comes out by time when its call was lost', async () => {
			const { id, job } = await sleeping.asleep(parameters);
			testBed.service.context.webhooks.held = true;
			await sleeping.finish(job);

			expect(facts((await sleeping.executions.passDeadline(id)).output())).toEqual(expected);
		});

		it('does not take the webhook that the user asked for', async () => {
			const webhook = { url: 'https://hooks.example/job' };
			const run = await sleeping.start({ ...parameters, additionalFields: { webhook } }).done;

			expect(run.error?.message).toMatch(/^'Webhook' cannot be used/);
			expect(sleeping.requests).toEqual([]);
		});

		it('does not sleep when the start is refused', async () => {
			testBed.service.faults.add({ method: 'POST', kind: 'status', status: 402 });

			const run = await sleeping.start(parameters).done;

			expect(run.status).toBe('error');
			expect(run.error?.message).toContain('Insufficient credits');
		});

		it('goes on in a fresh process that knows nothing but what was stored', async () => {
			const set = kind === agents ? { prompt: '={{ $json.topic ?? "tides" }}' } : parameters;
			const { id, job } = await sleeping.asleep({ ...set, output: '={{ "results" }}' });
			const { executions, credentials } = sleeping;
			const execution = executions.get(id);
			const { port } = executions;
			await executions.close();
			const other = new OtherProcess();
			try {
				await other.takeOver({ execution, credentials, port });
				expect(await sleeping.call(job)).toBe(401);

				await sleeping.finish(job);
				const { stored, items } = await other.ended();

				expect(stored).toMatchObject({ id, status: 'success', finished: true });
				expect(items.map(({ json }) => json.jobId)).toEqual(expected.map(() => job.id));
				expect(pairsOf(items)).toEqual(expected.map(() => ({ item: 0 })));
				expect(sleeping.answers('completed')).toEqual([[200]]);
				expect(sleeping.starts).toHaveLength(1);
			} finally {
				other.kill();
			}
		});
	},
);

/** What does not depend on the kind of job is asked of agent runs. */
describe('a suspended execution', () => {
	const sleeping = useSleepingJobs(agents);
	const { testBed } = sleeping;
	const asleep = async (set: INodeParameters = {}) => await sleeping.asleep({ prompt, ...set });
	const hintsOf = (run: EngineRun) => run.hints().map(({ message }) => message);

	it('sleeps as long as the user said, and no more than half an hour unasked', async () => {
		const before = Date.now();
		const until = async (set: INodeParameters) =>
			Date.parse(sleeping.executions.get((await asleep(set)).id).waitTill ?? '') - before;

		const unasked = await until({});
		expect(unasked).toBeGreaterThanOrEqual(30 * minute);
		expect(unasked).toBeLessThan(31 * minute);
		expect(await until({ maxWait: 600 })).toBeGreaterThanOrEqual(600 * minute);
	});

	it('comes out with what it has found when it stopped at its credit limit, and says so in its item', async () => {
		testBed.service.context.agents.script.set({ outcome: 'credit_limit_reached' });
		const { id, job } = await asleep({ additionalFields: { maxCredits: 25 } });

		const run = await sleeping.ended(id, job);

		const { threadId } = job.about;
		const request = {
			stopReason: 'credit_limit_reached',
			threadId,
			isPartial: true,
			notice: expect.stringContaining(`'Thread ID' ${threadId}`),
		};
		expect(run.output().map(({ json }) => json)).toMatchObject([
			{ ...(job.result?.data as object), jobId: job.id, request },
		]);
		expect(sleeping.answers('failed')).toEqual([[200]]);
	});

	it('comes out as the options say', async () => {
		const text = { type: 'string' };
		const items = { type: 'object', properties: { title: text, url: text } };
		const { id, job } = await asleep({
			schemaType: 'schema',
			schema: JSON.stringify({ type: 'array', items }),
			output: 'entries',
			outputOptions: { keepFields: 'title, jobId' },
		});

		const run = await sleeping.ended(id, job);

		expect(sleeping.polls(job)).toBe(2);
		const titles = (job.result?.data as Array<{ title: string }>).map(({ title }) => title);
		expect(titles.length).toBeGreaterThan(1);
		expect(run.output().map(({ json }) => json)).toEqual(
			titles.map((title) => ({ title, jobId: job.id })),
		);
	});

	const multipart = ['mixed; boundary=x', 'form-data; boundary=x', 'x'];
	const notKept = { 'x-firecrawl-signature': 'sha256=0' };
	it.each<[string, string, Record<string, string>, number]>([
		['a true signature of another body', '{"a":1}', signed('{}', teamSecret), 401],
		['a list', '[]', signed('[]', teamSecret), 400],
		...multipart.map((each): [string, string, Record<string, string>, number] => [
			`a body that n8n does not keep: ${each}`,
			'{}',
			{ ...notKept, 'content-type': `multipart/${each}` },
			401,
		]),
	])('refuses, and sleeps on: %s', async (_name, body, headers, status) => {
		const { id, job } = await asleep();

		expect(await sleeping.send(job, body, headers)).toBe(status);

		expect(sleeping.status(id)).toBe('waiting');
		expect(sleeping.polls(job)).toBe(0);
		expect((await sleeping.ended(id, job)).status).toBe('success');
	});

	it("refuses a call without n8n's own token", async () => {
		const { id, job } = await asleep();

		const address = job.about.webhook?.url.split('?')[0] ?? '';
		expect((await fetch(address, { method: 'POST' })).status).toBe(401);

		expect(sleeping.status(id)).toBe('waiting');
	});

	it('is not woken by a signed call while it is not known what it waits for', async () => {
		const { id, job } = await asleep();
		const { data = '', ...execution } = sleeping.executions.get(id);
		const forgotten = data.replaceAll('webDataWaitState', 'otherEntry');
		sleeping.executions.adopt({ ...execution, data: forgotten });

		expect(await sleeping.call(job, teamSecret)).toBe(200);

		expect(sleeping.status(id)).toBe('waiting');
		expect(sleeping.polls(job)).toBe(0);
	});

	it('asks for the call again while the credential cannot be used', async () => {
		const { id, job } = await asleep();
		const { webDataApi } = sleeping.credentials;
		const { baseUrl } = webDataApi;
		webDataApi.baseUrl = 'nowhere';

		expect(await sleeping.call(job, teamSecret)).toBe(503);

		expect(sleeping.status(id)).toBe('waiting');
		webDataApi.baseUrl = baseUrl;
		expect((await sleeping.ended(id, job)).status).toBe('success');
	});

	it('asks the service once, however many calls come at a time', async () => {
		const { id, job } = await asleep();
		testBed.service.faults.add({ method: 'GET', kind: 'delay', delayMs: 1000 });
		const first = sleeping.call(job, teamSecret);
		while (sleeping.requests.length < 2) await turn();

		const others = [0, 1, 2].map(async () => await sleeping.call(job, teamSecret));
		expect(await Promise.all(others)).toEqual([503, 503, 503]);
		await testBed.service.clock.advance(1000);

		expect(await first).toBe(503);
		expect(sleeping.polls(job)).toBe(1);
		expect(sleeping.status(id)).toBe('waiting');
	});

	it("takes unsigned calls with 'Require Signature' off, and no wrongly signed ones", async () => {
		const { id, job } = await asleep({ waiting: { requireSignature: false } });

		expect(await sleeping.call(job, 'another secret')).toBe(401);
		expect(await sleeping.call(job)).toBe(503);

		testBed.service.context.webhooks.held = true;
		await sleeping.finish(job);
		const ended = sleeping.executions.ended(id);
		expect(await sleeping.call(job)).toBe(200);
		expect((await ended).status).toBe('success');
	});

	it('says what anybody could do where the credential holds no secret', async () => {
		expect(hintsOf((await asleep()).run)).toEqual([]);
		await sleeping.executions.close();
		await sleeping.open('');

		expect(hintsOf((await asleep()).run)).toEqual([
			expect.stringMatching(/no 'Webhook Secret'.*anyone/),
		]);
	});

	it('keeps its result when its options cannot be read any more', async () => {
		const maxTries = '={{ $workflow.name === "Renamed" ? "many" : 3 }}';
		const { id, job } = await asleep({ retries: { maxTries } });
		const execution = sleeping.executions.get(id);
		const workflow = { ...execution.workflow, name: 'Renamed' };
		sleeping.executions.adopt({ ...execution, workflow });

		const run = await sleeping.ended(id, job);

		expect(run.output().map(({ json }) => json)).toMatchObject([{ jobId: job.id }]);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/as if nothing was set.*'Retries > Max Tries'/),
		);
	});

	it('is not harmed by a call that comes before it sleeps', async () => {
		const start = { method: 'POST', path: '/v2/agent', stage: 'after' } as const;
		testBed.service.faults.add({ ...start, kind: 'delay', delayMs: 5000 });
		const { id, done } = sleeping.start({ prompt });
		// The run's next step, and the answer to its start.
		await testBed.service.clock.untilWaiting(2);

		await testBed.service.clock.advance(3000);
		await testBed.service.context.webhooks.idle();
		expect(sleeping.answers('completed')).toEqual([[409]]);
		await testBed.service.clock.advance(2000);
		expect((await done).status).toBe('waiting');

		const ended = sleeping.executions.ended(id);
		await testBed.service.clock.advance(minute);
		await testBed.service.context.webhooks.idle();
		expect((await ended).status).toBe('success');
		expect(sleeping.answers('completed')).toEqual([[409, 200]]);
	});

	it('is changed by nothing that is delivered again', async () => {
		const { id, job } = await asleep();
		await sleeping.ended(id, job);
		const before = sleeping.executions.get(id);
		const [{ webhookId }] = sleeping.deliveries('completed');

		expect((await testBed.service.context.webhooks.again(webhookId)).status).toBe(409);

		expect(sleeping.executions.get(id)).toEqual(before);
		expect(sleeping.starts).toHaveLength(1);
	});

	it.each([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)(
		"says that the job failed in the service's words: On Error %s",
		async (onError) => {
			testBed.service.context.agents.script.set({ outcome: 'failed', error: 'It crashed' });
			const { id, job } = await sleeping.asleep({ prompt }, { onError });

			const run = await sleeping.ended(id, job);

			const { error, resultData } = { error: run.error?.message, ...run.data.data };
			expect(run.status).toBe(onError ? 'success' : 'error');
			expect(JSON.stringify([error, resultData.runData])).toContain(job.id);
			const failed = { json: { error: expect.stringContaining('It crashed') } };
			const item = { ...failed, pairedItem: { item: 0 } };
			if (onError) {
				const isOther = onError === 'continueErrorOutput';
				expect(run.output(NODE_UNDER_TEST, isOther ? 1 : 0)).toMatchObject([item]);
				expect(run.output(NODE_UNDER_TEST, isOther ? 0 : 1)).toEqual([]);
			} else {
				expect(JSON.stringify([error, resultData.runData])).toContain('It crashed');
				// No empty item for the nodes behind it, either.
				expect(run.output().map(({ json }) => json)).not.toContainEqual({});
			}
		},
	);
});
