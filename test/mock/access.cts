import type { Context } from './context.cjs';
import { ApiError } from './errors.cjs';
import type { ApiCall } from './pipeline.cjs';
import type { LogEntry } from './requestLog.cjs';
import type { Caller } from './teams.cjs';

/** Who sent the request, by its Authorization header. */
export function identify(context: Context, entry: LogEntry): Caller {
	if (!context.authentication) {
		return { team: context.teams.get('self-hosted') };
	}
	if (!entry.authorization) throw new ApiError(401, { error: 'Unauthorized' });
	const key = entry.key === undefined ? undefined : context.teams.key(entry.key);
	if (!key || key.revoked) throw new ApiError(401, { error: 'Unauthorized: Invalid token' });
	return { team: context.teams.get(key.teamId), key };
}

/** What the team can still spend. */
export function balance(context: Context, caller: Caller): number {
	return caller.team.credits - context.ledger.spent(caller.team.id);
}

/** Throws the 402 unless the balance covers `credits`. */
export function requireCredits(context: Context, caller: Caller, credits: number): void {
	if (balance(context, caller) >= credits) return;
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
