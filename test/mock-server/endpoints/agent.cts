import { startAgent } from '../agent/start.cjs';
import { listView, statusView, threadView } from '../agent/views.cjs';
import type { AgentJob } from '../agent/job.cjs';
import type { Context } from '../context.cjs';
import { ApiError, badRequest, notFound } from '../errors.cjs';
import { endpoints, type Answer, type ApiCall, type ApiEndpoint } from '../pipeline.cjs';
import { isUuid, pathUuid } from '../schemas/fields.cjs';

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
		['GET /v2/agent/threads/:threadId', (call) => thread(context, call)],
	);
}

async function start(context: Context, call: ApiCall): Promise<Answer> {
	const { id, about } = await startAgent(context, call);
	const { threadId, turn } = about;
	return { body: { success: true, id, ...(threadId && { threadId, threadTurn: turn }) } };
}

/** The team's run of that id; 400 for what is no UUID, 404 for unknown, foreign and expired ones. */
function jobOf(context: Context, { params, caller }: ApiCall): AgentJob {
	const job = context.agents.find(caller.team.id, pathUuid(params.id));
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
	const before = query.before === undefined ? Infinity : timestamp(query.before);
	const jobs = context.agents.jobs
		.filter(({ about }) => about.teamId === caller.team.id && about.createdAt < before)
		.reverse();
	const page = jobs.slice(0, pageSize);
	const last = page.at(-1)?.about.createdAt;
	const next = `http://${headers.host}/v2/agent?before=${last}`;
	return {
		body: { success: true, agents: page.map(listView), ...(jobs.length > pageSize && { next }) },
	};
}

function timestamp(value: unknown): number {
	if (typeof value === 'string' && /^\d{1,16}$/.test(value)) return Number(value);
	throw badRequest(
		[{ code: 'custom', path: ['before'], message: 'Unix time in milliseconds' }],
		'Invalid before timestamp.',
	);
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

function thread(context: Context, { params, query, caller }: ApiCall): Answer {
	const { agents, clock } = context;
	const found = isUuid(params.threadId) && agents.thread(caller.team.id, params.threadId);
	if (!found) throw notFound('Agent thread not found', 'thread_not_found');
	if (found.expired(clock.now())) {
		throw new ApiError(410, { code: 'thread_expired', error: 'Agent thread expired' });
	}
	return { body: { success: true, thread: threadView(found, query.includeData === 'true') } };
}
