import type { AgentJob, TraceEvent } from '../../test/mock/agents.cjs';
import type { PageJob } from '../../test/mock/pageJobs.cjs';
import { parseUrl } from '../../test/mock/schemas/fields.cjs';
import type { Service } from '../../test/mock/service.cjs';

/** What a tool is told to do, in words. */
const doing: Record<string, string | undefined> = { scrape: 'reads', search: 'searches for' };

/** What an event means for somebody who watches; nothing for most of them. */
function words(event: TraceEvent): string | undefined {
	if (event.type === 'progress.reported') {
		return event.phase === 'finalizing' ? 'writes the result' : undefined;
	}
	if (event.type === 'run.finished') return event.outcome;
	if (event.type !== 'tool_call.started') return undefined;
	const [parameter] = Object.values(Object(event.parameters));
	return `${doing[event.toolName] ?? event.toolName} ${String(parameter ?? '')}`;
}

/** What a run is about: the website that it was given, otherwise its own name. */
const subjectOf = ({ about }: AgentJob): string =>
	parseUrl(about.task.urls?.[0] ?? '')?.hostname ?? 'The agent';

/** Tells what the agents of the mock server have done since the last look, each step once. */
function agentSteps({ context }: Service, tell: (line: string) => void): () => void {
	const told = new Set<string>();
	return () => {
		for (const job of context.agents.jobs) {
			for (const event of job.events) {
				const line = told.has(event.eventId) ? undefined : words(event);
				told.add(event.eventId);
				if (line !== undefined) tell(`${subjectOf(job)}: ${line}`);
			}
		}
	};
}

/** The batches and crawls of the mock server that have read a page: each page is charged to its job. */
function jobsOf({ context }: Service): PageJob[] {
	const ids = new Set(context.ledger.entries.flatMap(({ jobId }) => jobId ?? []));
	return [...ids].flatMap((id) => {
		const job = context.pageJobs.find(id);
		return job === undefined || job === 'expired' ? [] : [job];
	});
}

/** Tells what the batches and crawls of the mock server have read since the last look, each page once. */
function pageSteps(service: Service, tell: (line: string) => void): () => void {
	const told = new WeakSet<object>();
	const tellOnce = (page: object, line: string): void => {
		if (!told.has(page)) tell(line);
		told.add(page);
	};
	return () => {
		for (const { documents, errors } of jobsOf(service)) {
			for (const document of documents) {
				const { title, sourceURL } = document.metadata;
				tellOnce(document, `Read ${String(title)}: ${String(sourceURL)}`);
			}
			for (const error of errors) tellOnce(error, `Not read: ${error.url} (${error.error})`);
		}
	};
}

const pauseMs = 100;

/**
 * Tells what the jobs of the mock server do while they do it. The returned function ends it, after what is
 * still to be told.
 */
export function followJobs(service: Service, tell: (line: string) => void): () => void {
	const looks = [agentSteps(service, tell), pageSteps(service, tell)];
	const lookAtAll = (): void => looks.forEach((look) => look());
	const timer = setInterval(lookAtAll, pauseMs);
	return () => {
		clearInterval(timer);
		lookAtAll();
	};
}
