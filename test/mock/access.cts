import type { Context } from './context.cjs';
import { ApiError, forbidden, paymentRequired, unauthorized } from './errors.cjs';
import type { ApiCall } from './pipeline.cjs';
import type { LogEntry } from './requestLog.cjs';
import type { ScrapeOptions } from './schemas/scrapeOptions.cjs';
import type { Caller, Scope, Team } from './teams.cjs';

/** Who sent the request, by its Authorization header. */
export function identify(context: Context, entry: LogEntry, access: { scope?: Scope }): Caller {
	if (!context.authentication) {
		return { team: context.teams.get('self-hosted') };
	}
	if (!entry.authorization) throw unauthorized('Unauthorized');
	const key = entry.key === undefined ? undefined : context.teams.key(entry.key);
	if (!key || key.revoked) throw unauthorized();
	const team = context.teams.get(key.teamId);
	if (access.scope && key.scopes && !key.scopes.includes(access.scope)) throw forbidden();
	return { team, key };
}

/** Throws the 403 of a caller that may not search the tool catalogue. */
export function requireTools({ team }: Caller, zeroRetention: boolean): void {
	if (zeroRetention || !team.features.includes('alexandria')) {
		throw forbidden('Provider discovery requires access and does not support zero data retention.');
	}
}

/** What the team can still spend. */
export function balance(context: Context, caller: Caller): number {
	return caller.team.credits - context.ledger.spent(caller.team.id);
}

/** Throws the 402 unless the balance covers `credits`. */
export function requireCredits(context: Context, caller: Caller, credits: number): void {
	if (balance(context, caller) < credits) throw paymentRequired();
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

/** Throws the 403 of a team that has no threat protection; whose has it, is threatened by nobody here. */
export function permitThreats(team: Team, override: object | undefined): void {
	if (!override || team.features.includes('threatProtection')) return;
	throw forbidden(
		'Threat protection is an enterprise feature and is not enabled for your team. Contact support@firecrawl.com to explore whether it can be enabled for your team.',
	);
}

/** Throws the 403 of a team that may not have pages scraped so. */
export function checkRights(
	{ caller: { team } }: ApiCall,
	request: { zeroDataRetention?: boolean },
	{ threatProtection }: ScrapeOptions,
): void {
	if (request.zeroDataRetention && !team.features.includes('zdr')) {
		throw forbidden(
			'Zero Data Retention (ZDR) is not enabled for your team. Contact support@firecrawl.com to enable this feature.',
		);
	}
	permitThreats(team, threatProtection);
}

/** Throws the 402 of a crawl or a search by a team that has nothing left to spend. */
export function requireBalance(context: Context, caller: Caller): void {
	if (balance(context, caller) > 0) return;
	throw paymentRequired(
		'Insufficient credits to perform this request. For more credits, you can upgrade your plan at https://firecrawl.dev/pricing or try changing the request limit to a lower value.',
	);
}
