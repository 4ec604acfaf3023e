import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock-server/faults.cjs';
import { keys } from '../../mock-server/teams.cjs';
import { prompt, unknownId, useAgents } from './agents.cjs';

/** The spec's own messages, each with what to do about it. */
describe('an agent operation that is refused', () => {
	const agents = useAgents();
	const { testBed } = agents;

	const given = (name: keyof typeof keys) => ({
		account: { credentials: { webDataApi: { baseUrl: testBed.service.url, apiKey: keys[name] } } },
	});
	const refused = (status: number, error: string, code?: string): FaultInput => ({
		kind: 'status',
		status,
		error,
		code,
		path: '/v2/agent*',
		count: 100,
	});

	it.each<[string, string, INodeParameters]>([
		['get', 'Agent job not found', { jobId: unknownId }],
		['cancel', 'Agent job not found', { jobId: unknownId }],
		['getTrace', 'Agent job not found', { jobId: unknownId }],
		['getSnapshot', 'Agent job not found', { jobId: unknownId, snapshotId: unknownId }],
		['getThread', 'Agent thread not found', { threadId: unknownId }],
	])('says that nothing has the id: %s', async (operation, words, parameters) => {
		const run = await agents.run(operation, parameters);

		expect(run.error?.message).toContain(words);
		expect(run.error?.message).toContain('[item 0]');
		expect(run.error).toMatchObject({ httpCode: '404' });
		expect(run.error?.description).toMatch(/id.*24 hours/i);
	});

	it('says so of a run of another team, and of one older than a day', async () => {
		const account = testBed.account();
		const jobId = await agents.completed(account);

		expect((await agents.run('get', { jobId })).error?.message).toContain('Agent job not found');
		await agents.time.drive(testBed.service.clock.wait(86_400_000));
		const late = await agents.run('get', { jobId }, { account });
		expect(late.error?.message).toContain('Agent job not found');
	});

	it("says that a snapshot is not one of the run's", async () => {
		const account = testBed.account();
		const jobId = await agents.completed(account);

		const run = await agents.run('getSnapshot', { jobId, snapshotId: unknownId }, { account });

		expect(run.error?.message).toMatch(/Snapshot not found.*404/);
		expect(run.error?.description).toMatch(/trace/i);
	});

	it.each<[string, RegExp]>([
		['getTrace', /Trace is only available for Spark 2 extracts/],
		['getSnapshot', /Snapshots are only available for Spark 2 extracts/],
	])('says that the run is too old: %s', async (operation, words) => {
		const account = testBed.account();
		const { id: jobId } = testBed.service.context.agents.addPast({
			teamId: account.team.id,
			prompt,
			model: 'spark-1-pro',
			ageMs: 1000,
			requestId: 'past',
		});

		const run = await agents.run(operation, { jobId, snapshotId: unknownId }, { account });

		expect(run.error?.message).toMatch(words);
		expect(run.error).toMatchObject({ httpCode: '400' });
		expect(run.error?.description).toMatch(/older|new run|start/i);
		expect(run.error?.description).not.toMatch(/Correct the field/);
	});

	it('says that teams without data retention have no agent', async () => {
		const run = await agents.run('run', { prompt }, given('zdr'));

		expect(run.error?.message).toMatch(/zero data retention/);
		expect(run.error?.description).toMatch(/team/i);
		expect(run.error?.description).not.toMatch(/Correct the field/);
		expect(agents.bodies).toHaveLength(1);
	});

	it('says that a schema is none which only the service sees through', async () => {
		const run = await agents.run('run', {
			prompt,
			schemaType: 'schema',
			schema: '{"$ref": "#/$defs/none"}',
		});

		expect(run.error?.message).toMatch(/Invalid JSON schema/);
		expect(run.error?.message).toContain('Schema');
		expect(agents.bodies).toHaveLength(1);
	});

	it('says that paid tools are not enabled', async () => {
		const run = await agents.run(
			'run',
			{ prompt, additionalFields: { exchange: { enabled: true } } },
			given('plain'),
		);

		expect(run.error?.message).toMatch(/Exchange is not enabled.*exchange_not_enabled/);
		expect(run.error?.description).toMatch(/right|plan/);
	});

	it.each<[string, number, string, string, RegExp]>([
		['a thread that is gone', 410, 'Agent thread expired', 'thread_expired', /new/],
		['a thread that is unknown', 404, 'Agent thread not found', 'thread_not_found', /thread/i],
		[
			'a thread at work',
			409,
			'Agent thread already has a run under way',
			'thread_busy',
			/wait|finish|run/i,
		],
		[
			'an address that is blocked',
			403,
			'phish.example was blocked',
			'unsafe_domain_blocked',
			/Whitelist/,
		],
		['a plan that is used up', 402, 'Insufficient credits', '', /credits/],
		['a key without the right', 403, 'Forbidden', '', /scopes|right/],
		['a key that is wrong', 401, 'Unauthorized: Invalid token', '', /API Key/],
	])('says so of %s', async (_name, status, error, code, advice) => {
		testBed.service.faults.add(refused(status, error, code || undefined));

		const run = await agents.run('run', { prompt, additionalFields: { threadId: unknownId } });

		expect(run.error?.message).toContain(error);
		expect(run.error?.message).toContain(code);
		expect(run.error?.description).toMatch(advice);
		expect(run.error).toMatchObject({ httpCode: String(status) });
		expect(agents.bodies).toHaveLength(1);
	});

	it('names the run that keeps a thread busy', async () => {
		testBed.service.faults.add({
			path: '/v2/agent',
			kind: 'status',
			status: 409,
			body: {
				success: false,
				error: 'Agent thread already has a run under way',
				code: 'thread_busy',
				runId: unknownId,
			},
		});

		const run = await agents.run('run', { prompt, additionalFields: { threadId: unknownId } });

		expect(`${run.error?.message} ${run.error?.description}`).toContain(unknownId);
	});
});
