import type { Context } from '../context.cjs';
import type { WebhookEvent } from '../webhooks.cjs';
import { planCancellation } from './cancellation.cjs';
import { Terms, type PendingApproval } from './exchange.cjs';
import { AgentJob, type JobFacts, type Result, type Task } from './job.cjs';
import type { Beat, Ending } from './plan.cjs';
import { defaultBehaviour, Script, type Behaviour } from './script.cjs';
import { Thread } from './threads.cjs';
import type { TraceError } from './trace.cjs';
import { workOut } from './work.cjs';

const day = 86_400_000;
/** Runs that may spend more are never free. */
export const freeRunCredits = 2500;

export interface PastRun {
	teamId: string;
	prompt: string;
	model: string;
	ageMs: number;
	requestId: string;
}

/** Every agent run, and what moves the runs along the service's clock. */
export class Agents {
	readonly script: Script;
	readonly terms = new Terms();
	freeRunsPerDay = 5;
	/** `false`: conversations are out of order. */
	threadsEnabled = true;
	/** Oldest first. */
	readonly jobs: AgentJob[] = [];
	private readonly threads = new Map<string, Thread>();

	/** `behaviour`: how runs go unless told otherwise. */
	constructor(
		private readonly context: () => Context,
		behaviour: Behaviour = {},
	) {
		this.script = new Script(behaviour);
	}

	/** The team's run whose result is still kept. */
	find(teamId: string, id: string): AgentJob | undefined {
		const job = this.jobs.find((each) => each.id === id && each.about.teamId === teamId);
		return job && (!job.finished || this.now < expiresAt(job)) ? job : undefined;
	}

	thread(teamId: string, id: string): Thread | undefined {
		const thread = this.threads.get(id);
		return thread?.teamId === teamId ? thread : undefined;
	}

	openThread(teamId: string): Thread {
		const thread = new Thread(teamId, this.now);
		this.threads.set(thread.id, thread);
		return thread;
	}

	/** Free runs that the team has left today (UTC). A run that failed gives its place back. */
	freeRunsLeft(teamId: string): number {
		const today = Math.floor(this.now / day);
		const used = this.jobs.filter(
			({ about, finished, outcome }) =>
				about.teamId === teamId &&
				about.free &&
				Math.floor(about.createdAt / day) === today &&
				(!finished || outcome === 'succeeded'),
		);
		return Math.max(0, this.freeRunsPerDay - used.length);
	}

	/** Adds a run, later than every run before it. */
	add(facts: Omit<JobFacts, 'startedAt' | 'createdAt'>): AgentJob {
		const last = this.jobs.at(-1)?.about.createdAt ?? 0;
		const startedAt = this.now;
		return this.insert({ ...facts, startedAt, createdAt: Math.max(startedAt, last + 1) });
	}

	/** Adds a run of earlier that ended as it began, with nothing found. */
	addPast({ ageMs, prompt, ...facts }: PastRun): AgentJob {
		const startedAt = this.now - ageMs;
		const task: Task = { prompt, mode: 'extract', strict: false, maxCredits: freeRunCredits };
		const job = this.insert({
			...facts,
			startedAt,
			createdAt: startedAt,
			task,
			behaviour: defaultBehaviour,
			free: false,
			origin: 'api',
		});
		const result: Result = { data: {}, message: null, suggestions: [] };
		return Object.assign(job, {
			state: 'finished',
			outcome: 'succeeded',
			finishedAt: startedAt,
			result,
		});
	}

	private insert(facts: JobFacts): AgentJob {
		const job = new AgentJob(facts);
		const later = this.jobs.findIndex(({ about }) => about.createdAt > facts.createdAt);
		this.jobs.splice(later < 0 ? this.jobs.length : later, 0, job);
		return job;
	}

	/** Works the task out and lets the run go its way. `answered`: the approval that the request answers. */
	async run(job: AgentJob, thread: Thread, answered?: PendingApproval): Promise<void> {
		const { beats, ending, exchange, pending } = await workOut(
			this.context(),
			this.terms,
			job,
			thread,
			answered,
		);
		// Cancelled or forgotten meanwhile.
		if (job.state !== 'queued' || !this.jobs.includes(job)) return;
		job.exchange = exchange;
		job.pendingApproval = pending;
		void this.perform(job, beats, ending);
	}

	/** Asks a run to stop; it ends a little later. Only for runs that are not finished. */
	cancel(job: AgentJob): void {
		job.state = 'cancelling';
		void this.perform(job, planCancellation(job, this.now - job.about.startedAt));
	}

	/** Forgets every run; none goes on. */
	clear(): void {
		for (const job of this.jobs) job.stop();
		this.jobs.length = 0;
		this.threads.clear();
		this.script.clear();
		this.terms.clear();
		this.threadsEnabled = true;
		this.freeRunsPerDay = 5;
	}

	private get now(): number {
		return this.context().clock.now();
	}

	private async perform(job: AgentJob, beats: readonly Beat[], ending?: Ending): Promise<void> {
		const { clock } = this.context();
		const signal = job.begin();
		for (const beat of beats) {
			const left = job.about.startedAt + beat.after - clock.now();
			const stopped = await clock.wait(Math.max(0, left), signal).then(
				() => false,
				() => true,
			);
			if (stopped) return;
			this.happen(job, beat, ending);
		}
	}

	private happen(job: AgentJob, { agent, occurrence, content }: Beat, ending?: Ending): void {
		job.trace.record(this.now, agent, timed(job, this.now, agent.id, occurrence));
		switch (occurrence.type) {
			case 'run.started':
				job.state = 'processing';
				this.tell(job, 'started', true, []);
				break;
			case 'artifact.updated':
				job.snapshots.set(occurrence.artifact.snapshotId, content ?? '');
				break;
			case 'tool_call.started':
				job.creditsUsed = estimate(job, this.now, ending);
				this.tell(job, 'action', true, [
					{
						creditsUsed: job.creditsUsed,
						action: occurrence.toolName,
						input: occurrence.parameters,
					},
				]);
				break;
			case 'run.finished':
				this.finish(job, occurrence.outcome, occurrence.error, ending);
		}
	}

	private finish(
		job: AgentJob,
		outcome: NonNullable<AgentJob['outcome']>,
		error: TraceError | null,
		ending: Ending | undefined,
	): void {
		const { teamId, requestId, behaviour } = job.about;
		const billedPartly =
			outcome === 'credit_limit_reached' && behaviour.creditLimit === 'completed with partial';
		const credits = ending && (outcome === 'succeeded' || billedPartly) ? ending.price : 0;
		Object.assign(job, { state: 'finished', outcome, finishedAt: this.now, creditsUsed: credits });
		job.result = ending?.result;
		job.error = error?.message;
		const { ledger } = this.context();
		ledger.charge({ teamId, requestId, jobId: job.id, endpoint: '/v2/agent', credits });
		if (outcome === 'succeeded' || billedPartly) {
			this.tell(job, 'completed', true, [{ creditsUsed: credits, data: job.result?.data ?? null }]);
		} else {
			const name = outcome === 'cancelled' ? 'cancelled' : 'failed';
			this.tell(job, name, false, [{ creditsUsed: credits }], job.error);
		}
	}

	private tell(job: AgentJob, name: string, success: boolean, data: unknown, error?: string): void {
		const event: WebhookEvent = { type: `agent.${name}`, id: job.id, success, data, error };
		this.context().webhooks.send(job.about.teamId, job.about.webhook, event);
	}
}

/** Results are kept for 24 hours after the end. */
export function expiresAt({ about, finishedAt }: AgentJob): number {
	return (finishedAt ?? about.createdAt) + day;
}

/** What a run has cost so far, of what it will cost. */
function estimate({ about }: AgentJob, now: number, ending: Ending | undefined): number {
	const share = (now - about.startedAt) / about.behaviour.durationMs;
	return Math.floor((ending?.price ?? 0) * Math.min(1, share));
}

/** Fills in how long an agent or a browser session was at work. */
function timed(
	{ trace }: AgentJob,
	now: number,
	agentId: string,
	occurrence: Beat['occurrence'],
): Beat['occurrence'] {
	if (!('durationMs' in occurrence)) return occurrence;
	const open = occurrence.type === 'agent.finished' ? trace.running() : trace.sessions();
	const since = open.find(({ agent }) => agent.id === agentId)?.since ?? now;
	return { ...occurrence, durationMs: now - since };
}
