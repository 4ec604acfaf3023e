import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import type { AgentJob } from '../agents.cjs';
import type { Context } from '../context.cjs';
import { ApiError, notFound } from '../errors.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';
import { jobUuid, optional, parseBody, stamps, url, webhookConfig } from '../schemas/fields.cjs';
import { agentSchema } from '../schemas/jsonSchema.cjs';

const pageSize = 20;

/** Body of `POST /agent`. */
const agentRequest = optional({
	urls: z.array(url),
	schema: agentSchema,
	maxCredits: z.number().positive(),
	strictConstrainToURLs: z.boolean(),
	model: z.enum(['spark-1-pro', 'spark-1-mini', 'spark-2']),
	effort: z.enum(['low', 'medium', 'high']),
	webhook: webhookConfig(['started', 'action', 'completed', 'failed', 'cancelled']),
	threadId: z.uuid(),
	mode: z.enum(['extract', 'chat']),
	...stamps,
}).extend({ prompt: z.string().min(1).max(10_000) });

/** Agent runs. */
export function agentEndpoints(context: Context): Endpoints {
	return {
		'POST /v2/agent': (call) => start(context, call),
		'DELETE /v2/agent/:id': (call) => cancel(context, call),
		'GET /v2/agent': (call) => list(context, call),
		'GET /v2/agent/:id': (call) => status(context, call),
		'GET /v2/agent/:id/trace': (call) => trace(context, call),
		'GET /v2/agent/:id/snapshots/:snapshotId': (call) => snapshot(context, call),
	};
}

/** `POST /agent`: checks the request in the service's order, then starts the run. */
function start({ agents }: Context, call: ApiCall): Answer {
	const { team } = call;
	const request = parseBody(agentRequest, call.body);
	const { threadId = randomUUID(), origin = 'api', integration, webhook, ...asked } = request;
	const thread = agents.thread(team.id, threadId);
	const { mode = 'extract', urls, schema } = { ...thread.at(-1)?.about.task, ...asked };
	const { prompt, effort, maxCredits } = asked;
	const task = { prompt, effort, maxCredits, mode, urls, schema };
	const turn = thread.length + 1;
	const facts = { team, task, origin, integration, webhook, threadId, turn };
	const { id } = agents.start(facts);
	return { body: { success: true, id, threadId, threadTurn: turn } };
}

/** The team's run of that ID; 400 for what is no UUID, 404 for unknown and foreign ones. */
function jobOf(context: Context, { params, team }: ApiCall): AgentJob {
	const job = context.agents.find(jobUuid(params.id));
	if (job?.about.team.id !== team.id) throw notFound('Agent job not found');
	return job;
}

function cancel(context: Context, call: ApiCall): Answer {
	const job = jobOf(context, call);
	if (job.outcome === 'cancelled') {
		throw new ApiError(409, { error: 'Agent is already cancelled' });
	}
	if (job.finished) throw new ApiError(409, { error: 'Agent already finished' });
	context.agents.cancel(job);
	return { body: { success: true } };
}

const time = (ms: number): string => new Date(ms).toISOString();

/** The last runs, newest first. */
function list({ agents }: Context, { team }: ApiCall): Answer {
	const jobs = agents.jobs.filter(({ about }) => about.team.id === team.id);
	return { body: { success: true, agents: jobs.slice(-pageSize).reverse().map(listView) } };
}

/** An item of the list. */
function listView(job: AgentJob) {
	const { id, about, startedAt } = job;
	const { origin, integration, task } = about;
	const { prompt, urls, schema, effort } = task;
	return {
		id,
		createdAt: time(startedAt),
		targetHint: urls?.[0] ?? prompt.slice(0, 100),
		...{ origin, integration },
		status: statusWord(job),
		options: { urls, prompt, schema, model, effort },
	};
}

/** Every run's, whichever its request names. */
const model = 'spark-2';

/** The words of the status; a cancelled run counts as failed. */
function statusWord({ course, finished, outcome }: AgentJob): string {
	if (!finished) return course.runningStatus ?? 'processing';
	return outcome === 'succeeded' ? 'completed' : 'failed';
}

/** What the run has come to so far; at first it may lag behind the start. */
function status(context: Context, call: ApiCall): Answer {
	const job = jobOf(context, call);
	const { about, finished, error, outcome, result, creditsUsed } = job;
	if (!context.agents.isKnown(job)) throw notFound('Agent job not found');
	const stopReason = outcome === 'credit_limit_reached' ? outcome : undefined;
	return {
		body: {
			success: true,
			status: statusWord(job),
			...(outcome === 'succeeded' ? { data: result?.data, message: result?.message } : { error }),
			...(stopReason && { partial: result?.data ?? undefined, stopReason }),
			model,
			effort: about.task.effort,
			expiresAt: time(job.expiresAt),
			...(finished && { creditsUsed }),
			threadId: about.threadId,
			threadTurn: about.turn,
			mode: about.task.mode,
		},
	};
}

/** The events in no order, as several producers write side by side; the same events keep their places. */
function trace(context: Context, call: ApiCall): Answer {
	const job = jobOf(context, call);
	const { id, creditsUsed } = job;
	const events = [...job.events].sort((a, b) => a.eventId.localeCompare(b.eventId));
	return { body: { success: true, id, events, creditsUsed } };
}

function snapshot(context: Context, call: ApiCall): Answer {
	const { id, snapshots } = jobOf(context, call);
	const { snapshotId } = call.params;
	const content = snapshots.get(snapshotId.toLowerCase());
	if (content === undefined) throw notFound('Snapshot not found');
	return { body: { success: true, id, snapshotId, snapshot: content } };
}
