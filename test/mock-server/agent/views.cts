import { conforms } from '../schemas/jsonSchema.cjs';
import { expiresAt, isCompleted } from './agents.cjs';
import type { AgentJob, Thread } from './job.cjs';

type Json = Record<string, unknown>;

/** Leaves out what is undefined, so that an absent field is absent in process too. */
function present(fields: Json): Json {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The words of the status; a cancelled run counts as failed. */
function statusWord(job: AgentJob): string {
	if (!job.finished) return job.about.behaviour.runningStatus ?? 'processing';
	return isCompleted(job) ? 'completed' : 'failed';
}

/** What was found before the credit limit. */
function stopView({ about: { task }, result }: AgentJob): Json {
	return present({
		partial: result?.data ?? undefined,
		partialSchemaValid: task.schema ? conforms(task.schema, result?.data) : undefined,
		stopReason: 'credit_limit_reached',
	});
}

function errorOf({ about: { behaviour }, outcome, error }: AgentJob): unknown {
	if (behaviour.errorForm === 'text' || error === undefined) return error;
	return { code: outcome, message: error };
}

/** Body of `GET /agent/{jobId}`. */
export function statusView(job: AgentJob): Json {
	const { about, finished, outcome, result } = job;
	const { task, behaviour } = about;
	const succeeded = outcome === 'succeeded';
	const capped = outcome === 'credit_limit_reached' && behaviour.creditLimit !== 'failed';
	return present({
		success: true,
		status: statusWord(job),
		data: isCompleted(job) ? result?.data : undefined,
		error: isCompleted(job) ? undefined : errorOf(job),
		model: about.model,
		effort: task.effort,
		expiresAt: new Date(expiresAt(job)).toISOString(),
		creditsUsed: finished ? job.creditsUsed : undefined,
		...(capped && stopView(job)),
		threadId: about.threadId,
		threadTurn: about.turn,
		mode: task.mode,
		message: succeeded ? (result?.message ?? undefined) : undefined,
		suggestions: succeeded && task.mode === 'chat' ? result?.suggestions : undefined,
		pendingApproval: finished ? job.pendingApproval : undefined,
		exchange: finished ? job.exchange : undefined,
	});
}

/** An item of `GET /agent`. */
export function listView(job: AgentJob): Json {
	const { about, id } = job;
	const { prompt, urls, schema, effort } = about.task;
	return present({
		id,
		createdAt: new Date(about.createdAt).toISOString(),
		targetHint: urls?.[0] ?? prompt.slice(0, 100),
		origin: about.origin,
		integration: about.integration,
		settings: { hidden: false, starred: false },
		status: statusWord(job),
		options: present({ urls, prompt, schema, model: about.model, effort }),
	});
}

/** `thread` of `GET /agent/threads/{threadId}`. */
export function threadView(thread: Thread, includeData: boolean): Json {
	return {
		id: thread.id,
		createdAt: new Date(thread.createdAt).toISOString(),
		updatedAt: new Date(thread.updatedAt).toISOString(),
		status: thread.running ? 'running' : 'idle',
		runs: thread.runs.map((job) => runView(job, includeData)),
	};
}

/** A turn: its status words are those of the trace, not those of the job. */
function runView(job: AgentJob, includeData: boolean): Json {
	const { about, outcome, result, finished } = job;
	const { mode, prompt, urls, schema, effort } = about.task;
	const succeeded = outcome === 'succeeded';
	return present({
		id: job.id,
		turn: about.turn,
		mode,
		prompt,
		urls,
		schema,
		effort,
		status: finished ? outcome : 'processing',
		createdAt: new Date(about.createdAt).toISOString(),
		finishedAt: job.finishedAt === undefined ? null : new Date(job.finishedAt).toISOString(),
		creditsUsed: finished ? job.creditsUsed : null,
		message: succeeded ? (result?.message ?? null) : null,
		data: includeData && succeeded ? result?.data : undefined,
		...(outcome === 'credit_limit_reached' &&
			about.behaviour.creditLimit !== 'failed' &&
			stopView(job)),
		suggestions: succeeded && mode === 'chat' ? result?.suggestions : undefined,
		pendingApproval: finished ? (job.pendingApproval ?? null) : null,
		exchange: finished ? job.exchange : undefined,
	});
}
