import { balance } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError, badRequest, forbidden, notFound, paymentRequired } from '../errors.cjs';
import type { ApiCall } from '../pipeline.cjs';
import { parseAgent, type AgentRequest } from '../schemas/agent.cjs';
import { scanCredits } from '../threats.cjs';
import { freeRunCredits } from './agents.cjs';
import { inheritExchange, type PendingApproval } from './approvals.cjs';
import type { AgentJob, Task, Thread } from './job.cjs';

/** Below this balance no run starts that has to be paid. */
const leastCredits = 20;

/** `POST /agent`: checks the request in the service's order, then starts the run. */
export async function startAgent(context: Context, call: ApiCall): Promise<AgentJob> {
	const { agents } = context;
	const { team } = call.caller;
	const request = parseAgent(call.body);
	if (team.zdrForced) {
		throw badRequest(
			[],
			'Your team has zero data retention enabled. This is not supported on extract.',
		);
	}
	if (
		request.exchange &&
		request.exchange.enabled !== false &&
		!team.features.includes('alexandria')
	) {
		throw forbidden('Exchange is not enabled for this team.', 'exchange_not_enabled');
	}
	checkThreats(context, call, request);
	const thread = threadOf(context, team.id, request);
	const answered = answeredApproval(thread, request);
	const task = taskOf(request, thread.runs.at(-1)?.about.task);
	const free = task.maxCredits <= freeRunCredits && agents.hasFreeRun(team.id);
	if (!free && balance(context, call.caller) < leastCredits) throw paymentRequired();

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
	if (answered) settle(answered, request, job);
	await agents.run(job, answered);
	return job;
}

/** Every given address is judged, and every scan billed, also when one of them is blocked. */
function checkThreats({ threats }: Context, call: ApiCall, request: AgentRequest): void {
	const { team } = call.caller;
	threats.permit(team, request.threatProtection);
	const verdicts = (request.urls ?? []).map((url) => ({
		host: new URL(url).hostname,
		...threats.judge(team, request.threatProtection, url),
	}));
	const credits = verdicts.filter(({ scanned }) => scanned).length * scanCredits;
	const blocked = verdicts.find((verdict) => verdict.blocked);
	if (blocked) {
		const error = `${blocked.host} was blocked by threat protection`;
		throw new ApiError(403, { code: 'unsafe_domain_blocked', error }, {}, credits);
	}
	if (credits > 0) call.charge(credits);
}

function threadOf({ agents, clock }: Context, teamId: string, { threadId }: AgentRequest): Thread {
	if (!threadId) return agents.openThread(teamId);
	const thread = agents.thread(teamId, threadId);
	if (!thread) throw notFound('Agent thread not found', 'thread_not_found');
	if (thread.expired(clock.now())) {
		throw new ApiError(410, { code: 'thread_expired', error: 'Agent thread expired' });
	}
	if (thread.running) {
		const error = 'Agent thread already has a run under way';
		throw new ApiError(409, { code: 'thread_busy', error, runId: thread.running.id });
	}
	return thread;
}

/** The request's own fields, then those of the turn before. */
function taskOf(request: AgentRequest, earlier: Task | undefined): Task {
	return {
		prompt: request.prompt,
		mode: request.mode ?? earlier?.mode ?? 'extract',
		urls: request.urls ?? earlier?.urls,
		schema: request.schema ?? earlier?.schema,
		strict: request.strictConstrainToURLs ?? earlier?.strict ?? false,
		effort: request.effort,
		maxCredits: request.maxCredits ?? freeRunCredits,
		exchange: inheritExchange(request.exchange, earlier?.exchange),
		threatProtection: request.threatProtection,
	};
}

/** The open approval that the request answers; 400 for an unknown or a settled one. */
function answeredApproval(thread: Thread, { exchange }: AgentRequest): PendingApproval | undefined {
	const name = exchange?.approve ? 'approve' : 'decline';
	const answer = exchange?.approve ?? exchange?.decline;
	if (!answer) return undefined;
	const refuse = (message: string): never => {
		const path = ['exchange', name, 'approvalId'];
		throw badRequest([{ code: 'custom', path, message }], message);
	};
	const pending = thread.runs
		.map(({ pendingApproval }) => pendingApproval)
		.find((each) => each?.id === answer.approvalId);
	if (!pending) return refuse('No such approval in this thread');
	return pending.resolution ? refuse('This approval was answered before') : pending;
}

/** `callIds` (all by default) and `always` mean nothing for terms offers. */
function settle(pending: PendingApproval, { exchange }: AgentRequest, { id }: AgentJob): void {
	const { callIds, always = false } = exchange?.approve ?? {};
	const approved = exchange?.approve !== undefined;
	const ids = pending.calls.map((call) => call.id);
	pending.resolution = {
		approved,
		callIds: approved ? ids.filter((each) => callIds?.includes(each) ?? true) : [],
		always: pending.kind === 'calls' && always,
		byRunId: id,
	};
}
