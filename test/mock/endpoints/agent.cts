import { randomUUID } from 'node:crypto';

import { balance, permitThreats } from '../access.cjs';
import { freeRunCredits } from '../agent/agents.cjs';
import type { AgentJob, Task } from '../agent/job.cjs';
import type { Context } from '../context.cjs';
import { ApiError, badRequest, notFound, paymentRequired } from '../errors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { type AgentRequest, parseAgent } from '../schemas/jobs.cjs';
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
	const { unknownMs = 0 } = job.about.behaviour;
	if (context.clock.now() >= job.startedAt + unknownMs) return job;
	throw notFound('Agent job not found');
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
	const { before = Number.MAX_SAFE_INTEGER } = query;
	if (!/^\d{1,16}$/.test(String(before))) throw badRequest([], 'Invalid before timestamp.');
	const jobs = context.agents.jobs
		.filter(({ about, createdAt }) => about.teamId === caller.team.id && createdAt < Number(before))
		.reverse();
	const page = jobs.slice(0, pageSize);
	const last = page.at(-1)?.createdAt;
	const next = `http://${headers.host}/v2/agent?before=${last}`;
	return {
		body: { success: true, agents: page.map(listView), ...(jobs.length > pageSize && { next }) },
	};
}

function trace(context: Context, call: ApiCall): Answer {
	const job = jobOf(context, call);
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

/** Its errors come from behind the gateway: their bodies have no `success`. */
function snapshot(context: Context, call: ApiCall): Answer {
	const job = jobOf(context, call);
	const { snapshotId } = call.params;
	const content = job.snapshots.get(snapshotId.toLowerCase());
	if (content !== undefined) {
		return { body: { success: true, id: job.id, snapshotId, snapshot: content } };
	}
	const [status, error] = isUuid(snapshotId)
		? [404, 'Snapshot not found']
		: [400, 'Invalid snapshot ID'];
	throw new ApiError(status, { success: undefined, error });
}

/** The words of the status; a cancelled run counts as failed. */
function statusWord({ about, finished, outcome }: AgentJob): string {
	if (!finished) return about.behaviour.runningStatus ?? 'processing';
	return outcome === 'succeeded' ? 'completed' : 'failed';
}

const time = (ms: number): string => new Date(ms).toISOString();

/** What was found before the credit limit, and the message. */
function endView({ outcome, result, about: { task } }: AgentJob) {
	if (outcome === 'credit_limit_reached') {
		return {
			partial: result?.data ?? undefined,
			partialSchemaValid: task.schema && conforms(task.schema, result?.data),
			stopReason: 'credit_limit_reached',
		};
	}
	return { message: result?.message };
}

/** Body of `GET /agent/{jobId}`. */
function statusView(job: AgentJob) {
	const { about, finished, error, outcome } = job;
	return {
		success: true,
		status: statusWord(job),
		...(outcome === 'succeeded' ? { data: job.result?.data } : { error }),
		model,
		effort: about.task.effort,
		expiresAt: time(job.expiresAt),
		...(finished && { creditsUsed: job.creditsUsed }),
		threadId: about.threadId,
		threadTurn: about.turn,
		mode: about.task.mode,
		...endView(job),
	};
}

/** An item of `GET /agent`. */
function listView(job: AgentJob) {
	const { id, about, createdAt } = job;
	const { origin, integration, task } = about;
	const { prompt, urls, schema, effort } = task;
	return {
		id,
		createdAt: time(createdAt),
		targetHint: urls?.[0] ?? prompt.slice(0, 100),
		...{ origin, integration },
		status: statusWord(job),
		options: { urls, prompt, schema, model, effort },
	};
}

/** Every run's, whichever its request names. */
const model = 'spark-2';
const minCredits = 20;

/** `POST /agent`: checks the request in the service's order, then starts the run. */
async function start(context: Context, call: ApiCall): Promise<Answer> {
	const { agents } = context;
	const { team } = call.caller;
	const request = parseAgent(call.body);
	const { threadId = randomUUID(), origin = 'api', integration, webhook } = request;
	if (team.zdrForced) {
		const error = 'Your team has zero data retention enabled. This is not supported on extract.';
		throw badRequest([], error);
	}
	permitThreats(team, request.threatProtection);
	const earlier = agents.thread(team.id, threadId);
	if (request.threadId && earlier.length === 0) {
		throw notFound('Agent thread not found', 'thread_not_found');
	}
	const running = earlier.find(({ finished }) => !finished);
	if (running) {
		const error = 'Agent thread already has a run under way';
		throw new ApiError(409, { code: 'thread_busy', error, runId: running.id });
	}
	const task = taskOf(request, earlier.at(-1)?.about.task);
	const free = task.maxCredits <= freeRunCredits && agents.hasFreeRun(team.id);
	if (!free && balance(context, call.caller) < minCredits) throw paymentRequired();

	const turn = earlier.length + 1;
	const { id } = await agents.start({
		...{ teamId: team.id, task, free, behaviour: agents.script.take() },
		...{ origin, integration, webhook, threadId, turn, requestId: call.entry.id },
	});
	return { body: { success: true, id, threadId, threadTurn: turn } };
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
