import type { Context } from './context.cjs';
import { ApiError } from './errors.cjs';
import type { ApiCall } from './pipeline.cjs';
import type { LogEntry } from './requestLog.cjs';
import type { Team } from './teams.cjs';

/** Who sent the request, by its Authorization header. */
export function identify(
	{ authentication, teams }: Context,
	{ authorization, key = '' }: LogEntry,
): Team {
	if (!authentication) return teams.get('self-hosted');
	if (!authorization) throw new ApiError(401, { error: 'Unauthorized' });
	const team = teams.ofKey(key);
	if (!team) throw new ApiError(401, { error: 'Unauthorized: Invalid token' });
	return team;
}

/** What the team can still spend. */
export function balance(context: Context, team: Team): number {
	return team.credits - context.ledger.spent(team.id);
}

/** Throws the 402 unless the balance covers `credits`. */
export function requireCredits(context: Context, team: Team, credits: number): void {
	if (balance(context, team) >= credits) return;
	throw new ApiError(402, {
		error:
			'Insufficient credits to perform this request. For more credits, you can upgrade your plan at https://firecrawl.dev/pricing or try changing the request limit to a lower value.',
	});
}

/** A UUID of a known version, as the service's own library reads it. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Uses up a crawl's `x-idempotency-key`, for all teams: 409 for one used before, and for one that is no UUID. */
export function takeIdempotencyKey({ pageJobs }: Context, { headers }: ApiCall): void {
	const key = headers['x-idempotency-key'];
	if (key === undefined) return;
	if (typeof key !== 'string' || !uuid.test(key) || !pageJobs.useKey(key)) {
		throw new ApiError(409, { error: 'Idempotency key already used' });
	}
}
