import { balance } from '../access.cjs';
import type { ActivityEntry } from '../activity.cjs';
import type { Context } from '../context.cjs';
import { ApiError, badRequest } from '../errors.cjs';
import type { LedgerEntry } from '../ledger.cjs';
import { endpoints, type Answer, type ApiCall, type ApiEndpoint } from '../pipeline.cjs';
import { activityQuery, historyQuery } from '../schemas/team.cjs';
import { parseQueryString } from '../schemas/query.cjs';

const dayMs = 86_400_000;

/** `/team/*`: reachable with every key, whatever its scopes. */
export function teamEndpoints(context: Context): ApiEndpoint[] {
	return endpoints(
		{ rate: 'team' },
		['GET /v2/team/credit-usage', (call) => creditUsage(context, call)],
		['GET /v2/team/credit-usage/historical', (call) => history(context, call)],
		['GET /v2/team/queue-status', (call) => queueStatus(context, call)],
		['GET /v2/team/activity', (call) => activity(context, call)],
		['GET /v2/concurrency-check', (call) => concurrency(context, call)],
	);
}

function concurrency({ limits }: Context, { caller: { team } }: ApiCall): Answer {
	const { active } = limits.usage(team);
	return { body: { success: true, concurrency: active, maxConcurrency: team.concurrency } };
}

function creditUsage(context: Context, { caller }: ApiCall): Answer {
	const now = context.clock.now();
	return {
		body: {
			success: true,
			data: {
				remainingCredits: balance(context, caller),
				planCredits: caller.team.credits,
				billingPeriodStart: monthStart(now),
				billingPeriodEnd: monthStart(now, 1),
			},
		},
	};
}

/**
 * Calendar months in which something was spent, oldest first. Which of the two documented names the
 * sum has is open: here it is the public documents' `totalCredits`.
 */
function history(context: Context, { query, caller }: ApiCall): Answer {
	const { byApiKey } = parseQueryString(historyQuery, query);
	const { entries } = context.ledger;
	const spent = entries.filter(({ teamId, credits }) => teamId === caller.team.id && credits !== 0);
	const periods = new Map<
		string,
		{ startDate: string; endDate: string; apiKey: string | null; totalCredits: number }
	>();
	for (const entry of spent) {
		const startDate = monthStart(entry.at);
		const apiKey = byApiKey ? keyName(context, entry) : null;
		const id = JSON.stringify([startDate, apiKey]);
		const period = periods.get(id) ?? {
			startDate,
			endDate: monthStart(entry.at, 1),
			apiKey,
			totalCredits: 0,
		};
		period.totalCredits += entry.credits;
		periods.set(id, period);
	}
	const byStart = [...periods.values()].sort((a, b) => a.startDate.localeCompare(b.startDate));
	return { body: { success: true, periods: byStart } };
}

/** What the key of the charged request is called; null for work that no request asked for. */
function keyName({ log, teams }: Context, { requestId }: LedgerEntry): string | null {
	const key = log.entries.find(({ id }) => id === requestId)?.key;
	return (key !== undefined && teams.key(key)?.label) || null;
}

function queueStatus({ limits, activity: { entries } }: Context, { caller }: ApiCall): Answer {
	const { team } = caller;
	const { active, waiting } = limits.usage(team);
	const last = entries.findLast(({ teamId }) => teamId === team.id);
	return {
		body: {
			success: true,
			jobsInQueue: active + waiting,
			activeJobsInQueue: active,
			waitingJobsInQueue: waiting,
			maxConcurrency: team.concurrency,
			mostRecentSuccess: last ? new Date(last.at).toISOString() : null,
		},
	};
}

/** The last day's jobs, newest first; parsed files are no endpoint of the list. */
function activity(context: Context, { query, caller }: ApiCall): Answer {
	if (!context.options.authentication) {
		throw new ApiError(501, { error: 'Activity is not supported when self-hosted.' });
	}
	const { endpoint, limit, cursor } = parseQueryString(activityQuery, query);
	const since = context.clock.now() - dayMs;
	const newest = context.activity.entries
		.filter((entry) => entry.teamId === caller.team.id && entry.endpoint !== 'parse')
		.filter((entry) => entry.at > since && (!endpoint || entry.endpoint === endpoint))
		.reverse();
	const start = cursor === undefined ? 0 : placeAfter(newest, cursor);
	const page = newest.slice(start, start + limit);
	const more = newest.length > start + limit;
	const last = page.at(-1);
	return {
		body: {
			success: true,
			data: page.map(({ id, endpoint: kind, at, target }) => ({
				id,
				endpoint: kind,
				api_version: 'v2',
				created_at: new Date(at).toISOString(),
				target,
			})),
			cursor: more && last ? Buffer.from(last.id).toString('base64url') : null,
			has_more: more,
		},
	};
}

/** The place behind the job that a cursor names; jobs that came since do not move it. */
function placeAfter(entries: readonly ActivityEntry[], cursor: string): number {
	const id = Buffer.from(cursor, 'base64url').toString();
	const place = entries.findIndex((entry) => entry.id === id);
	if (place >= 0) return place + 1;
	throw badRequest(
		[{ code: 'custom', path: ['cursor'], message: 'Unknown cursor' }],
		'Invalid query parameters',
	);
}

/** Midnight UTC of a month's first day, `later` months after the one that holds the time. */
function monthStart(time: number, later = 0): string {
	const date = new Date(time);
	return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)).toISOString();
}
