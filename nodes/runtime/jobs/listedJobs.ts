import { pathOf, type Request } from '../http/client';
import { startedId } from '../http/requireJobId';
import type { JobList, JobLookup } from '../http/jobLookup';
import { nextPath, type Sender } from '../http/paging';
import type { ApiResponse } from '../api/retry';
import { monotonicNow } from '../values/clock';
import { canonicalUrl } from '../values/parseUrl';
import { fieldOf } from '../values/record';
import { settle, type Outcome } from '../values/settle';

/** Most pages of a list that are read: 1,000 jobs of the activity, 200 agent runs. */
const mostPages = 10;

/** A job as the lists of the service show it. */
export interface ListedJob {
	id: string;
	/** When it was started at the latest, by the monotonic clock of this process. */
	startedAt: number;
	/** Whether the service has named its own time, so that its clock need not agree with that of this machine. */
	isTimed: boolean;
	/** What each list returns of it. */
	told: unknown[];
}

/** The jobs that a request may have started, the newest first. */
export interface Listing {
	jobs: ListedJob[];
	/** Whether any list could be read, and whether all were read as far back as is asked for, with nothing unknown in them. */
	isReadable: boolean;
	isWhole: boolean;
}

/** The request for the next page of a list, by its cursor or URL; undefined at its end. */
function pageAfter({ endpoint, query }: JobList, body: unknown): Request | undefined {
	const cursor = fieldOf(body, 'cursor');
	if (typeof cursor === 'string' && cursor !== '' && fieldOf(body, 'has_more') !== false) {
		return { endpoint, query: { ...query, cursor } };
	}
	const nextPage = nextPath(fieldOf(body, 'next'), pathOf({ endpoint }));
	return nextPage === undefined ? undefined : { endpoint, nextPage };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** What an entry names its job by; the lists call the same things differently. */
function targetOf(told: unknown): string | undefined {
	const target =
		textOf(fieldOf(told, 'target')) ??
		textOf(fieldOf(told, 'url')) ??
		textOf(fieldOf(fieldOf(told, 'options'), 'prompt'));
	return target === undefined ? undefined : canonicalUrl(target);
}

/** An entry of a list. */
interface Entry extends Omit<ListedJob, 'told'> {
	target?: string;
	told: unknown;
}

/** The `Date` of a response has whole seconds, so that a job seems younger than it is by up to a second, and never older. */
function entriesIn({ headers }: ApiResponse, entries: unknown[]): Entry[] {
	const serverTime = Date.parse(textOf(headers.date) ?? '');
	const isTimed = !Number.isNaN(serverTime);
	const now = monotonicNow();
	return entries.flatMap((told) => {
		const id = startedId(told);
		const time = textOf(fieldOf(told, 'created_at')) ?? textOf(fieldOf(told, 'createdAt'));
		const age = (isTimed ? serverTime : Date.now()) - Date.parse(time ?? '');
		if (id === undefined || Number.isNaN(age)) return [];
		return { id, startedAt: now - age, isTimed, target: targetOf(told), told };
	});
}

/** What was read of a list. */
interface ReadList {
	entries: Entry[];
	/** The IDs of jobs of which it does not say when they were started. */
	undated: string[];
	isReadable: boolean;
	isWhole: boolean;
}

/** Reads a list, newest first, back to a moment. */
async function readList(list: JobList, since: number, context: Sender): Promise<ReadList> {
	const read: ReadList = { entries: [], undated: [], isReadable: false, isWhole: false };
	let page: Request | undefined = { endpoint: list.endpoint, query: list.query };
	for (let count = 0; page && count < mostPages; count += 1) {
		const sent: Outcome<ApiResponse> = await settle(context.send(page));
		const told: unknown = sent.ok ? fieldOf(sent.value.body, list.entries) : undefined;
		if (!sent.ok || !Array.isArray(told)) return read;
		read.isReadable = true;
		const entries = entriesIn(sent.value, told);
		const dated = new Set(entries.map(({ id }) => id));
		for (const entry of entries) read.entries.push(entry);
		for (const id of told.flatMap((entry: unknown) => startedId(entry) ?? [])) {
			if (!dated.has(id)) read.undated.push(id);
		}
		const isEnd = entries.length === 0 || entries.some(({ startedAt }) => startedAt < since);
		page = isEnd ? undefined : pageAfter(list, sent.value.body);
	}
	return { ...read, isWhole: page === undefined };
}

/** Reads the jobs that the service lists since a moment, and keeps those that may have these targets, or that `isMarked` knows. */
export async function listJobs(
	{ lists, matchBy }: Pick<JobLookup, 'lists' | 'matchBy'>,
	since: number,
	isMarked: (told: unknown) => boolean,
	context: Sender,
): Promise<Listing> {
	const read = await Promise.all(lists.map(async (list) => await readList(list, since, context)));
	const wanted = new Set(matchBy.map(canonicalUrl));
	const entries = read.flatMap((list) => list.entries);
	const named = new Set(entries.flatMap(({ id, target }) => (target === undefined ? [] : [id])));
	const fitting = new Set(
		entries
			.filter(({ target, told }) => (target !== undefined && wanted.has(target)) || isMarked(told))
			.map(({ id }) => id),
	);
	const byId = new Map<string, ListedJob>();
	for (const { id, startedAt, isTimed, told } of entries) {
		if (startedAt < since || !fitting.has(id)) continue;
		const same = byId.get(id);
		byId.set(id, {
			id,
			startedAt: Math.min(startedAt, same?.startedAt ?? Infinity),
			isTimed: isTimed && same?.isTimed !== false,
			told: [...(same?.told ?? []), told],
		});
	}
	const unknown = [...entries.map(({ id }) => id), ...read.flatMap(({ undated }) => undated)];
	return {
		jobs: [...byId.values()].sort((one, other) => other.startedAt - one.startedAt),
		isReadable: read.some(({ isReadable }) => isReadable),
		isWhole: read.every(({ isWhole }) => isWhole) && unknown.every((id) => named.has(id)),
	};
}
