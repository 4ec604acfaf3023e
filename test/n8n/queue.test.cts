import type { INodeParameters } from 'n8n-workflow';
import type { StoredExecution, WorkflowFile } from './editorApi.cjs';
import { chain, nodeUnderTest, RealN8n, type Account, single } from './n8n.cjs';
import type { N8nServer } from './n8nServer.cjs';
import { QueueServers } from './queueServers.cjs';
import { until } from './until.cjs';

/** Executions that a worker works on at once: the fewest that n8n recommends. */
const concurrency = 5;

/** What n8n says of an execution whose worker is gone. */
const processedInVain = /failed to be processed too many times/;

const onError = 'When it fails';

/** A workflow with one node of this package that runs when `/webhook/<path>` is called, and in another way when that fails. */
function whenCalled(path: string, parameters: INodeParameters): WorkflowFile {
	const [failed] = chain('', [
		{ name: onError, type: 'n8n-nodes-base.errorTrigger', parameters: {} },
	]).nodes;
	const { nodes, connections } = chain(path, [
		{
			name: 'When called',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters: { path, httpMethod: 'POST' },
		},
		{ name: nodeUnderTest, parameters },
	]);
	return { name: path, nodes: [...nodes, failed], connections };
}

/** A workflow that gets the results of the team's jobs of a kind, as docs/limits.md advises. */
const rescue = (resource: string, jobId = '') =>
	single(`Get what was lost: ${resource}`, { resource, operation: 'get', jobId });

const agentRun: INodeParameters = {
	resource: 'agent',
	operation: 'run',
	prompt: 'Who writes about tides?',
};

const batchRun: INodeParameters = {
	resource: 'batch',
	operation: 'run',
	urls: 'https://tidewatch.example/guides/spring-tides, https://tidewatch.example/guides/storm-surges',
};

const jobsOf = (execution: StoredExecution) =>
	execution
		.succeeded()
		.output(nodeUnderTest)
		.map(({ json }) => json.jobId);

describe("n8n's queue, with PostgreSQL, Redis, a main process and two workers", () => {
	let servers: QueueServers | undefined;
	let opened: RealN8n | undefined;
	let first: N8nServer;
	let second: N8nServer;
	const real = (): RealN8n => {
		if (!opened) throw new Error('n8n was not opened');
		return opened;
	};

	beforeAll(async () => {
		servers = await QueueServers.start('queue');
		opened = await RealN8n.open('queue', {
			...servers.settings,
			// Shorter than usual, in milliseconds: how long a silent worker keeps its executions.
			QUEUE_WORKER_LOCK_DURATION: '15000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
			QUEUE_WORKER_STALLED_INTERVAL: '1000',
		});
		first = await opened.server.worker('queue-first-worker', concurrency);
		second = await opened.server.worker('queue-second-worker', concurrency);
		await first.start();
	});
	afterAll(async () => {
		await Promise.all([first, second].map(async (worker?: N8nServer) => await worker?.stop()));
		await opened?.close();
		await servers?.remove();
	});

	/** Publishes a workflow and calls it once. */
	const begin = async (path: string, parameters: INodeParameters, { credential }: Account) => {
		const { api, server } = real();
		const workflow = await api.createWorkflow(whenCalled(path, parameters), credential);
		await api.activate(workflow);
		await until(`n8n to take a call of ${path}`, async () => {
			const { ok } = await fetch(`${server.url}/webhook/${path}`, { method: 'POST' });
			return ok || undefined;
		});
		const [execution] = await api.executionIds(workflow, 1);
		return { workflow, execution };
	};

	/** The executions that a worker has taken up, once for each time. */
	const takenBy = ({ said }: N8nServer) =>
		[...said.matchAll(/Worker started execution (\d+) /g)].map(([, id]) => id);

	const starts = (path: string) => real().service.log.of('POST', path);

	/** Resolves when a node has looked at a job since the log had `from` entries. */
	const looked = async (path: string, from = 0) =>
		await until(`a look at a job of ${path}`, () =>
			real()
				.service.log.entries.slice(from)
				.find((entry) => entry.path.startsWith(`${path}/`) && entry.status === 200),
		);

	it('shows what was lost with a worker, starts nothing again, and gets what was paid for', async () => {
		const { api, service } = real();
		const { agents } = service.context;
		const account = await real().account();
		service.clock.hold();
		const polled = await begin('polled-agent', agentRun, account);
		const batch = await begin('polled-batch', batchRun, account);
		await looked('/v2/agent');
		await looked('/v2/batch/scrape');
		expect(takenBy(first)).toEqual([polled.execution, batch.execution]);

		await second.start();
		await first.kill();
		for (const { workflow, execution } of [polled, batch]) {
			const lost = await api.ended(execution);
			expect([lost.status, lost.error?.message]).toEqual([
				'error',
				expect.stringMatching(processedInVain),
			]);
			const [, told] = await api.executionsOf(workflow, 2);
			const [{ json }] = told.succeeded().output(onError);
			expect(json.execution).toMatchObject({ id: execution });
		}

		await service.clock.advance(60_000);
		service.clock.release();
		const runs = agents.jobs.map(({ id }) => id);

		const spent = service.ledger.spent(account.team.id);
		expect(starts('/v2/agent')).toHaveLength(1);
		expect(starts('/v2/batch/scrape')).toHaveLength(1);
		const gotRuns = await real().run(rescue('agent', runs[0]), account);
		expect(jobsOf(gotRuns).sort()).toEqual([...runs].sort());
		const lostBatch = service.context.pageJobs.jobs.find(
			({ about }) => about.kind === 'batch' && about.team.id === account.team.id,
		);
		const gotPages = await real().run(rescue('batch', lostBatch?.id), account);
		expect(jobsOf(gotPages)).toHaveLength(2);
		expect(service.ledger.spent(account.team.id)).toBe(spent);
	});

	it('shows what was lost with all of n8n, and starts nothing again', async () => {
		const { api, server, service } = real();
		const account = await real().account();
		const from = service.log.entries.length;
		const before = starts('/v2/agent').length;
		service.clock.hold();
		const { execution } = await begin('agent-before-the-end', agentRun, account);
		await looked('/v2/agent', from);

		await Promise.all([server.kill(), second.kill()]);
		// In minutes, how often n8n looks for executions that nobody works on: it may take a new one for such.
		const settings = { N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.02' };
		await Promise.all([server.start(settings), first.start()]);
		expect((await api.ended(execution)).status).toBe('crashed');
		service.clock.release();
		expect(starts('/v2/agent')).toHaveLength(before + 1);
		expect(takenBy(first)).not.toContain(execution);
	});
});
