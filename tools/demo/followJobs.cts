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

/** The batches and crawls of the mock server that have read a page: each page is charged to its job. */
function jobsOf({ context }: Service): PageJob[] {
	const ids = new Set(context.ledger.entries.flatMap(({ jobId }) => jobId ?? []));
	return [...ids].flatMap((id) => {
		const job = context.pageJobs.find(id);
		return job === undefined || job === 'expired' ? [] : [job];
	});
}

/** What the jobs of the mock server have done so far, each with its words if somebody wants to hear of it. */
const stepsOf = (service: Service): Array<[step: object, words: string | undefined]> => [
	...service.context.agents.jobs.flatMap((job) =>
		job.events.map((event): [object, string | undefined] => {
			const done = words(event);
			return [event, done && `${subjectOf(job)}: ${done}`];
		}),
	),
	...jobsOf(service).flatMap(
		({ documents, errors }): Array<[object, string]> => [
			...documents.map((document): [object, string] => {
				const { title, sourceURL } = document.metadata;
				return [document, `Read ${String(title)}: ${String(sourceURL)}`];
			}),
			...errors.map((error): [object, string] => [
				error,
				`Not read: ${error.url} (${error.error})`,
			]),
		],
	),
];

const pauseMs = 100;

/**
 * Tells what the jobs of the mock server do while they do it, each step once. The returned function ends it, after
 * what is still to be told.
 */
export function followJobs(service: Service, tell: (line: string) => void): () => void {
	const told = new WeakSet<object>();
	const look = (): void => {
		for (const [step, line] of stepsOf(service)) {
			if (line !== undefined && !told.has(step)) tell(line);
			told.add(step);
		}
	};
	const timer = setInterval(look, pauseMs);
	return () => {
		clearInterval(timer);
		look();
	};
}
