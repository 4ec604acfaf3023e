import type { z } from 'zod';

import type { Context } from '../context.cjs';
import { ApiError, type ErrorBody } from '../errors.cjs';
import { endpoints, type Answer, type ApiCall, type ApiEndpoint } from '../pipeline.cjs';
import { endpointFeedback, searchFeedback } from '../schemas/feedback.cjs';
import { isUuid } from '../schemas/fields.cjs';

/** How long a search may be rated. */
const windowMs = 2 * 60_000;
const refundPerSearch = 1;
const dayMs = 86_400_000;

/**
 * `POST /search/{jobId}/feedback` and `POST /feedback`. Which limit counts
 * them is not documented: here it is the account's.
 */
export function feedbackEndpoints(context: Context): ApiEndpoint[] {
	return endpoints(
		{ rate: 'team' },
		['POST /v2/search/:id/feedback', (call) => rateSearch(context, call), { scope: 'search' }],
		['POST /v2/feedback', (call) => rateJob(context, call)],
	);
}

function rateSearch(context: Context, call: ApiCall): Answer {
	const { id } = call.params;
	if (!isUuid(id)) {
		throw refused(400, 'INVALID_BODY', 'Invalid job ID format. Job ID must be a valid UUID.');
	}
	readReport(searchFeedback, call.body);
	checkTeam(context, call);
	return reportSearch(context, call, id);
}

function rateJob(context: Context, call: ApiCall): Answer {
	const { endpoint, jobId } = readReport(endpointFeedback, call.body);
	checkTeam(context, call);
	if (endpoint === 'search') return reportSearch(context, call, jobId);
	const { id: teamId } = call.caller.team;
	const job = context.activity.find(teamId, endpoint, jobId);
	if (!job || context.clock.now() >= job.at + dayMs) {
		throw refused(404, 'JOB_NOT_FOUND', 'Job not found for this team.');
	}
	return { body: { success: true, ...context.feedback.submit(teamId, jobId, 0, call.entry) } };
}

/** A repeated report is answered as such even when the time for reports is over. */
function reportSearch(context: Context, { caller, entry }: ApiCall, jobId: string): Answer {
	const { activity, clock, feedback, ledger } = context;
	const { id: teamId } = caller.team;
	const search = activity.find(teamId, 'search', jobId);
	if (!search) throw refused(404, 'SEARCH_NOT_FOUND', 'Search not found for this team.');
	if (feedback.failedSearches.has(jobId)) {
		throw refused(409, 'SEARCH_FAILED', 'Feedback cannot be recorded for a search that failed.');
	}
	if (!feedback.has(jobId) && clock.now() > search.at + windowMs) {
		throw refused(409, 'FEEDBACK_WINDOW_EXPIRED', 'The time for feedback on this search is over.');
	}
	const price = ledger.entries
		.filter((charge) => charge.jobId === jobId)
		.reduce((sum, { credits }) => sum + credits, 0);
	const refund = feedback.submit(teamId, jobId, Math.min(refundPerSearch, price), entry);
	return { body: { success: true, ...refund } };
}

function checkTeam({ feedback }: Context, { caller }: ApiCall): void {
	if (feedback.trouble === 'DB_DISABLED') {
		throw refused(503, 'DB_DISABLED', 'Feedback is not available.');
	}
	if (feedback.trouble === 'INTERNAL') {
		throw refused(500, 'INTERNAL', 'Feedback could not be recorded.');
	}
	if (feedback.optedOut.has(caller.team.id)) {
		throw refused(403, 'TEAM_OPTED_OUT', 'The team has opted out of feedback.');
	}
}

/** Reads a report, or throws the 400 of its own kind. */
export function readReport<T extends z.ZodTypeAny>(schema: T, body: unknown): z.output<T> {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	throw refused(400, 'INVALID_BODY', 'Invalid request body', { details: result.error.issues });
}

function refused(
	status: number,
	feedbackErrorCode: string,
	error: string,
	more: Partial<ErrorBody> = {},
): ApiError {
	return new ApiError(status, { error, feedbackErrorCode, ...more });
}
