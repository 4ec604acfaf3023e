import type { IDataObject } from 'n8n-workflow';

import type { TraceEvent } from '../../mock/agent/job.cjs';
import { prompt, useAgents } from './agents.cjs';

/** What is read of runs that were started before. */
describe('an agent run of earlier', () => {
	const agents = useAgents();
	const { testBed } = agents;
	const stored = () => testBed.service.context.agents;

	describe('get', () => {
		it('gives the result of a finished run as Run does', async () => {
			const account = testBed.account();
			const first = await agents.run('run', { prompt }, { account });
			const { jobId } = first.output()[0].json;

			const run = await agents.run('get', { jobId: String(jobId) }, { account });

			const { threadId, threadTurn, ...about } = run.output()[0].json.request as IDataObject;
			expect(first.output()[0].json.request).toMatchObject(about);
			expect(run.output()[0].json).toMatchObject({
				...(stored().jobs[0].result?.data as object),
				jobId,
			});
			expect([threadId, threadTurn]).toEqual([stored().jobs[0].about.threadId, 1]);
		});

		it('gives the state of one that goes on', async () => {
			const account = testBed.account();
			stored().script.set({ durationMs: 3_600_000 });
			const jobId = await agents.started(account);

			const run = await agents.run('get', { jobId }, { account });

			expect(run.output()).toMatchObject([
				{ json: { jobId, request: { status: 'processing' } }, pairedItem: { item: 0 } },
			]);
		});
	});

	describe('cancel', () => {
		it('is not done when the service refuses for another reason', async () => {
			const account = testBed.account();
			const jobId = await agents.completed(account);
			const body = { success: false, error: 'Thread is busy' };
			testBed.service.faults.add({ kind: 'status', status: 409, path: '/v2/agent/*', body });

			const run = await agents.run('cancel', { jobId }, { account });

			expect(run.error?.message).toMatch(/Thread is busy.*409/);
		});
	});

	describe('getTrace', () => {
		const eventsOf = (jobId: string) =>
			stored()
				.jobs.find(({ id }) => id === jobId)
				?.trace.unordered() ?? [];

		it('gives every event once, in the order of time', async () => {
			const account = testBed.account();
			const jobId = await agents.completed(account);

			const run = await agents.run('getTrace', { jobId }, { account });

			const events = run.output().map(({ json }) => json as unknown as TraceEvent);
			const service = eventsOf(jobId);
			expect(new Set(events.map(({ eventId }) => eventId))).toEqual(
				new Set(service.map(({ eventId }) => eventId)),
			);
			expect(events).toHaveLength(service.length);
			const times = events.map(({ occurredAt }) => occurredAt);
			expect(times).toEqual([...times].sort());
			expect(run.output()[0].json).toMatchObject({
				type: 'run.started',
				jobId,
				request: { creditsUsed: stored().jobs[0].creditsUsed },
			});
			expect(testBed.service.log.entries.at(-1)?.query).toEqual({});
		});

		it('does not take an event for an item that failed', async () => {
			const account = testBed.account();
			stored().script.set({ outcome: 'failed' });
			const jobId = await agents.started(account);
			await agents.time.drive(testBed.service.clock.wait(4000));

			const run = await agents.run(
				'getTrace',
				{ jobId },
				{ account, onError: 'continueErrorOutput' },
			);

			expect(run.output(undefined, 1)).toEqual([]);
			expect(run.output()).toHaveLength(eventsOf(jobId).length);
		});

		it('shows the browsers that are open when asked to', async () => {
			const account = testBed.account();
			const jobId = await agents.started(account);
			const { time } = agents;
			const open = () => stored().jobs[0].trace.sessions().length > 0;
			while (!open()) await time.drive(testBed.service.clock.wait(50));

			const run = await agents.run(
				'getTrace',
				{ jobId, additionalFields: { liveView: true } },
				{ account },
			);

			expect(testBed.service.log.entries.at(-1)?.query).toEqual({ liveView: 'true' });
			expect(run.output()[0].json).toMatchObject({
				request: { activeBrowserSessions: [{ liveViewUrl: expect.stringContaining('http') }] },
			});
		});
	});

	describe('getSnapshot', () => {
		it.each(['json', 'markdown'])('gives the content of a %s artifact', async (wanted) => {
			const account = testBed.account();
			const jobId = await agents.completed(account);
			const [job] = stored().jobs;
			const event = job.trace
				.unordered()
				.flatMap((each) => (each.type === 'artifact.updated' ? [each.artifact] : []))
				.find(
					({ kind, change }) =>
						(kind === wanted && change !== 'init') || (kind === wanted && kind === 'markdown'),
				);
			const snapshotId = event?.snapshotId ?? '';

			const run = await agents.run('getSnapshot', { jobId, snapshotId }, { account });

			const content = job.snapshots.get(snapshotId) ?? '';
			expect(content).not.toBe('');
			expect(run.output()).toMatchObject([
				{
					json: { jobId, snapshotId, snapshot: wanted === 'json' ? JSON.parse(content) : content },
					pairedItem: { item: 0 },
				},
			]);
			expect(agents.requests.at(-1)).toBe(`GET /v2/agent/${jobId}/snapshots/${snapshotId}`);
		});
	});
});
