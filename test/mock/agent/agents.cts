import type { Context } from '../context.cjs';
import { ApiError, notFound } from '../errors.cjs';
import { Script } from '../script.cjs';
import type { WebhookEvent } from '../webhooks.cjs';
import {
	AgentJob,
	type Behaviour,
	defaultBehaviour,
	type JobFacts,
	keptMs,
	type Step,
	Thread,
} from './job.cjs';
import { errorOf, told, workOut, type Ending, type TraceError } from './work.cjs';

const day = 86_400_000;
export const freeRunCredits = 2500;
const freeRunsPerDay = 5;
const cancelMs = 500;

/** Every agent run, and what moves the runs along the service's clock. */
export class Agents {
	readonly script: Script<Behaviour>;
	readonly jobs: AgentJob[] = [];
	private readonly threads = new Map<string, Thread>();

	constructor(
		private readonly context: Context,
		behaviour: Partial<Behaviour> = {},
	) {
		this.script = new Script({ ...defaultBehaviour, ...behaviour });
	}

	/** The team's run whose result is still kept. */
	find(teamId: string, id: string): AgentJob | undefined {
		const job = this.jobs.find((each) => each.id === id && each.about.teamId === teamId);
		return job && (!job.finished || this.now < expiresAt(job)) ? job : undefined;
	}

	/** The team's thread; throws 404 for none and 410 for one whose results are gone. */
	thread(teamId: string, id: string): Thread {
		const thread = this.threads.get(id);
		if (thread?.teamId !== teamId) throw notFound('Agent thread not found', 'thread_not_found');
		if (thread.running || this.now < thread.updatedAt + keptMs) return thread;
		throw new ApiError(410, { code: 'thread_expired', error: 'Agent thread expired' });
	}

	openThread(teamId: string): Thread {
		const thread = new Thread(teamId, this.now);
		this.threads.set(thread.id, thread);
		return thread;
	}

	/** Whether the team has a free run left today. A run that failed gives its place back. */
	hasFreeRun(teamId: string): boolean {
		const today = Math.floor(this.now / day);
		const used = this.jobs.filter(
			({ about, finished, outcome }) =>
				about.teamId === teamId &&
				about.free &&
				Math.floor(about.createdAt / day) === today &&
				(!finished || outcome === 'succeeded'),
		);
		return used.length < freeRunsPerDay;
	}

	/** Adds a run, later than every run before it. */
	add(facts: Omit<JobFacts, 'startedAt' | 'createdAt'>): AgentJob {
		const last = this.jobs.at(-1)?.about.createdAt ?? 0;
		const startedAt = this.now;
		return this.insert({ ...facts, startedAt, createdAt: Math.max(startedAt, last + 1) });
	}

	private insert(facts: JobFacts): AgentJob {
		const job = new AgentJob(facts);
		const later = this.jobs.findIndex(({ about }) => about.createdAt > facts.createdAt);
		this.jobs.splice(later < 0 ? this.jobs.length : later, 0, job);
		return job;
	}

	/** Works the task out and lets the run go its way. */
	async run(job: AgentJob): Promise<void> {
		const { behaviour } = job.about;
		const { steps, ending } = await workOut(this.context, job);
		// Cancelled or forgotten meanwhile.
		if (job.state !== 'queued' || !this.jobs.includes(job)) return;
		const { durationMs, queueMs = Math.round(durationMs / 10) } = behaviour;
		const from = Math.min(queueMs, durationMs);
		const stepMs = (durationMs - from) / (steps.length - 1);
		const after = (place: number): number => Math.round(from + stepMs * place);
		void this.perform(job, steps, after, ending);
	}

	/** Asks a run to stop; it ends a little later. Only for runs that are not finished. */
	cancel(job: AgentJob): void {
		job.state = 'cancelling';
		const outcome = 'cancelled';
		const error = errorOf(job.about, outcome) ?? null;
		const steps = told('cancel', { outcome, error });
		const asked = this.now - job.about.startedAt;
		void this.perform(job, steps, (place) => asked + place * cancelMs);
	}

	clear(): void {
		for (const job of this.jobs) job.stop();
		this.jobs.length = 0;
		this.threads.clear();
		this.script.clear();
	}

	private get now(): number {
		return this.context.clock.now();
	}

	/** `after`: how long after the request the step at a place comes. */
	private async perform(
		job: AgentJob,
		steps: readonly Step[],
		after: (place: number) => number,
		ending?: Ending,
	): Promise<void> {
		const { clock } = this.context;
		const signal = job.begin();
		for (const [place, step] of steps.entries()) {
			const left = job.about.startedAt + after(place) - clock.now();
			await clock.wait(Math.max(0, left), signal).catch(() => undefined);
			if (signal.aborted) return;
			this.happen(job, step, ending);
		}
	}

	private happen(job: AgentJob, step: Step, ending?: Ending): void {
		const { occurrence, content } = step;
		job.trace.record(this.now, step);
		switch (occurrence.type) {
			case 'run.started':
				job.state = 'processing';
				this.tell(job, 'started', true, []);
				break;
			case 'artifact.updated':
				job.snapshots.set(occurrence.artifact.snapshotId, content ?? '');
				break;
			case 'tool_call.started': {
				const { toolName: action, parameters: input } = occurrence;
				this.tell(job, 'action', true, [{ creditsUsed: job.creditsUsed, action, input }]);
				break;
			}
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
		const { teamId, requestId } = job.about;
		Object.assign(job, { state: 'finished', outcome, finishedAt: this.now });
		const completed = isCompleted(job);
		const credits = completed && ending ? ending.price : 0;
		Object.assign(job, { creditsUsed: credits, result: ending?.result, error: error?.message });
		const { ledger } = this.context;
		ledger.charge({ teamId, requestId, jobId: job.id, endpoint: '/v2/agent', credits });
		const name = completed ? 'completed' : outcome === 'cancelled' ? 'cancelled' : 'failed';
		const data = completed && { data: job.result?.data ?? null };
		const why = completed ? undefined : job.error;
		this.tell(job, name, completed, [{ creditsUsed: credits, ...data }], why);
	}

	private tell(job: AgentJob, name: string, success: boolean, data: unknown, error?: string): void {
		const event: WebhookEvent = { type: `agent.${name}`, id: job.id, success, data, error };
		this.context.webhooks.send(job.about.teamId, job.about.webhook, event);
	}
}

/** Whether a run that has ended counts as completed, and is billed. */
export function isCompleted({ outcome, about: { behaviour } }: AgentJob): boolean {
	if (outcome !== 'credit_limit_reached') return outcome === 'succeeded';
	return behaviour.creditLimit === 'completed with partial';
}

/** Results are kept for 24 hours after the end. */
export function expiresAt({ about, finishedAt }: AgentJob): number {
	return (finishedAt ?? about.createdAt) + keptMs;
}
