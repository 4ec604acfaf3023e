import type { Context } from './context.cjs';
import { ApiError, forbidden } from './errors.cjs';
import type { ApiCall } from './pipeline.cjs';
import type { LogEntry } from './requestLog.cjs';
import type { Caller, Feature } from './teams.cjs';

/** Who sent the request, by its Authorization header. */
export function identify(context: Context, entry: LogEntry, access: { scope?: string }): Caller {
	if (!context.authentication) {
		return { team: context.teams.get('self-hosted') };
	}
	if (!entry.authorization) throw new ApiError(401, { error: 'Unauthorized' });
	const key = entry.key === undefined ? undefined : context.teams.key(entry.key);
	if (!key || key.revoked) throw new ApiError(401, { error: 'Unauthorized: Invalid token' });
	const team = context.teams.get(key.teamId);
	if (access.scope && key.scopes && !key.scopes.includes(access.scope)) throw forbidden();
	return { team, key };
}

const contact = 'Contact support@firecrawl.com to';

/** What the service says to a team whose plan lacks a feature, in the order in which it looks. */
const lacking = new Map<Feature, string>([
	['alexandria', 'Provider discovery requires access and does not support zero data retention.'],
	[
		'searchZdr',
		`Zero Data Retention (ZDR) search is not enabled for your team. ${contact} enable this feature.`,
	],
	[
		'zdr',
		`Zero Data Retention (ZDR) is not enabled for your team. ${contact} enable this feature.`,
	],
	[
		'threatProtection',
		`Threat protection is an enterprise feature and is not enabled for your team. ${contact} explore whether it can be enabled for your team.`,
	],
	[
		'ignoreRobots',
		`The ignoreRobotsTxt parameter is an enterprise feature. ${contact} explore whether it can be enabled for your team.`,
	],
]);

/** Throws the 403 of a team whose plan lacks a feature that is wanted. */
export function requireFeatures(
	{ team }: Caller,
	wanted: Partial<Record<Feature, boolean | object>>,
): void {
	for (const [feature, words] of lacking) {
		if (wanted[feature] && !team.features.includes(feature)) throw forbidden(words);
	}
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
