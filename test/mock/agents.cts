import { randomUUID } from 'node:crypto';

import type { Context } from './context.cjs';
import { readData } from './data.cjs';
import { type Course, Job, type JobFacts, Jobs } from './jobs.cjs';
import { answer, extract } from './scrape/readings.cjs';
import { wordsOf } from './search/textIndex.cjs';
import type { SitePage } from './site/site.cjs';

type Outcome = 'succeeded' | 'failed' | 'cancelled' | 'credit_limit_reached';

/** How a run goes. */
export interface Behaviour extends Course {
	durationMs: number;
	outcome: Exclude<Outcome, 'cancelled'>;
	error?: string;
}

/** What a run works on: the request after what its thread hands down. */
interface Task {
	prompt: string;
	mode: 'extract' | 'chat';
	urls?: string[];
	schema?: Record<string, unknown>;
	effort?: 'low' | 'medium' | 'high';
	maxCredits?: number;
}

interface RunFacts extends JobFacts {
	task: Task;
	origin: string;
	integration?: string;
	threadId: string;
	/** 1-based place in the thread. */
	turn: number;
}

/** The part of an event that depends on its type, as far as anybody reads it (`data/agentTrace.json` has it whole). */
type Occurrence =
	| { type: 'run.started' | 'agent.started' }
	| { type: 'agent.finished'; outcome: Outcome; durationMs: number; error: object | null }
	| { type: 'run.finished'; outcome: Outcome; error: { message: string } | null }
	| { type: 'browser.session.started' | 'browser.session.finished'; sessionId: string }
	| { type: 'progress.reported'; phase: 'planning' | 'working' | 'finalizing' }
	| { type: 'tool_call.started'; toolName: string; parameters: unknown }
	| { type: 'artifact.updated'; artifact: { kind: 'json' | 'markdown'; snapshotId: string } };

/** An event to come. */
interface Step {
	agent: { id: string; role: string; name: string };
	occurrence: Occurrence;
	/** That of the artifact in it. */
	content?: string;
}

export type TraceEvent = Occurrence & {
	eventId: string;
	occurredAt: string;
	/** Rises by one per agent: the only order there is. */
	producerSequence: number;
	agent: Step['agent'];
};

/** One agent run. Every run is one of those that a day has for free. */
export class AgentJob extends Job<RunFacts, Behaviour> {
	outcome?: Outcome;
	/** Data that fills the schema or is a free object, null for an answer in words. */
	result?: { data: unknown; message?: string };
	readonly events: TraceEvent[] = [];
	/** Contents by snapshot ID, of the artifacts that the events have named so far. */
	readonly snapshots = new Map<string, string>();
}

/** Every agent run, and what moves the runs along the service's clock. */
export class Agents extends Jobs<AgentJob, Behaviour> {
	constructor(context: Context) {
		super(context, { durationMs: 3000, outcome: 'succeeded' });
	}

	/** The runs of a team's thread, each of which takes over what its request leaves out. */
	thread(teamId: string, id: string): AgentJob[] {
		return this.jobs.filter(({ about }) => about.threadId === id && about.team.id === teamId);
	}

	start(facts: RunFacts): AgentJob {
		const job = new AgentJob(facts, this.course, this.now);
		this.jobs.push(job);
		if (job.course.outcome !== 'failed') job.result = resultOf(this.context, facts.task);
		void this.run(job, [...trace, ...endOf(job, job.course.outcome)]);
		return job;
	}

	cancel(job: AgentJob): void {
		job.stop();
		for (const step of endOf(job, 'cancelled')) this.happen(job, step);
	}

	/** Lets the steps of a run happen, at equal distances from its start to its end. */
	private async run(job: AgentJob, steps: readonly Step[]): Promise<void> {
		const { startedAt, course, stopped } = job;
		for (const [place, step] of steps.entries()) {
			const due = startedAt + Math.round((course.durationMs * place) / (steps.length - 1));
			await this.context.clock.waitUntil(due, stopped).catch(() => undefined);
			if (stopped.aborted) return;
			this.happen(job, step);
		}
	}

	private happen(job: AgentJob, { agent, occurrence, content = '' }: Step): void {
		const { events, id: runId, creditsUsed } = job;
		const producerSequence = events.filter((each) => each.agent.id === agent.id).length + 1;
		// On a busy machine two may fall on one moment, and their times are all that orders them.
		const last = Date.parse(events.at(-1)?.occurredAt ?? '') || 0;
		const occurredAt = new Date(Math.max(this.now, last + 1)).toISOString();
		const facts = { schemaVersion: 1, eventId: randomUUID(), runId, agent, occurredAt };
		events.push({ ...facts, producerSequence, ...occurrence });
		if (occurrence.type === 'run.started') {
			this.tell(job, 'agent.started', []);
		} else if (occurrence.type === 'artifact.updated') {
			job.snapshots.set(occurrence.artifact.snapshotId, content);
		} else if (occurrence.type === 'tool_call.started') {
			const { toolName: action, parameters: input } = occurrence;
			this.tell(job, 'agent.action', [{ creditsUsed, action, input }]);
		} else if (occurrence.type === 'run.finished') {
			const { outcome, error } = occurrence;
			Object.assign(job, { outcome, error: error?.message, finishedAt: this.now });
			const data = outcome === 'succeeded' && { data: job.result?.data ?? null };
			this.tell(job, `agent.${ends[outcome]}`, [{ creditsUsed, ...data }], job.error);
		}
	}
}

/** What the event of an end is called. */
const ends = {
	succeeded: 'completed',
	failed: 'failed',
	cancelled: 'cancelled',
	credit_limit_reached: 'failed',
};

/** The pages that a run finds something on: those named, and those that the search finds. */
function pagesFor({ search, site }: Context, task: Task): SitePage[] {
	const { urls = [], prompt } = task;
	// The longest words say most of what it is about.
	const words = [...new Set(wordsOf(prompt))].sort((a, b) => b.length - a.length);
	const given = urls.flatMap((url) => site.find(url) ?? []);
	// The agent has no patience with slow pages.
	const accepts = ({ delayMs }: SitePage) => !delayMs;
	const found = search.findPages(words.slice(0, 3).join(' '), accepts);
	return [...new Set([...given, ...found])].slice(0, Math.max(3, given.length));
}

/** What a run finds on its first page. */
function resultOf(context: Context, task: Task) {
	const { mode, schema, prompt } = task;
	const pages = pagesFor(context, task);
	const [{ markdown, title, description } = nothing] = pages;
	const data = schema && extract({ markdown, metadata: { title, description } }, schema, undefined);
	const best = answer(markdown, prompt);
	if (mode === 'chat') return { data: data ?? null, message: best };
	const sources = pages.map((page) => ({ url: page.url, title: page.title }));
	const findings = sources.map((source, at) => ({ ...source, summary: pages[at].description }));
	return { data: data ?? { answer: best, findings, sources } };
}

const nothing = { markdown: '', title: undefined, description: undefined };

/** Why runs end that do not succeed, where nothing else is said. */
const reasons = {
	failed: 'The agent failed unexpectedly.',
	cancelled: 'Agent was cancelled.',
	credit_limit_reached: 'Agent reached its credit limit (maxCredits).',
};

/** What every run is said to do: it searches, reads a page by a sub-agent with a browser, and writes its result. */
const trace = readData<Step[]>('data/agentTrace.json');

/** The last events of a run. */
function endOf(job: AgentJob, outcome: Outcome): Step[] {
	const { durationMs, error: message } = job.course;
	const cause = { code: outcome, source: 'agent', retryable: false };
	const error = outcome === 'succeeded' ? null : { ...cause, message: message ?? reasons[outcome] };
	const name = 'orchestrator';
	return [
		{
			agent: { id: name, role: name, name },
			occurrence: { type: 'agent.finished', outcome, durationMs, error },
		},
		{
			agent: { id: 'system', role: 'system', name: 'run' },
			occurrence: { type: 'run.finished', outcome, error },
		},
	];
}
