import type { Context } from '../context.cjs';
import { Script } from '../script.cjs';
import { AgentJob, type Behaviour, type JobFacts, type Step } from './job.cjs';
import { errorOf, told, workOut, type Ending } from './work.cjs';

const day = 86_400_000;
export const freeRunCredits = 2500;
const freeRunsPerDay = 5;
const cancelMs = 500;

/** Every agent run, and what moves the runs along the service's clock. */
export class Agents {
	readonly script: Script<Behaviour>;
	readonly jobs: AgentJob[] = [];

	constructor(
		private readonly context: Context,
		behaviour: Partial<Behaviour> = {},
	) {
		this.script = new Script({ durationMs: 3000, outcome: 'succeeded', ...behaviour });
	}

	/** The team's run whose result is still kept. */
	find(teamId: string, id: string): AgentJob | undefined {
		const job = this.jobs.find((each) => each.id === id && each.about.teamId === teamId);
		return job && (!job.finished || this.now < job.expiresAt) ? job : undefined;
	}

	/** The runs of a team's thread, each of which takes over what its request leaves out. */
	thread(teamId: string, id: string): AgentJob[] {
		return this.jobs.filter(({ about }) => about.threadId === id && about.teamId === teamId);
	}

	/** Whether the team has a free run left today. A run that failed gives its place back. */
	hasFreeRun(teamId: string): boolean {
		const today = Math.floor(this.now / day);
		const used = this.jobs.filter(
			({ about, createdAt, finished, outcome }) =>
				about.teamId === teamId &&
				about.free &&
				Math.floor(createdAt / day) === today &&
				(!finished || outcome === 'succeeded'),
		);
		return used.length < freeRunsPerDay;
	}

	/** Adds a run, later than every run before it, works its task out, and lets it go its way. */
	async start(facts: JobFacts): Promise<AgentJob> {
		const createdAt = Math.max(this.now, (this.jobs.at(-1)?.createdAt ?? 0) + 1);
		const job = new AgentJob(facts, this.now, createdAt);
		this.jobs.push(job);
		const { steps, ending } = await workOut(this.context, job);
		// Cancelled or forgotten meanwhile.
		if (job.state !== 'queued' || !this.jobs.includes(job)) return job;
		const { durationMs, queueMs = Math.round(durationMs / 10) } = facts.behaviour;
		const from = Math.min(queueMs, durationMs);
		const stepMs = (durationMs - from) / (steps.length - 1);
		void this.perform(job, steps, (place) => Math.round(from + stepMs * place), ending);
		return job;
	}

	/** Asks a run to stop; it ends a little later. Only for runs that are not finished. */
	cancel(job: AgentJob): void {
		job.state = 'cancelling';
		const outcome = 'cancelled';
		const steps = told('cancel', { outcome, error: errorOf(job.about, outcome) });
		const asked = this.now - job.startedAt;
		void this.perform(job, steps, (place) => asked + place * cancelMs);
	}

	clear(): void {
		for (const job of this.jobs) job.stop();
		this.jobs.length = 0;
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
			const left = job.startedAt + after(place) - clock.now();
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
				job.outcome = occurrence.outcome;
				job.error = occurrence.error?.message;
				this.finish(job, ending);
		}
	}

	private finish(job: AgentJob, ending: Ending | undefined): void {
		const { teamId, requestId } = job.about;
		const completed = job.outcome === 'succeeded';
		const credits = completed && ending ? ending.price : 0;
		const facts = { finishedAt: this.now, creditsUsed: credits, result: ending?.result };
		Object.assign(job, { state: 'finished', ...facts });
		const endpoint = '/v2/agent';
		this.context.ledger.charge({ teamId, requestId, jobId: job.id, endpoint, credits });
		const name = completed ? 'completed' : job.outcome === 'cancelled' ? 'cancelled' : 'failed';
		const data = completed && { data: job.result?.data ?? null };
		this.tell(job, name, completed, [{ creditsUsed: credits, ...data }], job.error);
	}

	private tell(job: AgentJob, name: string, success: boolean, data: unknown, error?: string): void {
		const event = { type: `agent.${name}`, id: job.id, success, data, error };
		this.context.webhooks.send(job.about.teamId, job.about.webhook, event);
	}
}
