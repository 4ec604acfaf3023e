import type { IDataObject } from 'n8n-workflow';
import type { TraceEvent } from '../../mock/agents.cjs';
import { prompt, useAgents } from './agents.cjs';

const unknownId = '00000000-0000-4000-8000-000000000000';

/** What is read of runs that were started before. */
describe('an agent run of earlier', () => {
	const agents = useAgents();
	const { testBed } = agents;
	const stored = () => testBed.service.context.agents;

	it('has the result as Run has it', async () => {
		const account = testBed.account();
		const begun = await agents.run('run', { prompt }, { account });
		const { jobId } = begun.output()[0].json;

		const run = await agents.run('get', { jobId: String(jobId) }, { account });

		const { threadId, threadTurn, ...about } = run.output()[0].json.request as IDataObject;
		expect(begun.output()[0].json.request).toMatchObject(about);
		const [job] = stored().jobs;
		expect(run.output()[0].json).toMatchObject({ ...(job.result?.data as object), jobId });
		expect([threadId, threadTurn]).toEqual([job.about.threadId, 1]);
	});

	it('that goes on is its state', async () => {
		const account = testBed.account();
		stored().script.set({ durationMs: 3_600_000 });
		const jobId = await agents.started(account);

		const run = await agents.run('get', { jobId }, { account });

		expect(run.output()).toMatchObject([
			{ json: { jobId, request: { status: 'processing' } }, pairedItem: { item: 0 } },
		]);
	});

	it('is not cancelled when the service refuses for another reason', async () => {
		const body = { success: false, error: 'Thread is busy' };
		testBed.service.faults.add({ kind: 'status', status: 409, path: '/v2/agent/*', body });

		const run = await agents.run('cancel', { jobId: unknownId });

		expect(run.error?.message).toMatch(/Thread is busy.*409/);
	});

	it.each(['get', 'getTrace', 'getSnapshot'])(
		'that nobody started is an error: %s',
		async (name) => {
			const run = await agents.run(name, { jobId: unknownId, snapshotId: unknownId });

			expect(run.error?.message).toMatch(/Agent job not found.*\[item 0\]/);
			expect(run.error?.description).toMatch(/id.*24 hours/i);
			expect(agents.requests).toHaveLength(1);
		},
	);

	it('has in its trace every event once, in the order of time', async () => {
		const account = testBed.account();
		const jobId = await agents.completed(account);

		const run = await agents.run('getTrace', { jobId }, { account });

		const events = run.output().map(({ json }) => json as unknown as TraceEvent);
		const ids = (list: TraceEvent[]) => list.map(({ eventId }) => eventId).sort();
		expect(ids(events)).toEqual(ids(stored().jobs[0].events));
		const times = events.map(({ occurredAt }) => occurredAt);
		expect(times).toEqual([...times].sort());
		expect(run.output()[0].json).toMatchObject({
			type: 'run.started',
			jobId,
			request: { creditsUsed: stored().jobs[0].creditsUsed },
		});
	});

	it('that failed has a trace whose events are no items that failed', async () => {
		const account = testBed.account();
		stored().script.set({ outcome: 'failed' });
		const jobId = await agents.started(account);
		await agents.time.drive(testBed.service.clock.wait(4000));

		const options = { account, onError: 'continueErrorOutput' } as const;
		const run = await agents.run('getTrace', { jobId }, options);

		expect(run.output(undefined, 1)).toEqual([]);
		expect(run.output()).toHaveLength(stored().jobs[0].events.length);
	});

	it('shows the browsers that are open when asked to', async () => {
		const account = testBed.account();
		const jobId = await agents.started(account);
		const isOpen = () => stored().jobs[0].sessions.length > 0;
		while (!isOpen()) await agents.time.drive(testBed.service.clock.wait(50));
		const parameters = { jobId, additionalFields: { liveView: true } };

		const run = await agents.run('getTrace', parameters, { account });

		expect(testBed.service.log.entries.at(-1)?.query).toEqual({ liveView: 'true' });
		expect(run.output()[0].json).toMatchObject({
			request: { activeBrowserSessions: [{ liveViewUrl: expect.stringContaining('http') }] },
		});
	});

	it.each(['json', 'markdown'])('has the content of its %s artifacts', async (wanted) => {
		const account = testBed.account();
		const jobId = await agents.completed(account);
		const [job] = stored().jobs;
		const artifact = job.events
			.flatMap((event) => (event.type === 'artifact.updated' ? [event.artifact] : []))
			.filter(({ kind }) => kind === wanted)
			.at(-1);
		const snapshotId = artifact?.snapshotId ?? '';

		const run = await agents.run('getSnapshot', { jobId, snapshotId }, { account });

		const content = job.snapshots.get(snapshotId) ?? '';
		expect(content).not.toBe('');
		const snapshot: unknown = wanted === 'json' ? JSON.parse(content) : content;
		expect(run.output().map(({ json }) => json)).toEqual([{ jobId, snapshotId, snapshot }]);
		expect(agents.requests.at(-1)).toBe(`GET /v2/agent/${jobId}/snapshots/${snapshotId}`);
	});
});
