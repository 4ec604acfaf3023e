import { createHmac, randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { Delivery } from '../../mock-server/webhooks.cjs';
import { NODE_UNDER_TEST, type EngineRun } from '../harness.cjs';
import { OtherProcess } from '../otherProcess.cjs';
import { useTestBed } from '../testBed.cjs';
import { WaitingExecutions } from '../waiting.cjs';
import { prompt, unknownId } from './agents.cjs';

const secret = 'whsec-of-the-team';
const minute = 60_000;

/** Executions that sleep until the service calls back. The service's clock moves when told to. */
describe('a suspended agent run', () => {
	const testBed = useTestBed();
	let executions: WaitingExecutions;
	let credentials: { webDataApi: Record<string, string> };

	const open = async (webhookSecret = secret) => {
		const account = testBed.account({ webhookSecret: webhookSecret || undefined });
		credentials = { webDataApi: { ...account.credentials.webDataApi, webhookSecret } };
		executions = new WaitingExecutions(testBed.engine, credentials);
		await executions.open();
	};

	beforeEach(async () => {
		testBed.service.clock.hold();
		await open();
	});

	afterEach(async () => await executions.close());

	const node = (parameters: INodeParameters) => ({
		parameters: { resource: 'agent', operation: 'run', prompt, wait: 'suspend', ...parameters },
	});

	/** Starts a run and waits until it sleeps. */
	const asleep = async (parameters: INodeParameters = {}) => {
		const { id, done } = executions.startNode(node(parameters));
		const run = await done;
		if (run.error) throw run.error;
		return { id, run };
	};

	const job = () => testBed.service.context.agents.jobs[0];
	const looks = () =>
		testBed.service.log.of('GET', `/v2/agent/${job().id}`).map(({ status }) => status);
	const started = () => testBed.service.log.of('POST', '/v2/agent');
	const deliveries = (type: string): Delivery[] =>
		testBed.service.context.webhooks.deliveries.filter((delivery) => delivery.type === type);
	const statuses = (delivery: Delivery) => delivery.attempts.map(({ status }) => status);

	/** Lets the job come to its end, and its events be delivered. */
	const finish = async (ms = 3000) => {
		await testBed.service.clock.advance(ms);
		await testBed.service.context.webhooks.idle();
	};

	/** Where this execution is called, as the service was told. */
	const resumeUrl = (): string => job().about.webhook?.url ?? '';

	/** A call by anybody, signed with a key or not. */
	const call = async (body: object, key?: string): Promise<number> => {
		const text = JSON.stringify(body);
		const response = await fetch(resumeUrl(), {
			method: 'POST',
			body: text,
			headers: {
				'content-type': 'application/json',
				...(key !== undefined && {
					'X-Firecrawl-Signature': `sha256=${createHmac('sha256', key).update(text).digest('hex')}`,
				}),
			},
		});
		await response.arrayBuffer();
		return response.status;
	};
	const event = (type: string, change: object = {}) => ({
		success: true,
		type,
		id: job().id,
		webhookId: randomUUID(),
		data: [],
		metadata: {},
		...change,
	});

	it('hands its resume address over, sleeps, and holds nothing open', async () => {
		const { id, run } = await asleep();

		expect(run.status).toBe('waiting');
		expect(executions.get(id).status).toBe('waiting');
		const [{ body }] = started();
		expect(body).toEqual({
			prompt,
			webhook: {
				url: expect.stringMatching(new RegExp(`^${executions.url}/${id}(\\?signature=\\w+)?$`)),
				events: ['completed', 'failed', 'cancelled'],
			},
		});
		expect(testBed.service.log.entries).toHaveLength(1);
		expect(run.output()[0].json).toMatchObject({ jobId: job().id });
	});

	it('sleeps as long as the user said, and no more than half an hour unasked', async () => {
		const before = Date.now();
		const { id } = await asleep();
		const { id: longer } = await asleep({ maxWait: 600 });

		const until = (each: string) => Date.parse(executions.get(each).waitTill ?? '') - before;
		expect(until(id)).toBeGreaterThanOrEqual(30 * minute);
		expect(until(id)).toBeLessThan(31 * minute);
		expect(until(longer)).toBeGreaterThanOrEqual(600 * minute);
	});

	it("goes on with the job's items when the signed call comes", async () => {
		const { id } = await asleep();
		const ended = executions.ended(id);

		await finish();
		const run = await ended;

		expect(run.status).toBe('success');
		expect(run.output()).toMatchObject([
			{
				json: {
					...(job().result?.data as object),
					jobId: job().id,
					request: { status: 'completed', creditsUsed: job().creditsUsed },
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(deliveries('agent.completed').map(statuses)).toEqual([[200]]);
		expect(started()).toHaveLength(1);
		expect(looks()).toEqual([200, 200]);
	});

	it('comes out with what it has found when it stopped at its credit limit, and says so in its item', async () => {
		testBed.service.context.agents.script.set({ outcome: 'credit_limit_reached' });
		const { id } = await asleep({ additionalFields: { maxCredits: 25 } });
		const ended = executions.ended(id);

		await finish();

		const { about, result } = job();
		expect((await ended).output()).toMatchObject([
			{
				json: {
					...(result?.data as object),
					jobId: job().id,
					request: {
						stopReason: 'credit_limit_reached',
						threadId: about.threadId,
						isPartial: true,
						notice: expect.stringContaining(`'Thread ID' ${about.threadId}`),
					},
				},
			},
		]);
		expect(deliveries('agent.failed').map(statuses)).toEqual([[200]]);
	});

	it('comes out as the options say', async () => {
		const schema = JSON.stringify({
			type: 'array',
			items: { type: 'object', properties: { title: { type: 'string' }, url: { type: 'string' } } },
		});
		const { id } = await asleep({
			schemaType: 'schema',
			schema,
			output: 'entries',
			outputOptions: { keepFields: 'title, jobId' },
		});
		const ended = executions.ended(id);

		await finish();

		const titles = (job().result?.data as Array<{ title: string }>).map(({ title }) => title);
		expect(titles.length).toBeGreaterThan(1);
		expect((await ended).output().map(({ json }) => json)).toEqual(
			titles.map((title) => ({ title, jobId: job().id })),
		);
	});

	it('takes a call that comes unsigned when the credential holds no secret', async () => {
		await executions.close();
		await open('');
		const { id } = await asleep();
		const ended = executions.ended(id);

		await finish();

		expect((await ended).status).toBe('success');
		expect(deliveries('agent.completed').map(statuses)).toEqual([[200]]);
	});

	describe('refuses, and sleeps on,', () => {
		it.each<[string, string | undefined]>([
			['a call without signature', undefined],
			['a call signed with another key', 'another secret'],
			['a call signed with nothing', ''],
		])('%s', async (_name, key) => {
			const { id } = await asleep();
			await testBed.service.clock.advance(2000);

			expect(await call(event('agent.completed'), key)).toBe(401);

			expect(executions.get(id).status).toBe('waiting');
			expect(looks()).toEqual([]);
			const ended = executions.ended(id);
			await finish();
			expect((await ended).status).toBe('success');
		});

		it('a true signature of another body', async () => {
			const { id } = await asleep();
			const signature = createHmac('sha256', secret).update('{}').digest('hex');

			const response = await fetch(resumeUrl(), {
				method: 'POST',
				body: JSON.stringify(event('agent.completed')),
				headers: {
					'content-type': 'application/json',
					'x-firecrawl-signature': `sha256=${signature}`,
				},
			});

			expect(response.status).toBe(401);
			expect(executions.get(id).status).toBe('waiting');
		});

		it("a call without n8n's own token", async () => {
			const { id } = await asleep();

			const response = await fetch(resumeUrl().split('?')[0], { method: 'POST' });

			expect(response.status).toBe(401);
			expect(executions.get(id).status).toBe('waiting');
		});

		it.each(['agent.started', 'agent.action', 'crawl.page', 'nothing'])(
			'a signed call that says something else: %s',
			async (type) => {
				const { id } = await asleep();

				expect(await call(event(type), secret)).toBe(200);

				expect(executions.get(id).status).toBe('waiting');
				expect(looks()).toEqual([]);
			},
		);

		it.each<[string, unknown]>([
			['a list', []],
			['an ID that is no text', { type: 'agent.completed', id: 7 }],
			['no type', { id: 'a' }],
		])('a signed call that makes no sense: %s', async (_name, body) => {
			const { id } = await asleep();

			expect(await call(Object(body), secret)).toBe(400);

			expect(executions.get(id).status).toBe('waiting');
			expect(looks()).toEqual([]);
		});

		it.each(['multipart/mixed; boundary=x', 'multipart/form-data; boundary=x', 'multipart/x'])(
			'a call whose body n8n does not keep: %s',
			async (type) => {
				const { id } = await asleep();

				const response = await fetch(resumeUrl(), {
					method: 'POST',
					body: JSON.stringify(event('agent.completed')),
					headers: { 'content-type': type, 'x-firecrawl-signature': 'sha256=0' },
				});

				expect(response.status).toBe(401);
				expect(executions.get(id).status).toBe('waiting');
				const ended = executions.ended(id);
				await finish();
				expect((await ended).status).toBe('success');
			},
		);

		it('a call that comes before the job has ended', async () => {
			const { id } = await asleep();
			await testBed.service.clock.advance(1000);

			expect(await call(event('agent.completed'), secret)).toBe(503);

			expect(executions.get(id).status).toBe('waiting');
		});

		it('a signed call about another job', async () => {
			const { id } = await asleep();
			await executions.startNode(node({ wait: 'none', prompt: 'coffee' })).done;
			const [, other] = testBed.service.context.agents.jobs;
			await testBed.service.clock.advance(2999);
			await call(event('agent.completed', { id: other.id }), secret);
			await finish(1);
			await call(event('agent.completed', { id: other.id }), secret);

			expect(executions.get(id).data).not.toContain(other.id);
		});

		it('a signed call about its own job when it is not known what it waits for', async () => {
			const { id } = await asleep();
			const { data = '', ...execution } = executions.get(id);
			executions.adopt({ ...execution, data: data.replaceAll('webDataAsleep', 'otherEntry') });

			expect(await call(event('agent.completed'), secret)).toBe(200);

			expect(executions.get(id).status).toBe('waiting');
			expect(looks()).toEqual([]);
		});

		it('a call that cannot be checked since the credential cannot be used', async () => {
			const { id } = await asleep();
			const { baseUrl } = credentials.webDataApi;
			credentials.webDataApi.baseUrl = 'nowhere';

			expect(await call(event('agent.completed'), secret)).toBe(503);

			expect(executions.get(id).status).toBe('waiting');
			credentials.webDataApi.baseUrl = baseUrl;
			const ended = executions.ended(id);
			await finish();
			expect((await ended).status).toBe('success');
		});

		it('a signed call about a job whose id leads elsewhere', async () => {
			const { id } = await asleep();

			for (const other of ['../team/credit-usage', unknownId]) {
				await call(event('agent.completed', { id: other }), secret);

				expect(executions.get(id).status).toBe('waiting');
				expect(testBed.service.log.entries).toHaveLength(1);
			}
		});
	});

	it('asks the service once, however many calls come at a time', async () => {
		const { id } = await asleep();
		const delay = { method: 'GET', kind: 'delay', delayMs: 1000 } as const;
		testBed.service.faults.add(delay);
		const first = call(event('agent.completed'), secret);
		while (testBed.service.log.entries.length < 2) await turn();

		const others = [0, 1, 2].map(async () => await call(event('agent.completed'), secret));
		expect(await Promise.all(others)).toEqual([503, 503, 503]);
		await testBed.service.clock.advance(1000);

		expect(await first).toBe(503);
		expect(looks()).toHaveLength(1);
		expect(executions.get(id).status).toBe('waiting');
	});

	it("takes unsigned calls with 'Refuse Unsigned Calls' off, and no wrongly signed ones", async () => {
		const { id } = await asleep({ waiting: { refuseUnsignedCalls: false } });
		await testBed.service.clock.advance(2000);

		expect(await call(event('agent.completed'), 'another secret')).toBe(401);
		expect(await call(event('agent.completed'))).toBe(503);

		testBed.service.context.webhooks.held = true;
		await finish(1000);
		const ended = executions.ended(id);
		expect(await call(event('agent.completed'))).toBe(200);
		expect((await ended).status).toBe('success');
	});

	it('says what anybody could do where the credential holds no secret', async () => {
		const hintsOf = ({ run }: { run: EngineRun }) => run.hints().map(({ message }) => message);
		expect(hintsOf(await asleep())).toEqual([]);
		await executions.close();
		await open('');

		expect(hintsOf(await asleep())).toEqual([
			expect.stringMatching(/no 'Webhook Secret'.*anybody/),
		]);
	});

	it('keeps its result when its options cannot be read any more', async () => {
		const maxTries = '={{ $workflow.name === "Renamed" ? "many" : 3 }}';
		const { id } = await asleep({ retries: { maxTries } });
		const execution = executions.get(id);
		executions.adopt({ ...execution, workflow: { ...execution.workflow, name: 'Renamed' } });
		const ended = executions.ended(id);

		await finish();

		const run = await ended;
		expect(run.output().map(({ json }) => json)).toMatchObject([{ jobId: job().id }]);
		expect(run.hints().map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/as if nothing was set.*'Retries > Max Tries'/),
		);
	});

	it('asks for the call again while the job cannot be read, and goes on with the next one', async () => {
		const { id } = await asleep();
		testBed.service.faults.add({ method: 'GET', kind: 'status', status: 403 });

		await finish();

		expect(deliveries('agent.completed').map(statuses)).toEqual([[503]]);
		expect(executions.get(id).status).toBe('waiting');

		const ended = executions.ended(id);
		await finish(minute);
		expect((await ended).output()[0].json).toMatchObject({ jobId: job().id });
		expect(deliveries('agent.completed').map(statuses)).toEqual([[503, 200]]);
	});

	it('is not harmed by a call that comes before it sleeps', async () => {
		testBed.service.faults.add({
			method: 'POST',
			path: '/v2/agent',
			kind: 'delay',
			stage: 'after',
			delayMs: 5000,
		});
		const { id, done } = executions.startNode(node({}));
		// The run's next step, and the answer to its start.
		await testBed.service.clock.untilWaiting(2);

		await finish(3000);
		expect(deliveries('agent.completed').map(statuses)).toEqual([[409]]);
		await testBed.service.clock.advance(2000);
		expect((await done).status).toBe('waiting');

		const ended = executions.ended(id);
		await finish(minute);
		expect((await ended).status).toBe('success');
		expect(deliveries('agent.completed').map(statuses)).toEqual([[409, 200]]);
	});

	it('is changed by nothing that is delivered again', async () => {
		const { id } = await asleep();
		const ended = executions.ended(id);
		await finish();
		await ended;
		const before = executions.get(id);
		const [{ webhookId }] = deliveries('agent.completed');

		const again = await testBed.service.context.webhooks.again(webhookId);

		expect(again.status).toBe(409);
		expect(executions.get(id)).toEqual(before);
		expect(started()).toHaveLength(1);
	});

	describe('whose job failed', () => {
		/** The resumed execution of a run with nothing but the node and one behind it. */
		const failing = async (onError?: 'continueRegularOutput' | 'continueErrorOutput') => {
			testBed.service.context.agents.script.set({
				outcome: 'failed',
				error: 'The browser crashed',
			});
			const { id, done } = executions.start({
				startWith: { node: 'Items', items: [{ json: {} }] },
				workflow: {
					nodes: [
						{
							id: '1',
							name: 'Items',
							type: 'n8n-nodes-base.noOp',
							typeVersion: 1,
							position: [0, 0],
							parameters: {},
						},
						{
							id: '2',
							name: NODE_UNDER_TEST,
							type: testBed.engine.typeName('webData'),
							typeVersion: 1,
							position: [1, 0],
							onError,
							...node({}),
						},
						{
							id: '3',
							name: 'After',
							type: 'n8n-nodes-base.noOp',
							typeVersion: 1,
							position: [2, 0],
							parameters: {},
						},
					],
					connections: {
						Items: { main: [[{ node: NODE_UNDER_TEST, type: 'main', index: 0 }]] },
						[NODE_UNDER_TEST]: { main: [[{ node: 'After', type: 'main', index: 0 }]] },
					},
				},
			});
			await done;
			const ended = executions.ended(id);
			await finish();
			return await ended;
		};
		const texts = (run: EngineRun) =>
			JSON.stringify([run.error?.message, run.data.data.resultData.runData]);

		it("says so in the service's words, with the job", async () => {
			const run = await failing();

			expect(run.status).toBe('error');
			expect(texts(run)).toContain('The browser crashed');
			expect(texts(run)).toContain(job().id);
		});

		it('hands no empty item to the nodes behind it', async () => {
			const run = await failing();

			const after = run.data.data.resultData.runData.After ?? [];
			const items = after.flatMap(({ data }) => data?.main?.[0] ?? []);
			expect(items.map(({ json }) => json)).not.toContainEqual({});
		});

		it('goes on with an error item when the node continues', async () => {
			const run = await failing('continueRegularOutput');

			expect(run.status).toBe('success');
			expect(run.output()).toMatchObject([
				{
					json: { error: expect.stringContaining('The browser crashed') },
					pairedItem: { item: 0 },
				},
			]);
		});

		it('puts its error item on the error output when there is one', async () => {
			const run = await failing('continueErrorOutput');

			expect(run.output()).toEqual([]);
			expect(run.output(NODE_UNDER_TEST, 1)).toMatchObject([
				{ json: { error: expect.stringContaining('The browser crashed') } },
			]);
		});
	});

	it('is looked at once when the wait ends by time, and goes on', async () => {
		const { id } = await asleep();

		const run = await executions.passDeadline(id);

		expect(run.status).toBe('success');
		expect(run.output()).toMatchObject([
			{ json: { jobId: job().id, request: { status: 'processing' } }, pairedItem: { item: 0 } },
		]);
		expect(run.hints().map(({ message }) => message)).toContainEqual(
			expect.stringContaining("'Max Wait' was over"),
		);
		expect(looks()).toEqual([200]);
		expect(started()).toHaveLength(1);
		expect(testBed.service.log.of('DELETE', `/v2/agent/${job().id}`)).toEqual([]);
	});

	it('comes out by time when its call was lost', async () => {
		const { id } = await asleep();
		testBed.service.context.webhooks.held = true;
		await finish();

		const run = await executions.passDeadline(id);

		expect(run.output()[0].json).toMatchObject({
			jobId: job().id,
			request: { status: 'completed' },
		});
	});

	it('does not sleep when the start is refused', async () => {
		testBed.service.faults.add({ method: 'POST', kind: 'status', status: 402 });

		const run = await executions.startNode(node({})).done;

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('Insufficient credits');
	});

	it('does not lose the webhook that the user asked for without a word', async () => {
		const url = 'https://hooks.example/agent';
		const run = await executions.startNode(node({ additionalFields: { webhook: { url } } })).done;

		const said = [run.error?.message, ...run.hints().map(({ message }) => message)].join();
		expect(`${said} ${JSON.stringify(started().map(({ body }) => body))}`).toMatch(
			/Webhook'|hooks\.example/,
		);
	});

	it('goes on in a fresh process that knows nothing but what was stored', async () => {
		const { id } = await asleep({
			prompt: '={{ $json.topic ?? "tidal lagoon energy storage" }}',
			output: 'result',
		});
		const execution = executions.get(id);
		const { port } = executions;
		await executions.close();
		const other = new OtherProcess();
		try {
			await other.takeOver({ execution, credentials, port });
			expect(await call(event('agent.completed'))).toBe(401);

			await finish();
			const { stored, items } = await other.ended();

			expect(stored).toMatchObject({ id, status: 'success', finished: true });
			expect(items).toMatchObject([
				{ json: { ...(job().result?.data as object), jobId: job().id }, pairedItem: { item: 0 } },
			]);
			expect(deliveries('agent.completed').map(statuses)).toEqual([[200]]);
			expect(started()).toHaveLength(1);
		} finally {
			other.kill();
		}
	});
});
