import { listedIn, type JobList, type Listed } from '../http/findStarted';
import type { Request } from '../http/client';
import { startedId } from '../http/requireJobId';
import type { ApiResponse } from '../retry/retry';
import type { Reader } from '../operation/operation';
import { nextPath } from '../pagination/byNext';
import { settle, type Outcome } from '../values/settle';
import { canonicalAddress } from '../values/parseUrl';
import { memberOf } from '../values/record';

/** Most pages of a list that are read: 1,000 jobs of the activity, 200 agent runs. */
const mostPages = 10;

/** A job that a request may have started, as the lists show it. */
export interface ListedJob extends Pick<Listed, 'id' | 'startedAt'> {
	/** What each list says of it. */
	entries: unknown[];
	/** By how many milliseconds its time may be wrong. */
	margin: number;
}

/** The jobs of the lists that fit a request, the newest first, and whether all lists were read as far as is asked for. */
export interface Listing {
	jobs: ListedJob[];
	isWhole: boolean;
}

type Page = Pick<JobList, 'path' | 'query'>;

/** Where a list goes on, by its cursor or its next address; undefined at its end. */
function pageAfter({ path, query }: Page, body: unknown): Page | undefined {
	const cursor = memberOf(body, 'cursor');
	if (typeof cursor === 'string' && cursor !== '' && memberOf(body, 'has_more') !== false) {
		return { path, query: { ...query, cursor } };
	}
	const next = nextPath(memberOf(body, 'next'), { path });
	return next === undefined ? undefined : { path: next };
}

/** The jobs of a page of which it says nothing that they could be known by. */
const unidentifiedIn = (entries: unknown[], jobs: Listed[]): string[] => {
	const knownIds = new Set(jobs.map(({ id }) => id));
	return entries.flatMap((entry) => startedId(entry) ?? []).filter((id) => !knownIds.has(id));
};

/** What was read of a list. */
interface ReadJobs {
	jobs: Array<Listed & { margin: number }>;
	unidentified: string[];
	isWhole: boolean;
}

/** Reads a list, newest first, back to a moment. */
async function readList(list: JobList, since: number, call: Reader): Promise<ReadJobs> {
	const jobs: ReadJobs['jobs'] = [];
	const unidentified: string[] = [];
	let page: Page | undefined = { path: list.path, query: list.query };
	for (let count = 0; page && count < mostPages; count += 1) {
		const asked: Request = { method: 'GET', ...page, retrySafety: 'safe' };
		const sent: Outcome<ApiResponse> = await settle(call.send(asked));
		if (!sent.ok) return { jobs, unidentified, isWhole: false };
		const answer = sent.value;
		const entries = memberOf(answer.body, list.entries);
		if (!Array.isArray(entries)) return { jobs, unidentified, isWhole: false };
		const found = listedIn({ list, answer, at: Date.now() });
		for (const id of unidentifiedIn(entries, found.jobs)) unidentified.push(id);
		for (const job of found.jobs) jobs.push({ ...job, margin: found.margin });
		const isEnd = found.jobs.length === 0 || found.jobs.some(({ startedAt }) => startedAt < since);
		page = isEnd ? undefined : pageAfter({ path: list.path, query: list.query }, answer.body);
	}
	return { jobs, unidentified, isWhole: page === undefined };
}

/** Reads the jobs that the service lists since a moment, and keeps those that may have been asked for with these targets. */
export async function listJobs(
	lists: readonly JobList[],
	targets: readonly string[],
	since: number,
	call: Reader,
): Promise<Listing> {
	const read = await Promise.all(lists.map(async (list) => await readList(list, since, call)));
	const wanted = new Set(targets.map(canonicalAddress));
	const known = new Set(read.flatMap(({ jobs }) => jobs.map(({ id }) => id)));
	const areIdentified = read.every(({ unidentified }) => unidentified.every((id) => known.has(id)));
	const byId = new Map<string, ListedJob>();
	for (const { id, startedAt, target, entry, margin } of read.flatMap(({ jobs }) => jobs)) {
		if (startedAt < since || !wanted.has(target)) continue;
		const same = byId.get(id);
		if (same) same.entries.push(entry);
		else byId.set(id, { id, startedAt, margin, entries: [entry] });
	}
	return {
		jobs: [...byId.values()].sort((one, other) => other.startedAt - one.startedAt),
		isWhole: areIdentified && read.every(({ isWhole }) => isWhole),
	};
}
