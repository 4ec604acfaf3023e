import type { IDataObject } from 'n8n-workflow';
import type { Behaviour } from '../../mock/agent/job.cjs';
import { prompt, useAgents } from './agents.cjs';

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

	describe('at its credit limit', () => {
		const limit = { additionalFields: { maxCredits: 25 } };
		const capped = () => behave({ outcome: 'credit_limit_reached' });
		const found = () => job().result?.data as { findings: unknown[] };

		it('comes out with what it has found, and says how to go on', async () => {
			capped();

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
			expect(message).toContain(`'Thread ID' ${threadId}. A higher 'Max Credits' allows more.`);
			expect(more).toEqual([]);
			expect((json.request as IDataObject).notice).toBe(message);
		});

		it('comes out with what it has found in Get, as items and whole', async () => {
			capped();
			const account = testBed.account();
			const jobId = await agents.started(account, limit);
			await agents.time.drive(testBed.service.clock.wait(5_000));
			const { threadId } = job().about;

			const got = await agents.run('get', { jobId }, { account });
			const whole = await agents.run('get', { jobId, options: { output: 'raw' } }, { account });

			const about = { stopReason: 'credit_limit_reached', threadId, isPartial: true };
			const notice = expect.stringContaining("'Max Credits'");
			expect(got.output()).toMatchObject([
				{ json: { ...found(), jobId, request: { isPartial: true } } },
			]);
			expect(whole.output()).toMatchObject([
				{ json: { id: jobId, status: 'failed', partial: found(), ...about, notice } },
			]);
		});
	});
});
