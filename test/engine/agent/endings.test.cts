import type { Behaviour } from '../../service/agent/script.cjs';
import { prompt, useAgents } from './agents.cjs';

/** How runs end that do not simply succeed. */
describe('an agent run', () => {
	const agents = useAgents();
	const { bench } = agents;
	const job = () => bench.service.context.agents.jobs[0];
	const behave = (behaviour: Behaviour) => bench.service.context.agents.script.set(behaviour);

	it("that failed is an error with the service's words, the job and its price", async () => {
		behave({ outcome: 'failed', error: 'The browser crashed on page 3' });

		const run = await agents.run('run', { prompt });

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('The browser crashed on page 3');
		expect(run.error?.message).toContain(job().id);
		expect(run.error?.message).toContain('[item 0]');
		expect(run.error?.description).toMatch(/used 0 credits/);
		expect(run.error?.description).toMatch(/Get Trace/);
		expect(bench.service.ledger.entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(0);
	});

	it('that failed stands in its place when the node goes on', async () => {
		const { script } = bench.service.context.agents;
		script.add(
			{ outcome: 'succeeded' },
			{ outcome: 'failed', error: 'No luck' },
			{ outcome: 'succeeded' },
		);

		const run = await agents.run(
			'run',
			{ prompt, options: { requestsInFlight: 1 } },
			{ input: [{}, {}, {}], onError: 'continueErrorOutput' },
		);

		expect(run.status).toBe('success');
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(run.output(undefined, 1)).toMatchObject([
			{ json: { error: expect.stringContaining('No luck') }, pairedItem: { item: 1 } },
		]);
	});

	it('that was refused says so, and what to do', async () => {
		behave({ outcome: 'refused' });

		const run = await agents.run('run', { prompt });

		expect(run.error?.message).toContain('The agent refused this task');
		expect(run.error?.description).toMatch(/Word the prompt differently/);
	});

	it('that somebody cancelled says so', async () => {
		const account = bench.account();
		behave({ durationMs: 3_600_000 });
		const jobId = await agents.started(account);
		await agents.run('cancel', { jobId }, { account });
		await agents.time.drive(bench.service.clock.wait(1000));

		const run = await agents.run('get', { jobId }, { account });

		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/cancelled/);
		expect(run.error?.message).toContain(jobId);
	});

	it('whose state is "cancelled", as older documents have it, ends the wait', async () => {
		bench.service.faults.add({
			method: 'GET',
			kind: 'status',
			status: 200,
			body: { success: true, status: 'cancelled', expiresAt: '2026-12-01T00:00:00Z' },
		});

		const run = await agents.run('run', { prompt });

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('cancelled');
	});

	it('of a state that nobody knows ends the wait, too', async () => {
		bench.service.faults.add({
			method: 'GET',
			kind: 'status',
			status: 200,
			body: { success: true, status: 'paused_for_good', expiresAt: '2026-12-01T00:00:00Z' },
		});

		const run = await agents.run('run', { prompt });

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('paused_for_good');
	});

	describe('at its credit limit', () => {
		const limit = { additionalFields: { maxCredits: 25 } };

		it("is an error with the limit's own message when it has no data", async () => {
			behave({ outcome: 'credit_limit_reached', creditLimit: 'failed' });

			const run = await agents.run('run', { prompt, ...limit });

			expect(run.error?.message).toMatch(/credit limit of 25 credits/);
			expect(run.error?.message).toContain(job().id);
			expect(run.error?.description).toMatch(/Max Credits/);
		});

		it.each(['failed with partial', 'completed with partial'] as const)(
			'keeps its partial data and says that they are partial: %s',
			async (creditLimit) => {
				behave({ outcome: 'credit_limit_reached', creditLimit });

				const run = await agents.run('run', { prompt, ...limit });

				expect(run.status).toBe('success');
				expect(run.output()[0].json).toMatchObject({
					findings: expect.any(Array),
					jobId: job().id,
					request: { partial: true, stopReason: 'credit_limit_reached' },
				});
				expect(
					run
						.hints()
						.map(({ message }) => message)
						.join(),
				).toMatch(/partial/);
			},
		);
	});

	describe('with paid tools', () => {
		const question = 'tide gauge history of Cape Morrow water levels';

		it('that waits for an approval shows it, and approves nothing by itself', async () => {
			const account = bench.account();

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
			const account = bench.account();
			const chat = { mode: 'chat', exchange: { requireApproval: true } };
			for (const answer of ['approve', 'decline'] as const) {
				await agents.run('run', { prompt: question, additionalFields: chat }, { account });
				const asked = bench.service.context.agents.jobs.at(-1);
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
			expect(bench.service.context.agents.terms.gates(job().about.teamId, 'filings')).toBe(true);
		});
	});
});
