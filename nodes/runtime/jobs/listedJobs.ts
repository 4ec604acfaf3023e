import { pathOf, type Request } from '../http/client';
import { startedId } from '../http/requireJobId';
import type { JobList, JobLookup } from '../http/jobLookup';
import { nextPath, type Sender } from '../http/paging';
import type { ApiResponse } from '../api/retry';
import { monotonicNow } from '../values/clock';
import { canonicalUrl } from '../values/parseUrl';
import { fieldOf } from '../values/record';
import { settle, type Outcome } from '../values/settle';

/** Most pages fetched of a list: 1,000 jobs of the activity, 200 agent runs. */
const mostPages = 10;

/** A job in the lists of the service. */
export interface ListedJob {
	id: string;
	/** Latest possible start, by this process's monotonic clock. */
	startedAt: number;
	/** Whether the response has the server's time, so that the clocks may differ. */
	isTimed: boolean;
	/** Its entry in each list. */
	listed: unknown[];
}

/** The jobs that a request may have started, newest first. */
export interface Listing {
	jobs: ListedJob[];
	/**
	 * Whether any list could be fetched, and whether all were fetched completely, with all fields
	 * known.
	 */
	isReadable: boolean;
	isWhole: boolean;
}

/** The request for the next page of a list, by cursor or URL; undefined at the end. */
function pageAfter({ endpoint, query }: JobList, body: unknown): Request | undefined {
	const cursor = fieldOf(body, 'cursor');
	if (typeof cursor === 'string' && cursor !== '' && fieldOf(body, 'has_more') !== false) {
		return { endpoint, query: { ...query, cursor } };
	}
	const nextPage = nextPath(fieldOf(body, 'next'), pathOf({ endpoint }));
	return nextPage === undefined ? undefined : { endpoint, nextPage };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The URL or prompt of an entry. Each list has its own name for it. */
function targetOf(listed: unknown): string | undefined {
	const target =
		textOf(fieldOf(listed, 'target')) ??
		textOf(fieldOf(listed, 'url')) ??
		textOf(fieldOf(fieldOf(listed, 'options'), 'prompt'));
	return target === undefined ? undefined : canonicalUrl(target);
}

/** A list entry. */
interface Entry extends Omit<ListedJob, 'listed'> {
	target?: string;
	listed: unknown;
}

/**
 * Parses list entries. `Date` headers have whole seconds: a job may seem up to a second younger,
 * but never older.
 */
function entriesIn({ headers }: ApiResponse, entries: unknown[]): Entry[] {
	const serverTime = Date.parse(textOf(headers.date) ?? '');
	const isTimed = !Number.isNaN(serverTime);
	const now = monotonicNow();
	return entries.flatMap((listed) => {
		const id = startedId(listed);
		const time = textOf(fieldOf(listed, 'created_at')) ?? textOf(fieldOf(listed, 'createdAt'));
		const age = (isTimed ? serverTime : Date.now()) - Date.parse(time ?? '');
		if (id === undefined || Number.isNaN(age)) return [];
		return { id, startedAt: now - age, isTimed, target: targetOf(listed), listed };
	});
}

/** A fetched list. */
interface ReadList {
	entries: Entry[];
	/** IDs of the jobs without a start time. */
	undated: string[];
	isReadable: boolean;
	isWhole: boolean;
}

/** Fetches a list, newest first, back to a time. */
async function readList(list: JobList, since: number, context: Sender): Promise<ReadList> {
	const read: ReadList = { entries: [], undated: [], isReadable: false, isWhole: false };
	let page: Request | undefined = { endpoint: list.endpoint, query: list.query };
	for (let count = 0; page && count < mostPages; count += 1) {
		const sent: Outcome<ApiResponse> = await settle(context.send(page));
		const listed: unknown = sent.ok ? fieldOf(sent.value.body, list.entries) : undefined;
		if (!sent.ok || !Array.isArray(listed)) return read;
		read.isReadable = true;
		const entries = entriesIn(sent.value, listed);
		const dated = new Set(entries.map(({ id }) => id));
		for (const entry of entries) read.entries.push(entry);
		for (const id of listed.flatMap((entry: unknown) => startedId(entry) ?? [])) {
			if (!dated.has(id)) read.undated.push(id);
		}
		const isEnd = entries.length === 0 || entries.some(({ startedAt }) => startedAt < since);
		page = isEnd ? undefined : pageAfter(list, sent.value.body);
	}
	return { ...read, isWhole: page === undefined };
}

/** Lists the jobs since a time that may have these targets or that match `isMarked`. */
export async function listJobs(
	{ lists, matchBy }: Pick<JobLookup, 'lists' | 'matchBy'>,
	since: number,
	isMarked: (listed: unknown) => boolean,
	context: Sender,
): Promise<Listing> {
	const read = await Promise.all(lists.map(async (list) => await readList(list, since, context)));
	const wanted = new Set(matchBy.map(canonicalUrl));
	const entries = read.flatMap((list) => list.entries);
	const named = new Set(entries.flatMap(({ id, target }) => (target === undefined ? [] : [id])));
	const fitting = new Set(
		entries
			.filter(
				({ target, listed }) => (target !== undefined && wanted.has(target)) || isMarked(listed),
			)
			.map(({ id }) => id),
	);
	const byId = new Map<string, ListedJob>();
	for (const { id, startedAt, isTimed, listed } of entries) {
		if (startedAt < since || !fitting.has(id)) continue;
		const same = byId.get(id);
		byId.set(id, {
			id,
			startedAt: Math.min(startedAt, same?.startedAt ?? Infinity),
			isTimed: isTimed && same?.isTimed !== false,
			listed: [...(same?.listed ?? []), listed],
		});
	}
	const unknown = [...entries.map(({ id }) => id), ...read.flatMap(({ undated }) => undated)];
	return {
		jobs: [...byId.values()].sort((one, other) => other.startedAt - one.startedAt),
		isReadable: read.some(({ isReadable }) => isReadable),
		isWhole: read.every(({ isWhole }) => isWhole) && unknown.every((id) => named.has(id)),
	};
}
