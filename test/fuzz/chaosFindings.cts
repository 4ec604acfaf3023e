import type { INodeExecutionData } from 'n8n-workflow';
import type { EngineRun } from '../engine/harness.cjs';
import type { LogEntry } from '../mock/requestLog.cjs';
import { errorFindings, errorsIn, type Findings } from './findings.cjs';

/** Requests that begin something, which costs what only its end tells. */
const starts = /^\/v2\/(agent|crawl|batch\/scrape|interact|monitor|monitor\/[^/]+\/run)$/;

const isStart = ({ method, path }: LogEntry) => method === 'POST' && starts.test(path);

/** Whether a request began or bought something. */
const counts = (entry: LogEntry): boolean =>
	entry.method === 'POST' && (entry.credits > 0 || (isStart(entry) && entry.done === true));

/** The key by which the service knows a start again, which it then does not begin anew. */
const keyOf = ({ headers }: LogEntry) => headers['x-idempotency-key'] ?? headers['x-request-id'];

/** Whether another answer came in the place of the true one. */
const isReplaced = ({ fault }: LogEntry): boolean => fault !== undefined && fault !== 'delay';

const tagOf = (item: number) => `item-${item}-tag`;

/** The input items of a run: told apart by a text that goes into their requests. */
export const taggedItems = (count: number): Array<{ tag: string }> =>
	Array.from({ length: count }, (_, item) => ({ tag: tagOf(item) }));

/** The requests of an item, as far as they carry its tag. */
const ofItem = (entries: LogEntry[], item: number): LogEntry[] =>
	entries.filter(({ path, query, body }) =>
		decodeURIComponent(JSON.stringify([path, query, body ?? null]).replaceAll('%', '%25')).includes(
			tagOf(item),
		),
	);

const itemsOf = ({ pairedItem }: INodeExecutionData): number[] =>
	[pairedItem ?? []].flat().map((pair) => (typeof pair === 'number' ? pair : pair.item));

/** Whether each of so many input items has a result. */
export const comeOut = (run: EngineRun, count: number): boolean =>
	new Set(run.output().flatMap(itemsOf)).size === count;

const wordsOf = (error: unknown): string =>
	[Reflect.get(Object(error), 'message'), Reflect.get(Object(error), 'description')].join(' ');

/** Words by which an error owns that something may have been done or charged, or names what was. */
const owning =
	/may have been|may be running|processed|charged|was lost|other items? succeeded|[0-9a-f]{8}-[0-9a-f]{4}-/;

/** Whether an error must own it: a job that runs on, or an answer that left and did not arrive. What was refused was said to be. */
const isOwed = (entry: LogEntry): boolean => isStart(entry) || entry.delivery !== 'complete';

/** A run, and what its service saw of it. */
export interface ChaosRun {
	/** Whether items come out as nothing without any trouble: their lists are empty. */
	isEmpty: boolean;
	count: number;
	run: EngineRun;
	entries: LogEntry[];
}

/** Errors of n8n's two kinds that name their item, whichever way they come out. */
function errors({ run }: ChaosRun): Findings {
	const { error, status } = run;
	const thrown =
		status === 'success' ? [] : error === undefined ? ['no error'] : errorFindings(error);
	return [
		...thrown,
		...errorsIn([...run.output(), ...run.output(undefined, 1)]).flatMap(errorFindings),
	];
}

/** Nothing begun twice, and nothing bought twice when its answer was lost. */
function repeats({ count, entries }: ChaosRun): Findings {
	const bought = entries.filter(counts);
	const perItem = Array.from({ length: count }, (_, item) => item).flatMap((item) => {
		const own = ofItem(bought, item);
		const begun = new Set(own.filter(isStart).map((entry) => keyOf(entry) ?? entry.id));
		const paid = own.filter((entry) => !isStart(entry));
		const lost = paid.slice(0, -1).filter(({ delivery }) => delivery !== 'complete');
		return [
			...(begun.size > 1 ? [`item ${item}: begun ${begun.size} times`] : []),
			...lost.map(({ path }) => `item ${item}: ${path} repeated after its answer was lost`),
		];
	});
	const all = new Set(bought.filter(isStart).map((entry) => keyOf(entry) ?? entry.id));
	return [...perItem, ...(all.size > count ? [`${count} items began ${all.size} things`] : [])];
}

/** Every item comes out, in order, as a result or as an error; what was bought without a result is owned. */
function outputs({ isEmpty, count, run, entries }: ChaosRun): Findings {
	const items = run.output();
	const failed = [...items.filter(({ error }) => error), ...run.output(undefined, 1)];
	const good = items.filter(({ error }) => !error);
	const order = items.flatMap(itemsOf);
	const unordered = order.some((item, index) => index > 0 && item < order[index - 1]);
	const findings: Findings = unordered ? [`out of order: ${order.join(' ')}`] : [];
	// An answer that was made up may hold an empty list, which is then as good as any.
	const mayBeEmpty =
		isEmpty || entries.some(({ fault, status }) => fault === 'status' && status === 200);
	if (items.some((item) => itemsOf(item).length === 0)) findings.push('an item without a link');
	for (let item = 0; item < count; item += 1) {
		const results = good.filter((each) => itemsOf(each).includes(item));
		const troubles = failed.filter((each) => itemsOf(each).includes(item));
		if (troubles.length > 1 || (troubles.length > 0 && results.length > 0)) {
			findings.push(`item ${item} comes out both ways`);
		}
		if (results.length + troubles.length === 0 && !mayBeEmpty)
			findings.push(`item ${item} is missing`);
		if (results.length > 0) continue;
		const silent = troubles.filter(({ error, json }) => !owning.test(wordsOf(error ?? json)));
		const lost = ofItem(entries, item).filter((entry) => counts(entry) && isOwed(entry));
		if (lost.length > 0 && silent.length > 0) {
			findings.push(`item ${item}: bought, lost and not owned: ${wordsOf(silent[0].error)}`);
		}
	}
	return findings;
}

/** A run that ends at its first failure says what is lost with it: jobs that run on, answers that did not arrive, and those of other items. */
function losses({ run, count, entries }: ChaosRun): Findings {
	const words = wordsOf(run.error);
	const bought = Array.from({ length: count }, (_, item) =>
		ofItem(entries, item).filter((entry) => counts(entry) && (isOwed(entry) || !isReplaced(entry))),
	).flat();
	return bought.length > 0 && !owning.test(words)
		? [`${bought.map(({ path }) => path).join(' ')} bought, and not owned: ${words}`]
		: [];
}

/** Ids that are none. */
const misled = ({ entries }: ChaosRun): Findings =>
	entries
		.filter(({ path }) => /\/(undefined|null|NaN|\[object.*|\.\.)(\/|$)/.test(path))
		.map(({ method, path }) => `asked for what there is not: ${method} ${path}`);

/** All that is wrong with a run in chaos. */
export function chaosFindings(chaos: ChaosRun): Findings {
	const { run } = chaos;
	const end = run.status === 'success' ? outputs(chaos) : losses(chaos);
	return [...errors(chaos), ...repeats(chaos), ...misled(chaos), ...end];
}

/** A run that waits for jobs, and what became of them at the service. */
export interface JobRun {
	run: EngineRun;
	/** The IDs of jobs that were running when the run ended. */
	running: string[];
	/** The IDs of agent runs that ended with partial data. */
	partial: string[];
	entries: LogEntry[];
}

/** The last request of a job whose true answer arrived; undefined when another answer came, or none. */
function lastTrue(entries: LogEntry[], method: string, id: string): LogEntry | undefined {
	const last = entries
		.filter((entry) => entry.method === method && entry.path.endsWith(`/${id}`))
		.at(-1);
	return last && !isReplaced(last) && last.delivery === 'complete' ? last : undefined;
}

/** Jobs that run on though the last look at them was answered as the service answers while they run, and nobody told them to stop. */
const abandoned = ({ running, entries }: JobRun): Findings =>
	running
		.filter(
			(id) =>
				lastTrue(entries, 'GET', id) &&
				!entries.some(({ method, path }) => method === 'DELETE' && path.endsWith(`/${id}`)),
		)
		.map(() => 'gave up on a job that runs');

/** Partial data that arrived and did not come out. */
function lostPartials({ run, partial, entries }: JobRun): Findings {
	const came = new Set(
		run
			.output()
			.filter(({ error }) => !error)
			.map(({ json }) => json.jobId),
	);
	const isLost = (id: string) => lastTrue(entries, 'GET', id) !== undefined && !came.has(id);
	// A run that ends at its first failure gives nothing of the others.
	return run.status === 'success' && partial.some(isLost)
		? ['partial data that arrived is lost']
		: [];
}

/** What is wrong with how a run waited for its jobs. */
export const jobFindings = (jobs: JobRun): Findings => [...abandoned(jobs), ...lostPartials(jobs)];
