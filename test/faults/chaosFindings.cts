import type { INodeExecutionData } from 'n8n-workflow';
import type { EngineRun } from '../engine/harness.cjs';
import type { LogEntry } from '../service/requestLog.cjs';
import type { OperationName } from './directRuns.cjs';
import { errorFindings, errorsIn, type Findings } from './findings.cjs';

/** Operations that answer an empty list with no item. */
const mayBeEmpty = new Set([
	'batch getErrors',
	'crawl getErrors',
	'crawl getActive',
	'agent getAll',
	'agent getTrace',
	'session getAll',
	'monitor getAll',
	'monitor getChecks',
	'monitor getCheck',
	'account getActivity',
	'account getCreditHistory',
	'search query',
	'paper search',
	'paper read',
	'paper getSimilar',
	'developer search',
	'map get',
	'tool find',
	'tool execute',
	'agent getThread',
]);

/** What a start costs is known only to the job that it began. */
const starts = /^\/v2\/(agent|crawl|batch\/scrape|interact|monitor|monitor\/[^/]+\/run)$/;

/** Whether a request began or bought something. */
const counts = ({ method, path, credits, status, fault }: LogEntry): boolean =>
	method === 'POST' &&
	(credits > 0 || (starts.test(path) && status === 200 && !replaced.has(fault ?? '')));

/** Faults whose answer takes the place of the true one, before anything is done. */
const replaced = new Set(['status', 'html', 'empty', 'redirect', 'failure']);

/** Starts that carry a key by which the service knows them again. */
const isKeyed = ({ headers }: LogEntry): boolean =>
	headers['x-idempotency-key'] !== undefined || headers['x-request-id'] !== undefined;

const isLost = ({ delivery }: LogEntry): boolean => delivery !== 'complete';

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

const wordsOf = (error: unknown): string =>
	[Reflect.get(Object(error), 'message'), Reflect.get(Object(error), 'description')].join(' ');

/** Words by which an error owns that something may have been done or charged, or names what was. */
const owning =
	/may have been|may be running|carried out|charged|was lost|other items? (was|were) answered|[0-9a-f]{8}-[0-9a-f]{4}-/;

/** A run, and what its service saw of it. */
export interface ChaosRun {
	name: OperationName;
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

/** Nothing bought twice when its answer was lost, and nothing with a key twice at all. */
function repeats({ count, entries }: ChaosRun): Findings {
	return Array.from({ length: count }, (_, item) => item).flatMap((item) => {
		const bought = ofItem(entries, item).filter(counts);
		const [first, ...more] = bought;
		if (first === undefined || more.length === 0) return [];
		if (isKeyed(first)) return [`item ${item}: bought ${bought.length} times with one key`];
		const lost = bought.slice(0, -1).filter(isLost);
		return lost.map(({ path }) => `item ${item}: ${path} repeated after its answer was lost`);
	});
}

/** Every item comes out, in order, as a result or as an error; what was bought without a result is owned. */
function outputs({ name, count, run, entries }: ChaosRun): Findings {
	const items = run.output();
	const failed = [...items.filter(({ error }) => error), ...run.output(undefined, 1)];
	const good = items.filter(({ error }) => !error);
	const order = items.flatMap(itemsOf);
	const unordered = order.some((item, index) => index > 0 && item < order[index - 1]);
	const findings: Findings = unordered ? [`out of order: ${order.join(' ')}`] : [];
	const isList = mayBeEmpty.has(`${name.resource} ${name.operation}`);
	for (let item = 0; item < count; item += 1) {
		const results = good.filter((each) => itemsOf(each).includes(item));
		const troubles = failed.filter((each) => itemsOf(each).includes(item));
		if (troubles.length > 1 || (troubles.length > 0 && results.length > 0)) {
			findings.push(`item ${item} comes out both ways`);
		}
		if (results.length + troubles.length === 0 && !isList) findings.push(`item ${item} is missing`);
		if (results.length > 0) continue;
		const silent = troubles.filter(({ error, json }) => !owning.test(wordsOf(error ?? json)));
		const lost = ofItem(entries, item).filter((entry) => counts(entry) && isLost(entry));
		if (lost.length > 0 && silent.length > 0) {
			findings.push(`item ${item}: bought, lost and not owned: ${wordsOf(silent[0].error)}`);
		}
	}
	return findings;
}

/** A run that ends at its first failure says what is lost with it. */
function losses({ run, count, entries }: ChaosRun): Findings {
	const words = wordsOf(run.error);
	const bought = Array.from({ length: count }, (_, item) => ofItem(entries, item).some(counts));
	return bought.some(Boolean) && !owning.test(words) ? [`bought, and not owned: ${words}`] : [];
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
