import { randomUUID } from 'node:crypto';

import { attempt, dataOf } from './answer.cjs';
import type { ToolCall } from './exchange.cjs';
import type { AgentJob, Result } from './job.cjs';
import type { ReadPage, Step } from './research.cjs';
import type { AgentIdentity, Artifact, Occurrence, Outcome, TraceError } from './trace.cjs';

/** An event to come. */
export interface Beat {
	/** Milliseconds after the request. */
	after: number;
	agent: AgentIdentity;
	occurrence: Occurrence;
	/** Content of the artifact that the event names. */
	content?: string;
}

/** How a run ends by itself. */
export interface Ending {
	outcome: Exclude<Outcome, 'cancelled'>;
	error?: TraceError;
	result?: Result;
	/** What is billed for the run if it is billed. */
	price: number;
}

export type Draft = Omit<Beat, 'after'>;

const lateMs = 150;

/**
 * The whole run, evenly over its time: search and paid calls by the orchestrator, each page by a
 * sub-agent with a browser, partial results after every page. A reader that was about to begin when
 * the run ended stops a little later (`parent_finished`).
 */
export function planRun(
	job: AgentJob,
	steps: readonly Step[],
	next: string | undefined,
	calls: readonly ToolCall[],
	ending: Ending,
): Beat[] {
	const writer = new PlanWriter(job);
	writer.begin();
	for (const step of steps) writer.step(step);
	for (const call of calls) writer.call(call);
	writer.end(ending, next);
	const { durationMs, queueMs = Math.round(durationMs / 10) } = job.about.behaviour;
	const from = Math.min(queueMs, durationMs);
	const last = writer.drafts.length - 1;
	return [
		...writer.drafts.map((draft, place) => ({
			...draft,
			after: Math.round(from + ((durationMs - from) * place) / last),
		})),
		...writer.late.map((draft, place) => ({ ...draft, after: durationMs + lateMs * (place + 1) })),
	];
}

/** The producer of the run's own events. */
export const systemOf = ({ id }: AgentJob): AgentIdentity => ({
	id: `${id}-system`,
	role: 'system',
	name: 'run',
});

class PlanWriter {
	readonly drafts: Draft[] = [];
	readonly late: Draft[] = [];
	private readonly pages: ReadPage[] = [];
	private readonly orchestrator: AgentIdentity;
	private readonly system: AgentIdentity;
	private readers = 0;

	constructor(private readonly job: AgentJob) {
		this.system = systemOf(job);
		this.orchestrator = { id: `${job.id}-0`, role: 'orchestrator', name: 'orchestrator' };
	}

	begin(): void {
		this.add(this.system, { type: 'run.started' });
		this.add(this.orchestrator, { type: 'agent.started' });
		this.add(this.orchestrator, {
			type: 'progress.reported',
			phase: 'planning',
			message: 'Planning the research',
		});
		this.add(this.orchestrator, {
			type: 'reasoning.summary',
			text: `The task is: ${this.job.about.task.prompt.slice(0, 200)}`,
		});
		this.artifact('init', null);
	}

	step(step: Step): void {
		if (step.kind === 'search') {
			this.tool(this.orchestrator, 'search', { query: step.query }, { urls: step.urls });
			return;
		}
		const url = step.kind === 'read' ? step.page.url : step.url;
		const reader = this.reader();
		const browser = this.open(reader);
		const result = step.kind === 'read' ? { title: step.page.title } : { error: step.why };
		const toolCallId = this.tool(reader, 'scrape', { url }, result);
		if (step.kind === 'read') this.readPage(reader, step.page, toolCallId);
		this.close(browser);
		this.add(reader, { type: 'agent.finished', outcome: 'succeeded', durationMs: 0, error: null });
		if (step.kind === 'read') this.partialResult(step.page);
	}

	call(call: ToolCall): void {
		const name = `${call.tool.provider}/${call.tool.capability}`;
		this.tool(this.orchestrator, name, call.input, call.data);
	}

	end({ outcome, error, result }: Ending, next: string | undefined): void {
		this.add(this.orchestrator, {
			type: 'progress.reported',
			phase: 'finalizing',
			message: 'Writing the result',
		});
		const reader = next === undefined ? undefined : this.reader();
		const browser = reader && this.open(reader);
		if (result) this.artifact('update', result.data ?? { message: result.message });
		if (error) this.add(this.orchestrator, { type: 'error.occurred', error });
		this.add(this.orchestrator, {
			type: 'agent.finished',
			outcome: outcome === 'credit_limit_reached' ? 'failed' : outcome,
			durationMs: 0,
			error: error ?? null,
		});
		this.add(this.system, { type: 'run.finished', outcome, error: error ?? null });
		if (!reader || !browser) return;
		this.late.push(sessionFinished(browser), {
			agent: reader,
			occurrence: { type: 'agent.finished', outcome: 'cancelled', durationMs: 0, error: orphaned },
		});
	}

	private add(agent: AgentIdentity, occurrence: Occurrence, content?: string): void {
		this.drafts.push({ agent, occurrence, ...(content !== undefined && { content }) });
	}

	private reader(): AgentIdentity {
		const number = ++this.readers;
		const id = `${this.job.id}-${number}`;
		const reader: AgentIdentity = {
			id,
			role: 'subagent',
			name: `reader ${number}`,
			parentId: this.orchestrator.id,
		};
		this.add(reader, { type: 'agent.started' });
		return reader;
	}

	private open(reader: AgentIdentity): { agent: AgentIdentity; sessionId: string } {
		const agent: AgentIdentity = {
			id: `${reader.id}-browser`,
			role: 'browser',
			name: 'browser',
			parentId: reader.id,
		};
		const sessionId = randomUUID();
		this.add(agent, { type: 'browser.session.started', sessionId });
		return { agent, sessionId };
	}

	private close(browser: { agent: AgentIdentity; sessionId: string }): void {
		this.drafts.push(sessionFinished(browser));
	}

	private tool(
		agent: AgentIdentity,
		toolName: string,
		parameters: unknown,
		result: unknown,
	): string {
		const toolCallId = randomUUID();
		this.add(agent, { type: 'tool_call.started', toolCallId, toolName, parameters });
		this.add(agent, { type: 'tool_call.finished', toolCallId, toolName, result });
		return toolCallId;
	}

	private readPage(reader: AgentIdentity, page: ReadPage, sourceToolCallId: string): void {
		const artifact: Artifact = {
			artifactId: `page-${this.readers}`,
			kind: 'markdown',
			snapshotId: randomUUID(),
			change: 'init',
			path: `pages/${this.readers}.md`,
			sourceToolCallId,
		};
		this.add(reader, { type: 'artifact.updated', artifact }, page.content.markdown);
	}

	private partialResult(page: ReadPage): void {
		this.pages.push(page);
		this.add(this.orchestrator, {
			type: 'progress.reported',
			phase: 'working',
			message: `Read ${page.title}`,
		});
		const { task } = this.job.about;
		const filled = attempt(() => dataOf(task, this.pages));
		if ('value' in filled)
			this.artifact(this.pages.length === 1 ? 'partial' : 'append', filled.value);
	}

	private artifact(change: Artifact['change'], data: unknown): void {
		const artifact: Artifact = {
			artifactId: 'result',
			kind: 'json',
			path: 'result.json',
			snapshotId: randomUUID(),
			change,
			...(Array.isArray(data) && { itemCount: data.length }),
			...(data !== null && !Array.isArray(data) && { changedFields: Object.keys(Object(data)) }),
		};
		this.add(this.orchestrator, { type: 'artifact.updated', artifact }, JSON.stringify(data));
	}
}

const orphaned: TraceError = {
	code: 'parent_finished',
	source: 'system',
	retryable: false,
	message: 'The agent that started this one finished first.',
};

function sessionFinished({ agent, sessionId }: { agent: AgentIdentity; sessionId: string }): Draft {
	return { agent, occurrence: { type: 'browser.session.finished', sessionId, durationMs: 0 } };
}
