import type { INodeParameters } from 'n8n-workflow';
import type { Behaviour } from '../../mock/agents.cjs';
import { useOperations } from '../operations.cjs';
import type { Account } from '../testBed.cjs';

const minute = 60_000;
const prompt = 'tidal lagoon energy storage';
const agents = useOperations('agent');
const { testBed } = agents;
let account: Account;
beforeEach(() => {
	account = testBed.account();
});

const run = async (operation: string, parameters: INodeParameters, more = {}) =>
	await agents.run(operation, parameters, { account, ...more });
/** The first job of a test. */
const job = () => testBed.service.context.agents.jobs[0];
const behave = (behaviour: Partial<Behaviour>) => testBed.service.context.agents.set(behaviour);

describe('an agent run', () => {
	it('goes on with a thread, whose earlier request it inherits', async () => {
		const schema = '{"type":"object","properties":{"title":{"type":"string"}}}';
		await run('run', { prompt, schemaType: 'schema', schema });
		const { threadId } = job().about;

		const next = await run('run', { prompt: 'storm surge', additionalFields: { threadId } });

		const [, { body }] = testBed.service.log.of('POST', '/v2/agent');
		expect(body).toEqual({ prompt: 'storm surge', threadId, origin: expect.any(String) });
		expect(next.output()[0].json).toMatchObject({
			title: expect.any(String),
			request: { threadId, threadTurn: 2 },
		});
	});

	it('is waited for half an hour unless told otherwise', async () => {
		behave({ durationMs: 29 * minute });
		expect((await run('run', { prompt })).status).toBe('success');
		behave({ durationMs: 31 * minute });
		expect((await run('run', { prompt })).error?.message).toContain('30 minutes');
		behave({ durationMs: 40 * minute });
		expect((await run('run', { prompt, options: { maxWait: 45 } })).status).toBe('success');
	});

	it('at its credit limit comes out with what it has found, and says how to go on', async () => {
		behave({ outcome: 'credit_limit_reached' });

		const ended = await run('run', { prompt, options: { maxCreditsPerExecution: 25 } });
		const jobId = job().id;
		const got = await run('get', { jobId });
		expect(testBed.service.log.of('POST', '/v2/agent')).toMatchObject([
			{ body: { maxCredits: 25 } },
		]);
		const whole = await run('get', { jobId, options: { output: 'raw' } });

		const found = job().result?.data as object;
		const { threadId } = job().about;
		const [{ message }, ...more] = ended.hints();
		expect(message).toMatch(
			new RegExp(
				`partial.*'Thread ID' ${threadId}\\. A higher 'Max Credits per Execution' allows more\\.$`,
			),
		);
		expect(more).toEqual([]);
		const about = { stopReason: 'credit_limit_reached', threadId, isPartial: true };
		expect([ended, got, whole].map((each) => each.output())).toMatchObject([
			[{ json: { ...found, jobId, request: { ...about, notice: message } } }],
			[{ json: { ...found, jobId, request: { isPartial: true } } }],
			[{ json: { id: jobId, status: 'failed', partial: found, ...about, notice: message } }],
		]);
	});
});
