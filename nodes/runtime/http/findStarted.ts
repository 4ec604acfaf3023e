import type { IDataObject } from 'n8n-workflow';
import type { NotFound } from '../errors/errors';
import { delay } from '../host/delay';
import { settle } from '../values/settle';
import { canonicalAddress } from '../values/parseUrl';
import { memberOf } from '../values/record';
import type { ApiResponse } from '../retry/retry';
import { startedId } from './requireJobId';

/**
 * Finds the job that a request started although its answer was lost. The service does not know a
 * repeated start again, so what it lists is the only way to the job (docs/api-notes.md, "Idempotency").
 */

/** A list of the service in which jobs appear as they are started. */
export interface JobList {
	path: string;
	query?: IDataObject;
	/** The member of its answer that holds the jobs. */
	entries: string;
}

/** Where the job that a request starts is listed, and how it is known there. */
export interface Traces {
	lists: readonly JobList[];
	/** The addresses or the prompt that the lists may name it by. */
	targets: readonly string[];
	/** Whether what a list, or a job itself, says of the job shows that another request has started it. */
	excludes?(entry: unknown): boolean;
	/** Whether a list says of each job the `origin` that its request has named. */
	showsOrigin?: boolean;
	/** Jobs that were listed before the start, and so are not its own. */
	before?: readonly string[];
}

/** The team's requests of the last 24 hours of one kind (https://docs.firecrawl.dev/api-reference/endpoint/activity). */
export const activityOf = (endpoint: string): JobList => ({
	path: '/team/activity',
	query: { endpoint, limit: 100 },
	entries: 'data',
});

/** A job as a list shows it. */
export interface Listed {
	id: string;
	/** When it was started, by this machine's clock as far as the service names its own time. */
	startedAt: number;
	target: string;
	/** All that the list says of it. */
	entry: unknown;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The lists name the same things differently. `ahead` is by how much the service's clock is ahead of this machine's. */
function listed(entry: unknown, ahead: number): Listed | undefined {
	const id = startedId(entry);
	const time = textOf(memberOf(entry, 'created_at')) ?? textOf(memberOf(entry, 'createdAt'));
	const target =
		textOf(memberOf(entry, 'target')) ??
		textOf(memberOf(entry, 'url')) ??
		textOf(memberOf(memberOf(entry, 'options'), 'prompt'));
	if (id === undefined || time === undefined || target === undefined) return undefined;
	return { id, startedAt: Date.parse(time) - ahead, target: canonicalAddress(target), entry };
}

/** What is known of the job that was looked for: its ID, or why it was not found. */
export type Found = { id: string } | { notFound: NotFound };

/** Milliseconds by which the service's clock is trusted to be wrong beside its own `Date` header, which has whole seconds. */
const margin = 2_000;

/** Milliseconds by which clocks may differ where the service names no time. */
const skew = 60_000;

/** An answer of a list, and when it came. */
export interface ReadList {
	list: JobList;
	answer: ApiResponse;
	at: number;
}

/** The jobs that an answer of a list shows, and by how much their times may be wrong. */
export function listedIn({ list, answer, at }: ReadList): { jobs: Listed[]; margin: number } {
	const entries = memberOf(answer.body, list.entries);
	const serverTime = Date.parse(textOf(answer.headers.date) ?? '');
	const hasServerTime = !Number.isNaN(serverTime);
	const ahead = hasServerTime ? serverTime - at : 0;
	const jobs = (Array.isArray(entries) ? entries : []).flatMap(
		(entry: unknown) => listed(entry, ahead) ?? [],
	);
	return { jobs, margin: hasServerTime ? margin : skew };
}

/** The listed jobs that were started after `since`. */
function startedAfter(since: number, read: ReadList): Listed[] {
	const { jobs, margin: most } = listedIn(read);
	return jobs.filter(({ startedAt }) => startedAt >= since - most);
}

/** The one job in the lists that fits: of the same target, started since then, and not known to be another's. */
function onlyMatch(
	lists: readonly ReadList[],
	targets: readonly string[],
	since: number,
	others: ReadonlySet<string>,
): Found {
	if (lists.length === 0) return { notFound: 'unreadable' };
	const wanted = new Set(targets.map(canonicalAddress));
	const ids = new Set(
		lists
			.flatMap((list) => startedAfter(since, list))
			.filter(({ id, target }) => wanted.has(target) && !others.has(id))
			.map(({ id }) => id),
	);
	const [id] = ids;
	if (ids.size === 1) return { id };
	return { notFound: ids.size === 0 ? 'none' : 'several' };
}

/** A start of this process, as far as the lists tell it from others. */
export interface Start {
	traces: Traces;
	/** Of its job, once its answer has come. */
	id?: string;
	/** When nothing was sent for it any more. */
	endedAt?: number;
}

/** Starts of this process: their jobs are not to be taken for those of others. */
let starts: Start[] = [];

/** Milliseconds for which a start is remembered after its end. */
const remembered = 10 * 60_000;

/** Notes that a start is sent. */
export function noteStart(traces: Traces): Start {
	const now = Date.now();
	starts = starts.filter(({ endedAt = now }) => now - endedAt < remembered);
	const start = { traces };
	starts.push(start);
	return start;
}

/** Notes how a start ended: with its job's ID, without one where nothing is known of its job, or refused. */
export function noteEnd(start: Start, end: { id?: string } | 'refused'): void {
	if (end === 'refused') starts = starts.filter((other) => other !== start);
	else Object.assign(start, end, { endedAt: Date.now() });
}

/** Whether a job is known to be that of a start of this process. */
export const isStartedHere = (id: string): boolean => starts.some((start) => start.id === id);

/** The starts whose jobs the lists show like that of this one. */
function rivalsOf(start: Start): Start[] {
	const targets = new Set(start.traces.targets.map(canonicalAddress));
	return starts.filter(
		({ traces }) =>
			traces !== start.traces &&
			traces.lists === start.traces.lists &&
			traces.targets.some((target) => targets.has(canonicalAddress(target))),
	);
}

/** Milliseconds from the failure to the search of the lists: they show a job a little after its start. */
const pauseBefore = 3_000;

/**
 * Looks for the job of a start whose answer was lost. Never throws: the first error is the one to tell.
 * `since` is when the first request for it was sent whose fate is unknown; `read` asks for a list once.
 */
export async function findStarted(
	start: Start,
	since: number,
	read: (list: JobList) => Promise<ApiResponse>,
	signal?: AbortSignal,
): Promise<Found> {
	await settle(delay(pauseBefore, signal));
	if (signal?.aborted) return { notFound: 'unreadable' };
	const answers = await Promise.all(
		start.traces.lists.map(async (list) => {
			const outcome = await settle(read(list));
			return outcome.ok ? [{ list, answer: outcome.value, at: Date.now() }] : [];
		}),
	);
	const rivals = rivalsOf(start);
	const isDisputed = rivals.some(
		({ id, endedAt = Infinity }) => id === undefined && endedAt >= since - margin,
	);
	const others = new Set([...rivals.flatMap(({ id }) => id ?? []), ...(start.traces.before ?? [])]);
	const found = onlyMatch(answers.flat(), start.traces.targets, since, others);
	// Noted at once, so that of two that search at the same time only one goes on with it.
	if ('id' in found && isDisputed) return { notFound: 'several' };
	if ('id' in found) noteEnd(start, found);
	return found;
}
