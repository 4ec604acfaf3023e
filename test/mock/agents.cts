import { randomUUID } from 'node:crypto';

import type { Context } from './context.cjs';
import { readData } from './data.cjs';
import type { WebhookConfig } from './schemas/fields.cjs';
import { answer, extract, noAnswer, type Readable } from './scrape/readings.cjs';
import { Script } from './script.cjs';
import { wordsOf } from './search/textIndex.cjs';
import type { SitePage } from './site/site.cjs';

type Outcome = 'succeeded' | 'failed' | 'cancelled' | 'credit_limit_reached';

/** How a run goes. Times are milliseconds on the service's clock. */
export interface Behaviour {
	durationMs: number;
	/** Part of the duration that the run is queued, before its first event; a tenth by default. */
	queueMs?: number;
	outcome: Exclude<Outcome, 'cancelled'>;
	error?: string;
	/** How long the run's status is 404 after its start, as where a store lags behind. */
	unknownMs?: number;
	/** The status while the run goes on, in the place of `processing`. */
	runningStatus?: string;
}

/** What a run works on: the request after what its thread hands down. */
export interface Task {
	prompt: string;
	mode: 'extract' | 'chat';
	urls?: string[];
	schema?: Record<string, unknown>;
	effort?: 'low' | 'medium' | 'high';
	maxCredits?: number;
}

/** What is fixed from the start. */
interface RunFacts {
	teamId: string;
	task: Task;
	origin: string;
	integration?: string;
	webhook?: WebhookConfig;
	threadId: string;
	/** 1-based place in the thread. */
	turn: number;
}

/** The part of an event that depends on its type, as far as anybody reads it (`data/agentTrace.json` has it whole). */
type Occurrence =
	| { type: 'run.started' | 'agent.started' | 'agent.finished' }
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

const day = 86_400_000;

/** One agent run. `Agents` moves it along the service's clock. */
export class AgentJob {
	readonly id = randomUUID();
	state: 'queued' | 'processing' | 'cancelling' | 'finished' = 'queued';
	outcome?: Outcome;
	error?: string;
	finishedAt?: number;
	/** Data that fills the schema or is a free object, null for an answer in words. */
	result?: { data: unknown; message?: string };
	/** Every run is one of those that a day has for free. */
	readonly creditsUsed = 0;
	readonly events: TraceEvent[] = [];
	/** Contents by snapshot ID, of the artifacts that the events have named so far. */
	readonly snapshots = new Map<string, string>();
	private ahead = new AbortController();

	/** `createdAt`: a little later than `startedAt` where runs share a millisecond; pages by time must lose none. */
	constructor(
		readonly about: RunFacts,
		readonly behaviour: Behaviour,
		readonly startedAt: number,
		readonly createdAt: number,
	) {}

	get finished(): boolean {
		return this.state === 'finished';
	}

	/** Results are kept for a day after the end. */
	get expiresAt(): number {
		return (this.finishedAt ?? this.createdAt) + day;
	}

	/** The browsers that are open. */
	get sessions(): string[] {
		const open = new Set<string>();
		for (const event of this.events) {
			if (event.type === 'browser.session.started') open.add(event.sessionId);
			if (event.type === 'browser.session.finished') open.delete(event.sessionId);
		}
		return [...open];
	}

	/** Puts new events ahead of the run in place of those still to come; the signal ends them. */
	begin(): AbortSignal {
		this.stop();
		this.ahead = new AbortController();
		return this.ahead.signal;
	}

	stop(): void {
		this.ahead.abort();
	}
}

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

	/** Adds a run, later than every run before it, and lets it go its way. */
	start(facts: RunFacts): AgentJob {
		const createdAt = Math.max(this.now, (this.jobs.at(-1)?.createdAt ?? 0) + 1);
		const job = new AgentJob(facts, this.script.take(), this.now, createdAt);
		this.jobs.push(job);
		const pages = pagesFor(this.context, facts.task);
		const { durationMs, queueMs = Math.round(durationMs / 10), outcome } = job.behaviour;
		if (outcome !== 'failed') job.result = resultOf(facts.task, pages);
		const from = Math.min(queueMs, durationMs);
		const steps = stepsOf(job, pages);
		const stepMs = (durationMs - from) / (steps.length - 1);
		void this.perform(job, steps, (place) => Math.round(from + stepMs * place));
		return job;
	}

	/** Asks a run to stop; it ends a little later. Only for runs that are not finished. */
	cancel(job: AgentJob): void {
		job.state = 'cancelling';
		const steps = told(traces.cancel, { outcome: 'cancelled', error: errorOf(job, 'cancelled') });
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
	): Promise<void> {
		const signal = job.begin();
		for (const [place, step] of steps.entries()) {
			const left = job.startedAt + after(place) - this.now;
			await this.context.clock.wait(Math.max(0, left), signal).catch(() => undefined);
			if (signal.aborted) return;
			this.happen(job, step);
		}
	}

	private happen(job: AgentJob, { agent, occurrence, content = '' }: Step): void {
		const { events, id: runId } = job;
		const producerSequence = events.filter((each) => each.agent.id === agent.id).length + 1;
		const occurredAt = new Date(this.now).toISOString();
		const facts = { schemaVersion: 1, eventId: randomUUID(), runId, agent, occurredAt };
		events.push({ ...facts, producerSequence, ...occurrence });
		if (occurrence.type === 'run.started') {
			job.state = 'processing';
			this.tell(job, 'started', []);
		} else if (occurrence.type === 'artifact.updated') {
			job.snapshots.set(occurrence.artifact.snapshotId, content);
		} else if (occurrence.type === 'tool_call.started') {
			const { toolName: action, parameters: input } = occurrence;
			this.tell(job, 'action', [{ creditsUsed: job.creditsUsed, action, input }]);
		} else if (occurrence.type === 'run.finished') {
			const { outcome, error } = occurrence;
			const state = 'finished';
			Object.assign(job, { state, outcome, error: error?.message, finishedAt: this.now });
			const name = outcome === 'succeeded' ? 'completed' : outcome;
			const data = outcome === 'succeeded' && { data: job.result?.data ?? null };
			this.tell(job, name, [{ creditsUsed: job.creditsUsed, ...data }], job.error);
		}
	}

	private tell({ id, about }: AgentJob, name: string, data: unknown, error?: string): void {
		const type = `agent.${name === 'credit_limit_reached' ? 'failed' : name}`;
		const event = { type, id, success: error === undefined, data, error };
		this.context.webhooks.send(about.teamId, about.webhook, event);
	}
}

/** How many pages a run reads, unless it is given more. */
const pagesToRead = 3;

/** The pages that a run finds something on: those named, and those that the search finds. */
function pagesFor({ search, site }: Context, task: Task): SitePage[] {
	const { urls = [] } = task;
	const given = urls.flatMap((url) => site.find(url) ?? []);
	const query = queryOf(task);
	const [longest] = query.split(' ');
	// The agent has no patience with slow pages and documents.
	const accepts = ({ delayMs, processingMs }: SitePage) => !delayMs && !processingMs;
	const found = [query, longest].flatMap((terms) =>
		terms === '' ? [] : search.findPages(terms, { accepts }).map(({ item }) => item),
	);
	const most = Math.max(pagesToRead, given.length);
	return [...new Set([...given, ...found])].slice(0, most);
}

/** The longest words of a prompt, which say most of what it is about. */
function queryOf({ prompt }: Task): string {
	const words = [...new Set(wordsOf(prompt))].sort((a, b) => b.length - a.length);
	return words.slice(0, 3).join(' ');
}

function resultOf({ mode, schema, prompt }: Task, pages: readonly SitePage[]) {
	const answers = pages.map(({ markdown }) => answer(markdown, prompt));
	const best = answers.find((each) => each !== noAnswer) ?? 'Nothing was found about this.';
	const sources = pages.map(({ url, title }) => ({ url, title }));
	const data = schema && extract(together(pages), schema, undefined);
	if (mode === 'chat') {
		const list = sources.map(({ url, title }) => `- [${title}](${url})`);
		return { data: data ?? null, message: [best, ...list].join('\n') };
	}
	const findings = pages.map(({ url, title, description: summary }) => ({ url, title, summary }));
	return { data: data ?? { answer: best, findings, sources } };
}

/** Several pages read as one, which says about itself what the first does. */
const together = (pages: readonly SitePage[]): Readable => ({
	markdown: pages.map(({ markdown }) => markdown).join('\n\n'),
	metadata: {
		'og:url': pages.at(0)?.url,
		title: pages.at(0)?.title,
		description: pages.at(0)?.description,
	},
	links: pages.map(({ url }) => url),
	images: [],
});

/** Code, source, whether to try again, and the usual words. */
const causes = {
	failed: ['internal', 'agent', true, 'The agent failed unexpectedly.'],
	cancelled: ['cancelled', 'system', false, 'Agent was cancelled.'],
	credit_limit_reached: [
		'credit_limit_reached',
		'billing',
		false,
		'Agent reached its credit limit (maxCredits).',
	],
} as const;

/** Why a run ended as it did; null for one that succeeded. */
function errorOf({ behaviour }: AgentJob, outcome: Outcome) {
	if (outcome === 'succeeded') return null;
	const [code, source, retryable, usual] = causes[outcome];
	return { code, source, retryable, message: behaviour.error ?? usual };
}
/** The events of a run and of its end by a cancel; a text with `$` stands for a value of the run. */
const traces = readData<Record<'run' | 'cancel', Step[]>>('data/agentTrace.json');

/** A trace with its values; what none of them belongs to did not happen. */
function told(trace: Step[], values: Record<string, unknown>): Step[] {
	const ids = Object.fromEntries(
		['snapshot1', 'snapshot2', 'snapshot3', 'call1', 'call2', 'session'].map((name) => [
			name,
			randomUUID(),
		]),
	);
	const all = new Map<string, unknown>(Object.entries({ ...ids, ...values }));
	const json = JSON.stringify(trace, (_key, value: unknown) =>
		typeof value === 'string' && value.startsWith('$') ? all.get(value.slice(1)) : value,
	);
	const steps: Array<Step & { needs?: unknown }> = JSON.parse(json);
	return steps.filter(({ needs }) => needs !== null);
}

/** What a run does: it searches, reads the first page by a sub-agent with a browser, and writes its result. */
function stepsOf(job: AgentJob, pages: readonly SitePage[]): Step[] {
	const { about, behaviour, result } = job;
	const { durationMs, outcome } = behaviour;
	const content = result && JSON.stringify(result.data ?? { message: result.message });
	const { url, title, markdown } = pages.at(0) ?? {};
	return told(traces.run, {
		...{ query: queryOf(about.task), urls: pages.map((page) => page.url) },
		...{ page: markdown ?? null, url, title, content: content ?? null },
		...{ outcome, durationMs, error: errorOf(job, outcome) },
	});
}
