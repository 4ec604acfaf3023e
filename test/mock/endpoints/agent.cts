import { balance, permitThreats } from '../access.cjs';
import { expiresAt, freeRunCredits, isCompleted } from '../agent/agents.cjs';
import type { AgentJob, Task, Thread } from '../agent/job.cjs';
import type { Context } from '../context.cjs';
import { ApiError, badRequest, notFound, paymentRequired } from '../errors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { type AgentRequest, parseAgent } from '../schemas/agent.cjs';
import { isUuid, jobUuid } from '../schemas/fields.cjs';
import { conforms } from '../schemas/jsonSchema.cjs';

const pageSize = 20;

/** Agent runs. */
export function agentEndpoints(context: Context): ApiEndpoint[] {
	return endpoints(
		{ scope: 'agent', rate: 'agentStatus' },
		['POST /v2/agent', (call) => start(context, call), { rate: 'agent' }],
		['DELETE /v2/agent/:id', (call) => cancel(context, call)],
		['GET /v2/agent', (call) => list(context, call)],
		['GET /v2/agent/:id', (call) => ({ body: statusView(startedJobOf(context, call)) })],
		['GET /v2/agent/:id/trace', (call) => trace(context, call)],
		['GET /v2/agent/:id/snapshots/:snapshotId', (call) => snapshot(context, call)],
	);
}

/** The team's run of that id; 400 for what is no UUID, 404 for unknown, foreign and expired ones. */
function jobOf(context: Context, { params, caller }: ApiCall): AgentJob {
	const job = context.agents.find(caller.team.id, jobUuid(params.id));
	if (!job) throw notFound('Agent job not found');
	return job;
}

/** The same for the status, which may lag behind the start. */
function startedJobOf(context: Context, call: ApiCall): AgentJob {
	const job = jobOf(context, call);
	const { startedAt, behaviour } = job.about;
	if (context.clock.now() < startedAt + (behaviour.unknownMs ?? 0)) {
		throw notFound('Agent job not found');
	}
	return job;
}

function cancel(context: Context, call: ApiCall): Answer {
	const job = jobOf(context, call);
	if (job.state === 'cancelling' || job.outcome === 'cancelled') {
		throw new ApiError(409, { error: 'Agent is already cancelled' });
	}
	if (job.finished) throw new ApiError(409, { error: 'Agent already finished' });
	context.agents.cancel(job);
	return { body: { success: true } };
}

/** Newest first. `next` is missing on the last page; its host is the one that the request named. */
function list(context: Context, { query, caller, headers }: ApiCall): Answer {
	if (!context.options.authentication) {
		throw new ApiError(501, { error: 'Listing agents is not supported when self-hosted.' });
	}
	const { before = Number.MAX_SAFE_INTEGER } = query;
	if (!/^\d{1,16}$/.test(String(before))) throw badRequest([], 'Invalid before timestamp.');
	const jobs = context.agents.jobs
		.filter(({ about }) => about.teamId === caller.team.id && about.createdAt < Number(before))
		.reverse();
	const page = jobs.slice(0, pageSize);
	const last = page.at(-1)?.about.createdAt;
	const next = `http://${headers.host}/v2/agent?before=${last}`;
	return {
		body: { success: true, agents: page.map(listView), ...(jobs.length > pageSize && { next }) },
	};
}

/** Errors of these two come from behind the gateway: their bodies have no `success`. */
function spark2(job: AgentJob, what: string): void {
	if (job.about.model === 'spark-2') return;
	const error = `${what} only available for Spark 2 extracts`;
	throw new ApiError(400, { success: undefined, error });
}

function trace(context: Context, call: ApiCall): Answer {
	const job = jobOf(context, call);
	spark2(job, 'Trace is');
	const { id, creditsUsed } = job;
	const liveView = call.query.liveView === 'true';
	const sessions = (job.finished ? [] : job.trace.sessions()).map((sessionId) => ({
		id: sessionId,
		liveViewUrl: `http://${call.headers.host}/_live/${sessionId}`,
		viewport: { width: 1280, height: 800 },
	}));
	return {
		body: {
			success: true,
			id,
			events: job.trace.unordered(),
			creditsUsed,
			...(liveView && { activeBrowserSessions: sessions }),
		},
	};
}

function snapshot(context: Context, call: ApiCall): Answer {
	const job = jobOf(context, call);
	spark2(job, 'Snapshots are');
	const { snapshotId } = call.params;
	if (!isUuid(snapshotId)) {
		throw new ApiError(400, { success: undefined, error: 'Invalid snapshot ID' });
	}
	const content = job.snapshots.get(snapshotId.toLowerCase());
	if (content === undefined) {
		throw new ApiError(404, { success: undefined, error: 'Snapshot not found' });
	}
	return { body: { success: true, id: job.id, snapshotId, snapshot: content } };
}

/** The words of the status; a cancelled run counts as failed. */
function statusWord(job: AgentJob): string {
	if (!job.finished) return job.about.behaviour.runningStatus ?? 'processing';
	return isCompleted(job) ? 'completed' : 'failed';
}

const time = (ms: number): string => new Date(ms).toISOString();

/** What was found before the credit limit, and the message. */
function endView(job: AgentJob) {
	const { outcome, result } = job;
	const { task, behaviour } = job.about;
	const capped = outcome === 'credit_limit_reached' && behaviour.creditLimit !== 'failed';
	const valid = task.schema && conforms(task.schema, result?.data);
	return {
		...(capped && {
			partial: result?.data ?? undefined,
			partialSchemaValid: valid,
			stopReason: 'credit_limit_reached',
		}),
		...(outcome === 'succeeded' && {
			message: result?.message ?? undefined,
			suggestions: task.mode === 'chat' ? result?.suggestions : undefined,
		}),
	};
}

/** Body of `GET /agent/{jobId}`. */
function statusView(job: AgentJob) {
	const { about, finished, error, outcome: code } = job;
	const form = about.behaviour.errorForm;
	const told = form === 'text' || error === undefined ? error : { code, message: error };
	return {
		success: true,
		status: statusWord(job),
		...(isCompleted(job) ? { data: job.result?.data } : { error: told }),
		model: about.model,
		effort: about.task.effort,
		expiresAt: time(expiresAt(job)),
		...(finished && { creditsUsed: job.creditsUsed }),
		threadId: about.threadId,
		threadTurn: about.turn,
		mode: about.task.mode,
		...endView(job),
	};
}

/** An item of `GET /agent`. */
function listView(job: AgentJob) {
	const { id, about } = job;
	const { model, origin, integration, createdAt } = about;
	const { prompt, urls, schema, effort } = about.task;
	return {
		id,
		createdAt: time(createdAt),
		targetHint: urls?.[0] ?? prompt.slice(0, 100),
		origin,
		integration,
		settings: { hidden: false, starred: false },
		status: statusWord(job),
		options: { urls, prompt, schema, model, effort },
	};
}

const minCredits = 20;

/** `POST /agent`: checks the request in the service's order, then starts the run. */
async function start(context: Context, call: ApiCall): Promise<Answer> {
	const { agents } = context;
	const { team } = call.caller;
	const request = parseAgent(call.body);
	if (team.zdrForced) {
		const error = 'Your team has zero data retention enabled. This is not supported on extract.';
		throw badRequest([], error);
	}
	permitThreats(team, request.threatProtection);
	const thread = threadOf(context, team.id, request);
	const task = taskOf(request, thread.runs.at(-1)?.about.task);
	const free = task.maxCredits <= freeRunCredits && agents.hasFreeRun(team.id);
	if (!free && balance(context, call.caller) < minCredits) throw paymentRequired();

	const job = agents.add({
		teamId: team.id,
		task,
		free,
		behaviour: agents.script.take(),
		model: 'spark-2',
		origin: request.origin ?? 'api',
		integration: request.integration,
		webhook: request.webhook,
		requestId: call.entry.id,
		threadId: thread.id,
		turn: thread.runs.length + 1,
	});
	thread.runs.push(job);
	await agents.run(job);
	const { threadId, turn: threadTurn } = job.about;
	return { body: { success: true, id: job.id, threadId, threadTurn } };
}

function threadOf({ agents }: Context, teamId: string, { threadId }: AgentRequest): Thread {
	if (!threadId) return agents.openThread(teamId);
	const thread = agents.thread(teamId, threadId);
	if (thread.running) {
		const error = 'Agent thread already has a run under way';
		throw new ApiError(409, { code: 'thread_busy', error, runId: thread.running.id });
	}
	return thread;
}

function taskOf(request: AgentRequest, earlier: Task | undefined): Task {
	return {
		prompt: request.prompt,
		mode: request.mode ?? earlier?.mode ?? 'extract',
		urls: request.urls ?? earlier?.urls,
		schema: request.schema ?? earlier?.schema,
		strict: request.strictConstrainToURLs ?? earlier?.strict ?? false,
		effort: request.effort,
		maxCredits: request.maxCredits ?? freeRunCredits,
	};
}
