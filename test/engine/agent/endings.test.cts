import type { IDataObject } from 'n8n-workflow';
import type { Behaviour } from '../../mock-server/agent/job.cjs';
import { prompt, unknownId, useAgents } from './agents.cjs';

/** How runs end that do not simply succeed. */
describe('an agent run', () => {
	const agents = useAgents();
	const { testBed } = agents;
	const job = () => testBed.service.context.agents.jobs[0];
	const behave = (behaviour: Partial<Behaviour>) =>
		testBed.service.context.agents.script.set(behaviour);

	it("that failed is an error with the service's words, the job and its price", async () => {
		behave({ outcome: 'failed', error: 'The browser crashed on page 3' });

		const run = await agents.run('run', { prompt });

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('The browser crashed on page 3');
		expect(run.error?.message).toContain(job().id);
		expect(run.error?.message).toContain('[item 0]');
		expect(run.error?.description).toMatch(/used 0 credits/);
		expect(run.error?.description).toMatch(/Get Trace/);
		expect(testBed.service.ledger.entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(0);
	});

	it('that failed stands in its place when the node goes on', async () => {
		const { script } = testBed.service.context.agents;
		script.add(
			{ outcome: 'succeeded' },
			{ outcome: 'failed', error: 'No luck' },
			{ outcome: 'succeeded' },
		);

		const run = await agents.run(
			'run',
			{ prompt, limits: { requestsInFlight: 1 } },
			{ input: [{}, {}, {}], onError: 'continueErrorOutput' },
		);

		expect(run.status).toBe('success');
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(run.output(undefined, 1)).toMatchObject([
			{ json: { error: expect.stringContaining('No luck') }, pairedItem: { item: 1 } },
		]);
	});

	it('that somebody cancelled says so', async () => {
		const account = testBed.account();
		behave({ durationMs: 3_600_000 });
		const jobId = await agents.started(account);
		await agents.run('cancel', { jobId }, { account });
		await agents.time.drive(testBed.service.clock.wait(1000));

		const run = await agents.run('get', { jobId }, { account });

		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/cancelled/);
		expect(run.error?.message).toContain(jobId);
	});

	it('whose state is "cancelled", as older documents have it, ends the wait', async () => {
		testBed.service.faults.add({
			method: 'GET',
			kind: 'status',
			status: 200,
			body: { success: true, status: 'cancelled', expiresAt: '2026-12-01T00:00:00Z' },
		});

		const run = await agents.run('run', { prompt });

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('cancelled');
	});

	it('is waited for in a state that nobody knows for an end', async () => {
		behave({ runningStatus: 'a state of tomorrow' });

		const run = await agents.run('run', { prompt });

		expect(run.status).toBe('success');
		expect(run.output()[0].json).toMatchObject({ request: { status: 'completed' } });
	});

	it('is named with its last state when it is waited for in vain', async () => {
		behave({ runningStatus: 'stalled', durationMs: 3_600_000 });

		const run = await agents.run('run', { prompt, maxWait: 1 });

		expect(run.error?.message).toMatch(
			/did not finish within 1 minute \(its last state was stalled\) \[item 0\]$/,
		);
	});

	it('comes out though the service does not know it for a moment after its start', async () => {
		behave({ unknownMs: 2_000, durationMs: 1_000 });

		const run = await agents.run('run', { prompt });

		expect(run.status).toBe('success');
		expect(run.output()[0].json).toMatchObject({ jobId: job().id });
	});

	it('is not waited for when it is unknown to Get', async () => {
		const run = await agents.run('get', { jobId: unknownId });

		expect(run.error?.message).toMatch(/^Agent job not found \(HTTP 404\)/);
		expect(agents.requests).toHaveLength(1);
	});

	describe('that ends while the wait does', () => {
		const soon = { maxWait: 0.1 };
		const status = () => `GET /v2/agent/${job().id}`;

		it('comes out when the cancellation finds it ended', async () => {
			// Five polls within the six seconds.
			testBed.service.faults.add({
				method: 'GET',
				kind: 'status',
				status: 200,
				body: { success: true, status: 'processing' },
				count: 5,
			});

			const run = await agents.run('run', { prompt, ...soon });

			expect(run.output()).toMatchObject([
				{ json: { ...(job().result?.data as object), request: { status: 'completed' } } },
			]);
			expect(agents.requests.slice(-2)).toEqual([`DELETE /v2/agent/${job().id}`, status()]);
		});
	});

	describe('at its credit limit', () => {
		const limit = { additionalFields: { maxCredits: 25 } };
		const capped = (creditLimit: Behaviour['creditLimit'], change: Partial<Behaviour> = {}) =>
			behave({ outcome: 'credit_limit_reached', creditLimit, ...change });
		const found = () => job().result?.data as { findings: unknown[] };

		it.each(['failed with partial', 'completed with partial'] as const)(
			'comes out with what it has found, and says how to go on: %s',
			async (creditLimit) => {
				capped(creditLimit);

				const run = await agents.run('run', { prompt, ...limit });

				expect(run.status).toBe('success');
				const { threadId } = job().about;
				const [{ json }] = run.output();
				expect(json).toMatchObject({
					...found(),
					jobId: job().id,
					request: { stopReason: 'credit_limit_reached', threadId, isPartial: true },
				});
				const [{ message }, ...more] = run.hints();
				expect(message).toContain(`partial`);
				expect(message).toContain(`'Thread ID' ${threadId}; or raise 'Max Credits'`);
				expect(more).toEqual([]);
				expect((json.request as IDataObject).notice).toBe(message);
			},
		);

		it.each(['get', 'run'])('is the whole answer when asked for: %s', async (operation) => {
			capped('failed with partial');
			const account = testBed.account();
			const jobId = operation === 'get' ? await agents.started(account, limit) : undefined;
			await agents.time.drive(testBed.service.clock.wait(5_000));

			const run = await agents.run(
				operation,
				{ ...(jobId === undefined ? { prompt, ...limit } : { jobId }), output: 'response' },
				{ account },
			);

			expect(run.output()).toMatchObject([
				{
					json: {
						id: job().id,
						status: 'failed',
						partial: found(),
						stopReason: 'credit_limit_reached',
						threadId: job().about.threadId,
						isPartial: true,
						notice: expect.stringContaining("'Max Credits'"),
					},
				},
			]);
		});

		it('comes out with what it has found in Get and in its thread', async () => {
			capped('failed with partial');
			const account = testBed.account();
			const jobId = await agents.started(account, limit);
			await agents.time.drive(testBed.service.clock.wait(5_000));
			const { threadId } = job().about;

			const got = await agents.run('get', { jobId }, { account });
			const thread = await agents.run('getThread', { threadId }, { account });

			expect(got.output()).toMatchObject([
				{ json: { ...found(), jobId, request: { isPartial: true } } },
			]);
			expect(thread.output()).toMatchObject([
				{ json: { id: jobId, partial: found(), stopReason: 'credit_limit_reached' } },
			]);
		});

		it('is gone on with by another run of its thread', async () => {
			capped('failed with partial');
			const account = testBed.account();
			await agents.run('run', { prompt, ...limit }, { account });
			const { threadId } = job().about;
			behave({ outcome: 'succeeded' });

			const run = await agents.run('run', { prompt, additionalFields: { threadId } }, { account });

			expect(run.output()).toMatchObject([
				{ json: { request: { status: 'completed', threadId, threadTurn: 2 } } },
			]);
		});
	});

	describe('with paid tools', () => {
		const question = 'tide gauge history of Cape Morrow water levels';

		it('that waits for an approval shows it, and approves nothing by itself', async () => {
			const account = testBed.account();

			const run = await agents.run(
				'run',
				{
					prompt: question,
					additionalFields: { mode: 'chat', exchange: { requireApproval: true } },
				},
				{ account },
			);

			expect(run.output()[0].json).toMatchObject({
				request: {
					pendingApproval: { kind: 'calls', calls: expect.any(Array), resolution: null },
					exchange: { paidCalls: 0 },
				},
			});
			expect(agents.bodies).toHaveLength(1);
			expect(job().pendingApproval?.resolution).toBeNull();
		});

		it("is approved or declined by a person's next run", async () => {
			const account = testBed.account();
			const chat = { mode: 'chat', exchange: { requireApproval: true } };
			for (const answer of ['approve', 'decline'] as const) {
				await agents.run('run', { prompt: question, additionalFields: chat }, { account });
				const asked = testBed.service.context.agents.jobs.at(-1);
				const approvalId = asked?.pendingApproval?.id ?? '';
				const { threadId = '' } = asked?.about ?? {};

				const run = await agents.run(
					'run',
					{
						prompt: 'go on',
						additionalFields: { threadId, mode: 'chat', exchange: { [answer]: { approvalId } } },
					},
					{ account },
				);

				expect(run.error?.message).toBeUndefined();
				expect(agents.bodies.at(-1)).toEqual({
					prompt: 'go on',
					threadId,
					mode: 'chat',
					exchange: { [answer]: { approvalId } },
				});
				expect(asked?.pendingApproval?.resolution?.approved).toBe(answer === 'approve');
			}
		});

		it('shows the address of terms that a person must accept, and accepts none', async () => {
			const filings = 'company filings annual report';

			const run = await agents.run('run', {
				prompt: filings,
				additionalFields: { exchange: { toolkits: 'filings', onTermsRequired: 'ask' } },
			});

			const [terms] = job().pendingApproval?.terms ?? [];
			expect(terms.url).toMatch(/^https:/);
			expect(run.output()[0].json).toMatchObject({
				request: {
					pendingApproval: { kind: 'terms', terms: [{ url: terms.url }] },
					exchange: { requiresAction: { type: 'accept_terms' } },
				},
			});
			expect(run.hints().map(({ message }) => message)).toEqual([
				expect.stringContaining(terms.url),
			]);
			expect(agents.requests.filter((request) => !request.includes('/v2/agent'))).toEqual([]);
			expect(testBed.service.context.tools.terms.has('filings')).toBe(true);
		});
	});
});
