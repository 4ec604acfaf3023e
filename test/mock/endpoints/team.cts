import { balance } from '../access.cjs';
import type { Context } from '../context.cjs';
import { badRequest } from '../errors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { parseQueryString } from '../schemas/fields.cjs';
import { activityQuery, historyQuery } from '../schemas/toolCalls.cjs';

const dayMs = 86_400_000;

/** `/team/*`: reachable with every key, whatever its scopes. */
export function teamEndpoints(context: Context): ApiEndpoint[] {
	return endpoints(
		{ rate: 'team' },
		['GET /v2/team/credit-usage', (call) => creditUsage(context, call)],
		['GET /v2/team/credit-usage/historical', (call) => history(context, call)],
		['GET /v2/team/queue-status', (call) => queueStatus(context, call)],
		['GET /v2/team/activity', (call) => activity(context, call)],
	);
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

/** Calendar months in which something was spent, oldest first. The sum has the name in the public documents. */
function history({ ledger }: Context, { query, caller }: ApiCall): Answer {
	const { byApiKey } = parseQueryString(historyQuery, query);
	const apiKey = (byApiKey && caller.key?.label) || null;
	const sums = new Map<string, number>();
	for (const { at, teamId, credits } of ledger.entries) {
		if (teamId !== caller.team.id || credits === 0) continue;
		sums.set(monthStart(at), (sums.get(monthStart(at)) ?? 0) + credits);
	}
	const periods = [...sums].map(([startDate, totalCredits]) => {
		const endDate = monthStart(Date.parse(startDate), 1);
		return { startDate, endDate, apiKey, totalCredits };
	});
	return { body: { success: true, periods } };
}

function queueStatus({ pageJobs, activity: { entries } }: Context, { caller }: ApiCall): Answer {
	const { team } = caller;
	const active = pageJobs.active(team.id).reduce((sum, { atWork }) => sum + atWork, 0);
	const last = entries.findLast(({ teamId }) => teamId === team.id);
	return {
		body: {
			success: true,
			jobsInQueue: active,
			activeJobsInQueue: active,
			waitingJobsInQueue: 0,
			maxConcurrency: team.concurrency,
			mostRecentSuccess: last ? new Date(last.at).toISOString() : null,
		},
	};
}

/** The last day's jobs, newest first; parsed files are no endpoint of the list. */
function activity(context: Context, { query, caller }: ApiCall): Answer {
	const { endpoint, limit, cursor } = parseQueryString(activityQuery, query);
	const since = context.clock.now() - dayMs;
	const newest = context.activity.entries
		.filter((entry) => entry.teamId === caller.team.id && entry.endpoint !== 'parse')
		.filter((entry) => entry.at > since && (!endpoint || entry.endpoint === endpoint))
		.reverse();
	// Behind the job that the cursor names: jobs that came since do not move it.
	const place = newest.findIndex(({ id }) => id === cursor);
	if (cursor !== undefined && place < 0) throw badRequest([], 'Invalid query parameters');
	const page = newest.slice(place + 1, place + 1 + limit);
	const more = newest.length > place + 1 + limit;
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
			cursor: more ? page.at(-1)?.id : null,
			has_more: more,
		},
	};
}

function monthStart(time: number, later = 0): string {
	const date = new Date(time);
	return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)).toISOString();
}
