import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { statusOf } from '../runtime/errors/webDataError';
import { form } from '../runtime/form/form';
import { longestPage, readByOffset } from '../runtime/http/paging';
import { asRecord, label } from '../runtime/execution/results';
import { pluralize } from '../runtime/values/text';
import { settle } from '../runtime/values/outcome';
import { fieldOf, fieldsNamed } from '../runtime/values/record';
import { SeenSet } from '../runtime/values/seenSet';
import { matters, monitorEventFields, monitorId } from '../WebData/fields/monitor';
import { hasCheckEnded, monitorEndpoints, readCheck } from '../WebData/resources/monitor';
import type { CheckContext, Finding, Watch } from './watch';

/** Most monitor checks whose pages are fetched in one poll; the next polls fetch the others. */
const mostChecks = 100;

/** Most monitor checks that are remembered; only those of the last hour are. */
const mostKnown = 10_000;

/** The service may list a check later than its creation. Milliseconds. */
const lateness = 3_600_000;

/** A check that runs for longer holds up the memory of the others no more. Milliseconds. */
const longestOpen = 24 * lateness;

const request = form({ monitorId, ...monitorEventFields }, ({ events }, reject) => {
	if (events === undefined) reject('requires at least one', 'events');
});

type Request = z.output<typeof request.schema>;

/** A time of a check as Unix milliseconds; NaN if it has none. */
const timeOf = (check: unknown, ...names: string[]): number =>
	Date.parse(String(names.map((name) => fieldOf(check, name)).find((time) => time ?? undefined)));

const createdAt = (check: unknown): number => timeOf(check, 'createdAt', 'startedAt');
const endedAt = (check: unknown): number =>
	timeOf(check, 'finishedAt', 'updatedAt', 'startedAt', 'createdAt');

/** Lists the checks since a time, oldest first. Stops early if the server lists the newest first. */
async function checksSince(id: string, since: number, context: CheckContext) {
	const request = { endpoint: monitorEndpoints.listChecks, ids: { id } };
	const isLast = (page: unknown[]) =>
		createdAt(page.at(-1)) < since && createdAt(page[0]) > createdAt(page.at(-1));
	const checks = await readByOffset(request, Infinity, context, undefined, isLast);
	return checks
		.filter((check) => !(createdAt(check) < since))
		.reverse()
		.sort((one, other) => createdAt(one) - createdAt(other));
}

/** The findings of a monitor check, as the Web Data Trigger returns them: first pages, then the check. */
async function findingsOf(
	check: IDataObject,
	{ monitorId: id, events = [], onlyMeaningful, includePages = false }: Request,
	context: CheckContext,
): Promise<Finding[]> {
	const checkId = String(check.id);
	const about = { monitorId: id, checkId, checkedAt: check.finishedAt ?? null };
	const needsPages = events.some((event) => event !== 'checkCompleted') || includePages;
	const ids = { id, checkId };
	const request = { endpoint: monitorEndpoints.getCheck, ids, query: { limit: longestPage } };
	const read = needsPages ? await settle(readCheck(request, Infinity, context)) : undefined;
	const error = read?.ok === false ? read.error : undefined;
	// A check that the service does not have any more must not hold up the others.
	if (error && statusOf(error) !== 404) throw error;
	if (error) context.notice(`The pages of the check ${checkId} are missing: ${error.message}.`);
	const records = read?.ok === true ? read.value.pages.map(asRecord) : [];
	const found = records.filter((page) => {
		const event = String(page.status);
		return events.includes(event) && (!onlyMeaningful || matters(event, page));
	});
	const finding = (json: IDataObject, type: string, key: string): Finding => ({
		id: `${checkId} ${key}`,
		result: { json: label(json, { ...about, event: { type, id: checkId } }) },
	});
	const findings = found.map((page, index) => {
		const isMeaningful = fieldOf(page.judgment, 'meaningful') ?? null;
		const json = { ...page, isMeaningful } as IDataObject;
		return finding(json, 'monitor.page', String(page.id ?? index));
	});
	if (!events.includes('checkCompleted')) return findings;
	const completed = {
		...fieldsNamed(check, 'status', 'summary'),
		...(includePages && !error && { pages: records }),
		...(error && { pagesError: error.message }),
	} as IDataObject;
	return [...findings, finding(completed, 'monitor.check.completed', 'check')];
}

/** What to remember of checks: the time to list from, kept back by an open one for a day at most, and those returned. */
function nextMemory(
	listed: IDataObject[],
	later: ReadonlySet<IDataObject>,
	since: number,
	now: number,
): IDataObject {
	const isReturned = (check: IDataObject) => hasCheckEnded(check) && !later.has(check);
	const isStuck = (check: IDataObject) =>
		!hasCheckEnded(check) && createdAt(check) < now - longestOpen;
	const edge = listed.find((check) => !isReturned(check) && !isStuck(check)) ?? listed.at(-1);
	const returned = listed.filter(isReturned);
	const kept = returned.slice(-mostKnown);
	// Checks before those that are remembered are never listed again.
	const oldestKept = returned.length > mostKnown ? createdAt(kept[0]) : NaN;
	const times = [since, createdAt(edge) - lateness, oldestKept];
	const nextSince = Math.max(...times.filter(Number.isFinite));
	const known = new SeenSet(undefined, mostKnown);
	for (const check of kept) if (!(createdAt(check) < nextSince)) known.add(String(check.id));
	return { ...(Number.isFinite(nextSince) && { since: nextSince }), known: known.toString() };
}

/** Polls the checks of a monitor (https://docs.firecrawl.dev/features/monitoring). */
export const monitorWatch: Watch = {
	...request,
	name: 'Monitor Checks',
	value: 'monitor',
	description: 'Checks of a monitor that have ended, with their changed pages; free',
	action: 'On monitor checks',
	async check(watched: Request, state, context) {
		const { monitorId: id } = watched;
		const before = state?.monitorId === id ? state : undefined;
		const isFirst = before === undefined;
		const since = typeof before?.since === 'number' ? before.since : -Infinity;
		const known = new SeenSet(before?.known, mostKnown);
		const listed = await checksSince(id, since, context);
		const ended = listed
			.filter((check) => hasCheckEnded(check) && !known.has(String(check.id)))
			.sort((one, other) => endedAt(one) - endedAt(other));
		// If nothing of the first check is returned, the pages of earlier checks are not needed.
		const isWanted = !isFirst || context.trigger.firstCheck === 'all';
		const wanted = isWanted ? ended.slice(context.isManual ? -1 : 0) : [];
		const later = new Set(wanted.slice(mostChecks));
		const found: Finding[] = [];
		for (const check of wanted.slice(0, mostChecks)) {
			for (const finding of await findingsOf(check, watched, context))
				found.push({ ...finding, isExisting: isFirst });
		}
		const memory = nextMemory(listed, later, since, context.now.getTime());
		const checked = pluralize(listed.length, 'monitor check');
		return { found, nextState: { monitorId: id, ...memory }, checked };
	},
};
