import { balance } from '../access.cjs';
import type { Context } from '../context.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';

const dayMs = 86_400_000;

/** `/team/*`. */
export function teamEndpoints(context: Context): Endpoints {
	return {
		'GET /v2/team/credit-usage': (call) => creditUsage(context, call),
		'GET /v2/team/credit-usage/historical': (call) => history(context, call),
		'GET /v2/team/queue-status': (call) => queueStatus(context, call),
		'GET /v2/team/activity': (call) => activity(context, call),
	};
}

function creditUsage(context: Context, { team }: ApiCall): Answer {
	const now = context.clock.now();
	return {
		body: {
			success: true,
			data: {
				remainingCredits: balance(context, team),
				planCredits: team.credits,
				billingPeriodStart: monthStart(now),
				billingPeriodEnd: monthStart(now, 1),
			},
		},
	};
}

/** The calendar month, if something was spent. The sum has the name in the public documents. */
function history({ clock, ledger }: Context, { query, team }: ApiCall): Answer {
	const apiKey = (query.byApiKey === 'true' && team.id) || null;
	const totalCredits = ledger.spent(team.id);
	const [startDate, endDate] = [monthStart(clock.now()), monthStart(clock.now(), 1)];
	const periods = totalCredits > 0 ? [{ startDate, endDate, apiKey, totalCredits }] : [];
	return { body: { success: true, periods } };
}

function queueStatus({ pageJobs, ledger }: Context, { team }: ApiCall): Answer {
	const active = pageJobs.active(team.id).reduce((sum, { atWork }) => sum + atWork, 0);
	const last = ledger.entries.findLast(({ teamId }) => teamId === team.id);
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

/** The last day's batches and crawls, newest first, on one page. */
function activity({ clock, pageJobs }: Context, { query, team }: ApiCall): Answer {
	const since = clock.now() - dayMs;
	const data = pageJobs.jobs
		.filter(({ about, startedAt }) => about.team.id === team.id && startedAt > since)
		.map(({ id, about, startedAt }) => ({
			...{ id, endpoint: about.kind === 'batch' ? 'batch_scrape' : 'crawl', api_version: 'v2' },
			created_at: new Date(startedAt).toISOString(),
			target: about.url,
		}))
		.filter(({ endpoint }) => query.endpoint === undefined || endpoint === query.endpoint)
		.reverse()
		.slice(0, Number(query.limit ?? 50));
	return { body: { success: true, data, cursor: null, has_more: false } };
}

function monthStart(time: number, later = 0): string {
	const date = new Date(time);
	return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)).toISOString();
}
